/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel machines: the PMU of each kind of core, its events, what their samples measure. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine_pebs.h"

static int is_intel(const struct machine *machine)
{
	return machine->cpu.vendor == PRECIS_VENDOR_INTEL;
}

uint32_t machine_core_of(const struct machine *machine, const struct machine_core_pmu *pmu)
{
	return precis_intel_core_of(&machine->cpu, (enum precis_core_type)pmu->core_type);
}

/* The n-th PMU of this machine's cores, or NULL */
static const struct machine_core_pmu *pmu_of(const struct machine *machine, uint32_t n)
{
	return n < MACHINE_CORE_PMUS && machine->core_pmus[n].name ? &machine->core_pmus[n] : NULL;
}

/* Its core's facts. 0, or -1 if the core is not known */
static int core_of(const struct machine *machine, const struct machine_core_pmu *pmu,
		   struct precis_intel_core_info *core)
{
	core->size = sizeof(*core);
	return precis_intel_core_info(machine_core_of(machine, pmu), core) ? -1 : 0;
}

/* Add to a text that may be full. */
__attribute__((format(printf, 3, 4))) static void add(char *text, size_t room, const char *format,
						      ...)
{
	size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + length, room - length, format, arguments);
	va_end(arguments);
}

int machine_has_pebs(const struct machine *machine)
{
	const struct machine_core_pmu *pmu;

	for (uint32_t n = 0; (pmu = pmu_of(machine, n)); n++) {
		if (pmu->max_precise > 0)
			return 1;
	}
	return 0;
}

void machine_scope_pebs(const struct machine *machine, struct machine_scope *scope)
{
	const struct machine_core_pmu *pmu;

	for (uint32_t n = 0; (pmu = pmu_of(machine, n)); n++) {
		scope->pebs |= pmu->max_precise > 0;
		scope->pebs_memory |= pmu->max_precise > 0 && pmu->has_mem_loads;
	}
}

enum machine_verdict machine_check_intel(const struct machine *machine, char *finding, size_t room)
{
	const struct machine_core_pmu *pmu;
	int unknown = 0, any = 0;

	snprintf(finding, room, "%s, family %xh, model %xh, stepping %u", machine->vendor,
		 machine->cpu.family, machine->cpu.model, machine->cpu.stepping);
	for (uint32_t n = 0; (pmu = pmu_of(machine, n)); n++) {
		uint32_t core = machine_core_of(machine, pmu);

		unknown |= core == PRECIS_INTEL_UNKNOWN;
		if (core != PRECIS_INTEL_UNKNOWN)
			add(finding, room, "%s%s (%s)", any++ ? ", " : ": ",
			    precis_intel_core_name(core), pmu->name);
	}
	if (!unknown && any)
		return MACHINE_YES;
	add(finding, room, ": %s", pmu_of(machine, 0) ? "not all of its cores are known" :
							"no core PMU to tell its cores by");
	return MACHINE_LIMITED;
}

enum machine_verdict machine_check_pebs(const struct machine *machine, char *finding, size_t room)
{
	const struct machine_core_pmu *pmu;

	if (!is_intel(machine))
		return MACHINE_SKIP;
	finding[0] = '\0';
	for (uint32_t n = 0; (pmu = pmu_of(machine, n)); n++) {
		add(finding, room, "%s%s: ", n ? "; " : "", pmu->name);
		if (pmu->max_precise > 0)
			add(finding, room, "PEBS, precise level %d", pmu->max_precise);
		else
			add(finding, room, "caps/max_precise is %s",
			    pmu->max_precise ? "missing" : "0: no PEBS");
	}
	if (!*finding)
		snprintf(finding, room, "no core PMU in sysfs");
	return machine_has_pebs(machine) ? MACHINE_YES : MACHINE_NO;
}

/* The event that mem-loads of that PMU needs before it in its group; 0: none, or not known */
static uint32_t auxiliary_of(const struct machine *machine, const struct machine_core_pmu *pmu)
{
	struct precis_intel_core_info core;

	return pmu->has_mem_loads && !core_of(machine, pmu, &core) ? core.load_auxiliary_event : 0;
}

