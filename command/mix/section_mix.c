/* SPDX-License-Identifier: BSD-3-Clause */
/* Executions by dimensions: shares, numbers, floating-point operations, bytes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sections.h"

static const struct column figures[] = {
	{ "share", "share [95% CI]", 0 },
	MIX_SUM_COLUMNS("executions", "executions"),
	MIX_SUM_COLUMNS("flops", "FLOPs"),
	MIX_SUM_COLUMNS("bytes_read", "bytes read"),
	MIX_SUM_COLUMNS("bytes_written", "bytes written"),
	{ "flops_per_byte", "FLOP/byte", 0 },
	{ "flops_per_byte_low", NULL, 0 },
	{ "flops_per_byte_high", NULL, 0 },
	{ "flops_are", NULL, COLUMN_LEFT },
	{ "bytes_are", NULL, COLUMN_LEFT },
	{ NULL, "", COLUMN_LEFT },
};

static const struct column compared[] = {
	{ "joint", "joint [95% CI]", 0 }, { "rule", "rule [95% CI]", 0 },
	{ "lbr", "LBR [95% CI]", 0 },     { "ebs", "EBS [95% CI]", 0 },
	{ "rule_less_joint", "rule-joint", 0 },
	{ "lbr_less_joint", "LBR-joint", 0 },
	{ "ebs_less_joint", "EBS-joint", 0 },
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	enum mix_dimension dimension;
	const char *name;
} standard[MIX_STANDARD] = {
	{ MIX_BY_EXTENSION, "extensions" },
	{ MIX_BY_CATEGORY, "categories" },
	{ MIX_BY_MNEMONIC, "mnemonics" },
};

/* Rows of one dimension have their class for a name, and in text no column of it; of several a number. */
static void put_columns(struct mix_columns_of *columns, const struct mix_pivot_of *of,
			const struct column *behind, size_t count)
{
	for (uint32_t n = 0; n < of->count; n++) {
		const char *name = mix_dimension_info(of->dimension[n])->name;

		columns->column[n] =
			(struct column){ name, of->count > 1 ? name : NULL, COLUMN_LEFT };
	}
	memcpy(columns->column + of->count, behind, count * sizeof(*behind));
	columns->count = of->count + count;
}

struct mix_pivot_of mix_compared_by(const struct mix_arguments *arguments)
{
	struct mix_pivot_of of = arguments->by;

	if (!of.count)
		of.dimension[of.count++] = MIX_BY_MNEMONIC;
	return of;
}

void mix_columns_make(struct mix_columns *columns, const struct mix_arguments *arguments)
{
	const struct mix_pivot_of compared_by = mix_compared_by(arguments);

	put_columns(&columns->by, &arguments->by, figures, COUNT_OF(figures));
	put_columns(&columns->compared, &compared_by, compared, COUNT_OF(compared));
	for (size_t n = 0; n < MIX_STANDARD; n++) {
		const struct mix_pivot_of of = { .dimension = { standard[n].dimension }, .count = 1 };

		put_columns(&columns->standard[n], &of, figures, COUNT_OF(figures));
	}
}

/* --- rows --- */

struct ranked {
	uint32_t cell;
	double value;
	const char *label;
};

static int by_value(const void *a, const void *b)
{
	const struct ranked *left = a, *right = b;

	if (left->value != right->value)
		return left->value > right->value ? -1 : 1;
	return strcmp(left->label, right->label);
}

int mix_rows_sort(const struct mix_pivot *pivot, const double *counts, uint32_t **cells)
{
	const uint32_t count = mix_pivot_cells(pivot);
	struct ranked *ranked = malloc((count + 1) * sizeof(*ranked));

	*cells = malloc((count + 1) * sizeof(**cells));
	if (!ranked || !*cells) {
		free(ranked);
		return -1;
	}
	for (uint32_t n = 0; n < count; n++)
		ranked[n] = (struct ranked){ n, mix_cell_value(pivot, n, MIX_EXECUTIONS, counts),
					     mix_pivot_label(pivot, n, 0) };
	qsort(ranked, count, sizeof(*ranked), by_value);
	for (uint32_t n = 0; n < count; n++)
		(*cells)[n] = ranked[n].cell;
	free(ranked);
	return 0;
}

void mix_row_begin(const struct mix_pivot *pivot, uint32_t number, uint32_t cell,
		   struct document *document)
{
	if (pivot->of.count > 1)
		row_begin(document, "%" PRIu32, number);
	else
		row_begin(document, "%s", mix_pivot_label(pivot, cell, 0));
	for (uint32_t n = 0; n < pivot->of.count; n++)
		cell_text(document, "%s", mix_pivot_label(pivot, cell, n));
}

const char *mix_row_label(const struct mix_pivot_of *of)
{
	return of->count > 1 ? "" : mix_dimension_info(of->dimension[0])->name;
}

/* --- figures --- */

static const struct mix_figure nothing = { 0, { 0, 0 } };

