/* SPDX-License-Identifier: BSD-3-Clause */
/* PEBS, one event after the other: each has tables of its own. */
#include <inttypes.h>

#include "analysis/definitions.h"
#include "analysis/figures.h"
#include "analysis/in_step.h"
#include "analysis/topics.h"
#include "sources.h"
#include "tables.h"

static void table_ops(struct document *document, const struct pebs_table_of *of)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },
		{ "share", "share [95% CI]", 0 },
	};
	const struct pebs_event *event = of->event;

	pebs_table_begin(document, of, "pebs_ops", "Samples by what the instruction does", "op",
			 columns, 2, TOPIC_PEBS);
	for (uint32_t i = 1; i <= OP_KINDS; i++) {
		uint32_t kind = i % OP_KINDS;

		if (!event->kind[kind].samples)
			continue;
		row_begin(document, "%s", name_of_kind(kind));
		cell_count(document, event->kind[kind].samples);
		if (kind == OP_UNTOLD)
			row_is_untold(document);
		cell_share_of_kind(document, of->view, kind, &event->kind[kind], &event->samples);
	}
	row_begin(document, "all samples");
	row_is_sum(document);
	cell_count(document, event->samples.samples);
	reasons_tell(&event->reasons, PRECIS_FIELD_OP, POPULATION_OPS, document);
	reasons_tell(&event->reasons, PRECIS_FIELD_IP, POPULATION_OPS, document);
}

static void table_dtlb(struct document *document, const struct pebs_table_of *of)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },
		{ "share", "share [95% CI]", 0 },
	};
	const struct pebs_event *event = of->event;

	pebs_table_begin(document, of, "pebs_dtlb", "Data TLB: walk is a miss of the STLB",
			 "op/level", columns, 2, TOPIC_PEBS | TOPIC_ACCESSES);
	for (uint32_t access = 0; access < PEBS_ACCESSES; access++) {
		const struct weighted total = pebs_access_total(event, access);

		if (!pebs_access_is_told(event, access))
			continue;
		for (uint32_t i = 1; i <= TLB_LEVELS; i++) {
			uint32_t level = i % TLB_LEVELS; /* "not reported" is the last */
			const char *name = precis_type_value_name(PRECIS_TYPE_TLB_LEVEL, level);

			if (!event->tlb[access][level].samples)
				continue;
			row_begin(document, "%s%s", pebs_access_prefixes[access],
				  level && name ? name : "not reported");
			if (!level)
				row_is_untold(document);
			cell_count(document, event->tlb[access][level].samples);
			cell_share_by(document, PRECIS_FIELD_TLB_LEVEL,
				      &event->tlb[access][level], &total);
		}
		row_all(document, access);
		cell_count(document, total.samples);
	}
	reasons_tell(&event->reasons, PRECIS_FIELD_TLB_LEVEL, of->populations, document);
}

static void table_conditions(struct document *document, const struct pebs_table_of *of)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },
		{ "share", "share [95% CI]", 0 },
		{ "of", "of", COLUMN_OF },
	};
	const struct pebs_event *event = of->event;

	pebs_table_begin(document, of, "pebs_conditions", "What else is true of accesses",
			 "op/field", columns, 3, TOPIC_PEBS | TOPIC_ACCESSES);
	for (uint32_t access = 0; access < PEBS_ACCESSES; access++) {
		if (!pebs_access_is_told(event, access))
			continue;
		for (uint32_t i = 0; i < PEBS_CONDITIONS; i++) {
			const struct flag *flag = &event->condition[access][i];

			row_begin(document, "%s%s", pebs_access_prefixes[access],
				  precis_field_name(pebs_condition_fields[i]));
			if (flag->known.samples)
				cell_count(document, flag->yes.samples);
			else
				cell_absent(document);
			cell_condition(document, i, flag, pebs_access_total(event, access).samples);
			cell_count(document, flag->known.samples);
		}
	}
	for (uint32_t i = 0; i < PEBS_CONDITIONS; i++)
		reasons_tell(&event->reasons, pebs_condition_fields[i], of->populations, document);
}

static void table_retire(struct document *document, const struct pebs_table_of *of)
{
	static const struct column columns[] = { LATENCY_COLUMNS };
	const struct pebs_event *event = of->event;
	const struct latency_definition *is = latency_definition(PRECIS_FIELD_RETIRE_LATENCY);
	struct latencies sum = { 0 };

	if (!reasons_present(&event->reasons, PRECIS_FIELD_RETIRE_LATENCY, POPULATION_OPS))
		return;
	pebs_table_begin(document, of, is->table, is->heading, "op", columns,
			 sizeof(columns) / sizeof(columns[0]), is->topics);
	for (uint32_t i = 1; i <= OP_KINDS; i++) {
		uint32_t kind = i % OP_KINDS;

		if (!event->retire[kind])
			continue;
		row_begin(document, "%s", name_of_kind(kind));
		cells_latencies(document, event->retire[kind]);
		if (latencies_merge(&sum, event->retire[kind]) < 0)
			document->failed = 1;
	}
	row_begin(document, "all samples");
	row_is_sum(document);
	cells_latencies(document, &sum);
	note_latencies(document, &sum);
	latencies_free(&sum);
	reasons_tell(&event->reasons, PRECIS_FIELD_RETIRE_LATENCY, POPULATION_OPS, document);
}

void pebs_tables(struct document *document, const struct pebs *pebs)
{
	for (const struct pebs_event *event = pebs_event_next(pebs, NULL); event;
	     event = pebs_event_next(pebs, event)) {
		struct pebs_table_of of = {
			.event = event,
			.view = pebs_view(pebs, event),
			.populations = pebs_populations(event),
			.is_one_of_several = pebs->count > 1,
		};

		if (!event->samples.samples)
			continue;
		in_step_tell(document, pebs->about, PRECIS_EVENT_PEBS, event->place);
		table_ops(document, &of);
		if (of.populations) {
			pebs_tables_of_sources(document, &of);
			table_dtlb(document, &of);
			table_conditions(document, &of);
		}
		table_retire(document, &of);
	}
}
