/* SPDX-License-Identifier: BSD-3-Clause */
/* Several periods of the same event and kernel beside each other. */
#ifndef BENCH_PERIODS_H
#define BENCH_PERIODS_H

#include "cells.h"
#include "statistics/table.h"

/*
 * How each period goes with the loop, and what the samples say of that; none where there is but one of
 * each
 */
void present_periods(const struct bench_cells *cells, int is_text, struct document *document);

/* A note below the last table for each event that is not sampled with one of the periods asked for */
void present_refused(const struct bench_cells *cells, const struct bench_arguments *arguments,
		     struct document *document);

#endif
