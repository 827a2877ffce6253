/* SPDX-License-Identifier: BSD-3-Clause */
/* What is measured: an event with a kernel, a period and a number of threads is a cell, of so many runs. */
#ifndef BENCH_CELLS_H
#define BENCH_CELLS_H

#include "arguments.h"

/* Whether something can be had, or why not */
struct answer {
	int is_yes;
	char reason[EVENT_REASON];
};

struct bench_cell {
	const struct bench_event *event;
	const struct kernel *kernel;
	uint64_t period, inner, outer, slice;
	enum period_kind kind; /* of the period */
	uint32_t threads; /* at the same time */
	double seconds;  /* that one run is thought to take, and one without events beside it */
	uint32_t done;   /* runs that were measured */
	struct run *runs, *bare;
	char reason[EVENT_REASON]; /* why there are no more */
};

struct bench_cells {
	struct answer events[NAMES_MOST];  /* by row of the table; of those that were not asked for no */
	struct answer kernels[NAMES_MOST]; /* is what they are noted to do what they do? */
	struct bench_cell *cells;
	size_t count;
	int is_stopped; /* before all was measured */
	uint32_t again; /* runs that were made again when a file that was read was measured */
};

/* Ask the machine for the events that are wanted, and the kernels that these need. 0, or -1: no memory */
int cells_make(struct bench_cells *cells, const struct bench_arguments *arguments,
	       const struct bench_machine *machine);
void cells_free(struct bench_cells *cells);

/* Seconds that all runs are thought to take */
double cells_seconds(const struct bench_cells *cells, const struct bench_arguments *arguments);

/* All runs, in random order, until 'stop' is not 0. 0, or -1: no memory */
int cells_measure(struct bench_cells *cells, const struct bench_arguments *arguments,
		  const struct bench_machine *machine, const volatile sig_atomic_t *stop);

/* Does the kernel make events of that kind, or is it not known? */
int cell_makes_some(const struct bench_event *event, const struct kernel *kernel);

/* Cells of one sweep, at most: of periods those that were asked for, those around, and the paper's */
#define SWEEP_MOST (PERIODS_MOST + PERIOD_KINDS + 1)
_Static_assert(THREAD_COUNTS_MOST <= SWEEP_MOST, "a sweep has room for all numbers of threads");

/* What cells of a sweep differ in; all else is the same */
enum sweep_by {
	SWEEP_PERIODS,
	SWEEP_THREADS,
	SWEEP_LADDER /* kernels of chained loads */
};

/* Is it the first one of its sweep? */
int cell_is_first(const struct bench_cells *cells, const struct bench_cell *cell, enum sweep_by by);

/* Are both of the same sweep? */
int cell_is_beside(const struct bench_cell *cell, const struct bench_cell *other, enum sweep_by by);

/* The series of a member of all cells of the sweep of this one, and it. How many */
uint32_t cell_sweep(const struct bench_cells *cells, const struct bench_cell *cell, enum sweep_by by,
		    const struct bench_event *const *members, uint32_t member,
		    struct series sweep[SWEEP_MOST]);

/* The series of one of the events of a cell; 'members' has the events of a set. */
struct series cell_series(const struct bench_cell *cell, const struct bench_event *const *members,
			  uint32_t member);

#endif
