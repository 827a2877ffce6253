/* SPDX-License-Identifier: BSD-3-Clause */
/* How it was measured: what raw counts need beside them to become results again (read.h). */
#ifndef BENCH_RAW_H
#define BENCH_RAW_H

#include "cells.h"
#include "statistics/table.h"

/*
 * Of JSON: higher where a program that reads it has to know. 2: runs have the set that they were measured in
 * and what correlations are made of; cells and settings are told. 3: cells have a number of threads each,
 * and loads their times.
 */
#define BENCH_SCHEMA 3u

/* Settings, and each event with a kernel and a period. For formats that programs read */
void raw_describe(const struct bench_cells *cells, const struct bench_arguments *arguments,
		  struct document *document);

/* Threads of all runs whose CPU was not there, or not theirs */
uint32_t raw_unbound_threads(const struct bench_cell *cell);

/* Runs that were made again, since the hypervisor named no cause for a debug exception */
uint32_t raw_runs_again(const struct bench_cells *cells);

#endif
