/* SPDX-License-Identifier: BSD-3-Clause */
/* What precise sampling depends on, a row each: what to look at, what to do about it. */
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "machine_capabilities.h"
#include "machine_pebs.h"

static int is_amd(const struct machine *machine)
{
	return machine->cpu.vendor == PRECIS_VENDOR_AMD ||
	       machine->cpu.vendor == PRECIS_VENDOR_HYGON;
}

static int is_intel(const struct machine *machine)
{
	return machine->cpu.vendor == PRECIS_VENDOR_INTEL;
}

static int has_pmu(const struct machine *machine)
{
	return machine->ibs_op.present || machine->ibs_fetch.present;
}

/* Since Linux 6.2, "perf/amd/ibs: Make IBS a core pmu" */
static int has_per_task_ibs(const struct machine *machine)
{
	return machine->release_major > 6 ||
	       (machine->release_major == 6 && machine->release_minor >= 2);
}

/* Names in format/ decide, not the kernel's version: distributions back-port. */
static int has_filter(const struct machine *machine)
{
	return strstr(machine->ibs_op.formats, "swfilt") ||
	       (machine->ibs_caps & PRECIS_IBS_CAPS_ADDR_BIT63);
}

void machine_scope(const struct machine *machine, struct machine_scope *scope)
{
	int all = machine->is_privileged;
	int level = machine->has_paranoid ? machine->paranoid : 99;

	memset(scope, 0, sizeof(*scope));
	scope->ibs_needs_filter = !all && level == 2;
	scope->ibs_system_wide = all || level <= 0;
	scope->ibs_per_task = has_per_task_ibs(machine) &&
			      (all || level <= 1 || (level == 2 && has_filter(machine)));
	if (scope->ibs_system_wide || scope->ibs_per_task) {
		scope->ibs_op = machine->ibs_op.present;
		scope->ibs_fetch = machine->ibs_fetch.present;
	}
	if (is_intel(machine) && (all || level <= 2))
		machine_scope_pebs(machine, scope);
}

static enum machine_verdict check_vendor(const struct machine *machine, char *finding, size_t room)
{
	uint32_t cores = precis_amd_cores_of(&machine->cpu, machine->ibs_caps);

	snprintf(finding, room, "%s, family %Xh, model %Xh, stepping %Xh", machine->vendor,
		 machine->cpu.family, machine->cpu.model, machine->cpu.stepping);
	if (machine->cpu.vendor == PRECIS_VENDOR_UNKNOWN) {
		snprintf(finding, room, "/proc/cpuinfo does not tell the CPU's vendor");
		return MACHINE_UNKNOWN;
	}
	if (is_intel(machine))
		return machine_check_intel(machine, finding, room);
	if (!is_amd(machine)) {
		snprintf(finding, room, "%s: neither IBS nor PEBS", machine->vendor);
		return MACHINE_NO;
	}
	if (!cores) {
		snprintf(finding, room, "%s, family %Xh, model %Xh: has no IBS", machine->vendor,
			 machine->cpu.family, machine->cpu.model);
		return MACHINE_NO;
	}
	for (uint32_t core = 0; core < PRECIS_AMD_CORE_COUNT; core++) {
		if (cores == 1u << core)
			snprintf(finding, room, "%s, family %Xh, model %Xh, stepping %Xh: %s",
				 machine->vendor, machine->cpu.family, machine->cpu.model,
				 machine->cpu.stepping, precis_amd_core_name(core));
	}
	return MACHINE_YES;
}

static enum machine_verdict check_cpuid(const struct machine *machine, char *finding, size_t room)
{
	if (!is_amd(machine))
		return MACHINE_SKIP;
	if (!machine->has_ibs_flag) {
		snprintf(finding, room,
			 "CPUID Fn8000_0001 ECX[10] is 0: the CPU says it has no IBS");
		return MACHINE_NO;
	}
	if (machine->ibs_caps)
		snprintf(finding, room, "IBS with capabilities 0x%x (CPUID Fn8000_001B EAX)",
			 machine->ibs_caps);
	else
		snprintf(finding, room, "IBS (CPUID Fn8000_0001 ECX[10])");
	return MACHINE_YES;
}

