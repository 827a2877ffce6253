/* SPDX-License-Identifier: BSD-3-Clause */
/* What precis bench has: events, and which of them can be had here; kernels; metrics. */
#include <inttypes.h>
#include <string.h>

#include "present.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct column event_columns[] = {
	{ "family", "kind", COLUMN_LEFT },
	{ "available", "here", COLUMN_LEFT },
	{ "period", "period", 0 },
	{ "counts", "counts", COLUMN_LEFT },
	{ "kernels", NULL, COLUMN_LEFT },
	{ "reason", "what it is, or why not", COLUMN_LEFT },
};

static void event_row(const struct bench_event *event, const struct answer *answer, struct document *document)
{
	row_begin(document, "%s", event->name);
	row_in(document, "rows");
	cell_text(document, "%s", event_family_name(event->family));
	cell_text(document, "%s", answer->is_yes ? "yes" : "no");
	cell_count(document, event->period);
	cell_text(document, "%s", quantity_name(event->quantity));
	cell_text(document, "%s", event->kernels);
	cell_text(document, "%s", answer->is_yes ? event->summary : answer->reason);
}

static const struct column answer_columns[] = {
	{ "available", "here", COLUMN_LEFT },
	{ "reason", "what it is, or why not", COLUMN_LEFT },
};

void present_answers_begin(struct document *document)
{
	table_begin(document, "events", "Events", "event", answer_columns, COUNT_OF(answer_columns));
}

void present_answer(struct document *document, const char *name, int is_yes, const char *reason)
{
	row_begin(document, "%s", name);
	row_in(document, "rows");
	cell_text(document, "%s", is_yes ? "yes" : "no");
	cell_text(document, "%s", reason);
}

void present_answers(const struct bench_cells *cells, const struct bench_arguments *arguments,
		     struct document *document)
{
	const struct bench_event *event;
	const struct kernel *kernel;

	present_answers_begin(document);
	for (size_t n = 0; (event = event_at(n)); n++) {
		const struct answer *answer = &cells->events[n];

		if (is_asked(arguments->events, n))
			present_answer(document, event->name, answer->is_yes,
				       answer->is_yes ? event->summary : answer->reason);
	}
	for (size_t n = 0; (kernel = kernel_at(n)); n++) {
		if (!cells->kernels[n].is_yes && *cells->kernels[n].reason)
			table_note(document, "The kernel %s is not measured: %s", kernel->name,
				   cells->kernels[n].reason);
	}
}

static const struct column kernel_columns[] = {
	{ "instructions", "instructions a turn", 0 },
	{ "in_paper", "in the paper", COLUMN_LEFT },
	{ "summary", "what it is", COLUMN_LEFT },
};

static void list_kernels(struct document *document)
{
	const struct kernel *kernel;

	table_begin(document, "kernels", "Kernels", "kernel", kernel_columns, COUNT_OF(kernel_columns));
	for (size_t n = 0; (kernel = kernel_at(n)); n++) {
		row_begin(document, "%s", kernel->name);
		row_in(document, "rows");
		cell_count(document, (uint64_t)kernel->turn[QUANTITY_INSTRUCTIONS]);
		cell_text(document, "%s", kernel->paper_outer ? "yes" : "no");
		cell_text(document, "%s", kernel->summary);
	}
	if (kernels_why_not())
		table_note(document, "%s", kernels_why_not());
}

static const struct column metric_columns[] = {
	{ "unit", "unit", COLUMN_LEFT },
	{ "origin", "formula", COLUMN_LEFT },
	{ "bound", "bound", COLUMN_LEFT },
	{ "meaning", "what it is", COLUMN_LEFT },
};

static void list_metrics(struct document *document)
{
	static const char *const sides[] = { [METRIC_MOST] = "at most", [METRIC_LEAST] = "at least" };

	table_begin(document, "metrics", "Metrics", "metric", metric_columns, COUNT_OF(metric_columns));
	for (enum metric metric = 0; metric < METRIC_COUNT; metric++) {
		const struct metric_info *info = metric_info(metric);

		row_begin(document, "%s", info->name);
		row_in(document, "rows");
		cell_text(document, "%s", info->unit);
		cell_text(document, "%s", info->is_papers ? "TPDS 2023" : "own");
		if (info->side == METRIC_NONE)
			cell_absent(document);
		else
			cell_text(document, "%s %g", sides[info->side], info->bound);
		cell_text(document, "%s", info->meaning);
	}
	table_note(document, "TPDS 2023: Sasongko et al., Precise Event Sampling on AMD Versus Intel, "
			     "IEEE TPDS 34(5).");
}

void present_list(const struct bench_cells *cells, struct document *document)
{
	const struct bench_event *event;

	table_begin(document, "events", "Events", "event", event_columns, COUNT_OF(event_columns));
	for (size_t n = 0; (event = event_at(n)); n++)
		event_row(event, &cells->events[n], document);
	list_kernels(document);
	list_metrics(document);
}
