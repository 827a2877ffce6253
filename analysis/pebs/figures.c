/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures that several sections of PEBS have. */
#include "figures.h"

#include "analysis/pebs_event.h"

const char *const pebs_access_prefixes[PEBS_ACCESSES] = {
	[ACCESS_LOAD] = "load/",
	[ACCESS_STORE] = "store/",
	[ACCESS_PREFETCH] = "prefetch/",
	[ACCESS_UNTOLD] = "unknown/",
};

const char *const pebs_all_accesses[PEBS_ACCESSES] = {
	[ACCESS_LOAD] = "all loads",
	[ACCESS_STORE] = "all stores",
	[ACCESS_PREFETCH] = "all prefetches",
	[ACCESS_UNTOLD] = "all unknown",
};

static int has_level(const struct pebs_event *event, enum access access)
{
	for (uint32_t level = 1; level < LEVELS; level++) {
		for (uint32_t remote = 0; remote < REMOTES; remote++) {
			if (event->level[access][level][remote].samples)
				return 1;
		}
	}
	return 0;
}

static int has_latency(const struct pebs_event *event, enum access access)
{
	for (uint32_t i = 0; i < PEBS_LATENCIES; i++) {
		for (uint32_t n = 0; n < LEVELS * REMOTES; n++) {
			if ((&event->latency[i][access][0][0])[n])
				return 1;
		}
	}
	return 0;
}

int pebs_access_is_told(const struct pebs_event *event, enum access access)
{
	if (access == ACCESS_UNTOLD)
		return has_level(event, access) || has_latency(event, access);
	return pebs_access_total(event, access).samples != 0;
}

uint32_t pebs_populations(const struct pebs_event *event)
{
	static const uint32_t populations[PEBS_ACCESSES] = {
		[ACCESS_LOAD] = POPULATION_LOADS,
		[ACCESS_STORE] = POPULATION_STORES,
		[ACCESS_PREFETCH] = POPULATION_PREFETCHES,
		[ACCESS_UNTOLD] = POPULATION_OPS & ~POPULATION_MEMORY,
	};
	uint32_t told = 0;

	for (uint32_t access = 0; access < PEBS_ACCESSES; access++) {
		if (pebs_access_is_told(event, access))
			told |= populations[access];
	}
	return told;
}

void cell_condition(struct document *document, enum pebs_condition condition,
		    const struct flag *flag, uint64_t samples)
{
	if (flag->yes.samples == flag->known.samples && flag->known.samples != samples)
		cell_absent(document);
	else
		cell_share_by(document, pebs_condition_fields[condition], &flag->yes, &flag->known);
}

void cell_share_of_kind(struct document *document, const struct precis_event *view, uint32_t kind,
			const struct weighted *part, const struct weighted *whole)
{
	cell_share_if(document, part, whole,
		      kind == OP_UNTOLD || kind == pebs_event_op(view) ||
			      document_is_given(document, PRECIS_FIELD_OP));
}

void row_all(struct document *document, enum access access)
{
	row_begin(document, "%s", pebs_all_accesses[access]);
	row_is_sum(document);
}

void pebs_table_begin(struct document *document, const struct pebs_table_of *of, const char *name,
		      const char *title, const char *row_title, const struct column *columns,
		      size_t column_count, uint32_t topics)
{
	table_begin(document, name, title, row_title, columns, column_count);
	if (of->is_one_of_several)
		table_of_event(document, of->event->number);
	table_about(document, topics, of->event->number);
}