static void add_auxiliary(const struct machine_core_pmu *pmu, uint32_t auxiliary, char *finding,
			  size_t room)
{
	if (auxiliary)
		add(finding, room, ", which needs %s (0x%x) before it in its group%s",
		    pmu->has_mem_loads_aux ? "mem-loads-aux" : "event", auxiliary,
		    pmu->has_mem_loads_aux ? "" : ": this kernel has no mem-loads-aux");
	else if (pmu->has_mem_loads_aux)
		add(finding, room, ", with mem-loads-aux as leader of their group");
}

enum machine_verdict machine_check_memory_events(const struct machine *machine, char *finding,
						 size_t room)
{
	const struct machine_core_pmu *pmu;
	int with = 0, without = 0;

	if (!is_intel(machine) || !machine_has_pebs(machine))
		return MACHINE_SKIP;
	finding[0] = '\0';
	for (uint32_t n = 0; (pmu = pmu_of(machine, n)); n++) {
		uint32_t auxiliary = auxiliary_of(machine, pmu);
		int any = pmu->has_mem_loads || pmu->has_mem_stores;

		with += any;
		without += !any;
		without += auxiliary && !pmu->has_mem_loads_aux;
		add(finding, room, "%s%s:%s%s%s", n ? "; " : "", pmu->name,
		    pmu->has_mem_stores ? " mem-stores" : "",
		    pmu->has_mem_loads ? " mem-loads" : "",
		    any ? "" : " neither mem-loads nor mem-stores");
		add_auxiliary(pmu, auxiliary, finding, room);
	}
	return !with ? MACHINE_NO : without ? MACHINE_LIMITED : MACHINE_YES;
}

enum machine_verdict machine_check_latencies(const struct machine *machine, char *finding,
					     size_t room)
{
	static const char *const texts[] = {
		[PRECIS_PEBS_LATENCY_NONE] = "none",
		[PRECIS_PEBS_LATENCY_WHOLE] = "load_latency",
		[PRECIS_PEBS_LATENCY_SPLIT] = "instruction_latency, cache_latency",
	};
	enum machine_verdict verdict = MACHINE_YES;
	const struct machine_core_pmu *pmu;

	if (!is_intel(machine) || !machine_has_pebs(machine))
		return MACHINE_SKIP;
	finding[0] = '\0';
	for (uint32_t n = 0; (pmu = pmu_of(machine, n)); n++) {
		struct precis_intel_core_info core;
		int known = !core_of(machine, pmu, &core);

		add(finding, room, "%s%s: %s", n ? "; " : "", pmu->name,
		    known ? texts[core.latency] : "not known: the core is not");
		if (!known || core.latency == PRECIS_PEBS_LATENCY_NONE)
			verdict = MACHINE_LIMITED;
	}
	return verdict;
}

enum machine_verdict machine_check_retire_latency(const struct machine *machine, char *finding,
						  size_t room)
{
	uint32_t kinds = 0; /* bits of enum precis_pebs_retire_latency */
	const struct machine_core_pmu *pmu;

	if (!is_intel(machine) || !machine_has_pebs(machine))
		return MACHINE_SKIP;
	for (uint32_t n = 0; (pmu = pmu_of(machine, n)); n++) {
		struct precis_intel_core_info core;

		if (!core_of(machine, pmu, &core))
			kinds |= 1u << core.retire_latency;
	}
	if (!(kinds & ~(1u << PRECIS_PEBS_RETIRE_LATENCY_NONE))) {
		snprintf(finding, room, "no core that is known to measure it");
		return MACHINE_NO;
	}
	if (!precis_pebs_kernel_has_retire_latency(machine->release)) {
		snprintf(finding, room, "Linux %.64s does not record it (6.3 and later do)",
			 *machine->release ? machine->release : "of unknown release");
		return MACHINE_LIMITED;
	}
	if (kinds & 1u << PRECIS_PEBS_RETIRE_LATENCY_CAPABILITY) {
		snprintf(finding, room, "Linux %.64s records it; whether the CPU measures it is in "
					"no file", machine->release);
		return MACHINE_UNKNOWN;
	}
	snprintf(finding, room, "each record says whether it has one");
	return MACHINE_YES;
}
