/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured before: a file that precis bench --format json wrote. */
#ifndef BENCH_READ_H
#define BENCH_READ_H

#include "cells.h"
#include "statistics/table.h"

/* Events of sets with kernels and periods, at most: what a file can make of results is bounded, too. */
#define BENCH_SERIES_MOST 2048u
/* Of a count of a run: more than 19 hours in nanoseconds; sums of all threads and runs have room. */
#define BENCH_COUNT_MOST (UINT64_C(1) << 46)

struct bench_file {
	struct bench_cells cells;
	struct document document; /* preflight, events and plan, as they were */
	/* settings, as in struct bench_arguments */
	uint32_t runs;
	struct thread_numbers threads;
	int cpu, is_full;
	uint64_t seed;
	/* of an event or a kernel that this precis does not have: none of it is in 'cells' */
	size_t skipped_cells, skipped_rows;
};

/*
 * Cells of other events and kernels than were asked for are left out. 0, or -1 after it has been said why. In
 * either case bench_file_free().
 */
int bench_file_read(const struct bench_arguments *arguments, const char *path, struct bench_file *file);
void bench_file_free(struct bench_file *file);

#endif
