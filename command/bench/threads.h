/* SPDX-License-Identifier: BSD-3-Clause */
/* One event, kernel and period beside each other with several numbers of threads. */
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include "cells.h"
#include "statistics/table.h"

/* What more threads make of it; no table if nothing has several numbers of threads */
void present_threads(const struct bench_cells *cells, int is_text, struct document *document);

#endif
