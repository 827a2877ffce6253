/* SPDX-License-Identifier: BSD-3-Clause */
/* See cells.h. */
#include "cells.h"

#include <math.h>

/* No recording has as many; a file that is damaged may say so. */
#define COUNT_MOST 0x1p64
/* Rates below that have decimals */
#define WHOLE_LEAST 100.0

void sharing_cell_rounded(struct document *document, double number, const char *why)
{
	if (why || !(number + 0.5 < COUNT_MOST))
		cell_absent(document);
	else
		cell_count(document, (uint64_t)(number + 0.5));
}

static struct interval interval_of(const struct document *document, const struct sharing *sharing,
				   const struct poisson_sum *sum, const struct poisson_sum *unknown)
{
	return sharing_interval(sum, unknown, (double)sharing->accesses[SHARING_LOADS].most,
				document_confidence(document));
}

void sharing_cell_sum(struct document *document, const struct sharing *sharing,
		      const struct poisson_sum *sum, const struct poisson_sum *unknown)
{
	const struct interval interval = interval_of(document, sharing, sum, unknown);
	const char *why = sharing_why_unweighed(sharing);

	sharing_cell_rounded(document, sum->sum, why);
	if (why)
		cell_why_absent(document, why);
	else if (sum->sum < COUNT_MOST && !isnan(interval.low))
		cell_between(document, floor(interval.low), ceil(interval.high));
	sharing_cell_rounded(document, interval.low, why);
	sharing_cell_rounded(document, interval.high, why);
}

/* For text, with the interval: whole numbers, unless all are small */
static void cell_rate(struct document *document, const double ends[3], double seconds)
{
	const double rate = ends[0] / seconds;

	if (!(rate >= WHOLE_LEAST || ends[2] / seconds >= WHOLE_LEAST)) {
		cell_known(document, rate);
		cell_between(document, ends[1] / seconds, ends[2] / seconds);
		return;
	}
	sharing_cell_rounded(document, rate, NULL);
	if (rate < COUNT_MOST && !isnan(ends[1]))
		cell_between(document, floor(ends[1] / seconds), ceil(ends[2] / seconds));
}

void sharing_cells_rate(struct document *document, const struct sharing *sharing,
			const struct poisson_sum *sum, const struct poisson_sum *unknown)
{
	const struct interval interval = interval_of(document, sharing, sum, unknown);
	const double ends[] = { sum->sum, interval.low, interval.high };
	const char *why = sharing_why_unweighed(sharing);
	const double seconds = why ? NAN : sharing_seconds(sharing);

	for (int n = 0; n < 3; n++)
		cell_known(document, ends[n] / seconds);
	cell_rate(document, ends, seconds);
	for (int n = 0; n < 3; n++)
		sharing_cell_rounded(document, ends[n] * SHARING_LINE_BYTES / seconds, NULL);
	cell_rate(document, ends, seconds * 1e6 / SHARING_LINE_BYTES);
	sharing_cell_rounded(document, sum->sum * SHARING_LINE_BYTES, why);
}

void sharing_cell_percent(struct document *document, double part, double whole)
{
	cell_known(document, whole > 0 ? 100 * part / whole : NAN);
}
