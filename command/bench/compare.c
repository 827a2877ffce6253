/* SPDX-License-Identifier: BSD-3-Clause */
/* See compare.h. How a metric is compared is bench/accuracy's: here is with what, and how many at once. */
#include "compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/accuracy/compare.h"
#include "figure.h"
#include "machines.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
/* In all figures together something is found by chance no more often than in one of 20 comparisons. */
#define FOUND_BY_CHANCE 0.05

/* A figure of an event with a kernel and a period; of what only one side has without metric */
struct line {
	const struct bench_cell *cell;
	const struct bench_event *event;
	enum metric metric; /* METRIC_COUNT: none */
	struct comparison comparison;
	double adjusted; /* p among all that are judged */
	const char *verdict, *says;
};

struct lines {
	const struct bench_arguments *arguments;
	struct line *list;
	size_t count, judged, untold;
	int failed;
};

static struct line *add_line(struct lines *lines, const struct bench_cell *cell,
			     const struct bench_event *event, enum metric metric)
{
	struct line *line;

	if (lines->count % 64 == 0) {
		struct line *more = realloc(lines->list, (lines->count + 64) * sizeof(*more));

		if (!more) {
			lines->failed = 1;
			return NULL;
		}
		lines->list = more;
	}
	line = &lines->list[lines->count++];
	memset(line, 0, sizeof(*line));
	line->cell = cell;
	line->event = event;
	line->metric = metric;
	line->adjusted = NAN;
	return line;
}

/* --- with what --- */

/* NULL: there is none. 'period' and 'threads' 0: any */
static const struct bench_cell *find_cell(const struct bench_cells *cells, const struct bench_cell *like,
					  uint64_t period, uint32_t threads)
{
	for (size_t n = 0; n < cells->count; n++) {
		const struct bench_cell *cell = &cells->cells[n];

		if (cell->event == like->event && cell->kernel == like->kernel &&
		    (!period || cell->period == period) && (!threads || cell->threads == threads))
			return cell;
	}
	return NULL;
}

static void add_alone(struct lines *lines, const struct bench_cell *cell, const char *verdict,
		      const char *says)
{
	struct line *line = add_line(lines, cell, cell->event, METRIC_COUNT);

	if (line) {
		line->verdict = verdict;
		line->says = says;
	}
}

/* One side has that cell alone: in what are those of the other side others? */
static void add_other(struct lines *lines, const struct bench_cell *cell, const struct bench_cells *others,
		      int is_here)
{
	if (find_cell(others, cell, 0, cell->threads))
		add_alone(lines, cell, "other period",
			  is_here ? "there it has another" : "here it has another");
	else if (find_cell(others, cell, 0, 0))
		add_alone(lines, cell, "other threads",
			  is_here ? "there it has another number" : "here it has another number");
	else
		add_alone(lines, cell, is_here ? "only here" : "only there",
			  is_here ? "there it was not measured" : "here it was not measured");
}

static const char *verdict_of_state(enum comparison_state state)
{
	static const char *const names[] = {
		[COMPARED_ONLY_BEFORE] = "only there", [COMPARED_ONLY_AFTER] = "only here",
		[COMPARED_DEGENERATE] = "degenerate", [COMPARED_NOT] = "not judged",
	};

	return names[state];
}

static void add_pair(struct lines *lines, const struct bench_cell *there, const struct bench_cell *here)
{
	const struct bench_event *members[EVENTS_MOST];
	const uint32_t count = (uint32_t)event_members(here->event, members);

	for (uint32_t member = 0; member < count; member++) {
		const struct series before = cell_series(there, members, member);
		const struct series after = cell_series(here, members, member);

		for (enum metric metric = 0; metric < METRIC_COUNT; metric++) {
			struct comparison comparison;
			struct line *line;

			if (!is_asked(lines->arguments->metrics, metric))
				continue;
			metric_compare(metric, &before, &after, &comparison);
			if (comparison.state == COMPARED_NEITHER)
				continue;
			line = add_line(lines, here, members[member], metric);
			if (!line)
				return;
			line->comparison = comparison;
			line->verdict = verdict_of_state(comparison.state);
			lines->judged += comparison.state == COMPARED;
			lines->untold += comparison.state == COMPARED_NOT;
		}
	}
}

