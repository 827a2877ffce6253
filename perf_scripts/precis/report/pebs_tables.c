/* SPDX-License-Identifier: BSD-3-Clause */
#include "pebs_tables.h"

#include <inttypes.h>

/* PERF_TYPE_HARDWARE, PERF_TYPE_HW_CACHE: 'config' is not the PMU's */
#define TYPE_HARDWARE 0u
#define TYPE_HW_CACHE 3u

#define EVENT_BITS UINT64_C(0xffff)     /* of config: unit mask and event select */
#define THRESHOLD_BITS UINT64_C(0xffff) /* of config1: "ldlat" in Linux */

/* Of whatever core: no core has another event in that place. */
static int is_load_latency(uint64_t config)
{
	struct precis_intel_core_info info = { .size = sizeof(info) };

	for (uint32_t core = 1; core < PRECIS_INTEL_CORE_COUNT; core++) {
		if (!precis_intel_core_info(core, &info) && info.load_latency_event &&
		    info.load_latency_event == (config & EVENT_BITS))
			return 1;
	}
	return 0;
}

uint64_t pebs_threshold(const struct precis_event *view)
{
	if (view->kind != PRECIS_EVENT_PEBS || view->type == TYPE_HARDWARE ||
	    view->type == TYPE_HW_CACHE || !is_load_latency(view->config))
		return 0;
	return view->config1 & THRESHOLD_BITS;
}

void note_auxiliary(struct document *document, const struct precis_cpu *cpu,
		    const struct precis_event *view, const char *name)
{
	uint32_t core = precis_intel_core_of(cpu, (enum precis_core_type)view->core_type);

	if (view->kind == PRECIS_EVENT_PEBS && precis_intel_is_auxiliary(core, view->config))
		table_note(document,
			   "%s: the auxiliary event that load latency needs beside it; it "
			   "measures no access itself", name);
}

void pebs_table_begin(struct document *document, const struct pebs_table_of *of, const char *name,
		      const char *title, const char *row_title, const struct column *columns,
		      size_t column_count)
{
	uint64_t threshold = pebs_threshold(of->view);

	table_begin(document, name, title, row_title, columns, column_count);
	if (of->is_one_of_several)
		table_of_event(document, of->event->number);
	if (threshold)
		table_note(document,
			   "only of loads that took %" PRIu64 " cycles or longer (ldlat), not of "
			   "all loads", threshold);
}
