/* SPDX-License-Identifier: BSD-3-Clause */
/* See compare.h. */
#include "compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/quantiles.h"

#define FINDINGS_MOST 5u
#define SENTENCE 512u

/* Figures of a row; those behind the first two are of all rows together alone. */
enum { SHARE, EXECUTIONS, FLOPS, READ, WRITTEN, FIGURES };
#define OF_A_ROW 2u

static const struct compared_as as[FIGURES] = {
	[SHARE] = { .name = "share", .is_share = 1, .digits = 2 },
	[EXECUTIONS] = { .name = "executions", .is_scaled = 1 },
	[FLOPS] = { .name = "flops", .is_scaled = 1 },
	[READ] = { .name = "read", .is_scaled = 1 },
	[WRITTEN] = { .name = "written", .is_scaled = 1 },
};

static const enum mix_measure measures[FIGURES] = {
	[SHARE] = MIX_EXECUTIONS, [EXECUTIONS] = MIX_EXECUTIONS, [FLOPS] = MIX_FLOPS,
	[READ] = MIX_READ,        [WRITTEN] = MIX_WRITTEN,
};

static const struct mix_figure unknown = { NAN, { NAN, NAN } };

/* One recording, while it is compared */
struct run {
	const struct mix_program *program;
	const struct mix_pivot *pivot;
	struct mix_estimate *estimate;
	double *whole;   /* weights of blocks: instructions */
	double *weights; /* zeros between uses */
	struct mix_figure all[FIGURES];
	double seen; /* samples and stacks */
};

struct class_row {
	uint32_t label[MIX_DIMENSIONS_MOST]; /* numbers of 'names' */
	uint32_t number; /* of its cells and figures */
	double weight;   /* the largest share on any side */
	double order;    /* how far apart shares are */
};

struct mix_comparing {
	const struct mix_comparison *of;
	struct run *runs; /* of both sides */
	uint32_t run_count;
	struct names names;
	struct numbering numbering; /* of rows, by labels */
	struct class_row *rows;
	uint32_t row_room, count; /* rows that are compared */
	uint32_t *cells; /* by row and run: 1 + a cell of its pivot; 0: it has none */
	struct mix_figure (*figures)[OF_A_ROW]; /* likewise; NAN of what it has no cell of */
	uint64_t figure_count; /* that are compared */
	double chance; /* that the truth is beyond one end of an interval */
	int failed;
};

/* --- rows --- */

static uint32_t row_of(struct mix_comparing *comparing, const struct mix_pivot *pivot, uint32_t cell)
{
	struct numbering_key key = { { 0 } };
	const uint32_t known = comparing->numbering.count;
	uint32_t row;

	for (uint32_t n = 0; n < pivot->of.count; n++) {
		key.word[n] = names_add(&comparing->names, mix_pivot_label(pivot, cell, n));
		comparing->failed |= !key.word[n];
	}
	row = numbering_of(&comparing->numbering, &key);
	if (row == NUMBERING_NONE || comparing->failed) {
		comparing->failed = 1;
		return NUMBERING_NONE;
	}
	if (row >= comparing->row_room) {
		const uint32_t room = comparing->numbering.room;
		struct class_row *rows = realloc(comparing->rows, room * sizeof(*rows));
		const size_t bytes = (size_t)room * comparing->run_count * sizeof(uint32_t);
		uint32_t *cells = rows ? realloc(comparing->cells, bytes) : NULL;

		comparing->rows = rows ? rows : comparing->rows;
		comparing->cells = cells ? cells : comparing->cells;
		comparing->failed |= !cells;
		if (!cells)
			return NUMBERING_NONE;
		comparing->row_room = room;
	}
	if (row == known) {
		comparing->rows[row] = (struct class_row){ .number = row };
		for (uint32_t n = 0; n < pivot->of.count; n++)
			comparing->rows[row].label[n] = (uint32_t)key.word[n];
		memset(comparing->cells + (size_t)row * comparing->run_count, 0,
		       comparing->run_count * sizeof(uint32_t));
	}
	return row;
}

static double whole_of(const struct run *run, const double *counts)
{
	double whole = 0;

	for (uint32_t n = 0; n < run->program->count; n++)
		whole += run->whole[n] * counts[n];
	return whole;
}

