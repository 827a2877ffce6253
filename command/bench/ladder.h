/* SPDX-License-Identifier: BSD-3-Clause */
/* What loads take by the memory that they walk through: timed, and by the latencies that samples have. */
#ifndef BENCH_LADDER_H
#define BENCH_LADDER_H

#include "cells.h"
#include "statistics/table.h"

/* A row for each kernel of loads that wait for each other; no table if there is none */
void present_ladder(const struct bench_cells *cells, int is_text, struct document *document);

#endif
