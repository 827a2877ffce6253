/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where accesses got their data from, what other caches said, and how long that took.
 *
 * Latencies of each definition have a table of their own: load_latency, or cache_latency and
 * instruction_latency.
 */
#include "analysis/definitions.h"
#include "analysis/figures.h"
#include "analysis/topics.h"
#include "sources.h"

static const struct column share_columns[] = {
	{ "samples", "samples", 0 },
	{ "share", "share [95% CI]", 0 },
};

static int has(const struct pebs_event *event, enum pebs_latency which)
{
	return reasons_present(&event->reasons, pebs_latency_fields[which], POPULATION_OPS) != 0;
}

static void table_sources(struct document *document, const struct pebs_table_of *of)
{
	const struct pebs_event *event = of->event;

	pebs_table_begin(document, of, "pebs_sources", "Where accesses got their data",
			 "op/level/node", share_columns, 2,
			 TOPIC_PEBS | TOPIC_ACCESSES | TOPIC_CORE);
	for (uint32_t access = 0; access < PEBS_ACCESSES; access++) {
		const struct weighted total = pebs_access_total(event, access);

		if (!pebs_access_is_told(event, access))
			continue;
		for (uint32_t i = 0; i < LEVELS * REMOTES; i++) {
			uint32_t level = (i / REMOTES + 1) % LEVELS; /* "not reported" is last */
			const struct weighted *samples = &event->level[access][level][i % REMOTES];

			if (!samples->samples)
				continue;
			row_level(document, pebs_access_prefixes[access], level, i % REMOTES);
			cell_count(document, samples->samples);
			cell_share_by(document, PRECIS_FIELD_MEM_LEVEL, samples, &total);
		}
		row_all(document, access);
		cell_count(document, total.samples);
	}
	reasons_tell(&event->reasons, PRECIS_FIELD_MEM_LEVEL, of->populations, document);
	reasons_tell(&event->reasons, PRECIS_FIELD_MEM_REMOTE, of->populations, document);
	for (uint32_t i = 0; i < PEBS_LATENCIES; i++) {
		if (!has(event, i)) /* otherwise in its table */
			reasons_tell(&event->reasons, pebs_latency_fields[i], of->populations,
				     document);
	}
}

static void table_snoops(struct document *document, const struct pebs_table_of *of)
{
	const struct pebs_event *event = of->event;

	pebs_table_begin(document, of, "pebs_snoops", "What other caches said", "op/snoop",
			 share_columns, 2, TOPIC_PEBS | TOPIC_ACCESSES);
	for (uint32_t access = 0; access < PEBS_ACCESSES; access++) {
		const struct weighted total = pebs_access_total(event, access);

		if (!pebs_access_is_told(event, access))
			continue;
		for (uint32_t snoop = 0; snoop < SNOOPS; snoop++) {
			const struct weighted *samples = &event->snoop[access][snoop];

			if (!samples->samples)
				continue;
			row_begin(document, "%s%s", pebs_access_prefixes[access],
				  snoop == SNOOP_ABSENT ? "not reported" :
				  precis_type_value_name(PRECIS_TYPE_MEM_SNOOP, snoop));
			if (snoop == SNOOP_ABSENT)
				row_is_untold(document);
			cell_count(document, samples->samples);
			cell_share_by(document, PRECIS_FIELD_MEM_SNOOP, samples, &total);
		}
		row_all(document, access);
		cell_count(document, total.samples);
	}
	reasons_tell(&event->reasons, PRECIS_FIELD_MEM_SNOOP, of->populations, document);
}

static void rows_latency(struct document *document, const struct pebs_event *event,
			 enum pebs_latency which, enum access access)
{
	struct latencies sum;

	for (uint32_t i = 0; i < LEVELS * REMOTES; i++) {
		uint32_t level = (i / REMOTES + 1) % LEVELS, remote = i % REMOTES;
		const struct latencies *latencies = event->latency[which][access][level][remote];

		if (!latencies)
			continue;
		row_level(document, pebs_access_prefixes[access], level, remote);
		cells_latencies(document, latencies);
	}
	if (pebs_sum_latencies(event, which, access, &sum) < 0)
		document->failed = 1;
	if (latencies_count(&sum)) {
		row_all(document, access);
		cells_latencies(document, &sum);
		note_latencies(document, &sum);
	}
	latencies_free(&sum);
}

static void table_latency(struct document *document, const struct pebs_table_of *of,
			  enum pebs_latency which)
{
	static const struct column columns[] = { LATENCY_COLUMNS };
	const struct latency_definition *is = latency_definition(pebs_latency_fields[which]);

	pebs_table_begin(document, of, is->table, is->heading, "op/level/node", columns,
			 sizeof(columns) / sizeof(columns[0]), is->topics);
	for (uint32_t access = 0; access < PEBS_ACCESSES; access++)
		rows_latency(document, of->event, which, access);
	reasons_tell(&of->event->reasons, pebs_latency_fields[which], of->populations, document);
}

void pebs_tables_of_sources(struct document *document, const struct pebs_table_of *of)
{
	table_sources(document, of);
	table_snoops(document, of);
	for (uint32_t i = 0; i < PEBS_LATENCIES; i++) {
		if (has(of->event, i))
			table_latency(document, of, i);
	}
}
