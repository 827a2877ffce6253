/* SPDX-License-Identifier: BSD-3-Clause */
/* One run: a kernel in threads, with events that are sampled in each, or without any. */
#ifndef ACCURACY_MEASURE_H
#define ACCURACY_MEASURE_H

#include <signal.h>

#include "counts.h"
#include "statistics/histogram.h"

#define THREADS_MOST 64u

struct measure_request {
	const struct kernel *kernel;
	const struct bench_event *event; /* a set is several; NULL: none */
	const struct bench_machine *machine;
	uint64_t period;
	uint64_t inner;       /* turns in an outer turn */
	uint64_t outer;       /* outer turns altogether */
	uint64_t slice;       /* of them between two looks at the rings */
	uint32_t threads;
	uint64_t seed;
	int cpu;              /* that threads are bound to; -1: to none. Several: that one and those behind */
	const volatile sig_atomic_t *stop; /* not 0: end at the next slice */
};

/* What is counted of the thread itself, around its kernel alone */
struct thread_counts {
	uint64_t cpu_ns, wall_ns;
	uint64_t involuntary, voluntary; /* context switches */
	uint64_t outer; /* outer turns that were done */
	/* of a chain of additions beside a kernel of chained loads, without events; else 0 */
	uint64_t clock_ns, clock_cycles;
};

struct run {
	uint32_t threads, events;
	uint64_t period, inner;
	int is_stopped; /* before its end */
	uint32_t unbound; /* threads whose CPU is not there, not theirs, or went away meanwhile */
	uint32_t
		again; /* it was made so many times before, and had debug exceptions that named no cause */
	int has_interrupts;
	uint64_t interrupts; /* of the PMUs of all CPUs meanwhile, whoever's they were */
	struct thread_counts *thread; /* of each */
	struct counts *counts; /* of each event of each thread: run_counts() */
	struct histogram *latencies; /* likewise, of chained loads: run_latencies(); NULL: no event has any */
};

static inline struct counts *run_counts(const struct run *run, uint32_t thread, uint32_t event)
{
	return &run->counts[thread * run->events + event];
}

/* NULL: there are none */
static inline struct histogram *run_latencies(const struct run *run, uint32_t thread, uint32_t event)
{
	return run->latencies ? &run->latencies[thread * run->events + event] : NULL;
}

#define MEASURE_AGAIN_MOST 4u /* then a run is kept, whatever it has */

/* 0, or -1 and why not. In either case run_free(). */
int measure_run(const struct measure_request *request, struct run *run, char reason[EVENT_REASON]);
void run_free(struct run *run);

/* Zeroed memory for a run's counts. 0, or -1 */
int run_allocate(struct run *run, uint32_t threads, uint32_t events);
/* The same for its latencies, if one of these events has any with that kernel. 0, or -1 */
int run_allocate_latencies(struct run *run, const struct kernel *kernel,
			   const struct bench_event *const *members);

/* Outer turns between two looks at a ring, so that it never is more than half full of so many samples */
uint64_t measure_slice(double samples_per_outer, double ns_per_outer);

/* Nanoseconds of an outer turn, by some turns without events; 0 if it cannot be run */
double measure_speed(const struct kernel *kernel, uint64_t inner, uint64_t seed);

/*
 * Can it be measured here with that period? It is opened, and so many events that there must be samples are
 * made. 0, or -1 and why not: refused, or it can be opened and never fires.
 */
int measure_probe(const struct bench_event *event, const struct bench_machine *machine, uint64_t period,
		  char reason[EVENT_REASON]);

#endif