/* What was executed there, as far as is known */
static void take_rows(struct mix_comparing *comparing, uint32_t number)
{
	const struct run *run = &comparing->runs[number];
	const double *counts = mix_counts(run->estimate, MIX_JOINT);
	const double whole = whole_of(run, counts);

	for (uint32_t n = 0; n < mix_pivot_cells(run->pivot) && !comparing->failed; n++) {
		const double share = mix_cell_value(run->pivot, n, MIX_EXECUTIONS, counts) / whole;
		uint32_t row;

		if (!(share > 0))
			continue;
		row = row_of(comparing, run->pivot, n);
		if (comparing->failed)
			return;
		comparing->cells[(size_t)row * comparing->run_count + number] = n + 1;
		comparing->rows[row].weight = fmax(comparing->rows[row].weight, share);
	}
}

static int by_weight(const void *a, const void *b)
{
	const struct class_row *left = a, *right = b;

	if (left->weight != right->weight)
		return left->weight > right->weight ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

static int by_order(const void *a, const void *b)
{
	const struct class_row *left = a, *right = b;

	if (left->order != right->order)
		return left->order > right->order ? -1 : 1;
	return by_weight(a, b);
}

/* --- figures of one recording --- */

static struct mix_figure sum_of(const struct run *run, const double *weights)
{
	return run->program->is_relative ? unknown : mix_sum(run->estimate, MIX_JOINT, weights);
}

static void find_all(struct run *run)
{
	static const struct mix_figure none = { 0, { 0, 0 } };

	run->all[SHARE] = unknown;
	run->all[EXECUTIONS] = sum_of(run, run->whole);
	for (int figure = FLOPS; figure < FIGURES; figure++) {
		int has_any = 0;

		for (uint32_t n = 0; n < mix_pivot_cells(run->pivot); n++)
			mix_cell_weigh(run->pivot, n, measures[figure], run->weights);
		for (uint32_t n = 0; n < run->program->count; n++)
			has_any |= run->weights[n] != 0;
		run->all[figure] = has_any ? sum_of(run, run->weights) : none;
		if (run->program->is_relative)
			run->all[figure] = unknown;
		memset(run->weights, 0, run->program->count * sizeof(*run->weights));
	}
}

static void find_figures(struct mix_comparing *comparing, const struct class_row *row, uint32_t number)
{
	struct run *run = &comparing->runs[number];
	const size_t at = (size_t)row->number * comparing->run_count + number;
	struct mix_figure *figures = comparing->figures[at];

	figures[SHARE] = figures[EXECUTIONS] = unknown;
	if (!comparing->cells[at])
		return;
	mix_cell_weigh(run->pivot, comparing->cells[at] - 1, MIX_EXECUTIONS, run->weights);
	/* What was not seen has intervals of its own here: unseen_of() */
	if (mix_is_seen(run->estimate, run->weights)) {
		figures[SHARE] = mix_share(run->estimate, MIX_JOINT, run->weights, run->whole);
		figures[EXECUTIONS] = sum_of(run, run->weights);
	} else {
		figures[SHARE] =
			mix_share_alone(run->estimate, MIX_JOINT, run->weights, run->whole);
		figures[EXECUTIONS] =
			run->program->is_relative
				? unknown
				: mix_sum_alone(run->estimate, MIX_JOINT, run->weights);
	}
	memset(run->weights, 0, run->program->count * sizeof(*run->weights));
}

/* Of 95% intervals those of that chance: they are of Student's t (estimate.c). */
static struct estimate at_chance(struct mix_figure figure, double chance)
{
	const double wider = student_upper(chance, MIX_GROUPS - 1) / student_upper(0.025, MIX_GROUPS - 1);

	return (struct estimate){ figure.value,
				  { figure.value - wider * (figure.value - figure.interval.low),
				    figure.value + wider * (figure.interval.high - figure.value) } };
}

/*
 * Of what no sample met: as far as is known 0, or what follows from code around it, and up to the share
 * that none of so many samples would have met with that chance.
 */
static struct estimate unseen_of(const struct run *run, uint32_t figure, double value, double chance)
{
	const struct estimate all = at_chance(run->all[EXECUTIONS], chance);
	const double whole = figure == SHARE ? 1 : all.interval.high;
	const double most = fmin(1, -log(chance) / run->seen) * whole;

	if (isnan(whole))
		return (struct estimate){ NAN, { NAN, NAN } };
	return (struct estimate){ value, { 0, fmax(most, value) } };
}

/* --- two sides --- */

/* 'row' NULL: all */
static struct estimate run_figure(const struct mix_comparing *comparing, const struct class_row *row,
				  uint32_t number, uint32_t figure)
{
	const struct run *run = &comparing->runs[number];
	const size_t at = row ? (size_t)row->number * comparing->run_count + number : 0;

	if (!row)
		return at_chance(run->all[figure], comparing->chance);
	if (!comparing->cells[at])
		return unseen_of(run, figure, 0, comparing->chance);
	if (isnan(comparing->figures[at][figure].interval.low))
		return unseen_of(run, figure, comparing->figures[at][figure].value, comparing->chance);
	return at_chance(comparing->figures[at][figure], comparing->chance);
}

static struct compared compare(struct mix_comparing *comparing, const struct class_row *row, uint32_t figure)
{
	const uint32_t runs = comparing->of->runs;
	struct estimate *found = calloc(runs, sizeof(*found));
	struct compared compared = { .unknown = "too few samples" };

	for (uint32_t side = 0; side < 2; side++) {
		for (uint32_t n = 0; found && n < runs; n++)
			found[n] = run_figure(comparing, row, side * runs + n, figure);
		compared.side[side] = found ? estimate_of_runs(found, runs, comparing->chance)
					    : (struct estimate){ NAN, { NAN, NAN } };
	}
	comparing->failed |= !found;
	free(found);
	/* Neither does any of it. */
	if (figure >= FLOPS && compared.side[0].value < 0.5 && compared.side[1].value < 0.5)
		compared.side[0].value = compared.side[1].value = NAN;
	compared.difference = difference_of(&compared.side[0], &compared.side[1]);
	return compared;
}

static void count_figures(struct mix_comparing *comparing, const struct class_row *row, uint32_t first,
			  uint32_t end)
{
	for (uint32_t figure = first; figure < end; figure++) {
		const struct compared compared = compare(comparing, row, figure);

		comparing->figure_count += (uint64_t)compared_has_both(&compared);
	}
}

static void set_level(struct mix_comparing *comparing)
{
	const uint64_t count = comparing->figure_count ? comparing->figure_count : 1;

	comparing->chance = (1 - comparing->of->level) / 2 / (double)count;
}

/* Did any recording see it? */
static int is_seen(const struct mix_comparing *comparing, const struct class_row *row)
{
	for (uint32_t n = 0; n < comparing->run_count; n++) {
		const size_t at = (size_t)row->number * comparing->run_count + n;

		if (!isnan(comparing->figures[at][SHARE].interval.low))
			return 1;
	}
	return 0;
}

/* Those that follow from code around them alone are no difference. */
static void drop_unseen(struct mix_comparing *comparing)
{
	uint32_t kept = 0;

	for (uint32_t n = 0; n < comparing->count; n++) {
		if (is_seen(comparing, &comparing->rows[n]))
			comparing->rows[kept++] = comparing->rows[n];
	}
	comparing->count = kept;
}

static void find_all_figures(struct mix_comparing *comparing)
{
	for (uint32_t n = 0; n < comparing->run_count; n++)
		find_all(&comparing->runs[n]);
	for (uint32_t n = 0; n < comparing->count; n++) {
		for (uint32_t i = 0; i < comparing->run_count; i++)
			find_figures(comparing, &comparing->rows[n], i);
	}
	drop_unseen(comparing);
	set_level(comparing);
	count_figures(comparing, NULL, EXECUTIONS, FIGURES);
	for (uint32_t n = 0; n < comparing->count; n++) {
		const struct compared share = compare(comparing, &comparing->rows[n], SHARE);

		count_figures(comparing, &comparing->rows[n], 0, OF_A_ROW);
		comparing->rows[n].order = fabs(share.side[1].value - share.side[0].value);
	}
	set_level(comparing);
	if (comparing->count)
		qsort(comparing->rows, comparing->count, sizeof(*comparing->rows), by_order);
}

/* --- in words --- */

static const char *row_text(const struct mix_comparing *comparing, const struct class_row *row,
			    char text[SENTENCE])
{
	const uint32_t count = comparing->runs[0].pivot->of.count;
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t n = 0; n < count && used < SENTENCE - 1; n++)
		used += (size_t)snprintf(text + used, SENTENCE - used, "%s%.*s", n ? ", " : "",
					 (int)(SENTENCE / 2 / count),
					 names_get(&comparing->names, row->label[n])->text);
	return text;
}

