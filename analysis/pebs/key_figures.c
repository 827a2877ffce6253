/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of PEBS to look at first, event by event. */
#include <inttypes.h>

#include "analysis/in_step.h"
#include "figures.h"
#include "key_figures.h"

/* A name of two parts. The event stands before it where there are several */
static void name_row(struct document *document, const struct pebs_event *event, int is_several,
		     const char *begin, const char *end)
{
	if (is_several)
		row_begin(document, "event %" PRIu32 ": %s%s", event->number, begin, end);
	else
		row_begin(document, "%s%s", begin, end);
}

static void cells_share(struct document *document, enum precis_field field,
			const struct weighted *part, const struct weighted *whole, const char *of)
{
	cell_share_by(document, field, part, whole);
	cell_of(document, whole, of);
}

/* Samples that tell what they are: of these, shares of loads and stores */
static struct weighted told_of(const struct pebs_event *event)
{
	return weighted_rest(&event->samples, &event->kind[OP_UNTOLD]);
}

static void rows_levels(struct document *document, const struct pebs_event *event, int is_several)
{
	const struct weighted loads = pebs_access_total(event, ACCESS_LOAD);

	for (uint32_t level = 1; level < LEVELS; level++) {
		struct weighted samples = { 0 };

		for (uint32_t remote = 0; remote < REMOTES; remote++)
			weighted_add(&samples, &event->level[ACCESS_LOAD][level][remote]);
		if (!samples.samples)
			continue;
		name_row(document, event, is_several, "loads from ",
			 precis_type_value_name(PRECIS_TYPE_MEM_LEVEL, level));
		cells_share(document, PRECIS_FIELD_MEM_LEVEL, &samples, &loads, "loads");
	}
}

static void rows_conditions(struct document *document, const struct pebs_event *event,
			    int is_several, enum access access, const char *of)
{
	static const struct {
		enum pebs_condition condition;
		const char *end;
	} rows[] = {
		{ CONDITION_DCACHE_MISS, " that miss the L1" },
		{ CONDITION_LOCKED, " that are locked" },
		{ CONDITION_DATA_BLOCKED, " blocked by data" },
		{ CONDITION_ADDRESS_BLOCKED, " blocked by address" },
	};
	const struct weighted total = pebs_access_total(event, access);
	const struct weighted *walks = &event->tlb[access][PRECIS_TLB_LEVEL_WALK];
	const struct weighted known = weighted_rest(&total, &event->tlb[access][0]);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct flag *flag = &event->condition[access][rows[i].condition];

		if (!flag->known.samples)
			continue;
		name_row(document, event, is_several, of, rows[i].end);
		cell_condition(document, rows[i].condition, flag, total.samples);
		cell_of(document, &flag->known, of);
	}
	if (!known.samples)
		return;
	name_row(document, event, is_several, of, " that miss the STLB");
	cells_share(document, PRECIS_FIELD_TLB_LEVEL, walks, &known, of);
}

static void rows_of_event(struct document *document, const struct precis_event *view,
			  const struct pebs_event *event, int is_several)
{
	static const struct {
		enum access access;
		uint32_t kind;
		const char *name;
	} rows[] = { { ACCESS_LOAD, PRECIS_OP_LOAD, "loads" },
		     { ACCESS_STORE, PRECIS_OP_STORE, "stores" },
		     { ACCESS_PREFETCH, PRECIS_OP_PREFETCH, "prefetches" } };
	const struct weighted told = told_of(event);

	if (event->kind[OP_UNTOLD].samples) {
		name_row(document, event, is_several, "samples with an access", "");
		cells_share(document, PRECIS_FIELD_OP, &told, &event->samples, "samples");
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct weighted samples = pebs_access_total(event, rows[i].access);

		if (!samples.samples)
			continue;
		name_row(document, event, is_several, rows[i].name, "");
		cell_share_of_kind(document, view, rows[i].kind, &samples, &told);
		cell_of(document, &told, "accesses");
		if (rows[i].access == ACCESS_LOAD)
			rows_levels(document, event, is_several);
		rows_conditions(document, event, is_several, rows[i].access, rows[i].name);
	}
}

void pebs_rows_shares(struct document *document, const struct pebs *pebs)
{
	for (const struct pebs_event *event = pebs_event_next(pebs, NULL); event;
	     event = pebs_event_next(pebs, event)) {
		in_step_tell(document, pebs->about, PRECIS_EVENT_PEBS, event->place);
		if (event->samples.samples)
			rows_of_event(document, pebs_view(pebs, event), event,
				      pebs->count > 1);
	}
}

static void row_latencies(struct document *document, const struct pebs_event *event,
			  int is_several, const char *name, const struct latencies *latencies)
{
	if (!latencies_count(latencies))
		return;
	name_row(document, event, is_several, name, "");
	cells_latencies_in_short(document, latencies);
}

static void rows_of_accesses(struct document *document, const struct pebs_event *event,
			     int is_several, enum pebs_latency which)
{
	struct latencies sum;

	for (uint32_t access = 0; access < PEBS_ACCESSES; access++) {
		if (pebs_sum_latencies(event, which, access, &sum) < 0)
			document->failed = 1;
		row_latencies(document, event, is_several, pebs_all_accesses[access], &sum);
		latencies_free(&sum);
	}
}

void pebs_rows_latency(struct document *document, const struct pebs *pebs,
		       enum pebs_latency which)
{
	for (const struct pebs_event *event = pebs_event_next(pebs, NULL); event;
	     event = pebs_event_next(pebs, event)) {
		in_step_tell(document, pebs->about, PRECIS_EVENT_PEBS, event->place);
		rows_of_accesses(document, event, pebs->count > 1, which);
	}
}

void pebs_rows_retirement(struct document *document, const struct pebs *pebs)
{
	for (const struct pebs_event *event = pebs_event_next(pebs, NULL); event;
	     event = pebs_event_next(pebs, event)) {
		struct latencies sum = { 0 };

		in_step_tell(document, pebs->about, PRECIS_EVENT_PEBS, event->place);
		for (uint32_t kind = 0; kind < OP_KINDS; kind++) {
			if (event->retire[kind] && latencies_merge(&sum, event->retire[kind]) < 0)
				document->failed = 1;
		}
		row_latencies(document, event, pebs->count > 1, "all samples", &sum);
		latencies_free(&sum);
	}
}
