/* SPDX-License-Identifier: BSD-3-Clause */
/* What is drawn of series into a chart: one function for each kind of plot. */
#ifndef BENCH_PLOT_KINDS_H
#define BENCH_PLOT_KINDS_H

#include "bench/accuracy/series.h"
#include "document/chart.h"

/* A line of a plot's key names one of so many at most. */
#define PLOT_KEY_MOST 20u

/*
 * Is there something to draw of these series? By share: one with several instructions and samples. By period,
 * or threads: two or more. By floor: one deviation or more.
 */
typedef int plot_has(const struct series *series, uint32_t count);
typedef void plot_draw(struct chart *chart, const struct chart_words *words, const struct series *series,
		       uint32_t count);

/* Shares of instructions, with simultaneous intervals and what is expected; of one series */
plot_has plot_has_shares;
plot_draw plot_shares;

/* Signed error, and time overhead, by period; of series that differ in it alone, in its order */
plot_has plot_has_errors, plot_has_overheads;
plot_draw plot_errors, plot_overheads;
/* The same by threads; of series that differ in their number alone */
plot_draw plot_errors_by_threads, plot_overheads_by_threads;

/* What a load takes by the kernel's memory, timed and sampled; of two kernels of chained loads, or more */
plot_has plot_has_ladder;
plot_draw plot_ladder;

/* Deviations of runs by what chance makes of them; of any PLOT_KEY_MOST series */
plot_has plot_has_deviations;
plot_draw plot_deviations;

#endif
