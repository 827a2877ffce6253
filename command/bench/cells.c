/* SPDX-License-Identifier: BSD-3-Clause */
/* See cells.h. */
#include "cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/accuracy/truth.h"
#include "statistics/random.h"

/* The paper's period, which its tables stand beside only if it is the same */
#define PAPER_PERIOD 100000u

/* Samples and seconds of a run */
static const struct effort {
	double samples, seconds;
} quick = { 5000, 1 }, full = { 50000, 10 };

/* What a sample is thought to cost: its interrupt or exception, and reading it */
#define SAMPLE_NS 5000.0
/* What opening, closing and a look at the ring cost for each run */
#define RUN_SECONDS 0.02

/* --- what there is --- */

static int is_listed(const char *list, const char *name)
{
	const size_t length = strlen(name);

	for (const char *at = list; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] != '\0')) {
		if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
			return 1;
	}
	return 0;
}

int cell_makes_some(const struct bench_event *event, const struct kernel *kernel)
{
	return event->quantity == QUANTITY_CPU_TIME || event->quantity == QUANTITY_UNKNOWN ||
	       (kernel_knows(kernel, event->quantity) && kernel->turn[event->quantity] > 0);
}

/* Is the event to be measured with that kernel? With one that was asked for wherever it makes such events. */
static int is_pair(const struct bench_arguments *arguments, const struct bench_event *event,
		   const struct kernel *kernel, size_t number)
{
	return arguments->kernels ? cell_makes_some(event, kernel) && is_asked(arguments->kernels, number) :
				    is_listed(event->kernels, kernel->name);
}

static void ask_kernel(struct answer *answer, const struct kernel *kernel)
{
	const uint64_t outer = kernel->memory == KERNEL_MEMORY_PAGES ? 1 : 2;
	const struct truth truths[] = { truth_by_table(kernel), truth_by_disassembly(kernel),
					truth_by_steps(kernel, outer, 3) };

	answer->is_yes = 1;
	for (size_t n = 0; n < sizeof(truths) / sizeof(truths[0]); n++) {
		if (truths[n].verdict != TRUTH_DISAGREES)
			continue;
		answer->is_yes = 0;
		snprintf(answer->reason, sizeof(answer->reason), "invalid: %s", truths[n].why);
	}
}

/* Each once, of those that the event can be sampled with. How many */
static uint32_t choose_periods(const struct bench_arguments *arguments, const struct bench_event *event,
			       struct chosen_period chosen[SWEEP_MOST])
{
	struct chosen_period around[PERIOD_KINDS];
	const uint32_t kinds = periods_around(event, around);
	uint32_t count = 0;

	if (!arguments->period_count)
		chosen[count++] = around[0];
	for (uint32_t n = 0; n < arguments->period_count; n++) {
		const struct chosen_period *asked = &arguments->periods[n];
		const uint32_t more = asked->kind == PERIOD_NEXT ? kinds : 1;

		for (uint32_t k = 0; k < more; k++) {
			const struct chosen_period *one = asked->kind == PERIOD_GIVEN ? asked : &around[k];

			if (!period_refused(event, one->period))
				period_choose(chosen, &count, *one);
		}
	}
	return count;
}

/* What an event is tried with */
static uint64_t first_period(const struct bench_arguments *arguments, const struct bench_event *event)
{
	struct chosen_period chosen[SWEEP_MOST];

	return choose_periods(arguments, event, chosen) ? chosen[0].period : event->period;
}

static void ask_events(struct bench_cells *cells, const struct bench_arguments *arguments,
		       const struct bench_machine *machine)
{
	const struct bench_event *event;

	for (size_t n = 0; (event = event_at(n)); n++) {
		struct answer *answer = &cells->events[n];

		if (is_asked(arguments->events, n))
			answer->is_yes = !measure_probe(event, machine, first_period(arguments, event),
							answer->reason);
	}
}

/* --- how much of it --- */

static double samples_of(const struct bench_event *event, const struct kernel *kernel, uint64_t inner,
			 uint64_t period, double ns)
{
	if (kernel_knows(kernel, event->quantity))
		return event_made_each(event, kernel, inner) / event_mean_period(event, period);
	/* of what is not known: one in each ten thousand nanoseconds is more than there will be */
	return ns / (event->quantity == QUANTITY_CPU_TIME ? (double)period : 10000);
}

/* Each hit of a breakpoint is an exception, and each period'th of these a sample. */
static double interruptions_of(const struct bench_cell *cell, double samples)
{
	const struct bench_event *members[EVENTS_MOST];
	const size_t count = event_members(cell->event, members);
	const double each = count && members[0]->family == EVENT_BREAKPOINT ? (double)cell->period : 1;

	return samples * each * (double)count;
}

/* Threads that are more than CPUs take turns. */
static double turns_of(uint32_t threads)
{
	const uint32_t at_once = threads_at_once();

	return at_once && threads > at_once ? (double)threads / at_once : 1;
}