static void add_all(struct lines *lines, const struct bench_cells *there, const struct bench_cells *here)
{
	for (size_t n = 0; n < here->count; n++) {
		const struct bench_cell *cell = &here->cells[n];
		const struct bench_cell *other = find_cell(there, cell, cell->period, cell->threads);

		if (other)
			add_pair(lines, other, cell);
		else
			add_other(lines, cell, there, 1);
	}
	for (size_t n = 0; n < there->count; n++) {
		const struct bench_cell *cell = &there->cells[n];

		if (!find_cell(here, cell, cell->period, cell->threads))
			add_other(lines, cell, here, 0);
	}
}

/* --- verdicts --- */

static int judge(struct lines *lines)
{
	static const char *const senses[] = {
		[SENSE_BETTER] = "better", [SENSE_WORSE] = "worse", [SENSE_DIFFERS] = "differs",
	};
	double *chances = malloc((lines->judged + 1) * sizeof(*chances));
	size_t at = 0;

	for (size_t n = 0; chances && n < lines->count; n++) {
		if (lines->list[n].metric != METRIC_COUNT && lines->list[n].comparison.state == COMPARED)
			chances[at++] = lines->list[n].comparison.tested.p;
	}
	if (!chances || holm_adjust(chances, at)) {
		free(chances);
		return -1;
	}
	at = 0;
	for (size_t n = 0; n < lines->count; n++) {
		struct line *line = &lines->list[n];

		if (line->metric == METRIC_COUNT || line->comparison.state != COMPARED)
			continue;
		line->adjusted = chances[at++];
		line->verdict = line->adjusted <= FOUND_BY_CHANCE ? senses[line->comparison.sense] :
								    "no difference seen";
	}
	free(chances);
	return 0;
}

static size_t count_verdicts(const struct lines *lines, const char *verdict)
{
	size_t count = 0;

	for (size_t n = 0; n < lines->count; n++)
		count += strcmp(lines->list[n].verdict, verdict) == 0;
	return count;
}

/* --- the table --- */

/* Text has figures with as many digits as they need, programs numbers. */
static const struct column columns[] = {
	{ "metric", NULL, COLUMN_LEFT },
	{ "event", NULL, COLUMN_LEFT },
	{ "kernel", NULL, COLUMN_LEFT },
	{ "period", NULL, 0 },
	{ "threads", NULL, 0 },
	{ "there", NULL, 0 },
	{ "there_low", NULL, 0 },
	{ "there_high", NULL, 0 },
	{ "here", NULL, 0 },
	{ "here_low", NULL, 0 },
	{ "here_high", NULL, 0 },
	{ "difference", NULL, 0 },
	{ "difference_low", NULL, 0 },
	{ "difference_high", NULL, 0 },
	{ "p", NULL, 0 },
	{ "p_of_all", NULL, 0 },
	{ "verdict", "verdict", COLUMN_LEFT },
	{ NULL, "difference", COLUMN_LEFT },
	{ "unit", "unit", COLUMN_LEFT },
	{ NULL, "p of all", 0 },
	{ NULL, "there", COLUMN_LEFT },
	{ NULL, "here", COLUMN_LEFT },
	{ "says", "why not", COLUMN_LEFT },
};

/* "1.2 [0.9,1.5]" */
static void interval_cell(struct document *document, int is_there, double value, double low, double high)
{
	char texts[3][FIGURE];

	if (!is_there || isnan(value)) {
		cell_absent(document);
		return;
	}
	figure_text(value, "", texts[0]);
	figure_text(low, "", texts[1]);
	figure_text(high, "", texts[2]);
	if (isnan(low))
		cell_text(document, "%s", texts[0]);
	else
		cell_text(document, "%s [%s,%s]", texts[0], texts[1], texts[2]);
}

static void side_numbers(struct document *document, const struct metric_result *side)
{
	cell_known(document, side->is_there ? side->value : NAN);
	cell_known(document, side->is_there ? side->low : NAN);
	cell_known(document, side->is_there ? side->high : NAN);
}

static void side_text(struct document *document, const struct metric_result *side)
{
	interval_cell(document, side->is_there, side->value, side->low, side->high);
}

/* What was not tested has zeroes there, which are no figures. */
static struct tested tested_of(const struct line *line)
{
	static const struct tested unknown = { NAN, { NAN, NAN }, NAN };
	const enum comparison_state state = line->comparison.state;

	return line->metric != METRIC_COUNT && (state == COMPARED || state == COMPARED_DEGENERATE) ?
		       line->comparison.tested : unknown;
}