static enum machine_verdict check_hypervisor(const struct machine *machine, char *finding,
					     size_t room)
{
	if (!machine->has_hypervisor_flag ||
	    (is_amd(machine) ? machine->has_ibs_flag : machine_has_pebs(machine)))
		return MACHINE_SKIP;
	snprintf(finding, room, "this is a virtual machine; its hypervisor hides %s",
		 is_amd(machine) ? "IBS" : "the PMU");
	return MACHINE_NO;
}

static enum machine_verdict check_firmware(const struct machine *machine, char *finding,
					   size_t room)
{
	if (!is_amd(machine) || machine->has_ibs_flag || machine->has_hypervisor_flag ||
	    !precis_amd_cores_of(&machine->cpu, 0))
		return MACHINE_SKIP;
	snprintf(finding, room, "this model has IBS: the firmware has switched it off");
	return MACHINE_NO;
}

static enum machine_verdict check_pmu(const struct machine *machine, const char *name,
				      const struct machine_pmu *pmu, char *finding, size_t room)
{
	if (!is_amd(machine))
		return MACHINE_SKIP;
	if (!pmu->present) {
		snprintf(finding, room, "/sys/bus/event_source/devices/%s is missing", name);
		return MACHINE_NO;
	}
	snprintf(finding, room, "%s with format %.160s%s%.160s", name,
		 *pmu->formats ? pmu->formats : "(none)", *pmu->caps ? "; caps " : "", pmu->caps);
	return MACHINE_YES;
}

static enum machine_verdict check_ibs_op(const struct machine *machine, char *finding, size_t room)
{
	return check_pmu(machine, "ibs_op", &machine->ibs_op, finding, room);
}

static enum machine_verdict check_ibs_fetch(const struct machine *machine, char *finding,
					    size_t room)
{
	return check_pmu(machine, "ibs_fetch", &machine->ibs_fetch, finding, room);
}

static enum machine_verdict check_per_task(const struct machine *machine, char *finding,
					   size_t room)
{
	if (!is_amd(machine) || !has_pmu(machine))
		return MACHINE_SKIP;
	if (!*machine->release) {
		snprintf(finding, room, "/proc/sys/kernel/osrelease does not tell the kernel");
		return MACHINE_UNKNOWN;
	}
	snprintf(finding, room, "Linux %.64s: IBS of %s", machine->release,
		 has_per_task_ibs(machine) ? "single processes and of the whole system" :
					     "the whole system only; single processes since 6.2");
	return has_per_task_ibs(machine) ? MACHINE_YES : MACHINE_LIMITED;
}

static enum machine_verdict check_filter(const struct machine *machine, char *finding, size_t room)
{
	if (!is_amd(machine) || !has_pmu(machine))
		return MACHINE_SKIP;
	if (has_filter(machine)) {
		snprintf(finding, room, "samples of the kernel can be left out (swfilt=1)");
		return MACHINE_YES;
	}
	snprintf(finding, room, "ibs_op has no swfilt: user space and kernel only together");
	return MACHINE_LIMITED;
}

static enum machine_verdict check_paranoid(const struct machine *machine, char *finding,
					   size_t room)
{
	static const char *const meanings[] = {
		"everything",
		"all but raw tracepoints",
		"own processes and the kernel on their behalf, not whole CPUs",
		"own processes in user space only",
		"nothing without privileges (Debian's and Ubuntu's kernels)",
	};
	int level = machine->paranoid < -1 ? -1 : machine->paranoid > 3 ? 3 : machine->paranoid;

	if (!machine->has_paranoid) {
		snprintf(finding, room, "/proc/sys/kernel/perf_event_paranoid is missing");
		return MACHINE_NO;
	}
	snprintf(finding, room, "perf_event_paranoid is %d: %s%s", machine->paranoid,
		 meanings[level + 1], machine->is_privileged ? "; does not bind this process" : "");
	if (machine->is_privileged || level <= 0)
		return MACHINE_YES;
	return level < 3 ? MACHINE_LIMITED : MACHINE_NO;
}

