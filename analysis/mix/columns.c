/* SPDX-License-Identifier: BSD-3-Clause */
/* See columns.h. */
#include "columns.h"

#include <math.h>

#include <precis/precis.h>

int mix_cell_number(struct document *document, struct mix_figure figure, int is_relative,
		    int is_text_between)
{
	if (is_relative || !(figure.value < MIX_NUMBER_MOST)) {
		cell_absent(document);
		cell_why_absent(document, precis_reason_name(PRECIS_NOT_CAPTURED));
		return 0;
	}
	cell_count(document, (uint64_t)llround(fmax(figure.value, 0)));
	if (is_text_between && !isnan(figure.interval.low))
		cell_between(document, mix_not_negative(figure.interval.low), figure.interval.high);
	return 1;
}

void mix_cells_sum(struct document *document, struct mix_figure figure, int is_relative,
		   int is_text_between)
{
	const int is_known = mix_cell_number(document, figure, is_relative, is_text_between);

	cell_known(document, is_known ? mix_not_negative(figure.interval.low) : NAN);
	cell_known(document, is_known ? figure.interval.high : NAN);
}