static int has_any(const double *weights, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++) {
		if (weights[n] != 0)
			return 1;
	}
	return 0;
}

/* Columns of text are narrow: unless asked for, CSV and JSON alone have these, which take time. */
static int has_intervals(const struct mixed *mixed)
{
	return mixed->arguments->format != MIX_FORMAT_TEXT || mixed->arguments->has_intervals;
}

/* What no instruction of the row does is done never: that is no estimate. */
static void cells_of_sum(const struct mixed *mixed, struct document *document, const double *weights)
{
	const enum mix_method method = mixed->arguments->method;
	struct mix_figure sum = nothing;

	if (has_any(weights, mixed->program.count))
		sum = has_intervals(mixed) ? mix_sum(mixed->estimate, method, weights)
					   : mix_sum_alone(mixed->estimate, method, weights);
	mix_cells_sum(document, sum, mixed->program.is_relative, mixed->arguments->has_intervals);
}

/* A sum of which nothing is known, and its ends */
static void cells_unknown(struct document *document)
{
	cell_absent(document);
	cell_why_absent(document, code_figure_text(CODE_FIGURE_UNKNOWN));
	cell_absent(document);
	cell_absent(document);
}

static void cells_of_ratio(const struct mixed *mixed, struct document *document, const double *flops,
			   const double *bytes)
{
	const enum mix_method method = mixed->arguments->method;
	struct mix_figure ratio = { NAN, { NAN, NAN } };

	if (has_any(flops, mixed->program.count) && has_any(bytes, mixed->program.count))
		ratio = has_intervals(mixed)
				? mix_share(mixed->estimate, method, flops, bytes)
				: mix_share_alone(mixed->estimate, method, flops, bytes);
	cell_decimal_between(document, mix_ratio_told(ratio.value), NAN, NAN, mixed->seen);
	if (mixed->arguments->has_intervals)
		cell_between(document, mix_not_negative(ratio.interval.low), ratio.interval.high);
	cell_known(document, mix_not_negative(ratio.interval.low));
	cell_known(document, ratio.interval.high);
}

/* Behind the figures: what a mask, a repetition or an unknown instruction leaves open */
static void cell_figure(struct document *document, uint32_t figures_not)
{
	char text[512] = "";
	size_t used = 0;

	for (uint32_t n = 0; n < CODE_FIGURES && used < sizeof(text) - 100; n++) {
		if (figures_not >> n & 1)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%.80s",
						 used ? "; " : "", code_figure_text(n));
	}
	cell_text(document, "%s", used ? text : code_figure_text(CODE_FIGURE_EXACT));
}

#define MASKED (1u << CODE_FIGURE_MASKED)
#define REPEATED (1u << CODE_FIGURE_REPEATED)
#define UNKNOWN (1u << CODE_FIGURE_UNKNOWN)

static void cells_of_knowledge(struct document *document, uint32_t flops_not, uint32_t bytes_not,
			       uint32_t either)
{
	cell_figure(document, flops_not);
	cell_figure(document, bytes_not);
	cell_text(document, "%s%s%s", either & MASKED ? "masked" : "",
		  either & MASKED && either & REPEATED ? ", " : "",
		  either & REPEATED ? "repeated" : "");
}

static void note_knowledge(struct document *document, uint32_t either)
{
	if (either & UNKNOWN)
		table_note(document, "FLOPs and bytes are of instructions that are known");
	if (either & MASKED)
		table_note(
			document,
			"masked: at most so many FLOPs and bytes; a mask, which no sample has, may "
			"leave some out");
	if (either & REPEATED)
		table_note(
			document,
			"repeated: at least so many bytes; of what REP repeats one round is counted");
}

/* The weights of a row, of each measure in turn, are made by 'weigh'. */
struct weighing {
	const struct mixed *mixed;
	const struct mix_pivot *pivot; /* NULL: all code */
	uint32_t cell;
	int flops_known, bytes_known; /* of an instruction at least */
};

static void weigh(const struct weighing *of, enum mix_measure measure, double *weights)
{
	if (of->pivot)
		mix_cell_weigh(of->pivot, of->cell, measure, weights);
	else
		mixed_weigh(of->mixed, NULL, measure, weights);
}

static void cells_of_measures(const struct weighing *of, struct document *document)
{
	const struct mixed *mixed = of->mixed;
	double *weights = mixed->weights, *bytes = mixed->others;

	for (int measure = MIX_FLOPS; measure <= MIX_WRITTEN; measure++) {
		if (!(measure == MIX_FLOPS ? of->flops_known : of->bytes_known)) {
			cells_unknown(document);
			continue;
		}
		weigh(of, (enum mix_measure)measure, weights);
		cells_of_sum(mixed, document, weights);
		mixed_clear(mixed, weights);
	}
	if (!of->flops_known || !of->bytes_known) {
		cells_unknown(document);
		return;
	}
	weigh(of, MIX_FLOPS, weights);
	weigh(of, MIX_READ, bytes);
	weigh(of, MIX_WRITTEN, bytes);
	cells_of_ratio(mixed, document, weights, bytes);
	mixed_clear(mixed, weights);
	mixed_clear(mixed, bytes);
}