static void size_up(struct bench_cell *cell, const struct effort *effort, int is_papers)
{
	const double ns = measure_speed(cell->kernel, cell->inner, 1);
	const double samples = samples_of(cell->event, cell->kernel, cell->inner, cell->period, ns);
	const double counted = event_counted_each(cell->event, cell->kernel, cell->inner);
	/* those that are not of the subset are in the ring, too, and cost as much */
	const double all = counted > 0 ? counted / event_mean_period(cell->event, cell->period) : samples;
	const double each = ns + interruptions_of(cell, all) * SAMPLE_NS;
	double outer = samples > 0 ? effort->samples / samples : 1;

	if (each > 0 && outer * each > 1e9 * effort->seconds)
		outer = 1e9 * effort->seconds / each;
	cell->outer = is_papers ? cell->kernel->paper_outer : outer < 1 ? 1 : (uint64_t)(outer + 0.5);
	cell->slice = cell->kernel->memory == KERNEL_MEMORY_PAGES ? 1 : measure_slice(all, ns);
	cell->seconds = (double)cell->outer * (each + ns) / 1e9 * turns_of(cell->threads) + RUN_SECONDS;
}

static int add_cell(struct bench_cells *cells, const struct bench_arguments *arguments,
		    const struct bench_event *event, const struct kernel *kernel,
		    struct chosen_period chosen, uint32_t threads, int is_papers)
{
	struct bench_cell *more = realloc(cells->cells, (cells->count + 1) * sizeof(*more)), *cell;
	struct effort effort;

	if (!more)
		return -1;
	cells->cells = more;
	cell = &more[cells->count++];
	memset(cell, 0, sizeof(*cell));
	cell->event = event;
	cell->kernel = kernel;
	cell->period = chosen.period;
	cell->kind = chosen.kind;
	cell->threads = threads;
	cell->inner = kernel->inner;
	cell->runs = calloc(arguments->runs, sizeof(*cell->runs));
	cell->bare = calloc(arguments->runs, sizeof(*cell->bare));
	if (!cell->runs || !cell->bare)
		return -1;
	effort = arguments->is_full ? full : quick;
	if (arguments->samples)
		effort.samples = (double)arguments->samples;
	size_up(cell, &effort, is_papers);
	return 0;
}

static int add_pair(struct bench_cells *cells, const struct bench_arguments *arguments, size_t event_number,
		    size_t kernel_number)
{
	const struct bench_event *event = event_at(event_number);
	const struct kernel *kernel = kernel_at(kernel_number);
	const struct chosen_period papers = { PAPER_PERIOD, PERIOD_GIVEN };
	struct chosen_period chosen[SWEEP_MOST];
	struct answer *truth = &cells->kernels[kernel_number];
	const int is_precise = event->family != EVENT_SOFTWARE && event->family != EVENT_TRACEPOINT &&
			       event->family != EVENT_BREAKPOINT && event->period != 1;
	uint32_t count;

	if (!truth->is_yes && !*truth->reason)
		ask_kernel(truth, kernel);
	if (!truth->is_yes)
		return 0;
	count = choose_periods(arguments, event, chosen);
	for (uint32_t t = 0; t < arguments->threads.count; t++) {
		const uint32_t threads = arguments->threads.numbers[t];

		for (uint32_t n = 0; n < count; n++) {
			if (add_cell(cells, arguments, event, kernel, chosen[n], threads, 0))
				return -1;
		}
		/* as long, and with the same period, as there */
		if (arguments->is_full && kernel->paper_outer && is_precise && !arguments->period_count &&
		    add_cell(cells, arguments, event, kernel, papers, threads, 1))
			return -1;
	}
	return 0;
}

int cells_make(struct bench_cells *cells, const struct bench_arguments *arguments,
	       const struct bench_machine *machine)
{
	const struct bench_event *event;
	const struct kernel *kernel;

	memset(cells, 0, sizeof(*cells));
	ask_events(cells, arguments, machine);
	for (size_t n = 0; (event = event_at(n)); n++) {
		for (size_t k = 0; cells->events[n].is_yes && (kernel = kernel_at(k)); k++) {
			if (is_pair(arguments, event, kernel, k) && add_pair(cells, arguments, n, k))
				return -1;
		}
	}
	return 0;
}

void cells_free(struct bench_cells *cells)
{
	for (size_t n = 0; n < cells->count; n++) {
		for (uint32_t run = 0; run < cells->cells[n].done; run++) {
			run_free(&cells->cells[n].runs[run]);
			run_free(&cells->cells[n].bare[run]);
		}
		free(cells->cells[n].runs);
		free(cells->cells[n].bare);
	}
	free(cells->cells);
	memset(cells, 0, sizeof(*cells));
}

double cells_seconds(const struct bench_cells *cells, const struct bench_arguments *arguments)
{
	double seconds = 0;

	for (size_t n = 0; n < cells->count; n++)
		seconds += cells->cells[n].seconds * arguments->runs;
	return seconds;
}

/* --- measuring --- */