void mix_compare_tell(struct mix_comparing *comparing, mix_compare_teller *tell, void *data)
{
	const struct compared all = compare(comparing, NULL, EXECUTIONS);
	char text[2 * SENTENCE], label[SENTENCE];
	uint32_t told = 0;

	if (compared_has_both(&all) && compared_is_decided(&all)) {
		snprintf(text, sizeof(text),
			 "%s instructions were executed: %.4g, and before %.4g; the difference is %+.4g "
			 "[%.4g,%.4g].", all.difference.low > 0 ? "More" : "Fewer", all.side[1].value,
			 all.side[0].value, all.side[1].value - all.side[0].value, all.difference.low,
			 all.difference.high);
		tell(data, "executions", "all", text, &all);
	}
	for (uint32_t n = 0; n < comparing->count && told < FINDINGS_MOST; n++) {
		const struct compared share = compare(comparing, &comparing->rows[n], SHARE);

		if (!compared_has_both(&share) || !compared_is_decided(&share))
			continue;
		row_text(comparing, &comparing->rows[n], label);
		snprintf(text, sizeof(text),
			 "%s: %.2f%% of the instructions executed, and before %.2f%%: %+.2f%% [%.2f,%.2f].",
			 label, 100 * share.side[1].value, 100 * share.side[0].value,
			 100 * (share.side[1].value - share.side[0].value), 100 * share.difference.low,
			 100 * share.difference.high);
		tell(data, "share", label, text, &share);
		told++;
	}
}

