/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells of text: figures, with as many digits as they need, and words. */
#ifndef BENCH_FIGURE_H
#define BENCH_FIGURE_H

#include "bench/accuracy/metrics.h"
#include "statistics/table.h"

#define FIGURE 32

/* Of a metric's unit */
void figure_text(double value, const char *unit, char text[FIGURE]);

/* What stands before it, and the figure, for text; absent if that is NAN */
void figure_cell(struct document *document, const char *before, double value, const char *unit);

/*
 * A metric's value, both ends of its interval, and in a fourth cell what text has instead. Absent where it,
 * or one of them, is not there
 */
void figure_metric_cells(enum metric metric, const struct series *series, struct document *document);

/* Words; absent if there are none, or NULL */
void words_cell(struct document *document, const char *words);

#endif