static void number_cells(struct document *document, const struct line *line, const struct tested *tested)
{
	side_numbers(document, &line->comparison.before);
	side_numbers(document, &line->comparison.after);
	cell_known(document, tested->difference);
	cell_known(document, tested->interval.low);
	cell_known(document, tested->interval.high);
	cell_known(document, tested->p);
	cell_known(document, line->adjusted);
}

static void text_cells(struct document *document, const struct line *line, const struct tested *tested)
{
	cell_text(document, "%s", line->verdict);
	interval_cell(document, 1, tested->difference, tested->interval.low, tested->interval.high);
	words_cell(document, line->metric == METRIC_COUNT ? NULL : metric_info(line->metric)->unit);
	figure_cell(document, "", line->adjusted, "p");
	side_text(document, &line->comparison.before);
	side_text(document, &line->comparison.after);
}

static void line_row(struct document *document, const struct line *line, int is_text)
{
	const struct metric_info *info = line->metric == METRIC_COUNT ? NULL : metric_info(line->metric);
	const char *name = info ? info->name : "all";
	const struct tested tested = tested_of(line);

	if (is_text)
		row_begin(document, "%s", name);
	else
		row_begin(document, "%s/%s/%s/%" PRIu64 "/%" PRIu32 "/%s", line->cell->event->name,
			  line->event->name, line->cell->kernel->name, line->cell->period,
			  line->cell->threads, name);
	row_in(document, "rows");
	words_cell(document, info ? info->name : NULL);
	cell_text(document, "%s", line->event->name);
	cell_text(document, "%s", line->cell->kernel->name);
	cell_count(document, line->cell->period);
	cell_count(document, line->cell->threads);
	number_cells(document, line, &tested);
	text_cells(document, line, &tested);
	words_cell(document, info ? line->comparison.says : line->says);
}

static void heading(struct document *document, const struct line *line)
{
	const int is_of_set = line->cell->event != line->event;
	char threads[THREADS_WORDS];

	row_heading(document, "%s%s%s with %s, period %" PRIu64 "%s", line->event->name,
		    is_of_set ? " of " : "", is_of_set ? line->cell->event->name : "",
		    line->cell->kernel->name, line->cell->period,
		    threads_words(line->cell->threads, threads));
}

static void add_notes(struct document *document, const struct lines *lines, const struct bench_file *there)
{
	table_note(document, "%zu figures are judged: %zu better, %zu worse, %zu differ. In all of them "
		   "together a difference is seen by chance in one of 20 comparisons at most (Holm): p of "
		   "all. Intervals are of 95%% each.", lines->judged, count_verdicts(lines, "better"),
		   count_verdicts(lines, "worse"), count_verdicts(lines, "differs"));
	table_note(document, "Figures are the means of runs, and shares those of all samples. They know of "
			     "these runs, not of others of another day.");
	if (lines->untold && lines->arguments->format == PAGE_TEXT)
		table_note(document, "%zu figures are of metrics that are not judged: JSON and CSV have "
				     "them, and why.", lines->untold);
	if (there->skipped_cells)
		table_note(document, "%zu cells of the file are of events or kernels that are not known "
			   "here.", there->skipped_cells);
}

static void present_lines(struct document *document, const struct lines *lines,
			  const struct bench_file *there)
{
	const int is_text = lines->arguments->format == PAGE_TEXT;
	const struct line *before = NULL;

	table_begin(document, "comparison", NULL, "metric", columns, COUNT_OF(columns));
	table_titled(document, "Compared with %s", lines->arguments->compare);
	for (size_t n = 0; n < lines->count; n++) {
		const struct line *line = &lines->list[n];

		/* as many words as there are figures that nobody can judge would hide the others */
		if (is_text && line->metric != METRIC_COUNT && line->comparison.state == COMPARED_NOT)
			continue;
		line_row(document, line, is_text);
		if (is_text && (!before || before->cell != line->cell || before->event != line->event))
			heading(document, line);
		before = line;
	}
	add_notes(document, lines, there);
}

uint32_t compare_present(const struct bench_file *there, const struct bench_cells *here,
			 const struct bench_arguments *arguments, struct document *document)
{
	struct lines lines = { .arguments = arguments };
	uint32_t worse = 0;

	add_all(&lines, &there->cells, here);
	if (lines.failed || judge(&lines)) {
		document->failed = 1;
	} else {
		present_lines(document, &lines, there);
		document_lead(document);
		worse = (uint32_t)count_verdicts(&lines, "worse");
	}
	free(lines.list);
	machines_present(there, arguments, document);
	document_lead(document);
	return worse;
}