/* --- the table --- */

size_t mix_compare_columns(const struct mix_pivot_of *of, const char *title,
			   struct column columns[MIX_COMPARED_COLUMNS])
{
	size_t count = COMPARED_COLUMNS;

	memcpy(columns, compared_columns, sizeof(compared_columns));
	columns[count++] = (struct column){ NULL, title, COLUMN_LEFT };
	for (uint32_t n = 0; n < of->count; n++)
		columns[count++] =
			(struct column){ mix_dimension_info(of->dimension[n])->name, NULL, COLUMN_LEFT };
	return count;
}

/* 'row' NULL: all */
static void add_row(struct mix_comparing *comparing, struct document *document, const struct class_row *row,
		    const char *rank)
{
	const uint32_t end = row ? OF_A_ROW : FIGURES;
	char text[SENTENCE] = "all";
	int is_first = 1;

	if (row)
		row_text(comparing, row, text);
	for (uint32_t figure = row ? SHARE : EXECUTIONS; figure < end; figure++) {
		const struct compared compared = compare(comparing, row, figure);

		if (!compared_has_both(&compared))
			continue;
		row_begin(document, "%s/%s", rank, as[figure].name);
		compared_cells(document, &compared, &as[figure]);
		cell_text(document, "%s", is_first ? text : "");
		is_first = 0;
		for (uint32_t n = 0; row && n < comparing->runs[0].pivot->of.count; n++)
			cell_text(document, "%s", names_get(&comparing->names, row->label[n])->text);
	}
}