static void row_of_cell(struct mixed *mixed, struct document *document,
			const struct mix_pivot *pivot, uint32_t number, uint32_t cell)
{
	const struct weighing of = { mixed, pivot, cell, pivot->cell[cell].flops_known,
				     pivot->cell[cell].bytes_known };
	struct mix_figure share;

	mix_row_begin(pivot, number, cell, document);
	weigh(&of, MIX_EXECUTIONS, mixed->weights);
	share = mix_share(mixed->estimate, mixed->arguments->method, mixed->weights, mixed->whole);
	cell_share_between(document, share.value, share.interval.low, share.interval.high, mixed->seen);
	cells_of_sum(mixed, document, mixed->weights);
	mixed_clear(mixed, mixed->weights);
	cells_of_measures(&of, document);
	cells_of_knowledge(document, pivot->cell[cell].flops_not, pivot->cell[cell].bytes_not,
			   pivot->cell[cell].flops_not | pivot->cell[cell].bytes_not);
}

static void row_of_all(struct mixed *mixed, struct document *document, const struct mix_pivot *pivot)
{
	struct weighing of = { .mixed = mixed };
	uint32_t flops_not = 0, bytes_not = 0;

	for (uint32_t n = 0; n < mix_pivot_cells(pivot); n++) {
		flops_not |= pivot->cell[n].flops_not;
		bytes_not |= pivot->cell[n].bytes_not;
		of.flops_known |= pivot->cell[n].flops_known;
		of.bytes_known |= pivot->cell[n].bytes_known;
	}
	row_begin(document, "all");
	row_is_sum(document);
	for (uint32_t n = 0; n < pivot->of.count; n++)
		cell_text(document, "%s", pivot->of.count > 1 ? "" : "all");
	cell_share_between(document, 1, NAN, NAN, mixed->seen);
	cells_of_sum(mixed, document, mixed->whole);
	cells_of_measures(&of, document);
	/* Of the sum the note tells */
	cells_of_knowledge(document, flops_not, bytes_not, 0);
	note_knowledge(document, of.flops_known ? flops_not | bytes_not : 0);
}

/* Cells of what never ran, as far as the method knows, are none. */
static uint32_t rows_above_zero(const struct mix_pivot *pivot, const double *counts, const uint32_t *cells)
{
	uint32_t rows = 0;

	while (rows < mix_pivot_cells(pivot) &&
	       mix_cell_value(pivot, cells[rows], MIX_EXECUTIONS, counts) > 0)
		rows++;
	return rows;
}

static void put_rows(struct mixed *mixed, struct document *document, const struct mix_pivot *pivot)
{
	const uint32_t top = mixed->arguments->top;
	uint32_t *cells, rows;

	if (mix_rows_sort(pivot, mixed->counts, &cells) < 0) {
		document->failed = 1;
		return;
	}
	rows = rows_above_zero(pivot, mixed->counts, cells);
	for (uint32_t n = 0; n < rows && (!top || n < top); n++)
		row_of_cell(mixed, document, pivot, n + 1, cells[n]);
	row_of_all(mixed, document, pivot);
	if (top && rows > top)
		table_note(document, "%u more rows are not shown (--top)", rows - top);
	free(cells);
}

static void table_of(struct mixed *mixed, struct document *document, const struct mix_pivot_of *of,
		     const struct mix_columns_of *columns, const char *name)
{
	struct mix_pivot pivot = { .program = NULL };

	table_begin(document, name, NULL, mix_row_label(of), columns->column, columns->count);
	table_titled(document, "Instructions executed, by %s%s%s%s%s",
		     mix_dimension_info(of->dimension[0])->name, of->count > 1 ? ", " : "",
		     of->count > 1 ? mix_dimension_info(of->dimension[1])->name : "",
		     of->count > 2 ? ", " : "",
		     of->count > 2 ? mix_dimension_info(of->dimension[2])->name : "");
	if (mix_pivot_build(&pivot, &mixed->program, of) < 0)
		document->failed = 1;
	else
		put_rows(mixed, document, &pivot);
	mix_pivot_free(&pivot);
}

void section_mix(struct mixed *mixed, struct document *document, const struct mix_columns *columns)
{
	struct mix_pivot_of of = mixed->arguments->by;

	of.groups = &mixed->arguments->groups;
	of.label = mix_label;
	of.data = &mixed->labels;
	if (!mixed->counts)
		return; /* section_seen() has said why */
	if (of.count)
		table_of(mixed, document, &of, &columns->by, "mix");
	for (size_t n = 0; !mixed->arguments->by.count && n < MIX_STANDARD; n++) {
		of.dimension[0] = standard[n].dimension;
		of.count = 1;
		table_of(mixed, document, &of, &columns->standard[n], standard[n].name);
	}
}