static enum machine_verdict check_kernel_needed(const struct machine *machine, char *finding,
						size_t room)
{
	struct machine_scope scope;

	machine_scope(machine, &scope);
	if (!is_amd(machine) || !scope.ibs_needs_filter || has_filter(machine) || !has_pmu(machine))
		return MACHINE_SKIP;
	snprintf(finding, room,
		 "at this level the kernel must be left out, which ibs_op here cannot");
	return MACHINE_NO;
}

static enum machine_verdict check_privileges(const struct machine *machine, char *finding,
					     size_t room)
{
	if (machine->is_privileged) {
		snprintf(finding, room, "this process has CAP_PERFMON or CAP_SYS_ADMIN: "
					"everything, physical addresses too");
		return MACHINE_YES;
	}
	snprintf(finding, room, "neither CAP_PERFMON nor CAP_SYS_ADMIN: no physical addresses, "
				"otherwise what perf_event_paranoid allows");
	return MACHINE_LIMITED;
}

static const struct machine_check checks[] = {
	{ "CPU", check_vendor,
	  "Precise samples of this CPU are not decoded in full; recordings of other machines can be "
	  "read here." },
	{ "CPUID", check_cpuid, NULL },
	{ "hypervisor", check_hypervisor,
	  "Record on the host, or on an instance that gives the guest the PMU (bare metal)." },
	{ "firmware", check_firmware,
	  "Look for IBS in the firmware's setup (often under AMD CBS, CPU Common Options); on "
	  "Zen 1 a firmware update may be needed." },
	{ "ibs_op", check_ibs_op,
	  "The kernel needs CONFIG_PERF_EVENTS and CONFIG_CPU_SUP_AMD, a CPU that says it has IBS, "
	  "and an interrupt for it: see 'dmesg | grep -i ibs'." },
	{ "ibs_fetch", check_ibs_fetch, "As for ibs_op." },
	{ "per task", check_per_task, "Record the whole system: perf record -a -e ibs_op// ..." },
	{ "user only", check_filter,
	  "Sample both and keep one: precis dump --filter 'cpumode == user'. A newer kernel has "
	  "swfilt." },
	{ "paranoid", check_paranoid,
	  "As root: sysctl kernel.perf_event_paranoid=-1; or record as root; or give perf the "
	  "capability: setcap cap_perfmon+ep $(which perf)." },
	{ "kernel samples", check_kernel_needed,
	  "Lower perf_event_paranoid to 1, or record with CAP_PERFMON." },
	{ "privileges", check_privileges,
	  "Physical addresses need CAP_PERFMON or CAP_SYS_ADMIN." },
	{ "PEBS", machine_check_pebs,
	  "Record on bare metal, or on an instance with a virtual PMU." },
	{ "memory events", machine_check_memory_events,
	  "Record precise events of other kinds: perf record -e cycles:P; or on another kind of "
	  "core. Where the kernel does not know mem-loads-aux, name it by its number: perf record "
	  "-d -W -e '{cpu/event=0x3,umask=0x82/,cpu/mem-loads,ldlat=30/}:P'." },
	{ "latencies", machine_check_latencies,
	  "What lacks is absent with its reason; precis info --compare shows what other CPUs have." },
	{ "capabilities", machine_check_capabilities,
	  "IA32_PERF_CAPABILITIES (MSR 345h) can be read as root after 'modprobe msr', unless the "
	  "kernel is locked down; 'rdmsr -x 0x345' prints what --perf-capabilities wants." },
	{ "retire latency", machine_check_retire_latency,
	  "Whether the machine measures it is bit 17 of IA32_PERF_CAPABILITIES (MSR 345h); the "
	  "kernel hands it out since Linux 6.3." },
};

const struct machine_check *machine_check(uint32_t n)
{
	return n < sizeof(checks) / sizeof(checks[0]) ? &checks[n] : NULL;
}

const char *machine_verdict_name(enum machine_verdict verdict)
{
	static const char *const names[] = {
		[MACHINE_SKIP] = "skipped", [MACHINE_YES] = "yes",
		[MACHINE_LIMITED] = "limited", [MACHINE_NO] = "no",
		[MACHINE_UNKNOWN] = "unknown",
	};

	return names[verdict];
}
