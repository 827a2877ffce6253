/* SPDX-License-Identifier: BSD-3-Clause */
/* See figure.h. */
#include "figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/accuracy/judge.h"

void figure_text(double value, const char *unit, char text[FIGURE])
{
	const char *format = strcmp(unit, "p") == 0 ? "%.2g" : fabs(value) >= 1000 ? "%.0f" : "%.4g";

	snprintf(text, FIGURE, format, value);
}

void figure_cell(struct document *document, const char *before, double value, const char *unit)
{
	char text[FIGURE];

	if (isnan(value)) {
		cell_absent(document);
		return;
	}
	figure_text(value, unit, text);
	cell_text(document, "%s%s", before, text);
}

/* The same with its interval, where there is one: "1.5 [1,2]" */
static void interval_cell(struct document *document, double value, double low, double high,
			  const char *unit)
{
	char texts[3][FIGURE];

	figure_text(value, unit, texts[0]);
	figure_text(low, unit, texts[1]);
	figure_text(high, unit, texts[2]);
	if (isnan(low) || isnan(high))
		cell_text(document, "%s", texts[0]);
	else
		cell_text(document, "%s [%s,%s]", texts[0], texts[1], texts[2]);
}

void figure_metric_cells(enum metric metric, const struct series *series, struct document *document)
{
	const struct metric_result result = metric_of(metric, series);

	cell_known(document, result.is_there ? result.value : NAN);
	cell_known(document, result.is_there ? result.low : NAN);
	cell_known(document, result.is_there ? result.high : NAN);
	if (result.is_there)
		interval_cell(document, result.value, result.low, result.high,
			      metric_info(metric)->unit);
	else
		cell_absent(document);
}

void words_cell(struct document *document, const char *words)
{
	if (words && *words)
		cell_text(document, "%s", words);
	else
		cell_absent(document);
}