/* One run with the events and one without, each of them first by turns. 0: both are there */
static int measure_pair(struct bench_cell *cell, struct measure_request *request, struct run *run,
			struct run *bare)
{
	const struct bench_event *event = request->event;
	char reason[EVENT_REASON];
	int code = 0;

	for (uint32_t n = 0; n < 2 && !code; n++) {
		const int is_bare = (n + cell->done) % 2 == 0;

		request->event = is_bare ? NULL : event;
		code = measure_run(request, is_bare ? bare : run, reason);
	}
	if (code)
		snprintf(cell->reason, sizeof(cell->reason), "after %u runs: %.200s", cell->done, reason);
	return code;
}

static void measure_one(struct bench_cells *cells, struct bench_cell *cell,
			const struct bench_arguments *arguments, const struct bench_machine *machine,
			const volatile sig_atomic_t *stop)
{
	struct measure_request request = {
		.kernel = cell->kernel, .event = cell->event, .machine = machine, .period = cell->period,
		.inner = cell->inner, .outer = cell->outer, .slice = cell->slice,
		.threads = cell->threads, .seed = arguments->seed + cell->done, .cpu = arguments->cpu,
		.stop = stop,
	};
	struct run run = { 0 }, bare = { 0 };

	if (!measure_pair(cell, &request, &run, &bare) && !run.is_stopped && !bare.is_stopped) {
		cell->runs[cell->done] = run;
		cell->bare[cell->done] = bare;
		cell->done++;
		return;
	}
	cells->is_stopped |= run.is_stopped || bare.is_stopped;
	run_free(&run);
	run_free(&bare);
}

static void show_progress(const struct bench_cell *cell, size_t done, size_t all, double left)
{
	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\rprecis bench: run %zu of %zu, %s with %s; %.0f s left\033[K", done + 1, all,
		cell->event->name, cell->kernel->name, left);
	fflush(stderr);
}

/* Which cell each run is of: all runs of all cells, in an order that the seed decides */
static uint32_t *make_order(const struct bench_cells *cells, const struct bench_arguments *arguments)
{
	const size_t all = cells->count * arguments->runs;
	uint32_t *order = malloc((all + 1) * sizeof(*order));
	struct random random = random_of(arguments->seed);

	for (size_t n = 0; order && n < all; n++)
		order[n] = (uint32_t)(n % cells->count);
	for (size_t n = all; order && n > 1; n--) {
		const size_t other = random_below(&random, n);
		const uint32_t cell = order[n - 1];

		order[n - 1] = order[other];
		order[other] = cell;
	}
	return order;
}

int cells_measure(struct bench_cells *cells, const struct bench_arguments *arguments,
		  const struct bench_machine *machine, const volatile sig_atomic_t *stop)
{
	const size_t all = cells->count * arguments->runs;
	uint32_t *order = make_order(cells, arguments);
	double left = cells_seconds(cells, arguments);

	if (!order)
		return -1;
	for (size_t n = 0; n < all && !cells->is_stopped; n++) {
		struct bench_cell *cell = &cells->cells[order[n]];

		cells->is_stopped |= *stop != 0;
		if (*cell->reason || cells->is_stopped)
			continue;
		show_progress(cell, n, all, left);
		measure_one(cells, cell, arguments, machine, stop);
		left -= cell->seconds;
	}
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K");
	free(order);
	return 0;
}

int cell_is_beside(const struct bench_cell *cell, const struct bench_cell *other, enum sweep_by by)
{
	const int are_ladders = cell->kernel->turn[QUANTITY_CHAINED] && other->kernel->turn[QUANTITY_CHAINED];

	return other->event == cell->event &&
	       (by == SWEEP_LADDER ? are_ladders : other->kernel == cell->kernel) &&
	       (by == SWEEP_PERIODS || other->period == cell->period) &&
	       (by == SWEEP_THREADS || other->threads == cell->threads);
}

int cell_is_first(const struct bench_cells *cells, const struct bench_cell *cell, enum sweep_by by)
{
	for (const struct bench_cell *other = cells->cells; other < cell; other++) {
		if (cell_is_beside(cell, other, by))
			return 0;
	}
	return 1;
}

uint32_t cell_sweep(const struct bench_cells *cells, const struct bench_cell *cell, enum sweep_by by,
		    const struct bench_event *const *members, uint32_t member,
		    struct series sweep[SWEEP_MOST])
{
	uint32_t count = 0;

	for (size_t n = 0; n < cells->count && count < SWEEP_MOST; n++) {
		const struct bench_cell *other = &cells->cells[n];

		if (cell_is_beside(cell, other, by))
			sweep[count++] = cell_series(other, members, member);
	}
	return count;
}

struct series cell_series(const struct bench_cell *cell, const struct bench_event *const *members,
			  uint32_t member)
{
	return (struct series){
		.kernel = cell->kernel, .event = members[member], .member = member, .period = cell->period,
		.threads = cell->threads, .runs = cell->runs, .bare = cell->bare, .count = cell->done,
	};
}