static void add_notes(const struct mix_comparing *comparing, struct document *document)
{
	const struct mix_comparison *of = comparing->of;
	int is_relative = 0, are_bounds = 0;

	for (uint32_t n = 0; n < comparing->run_count; n++) {
		const struct run *run = &comparing->runs[n];

		is_relative |= run->program->is_relative;
		for (uint32_t i = 0; i < mix_pivot_cells(run->pivot); i++)
			are_bounds |= (run->pivot->cell[i].flops_not | run->pivot->cell[i].bytes_not) != 0;
	}
	table_note(document,
		   "intervals of all %" PRIu64 " figures that are compared hold together with %.4g%% "
		   "(Bonferroni: each with %.6g%%); a verdict is one where 0 is outside",
		   comparing->figure_count, 100 * of->level, 100 * (1 - 2 * comparing->chance));
	if (of->runs > 1)
		table_note(document,
			   "%" PRIu32 " runs of each: their mean, and what they differ by where that is "
			   "more than the error of the estimates (Student's t)", of->runs);
	else
		table_note(document, "one run of each: intervals are of the error of estimates alone, not of "
				     "what runs differ by (--runs)");
	if (is_relative)
		table_note(document, "how many executions there were is not known of a side: shares alone "
				     "are compared");
	if (are_bounds)
		table_note(document, "some FLOPs or bytes are at most, or at least, what is said (masks, "
				     "repetitions, unknown instructions): precis mix says of which");
	if (comparing->numbering.count > comparing->count)
		table_note(document,
			   "%" PRIu32 " more rows are not compared: no sample or stack was of them, or there "
			   "are too many",
			   comparing->numbering.count - comparing->count);
	if (of->top && comparing->count > of->top)
		table_note(document, "%" PRIu32 " more rows are not shown (--top)",
			   comparing->count - of->top);
}

void mix_compare_table(struct mix_comparing *comparing, struct document *document)
{
	const struct mix_comparison *of = comparing->of;
	char rank[16];

	table_begin(document, "diff_mix", "", "", of->columns, of->column_count);
	table_titled(document, "Instructions executed by %s, compared", of->columns[COMPARED_COLUMNS].title);
	if (of->number)
		table_numbered(document, of->number, ", comparison");
	add_row(comparing, document, NULL, "all");
	for (uint32_t n = 0; n < comparing->count && (!of->top || n < of->top); n++) {
		snprintf(rank, sizeof(rank), "%" PRIu32, n + 1);
		add_row(comparing, document, &comparing->rows[n], rank);
	}
	add_notes(comparing, document);
	document->failed |= comparing->failed;
}

/* --- all of it --- */

static int open_run(struct run *run, const struct mix_compared_run *of)
{
	run->pivot = of->pivot;
	run->program = of->pivot->program;
	run->estimate = of->estimate;
	run->seen = (double)(run->program->seen.samples + run->program->seen.stacks);
	run->whole = calloc((size_t)run->program->count + 1, sizeof(double));
	run->weights = calloc((size_t)run->program->count + 1, sizeof(double));
	if (!run->whole || !run->weights)
		return -1;
	for (uint32_t n = 0; n < run->program->count; n++)
		run->whole[n] = run->program->flow.blocks[n].instructions;
	return 0;
}

static int open_all(struct mix_comparing *comparing)
{
	const struct mix_comparison *of = comparing->of;

	comparing->run_count = 2 * of->runs;
	comparing->runs = calloc(comparing->run_count, sizeof(*comparing->runs));
	if (!comparing->runs)
		return -1;
	for (uint32_t n = 0; n < comparing->run_count; n++) {
		if (open_run(&comparing->runs[n], &of->side[n / of->runs][n % of->runs]) < 0)
			return -1;
		take_rows(comparing, n);
	}
	if (comparing->failed)
		return -1;
	comparing->count = comparing->numbering.count;
	if (comparing->count)
		qsort(comparing->rows, comparing->count, sizeof(*comparing->rows), by_weight);
	if (comparing->count > MIX_COMPARED_MOST)
		comparing->count = MIX_COMPARED_MOST;
	comparing->figures = calloc((size_t)comparing->numbering.count * comparing->run_count + 1,
				    sizeof(*comparing->figures));
	return comparing->figures ? 0 : -1;
}

struct mix_comparing *mix_compare_open(const struct mix_comparison *of)
{
	struct mix_comparing *comparing = calloc(1, sizeof(*comparing));

	if (!comparing)
		return NULL;
	comparing->of = of;
	if (open_all(comparing) < 0) {
		mix_compare_close(comparing);
		return NULL;
	}
	find_all_figures(comparing);
	return comparing;
}

void mix_compare_close(struct mix_comparing *comparing)
{
	if (!comparing)
		return;
	for (uint32_t n = 0; comparing->runs && n < comparing->run_count; n++) {
		free(comparing->runs[n].whole);
		free(comparing->runs[n].weights);
	}
	free(comparing->runs);
	free(comparing->rows);
	free(comparing->cells);
	free(comparing->figures);
	names_free(&comparing->names);
	numbering_free(&comparing->numbering);
	free(comparing);
}
