/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods side by side: shares of executions by each, and how far they are from the joint estimate's. */
#include <math.h>
#include <stdlib.h>

#include "document/facts.h"
#include "sections.h"

/* In the order of the columns */
static const enum mix_method order[] = { MIX_JOINT, MIX_RULE, MIX_LBR, MIX_EBS };

#define ORDER (sizeof(order) / sizeof(order[0]))
#define LABEL 14

static double total_of(const struct mixed *mixed, const double *counts)
{
	double total = 0;

	for (uint32_t n = 0; n < mixed->program.count; n++)
		total += mixed->whole[n] * counts[n];
	return total;
}

/* Of instructions, in which cells the shares of a method are others than the joint estimate's */
static double difference_of(const struct mixed *mixed, const struct mix_pivot *pivot, const double *counts,
			    const double *joint)
{
	const double of = total_of(mixed, counts), of_joint = total_of(mixed, joint);
	double sum = 0;

	for (uint32_t cell = 0; cell < mix_pivot_cells(pivot); cell++)
		sum += fabs(mix_cell_value(pivot, cell, MIX_EXECUTIONS, counts) / of -
			    mix_cell_value(pivot, cell, MIX_EXECUTIONS, joint) / of_joint);
	return sum / 2;
}

static void facts_of(struct mixed *mixed, struct document *document, const struct mix_pivot *pivot)
{
	const double *joint = mix_counts(mixed->estimate, MIX_JOINT);

	facts_begin(document, "methods", 2, LABEL);
	facts_title(document, "Methods");
	for (size_t n = 0; n < ORDER; n++) {
		const enum mix_method method = order[n];
		const char *name = mix_method_name(method);
		const double *counts = mix_counts(mixed->estimate, method);
		const struct mix_figure sum = mix_sum(mixed->estimate, method, mixed->whole);
		const double difference =
			counts && joint ? difference_of(mixed, pivot, counts, joint) : NAN;

		fact(document, name);
		cell_members(document);
		member_decimal(document, "instructions", mixed->program.is_relative ? NAN : sum.value);
		member_text(document, "no_estimate",
			    counts ? NULL : mix_why_text(mix_why(mixed->estimate, method)));
		member_decimal(document, "difference", difference);
		close_nest(document);
		fact_label(document, "%s", name);
		if (!counts)
			fact_says(document, "none: %s.", mix_why_text(mix_why(mixed->estimate, method)));
		else if (method == MIX_JOINT || !joint)
			fact_says(document, "the estimate that others are compared with.");
		else
			fact_says(document, "%.2f%% of instructions are in other rows than by joint.",
				  100 * difference);
	}
}

static double put_share(struct mixed *mixed, struct document *document, enum mix_method method)
{
	struct mix_figure share = { NAN, { NAN, NAN } };

	if (mix_counts(mixed->estimate, method))
		share = mix_share(mixed->estimate, method, mixed->weights, mixed->whole);
	cell_share_between(document, share.value, share.interval.low, share.interval.high, mixed->seen);
	if (isnan(share.value))
		cell_why_absent(document, precis_reason_name(PRECIS_NOT_CAPTURED));
	return share.value;
}

static void put_row(struct mixed *mixed, struct document *document, const struct mix_pivot *pivot,
		    uint32_t number, uint32_t cell)
{
	double shares[ORDER];

	mix_row_begin(pivot, number, cell, document);
	mix_cell_weigh(pivot, cell, MIX_EXECUTIONS, mixed->weights);
	for (size_t n = 0; n < ORDER; n++)
		shares[n] = put_share(mixed, document, order[n]);
	mixed_clear(mixed, mixed->weights);
	for (size_t n = 1; n < ORDER; n++)
		cell_share_between(document, shares[n] - shares[0], NAN, NAN, mixed->seen);
}

static void put_rows(struct mixed *mixed, struct document *document, const struct mix_pivot *pivot)
{
	const uint32_t top = mixed->arguments->top;
	const double *counts = mix_counts(mixed->estimate, MIX_JOINT);
	uint32_t *cells;

	if (mix_rows_sort(pivot, counts, &cells) < 0) {
		document->failed = 1;
		return;
	}
	for (uint32_t n = 0; n < mix_pivot_cells(pivot) && (!top || n < top); n++)
		put_row(mixed, document, pivot, n + 1, cells[n]);
	if (top && mix_pivot_cells(pivot) > top)
		table_note(document, "%u more rows are not shown (--top)", mix_pivot_cells(pivot) - top);
	free(cells);
}

void section_compared(struct mixed *mixed, struct document *document, const struct mix_columns *columns)
{
	struct mix_pivot_of of = mix_compared_by(mixed->arguments);
	struct mix_pivot pivot;

	of.groups = &mixed->arguments->groups;
	of.label = mix_label;
	of.data = &mixed->labels;
	if (mix_pivot_build(&pivot, &mixed->program, &of) < 0) {
		document->failed = 1;
	} else {
		facts_of(mixed, document, &pivot);
		table_begin(document, "compared", "Shares of instructions, by method",
			    mix_row_label(&of), columns->compared.column, columns->compared.count);
		if (mix_counts(mixed->estimate, MIX_JOINT))
			put_rows(mixed, document, &pivot);
		else
			table_note(document, "%s", mix_why_text(mix_why(mixed->estimate, MIX_JOINT)));
	}
	mix_pivot_free(&pivot);
}
