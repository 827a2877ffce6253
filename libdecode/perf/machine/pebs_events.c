/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which events are Intel's precise ones, and what their words mean. A precise
 * event of Intel's core PMU is PEBS: the kernel has nothing else for it.
 */
#include <stdlib.h>

#include "pebs_events.h"

/* PERF_TYPE_HARDWARE, PERF_TYPE_HW_CACHE */
#define TYPE_HARDWARE 0u
#define TYPE_HW_CACHE 3u

/* Where the file does not name PMUs the type says. */
static int is_of_core(const struct precis_event *event, uint32_t *core_type)
{
	return precis_core_type_of_event(event->pmu, event->pmu ? strlen(event->pmu) : 0,
					 event->type, core_type);
}

/* Of an event that is no memory event's, on any core */
#define NO_MEMORY_EVENT 0u

/*
 * @return enum precis_pebs_facility, or negative
 *
 * Generic events have a config of their own. What the kernel makes of PERF_TYPE_HARDWARE's,
 * cycles first of all, records no data address on any core (Linux 7.3: event maps and PEBS
 * aliases in arch/x86/events/intel/core.c, the tables of memory events in ds.c); which event of
 * a core a PERF_TYPE_HW_CACHE is, often one of loads, is not known here.
 */
static int32_t memory_event_of(const struct file_machine *machine, const struct precis_event *view,
			       uint32_t core_type)
{
	uint32_t core = precis_intel_core_of(&machine->cpu, (enum precis_core_type)core_type);

	if (view->type == TYPE_HW_CACHE)
		return PRECIS_E_UNSUPPORTED;
	return precis_pebs_facility_of(core, view->type == TYPE_HARDWARE ? NO_MEMORY_EVENT :
									view->config);
}

/*
 * Events of one kind on one kind of core share a context: it is large, and a
 * recording may have tens of thousands of events. @return NULL if memory is short
 */
static struct precis_pebs_context *context_of(struct file_machine *machine,
					      const struct precis_pebs_machine *words)
{
	uint32_t kind = words->facility_is_known ? words->facility + 1 : 0;
	struct precis_pebs_context **context = &machine->pebs[words->core_type][kind];

	if (*context)
		return *context;
	*context = malloc(sizeof(**context));
	if (*context)
		precis_pebs_context_init(*context, words);
	return *context;
}

static struct precis_pebs_machine words_of(const struct file_machine *machine)
{
	const char *release = file_machine_release(machine);

	return (struct precis_pebs_machine){
		.size = sizeof(struct precis_pebs_machine),
		.cpu = machine->cpu,
		.has_capabilities = machine->has_perf_capabilities,
		.capabilities = machine->perf_capabilities,
		.records_retire_latency = (uint32_t)precis_pebs_kernel_has_retire_latency(release),
		.kernel = precis_kernel_number(release),
	};
}

struct precis_pebs_context *file_unknown_pebs(struct file_machine *machine)
{
	const struct precis_pebs_machine words = words_of(machine);

	return context_of(machine, &words);
}

int file_find_pebs(struct file_machine *machine, struct file_event *event)
{
	struct precis_pebs_machine words = words_of(machine);
	struct precis_event *view = &event->view;

	if (machine->cpu.vendor == PRECIS_VENDOR_INTEL && view->kind == PRECIS_EVENT_OTHER &&
	    view->precise_ip && is_of_core(view, &words.core_type)) {
		view->kind = PRECIS_EVENT_PEBS;
		view->kind_source = PRECIS_KIND_CPU;
		view->core_type = words.core_type;
		view->pebs_facility = memory_event_of(machine, view, words.core_type);
		words.facility_is_known = view->pebs_facility >= 0;
		words.facility = (uint32_t)view->pebs_facility;
		event->payload_judged = 1;
	}
	event->decoder.pebs = context_of(machine, &words);
	return event->decoder.pebs ? 0 : PRECIS_E_NO_MEMORY;
}
