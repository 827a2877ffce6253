/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel machines: the PMU of each kind of core, its events, what their samples measure. */
#include <stdio.h>
#include <string.h>

#include "machine_capabilities.h"
#include "machine_core.h"
#include "machine_pebs.h"

static int is_intel(const struct machine *machine)
{
	return machine->cpu.vendor == PRECIS_VENDOR_INTEL;
}

/* Its core's facts. 0, or -1 if the core is not known */
static int core_of(const struct machine *machine, const struct machine_core_pmu *pmu,
		   struct precis_intel_core_info *core)
{
	core->size = sizeof(*core);
	return precis_intel_core_info(machine_core_of(machine, pmu), core) ? -1 : 0;
}

int machine_has_pebs(const struct machine *machine)
{
	const struct machine_core_pmu *pmu;

	for (uint32_t n = 0; (pmu = machine_core_pmu(machine, n)); n++) {
		if (pmu->max_precise > 0)
			return 1;
	}
	return 0;
}

void machine_scope_pebs(const struct machine *machine, struct machine_scope *scope)
{
	const struct machine_core_pmu *pmu;

	for (uint32_t n = 0; (pmu = machine_core_pmu(machine, n)); n++) {
		scope->pebs |= pmu->max_precise > 0;
		scope->pebs_memory |= pmu->max_precise > 0 && pmu->has_mem_loads;
	}
}

enum machine_verdict machine_check_intel(const struct machine *machine, char *finding, size_t room)
{
	const struct machine_core_pmu *pmu;
	int unknown = 0, any = 0;

	snprintf(finding, room, "%s, family %Xh, model %Xh, stepping %Xh", machine->vendor,
		 machine->cpu.family, machine->cpu.model, machine->cpu.stepping);
	for (uint32_t n = 0; (pmu = machine_core_pmu(machine, n)); n++) {
		uint32_t core = machine_core_of(machine, pmu);

		unknown |= core == PRECIS_INTEL_UNKNOWN;
		if (core != PRECIS_INTEL_UNKNOWN)
			machine_add(finding, room, "%s%s (%s)", any++ ? ", " : ": ",
				    precis_intel_core_name(core), pmu->name);
	}
	if (!unknown && any)
		return MACHINE_YES;
	machine_add(finding, room, ": %s",
		    machine_core_pmu(machine, 0) ? "not all of its cores are known" :
		    "no core PMU to tell its cores by");
	return MACHINE_LIMITED;
}

static void add_pebs(const struct machine_core_pmu *pmu, char *finding, size_t room)
{
	machine_add(finding, room, "PEBS, precise level %d", pmu->max_precise);
	if (*pmu->pmu_name)
		machine_add(finding, room, ", %s to Linux", pmu->pmu_name);
	if (pmu->branches > 0)
		machine_add(finding, room, ", %d branches", pmu->branches);
}

enum machine_verdict machine_check_pebs(const struct machine *machine, char *finding, size_t room)
{
	const struct machine_core_pmu *pmu;

