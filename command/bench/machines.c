/* SPDX-License-Identifier: BSD-3-Clause */
/* See machines.h. */
#include "machines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "preflight.h"

#define NUMBER 24

static const struct column columns[] = {
	{ "there", "there", COLUMN_LEFT },
	{ "here", "here", COLUMN_LEFT },
};

static void text_or_none(struct document *document, const char *text)
{
	if (text)
		cell_text(document, "%s", text);
	else
		cell_absent(document);
}

static void differing_row(struct document *document, const char *name, const char *there, const char *here)
{
	if ((!there && !here) || (there && here && strcmp(there, here) == 0))
		return;
	row_begin(document, "%s", name);
	row_in(document, "rows");
	text_or_none(document, there);
	text_or_none(document, here);
}

static void differing_count(struct document *document, const char *name, uint64_t there, uint64_t here)
{
	char texts[2][NUMBER];

	snprintf(texts[0], NUMBER, "%" PRIu64, there);
	snprintf(texts[1], NUMBER, "%" PRIu64, here);
	differing_row(document, name, texts[0], texts[1]);
}

static const char *cpu_of(int cpu, char text[NUMBER])
{
	snprintf(text, NUMBER, cpu < 0 ? "none" : "%d", cpu);
	return text;
}

static void settings(const struct bench_file *there, const struct bench_arguments *arguments,
		     struct document *document)
{
	char texts[2][NUMBER], threads[2][THREADS_TEXT];

	differing_count(document, "runs", there->runs, arguments->runs);
	threads_text(&there->threads, threads[0]);
	threads_text(&arguments->threads, threads[1]);
	differing_row(document, "threads", threads[0], threads[1]);
	differing_row(document, "bound to CPU", cpu_of(there->cpu, texts[0]),
		      cpu_of(arguments->cpu, texts[1]));
	differing_row(document, "length of runs", there->is_full ? "full" : "quick",
		      arguments->is_full ? "full" : "quick");
}

/* Findings are compared by name, first all that are there. */
static void findings(const struct table *there, const struct table *here, struct document *document)
{
	for (size_t n = 0; there && n < there->row_count; n++) {
		const char *name = there->rows[n].name;

		differing_row(document, name, preflight_finding(there, name), preflight_finding(here, name));
	}
	for (size_t n = 0; here && n < here->row_count; n++) {
		const char *name = here->rows[n].name;

		if (!preflight_finding(there, name))
			differing_row(document, name, NULL, preflight_finding(here, name));
	}
}

void machines_present(const struct bench_file *there, const struct bench_arguments *arguments,
		      struct document *document)
{
	struct document differing = { 0 };

	/* a table of its own first: rows of the other tables must stay where they are meanwhile */
	table_begin(&differing, "differences", "What differs before anything is measured", "", columns,
		    sizeof(columns) / sizeof(columns[0]));
	findings(preflight_table(&there->document), preflight_table(document), &differing);
	settings(there, arguments, &differing);
	if (!differing.failed && !differing.tables[0].row_count)
		table_note(&differing, "Nothing: machine, kernel and settings are the same.");
	document_append(document, &differing);
	document_free(&differing);
}
