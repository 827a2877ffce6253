/* SPDX-License-Identifier: BSD-3-Clause */
/* precis bench --plots: what was measured as SVG files in a directory. */
#ifndef BENCH_PLOTS_H
#define BENCH_PLOTS_H

#include "cells.h"
#include "statistics/table.h"

/* Can files be made there? EXIT_OK, or EXIT_FAILED after it has been said why not */
int plots_check(const struct bench_arguments *arguments);

/*
 * All plots that there is something for, and a table of them, with the machine of the preflight table: shares
 * of instructions, error and overhead by period, deviations by their floors. EXIT_OK, or EXIT_FAILED after it
 * has been said which could not be written.
 */
int plots_write(const struct bench_cells *cells, const struct bench_arguments *arguments,
		struct document *document);

#endif