	if (!is_intel(machine))
		return MACHINE_SKIP;
	finding[0] = '\0';
	for (uint32_t n = 0; (pmu = machine_core_pmu(machine, n)); n++) {
		machine_add(finding, room, "%s%s: ", n ? "; " : "", pmu->name);
		if (pmu->max_precise > 0)
			add_pebs(pmu, finding, room);
		else
			machine_add(finding, room, "caps/max_precise is %s",
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
		machine_add(finding, room, ", which needs %s (0x%x) before it in its group%s",
			    pmu->has_mem_loads_aux ? "mem-loads-aux" : "event", auxiliary,
			    pmu->has_mem_loads_aux ? "" : ": this kernel has no mem-loads-aux");
	else if (pmu->has_mem_loads_aux)
		machine_add(finding, room, ", with mem-loads-aux as leader of their group");
}

enum machine_verdict machine_check_memory_events(const struct machine *machine, char *finding,
						 size_t room)
{
	const struct machine_core_pmu *pmu;
	int with = 0, without = 0;

	if (!is_intel(machine) || !machine_has_pebs(machine))
		return MACHINE_SKIP;
	finding[0] = '\0';
	for (uint32_t n = 0; (pmu = machine_core_pmu(machine, n)); n++) {
		uint32_t auxiliary = auxiliary_of(machine, pmu);
		int any = pmu->has_mem_loads || pmu->has_mem_stores;

		with += any;
		without += !any;
		without += auxiliary && !pmu->has_mem_loads_aux;
		machine_add(finding, room, "%s%s:%s%s%s", n ? "; " : "", pmu->name,
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
	for (uint32_t n = 0; (pmu = machine_core_pmu(machine, n)); n++) {
		struct precis_intel_core_info core;
		int known = !core_of(machine, pmu, &core);

		machine_add(finding, room, "%s%s: %s", n ? "; " : "", pmu->name,
			    known ? texts[core.latency] : "not known: the core is not");
		if (!known || core.latency == PRECIS_PEBS_LATENCY_NONE)
			verdict = MACHINE_LIMITED;
	}
	return verdict;
}

/* What is known of retire latency on one kind of core */
enum retire {
	RETIRE_NEVER,        /* the core's records have none, or the core is not known */
	RETIRE_SWITCHED_OFF, /* the machine does not measure it */
	RETIRE_NOT_KNOWN,
	RETIRE_MEASURED,
	RETIRE_BY_RECORD
};

static const char *const retire_texts[] = {
	[RETIRE_NEVER] = "not measured, as far as is known of its cores",
	[RETIRE_SWITCHED_OFF] = "not measured (IA32_PERF_CAPABILITIES[17])",
	[RETIRE_NOT_KNOWN] = "not known",
	[RETIRE_MEASURED] = "measured (IA32_PERF_CAPABILITIES[17])",
	[RETIRE_BY_RECORD] = "each record says whether it has one",
};

static enum retire retire_of(const struct machine *machine, const struct machine_core_pmu *pmu)
{
	static const enum retire by_capability[] = {
		RETIRE_NOT_KNOWN, RETIRE_SWITCHED_OFF, RETIRE_MEASURED
	};
	struct precis_intel_core_info core;

	if (core_of(machine, pmu, &core) ||
	    core.retire_latency == PRECIS_PEBS_RETIRE_LATENCY_NONE)
		return RETIRE_NEVER;
	if (core.retire_latency == PRECIS_PEBS_RETIRE_LATENCY_RECORD)
		return RETIRE_BY_RECORD;
	return by_capability[machine_measures_retire_latency(pmu) + 1];
}

enum machine_verdict machine_check_retire_latency(const struct machine *machine, char *finding,
						  size_t room)
{
	const struct machine_core_pmu *pmu;
	uint32_t kinds = 0;

	if (!is_intel(machine) || !machine_has_pebs(machine))
		return MACHINE_SKIP;
	for (uint32_t n = 0; (pmu = machine_core_pmu(machine, n)); n++)
		kinds |= 1u << retire_of(machine, pmu);
	if (!(kinds & ~(1u << RETIRE_NEVER | 1u << RETIRE_SWITCHED_OFF))) {
		snprintf(finding, room, "%s",
			 retire_texts[kinds & 1u << RETIRE_SWITCHED_OFF ? RETIRE_SWITCHED_OFF :
									  RETIRE_NEVER]);
		return MACHINE_NO;
	}
	if (!precis_pebs_kernel_has_retire_latency(machine->release)) {
		snprintf(finding, room, "Linux %.64s does not record it (6.3 and later do)",
			 *machine->release ? machine->release : "of unknown release");
		return MACHINE_LIMITED;
	}
	if (kinds & 1u << RETIRE_NOT_KNOWN) {
		snprintf(finding, room, "Linux %.64s records it; whether the CPU measures it says "
					"IA32_PERF_CAPABILITIES, which cannot be read here",
			 machine->release);
		return MACHINE_UNKNOWN;
	}
	finding[0] = '\0';
	for (uint32_t n = 0; (pmu = machine_core_pmu(machine, n)); n++)
		machine_add(finding, room, "%s%s: %s", n ? "; " : "", pmu->name,
			    retire_texts[retire_of(machine, pmu)]);
	return kinds & (1u << RETIRE_NEVER | 1u << RETIRE_SWITCHED_OFF) ? MACHINE_LIMITED :
									   MACHINE_YES;
}
