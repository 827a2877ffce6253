/* SPDX-License-Identifier: BSD-3-Clause */
/* What precis bench prints: figures of what was measured, raw counts, what can be measured. */
#ifndef BENCH_PRESENT_H
#define BENCH_PRESENT_H

#include "cells.h"
#include "statistics/table.h"

/* How long all takes, and of how many runs it is */
struct plan {
	uint64_t cells, runs, seed, seconds;
	struct thread_numbers threads;
};

void present_plan(const struct plan *plan, int is_text, struct document *document);

/* The events that were asked for, and why some cannot be had; kernels that are not what they should be */
void present_answers(const struct bench_cells *cells, const struct bench_arguments *arguments,
		     struct document *document);

/* The same table of what was told before: its beginning, and each row */
void present_answers_begin(struct document *document);
void present_answer(struct document *document, const char *name, int is_yes, const char *reason);

/* Every metric of every series. Returns how many are worse than their bounds. */
uint32_t present_results(const struct bench_cells *cells, const struct bench_arguments *arguments,
			 struct document *document);

/*
 * Every count of every run: what results are made of. For formats that programs read. The cells are read when
 * the document is printed.
 */
void present_runs(const struct bench_cells *cells, struct document *document);

/* Tables of all there is: events, kernels, metrics */
void present_list(const struct bench_cells *cells, struct document *document);

#endif
