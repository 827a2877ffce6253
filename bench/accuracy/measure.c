/* SPDX-License-Identifier: BSD-3-Clause */
/* See measure.h. Each thread opens its own events, and looks at their rings while they are off. */
#define _GNU_SOURCE /* sched_setaffinity(), RUSAGE_THREAD */
#include "measure.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "interrupts.h"
#include "sampling.h"

struct worker {
	const struct measure_request *request;
	struct run *run;
	uint32_t number;
	pthread_barrier_t *barrier;
	atomic_int *has_failed; /* some thread has: then none begins */
	struct kernel_state state;
	struct sampling samplings[EVENTS_MOST];
	size_t open;
	int is_stopped, is_unbound;
	char reason[EVENT_REASON];
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

int run_allocate(struct run *run, uint32_t threads, uint32_t events)
{
	run->threads = threads;
	run->events = events;
	run->latencies = NULL;
	run->thread = calloc(threads, sizeof(*run->thread));
	run->counts = calloc((size_t)threads * events + 1, sizeof(*run->counts));
	return run->thread && run->counts ? 0 : -1;
}

int run_allocate_latencies(struct run *run, const struct kernel *kernel,
			   const struct bench_event *const *members)
{
	uint32_t any = 0, field;

	for (uint32_t n = 0; n < run->events; n++)
		any += (uint32_t)event_latency(members[n], &field);
	if (!any || !kernel->turn[QUANTITY_CHAINED])
		return 0;
	run->latencies = calloc((size_t)run->threads * run->events, sizeof(*run->latencies));
	return run->latencies ? 0 : -1;
}

void run_free(struct run *run)
{
	for (uint32_t n = 0; run->latencies && n < run->threads * run->events; n++)
		histogram_free(&run->latencies[n]);
	free(run->latencies);
	free(run->thread);
	free(run->counts);
	memset(run, 0, sizeof(*run));
}

/* An event that can be opened can be enabled, unless it has vanished meanwhile: then it counts nothing. */
static void enable_all(struct worker *worker, int is_on)
{
	for (size_t n = 0; n < worker->open; n++) {
		const int error = sampling_enable(&worker->samplings[n], is_on);

		/* what failed first says why */
		if (error && !*worker->reason)
			snprintf(worker->reason, EVENT_REASON, "it cannot be switched %s any more: %s",
				 is_on ? "on" : "off", strerror(-error));
	}
}

static void drain_all(struct worker *worker)
{
	for (size_t n = 0; n < worker->open; n++)
		sampling_drain(&worker->samplings[n], worker->request->kernel, &worker->state,
			       run_counts(worker->run, worker->number, (uint32_t)n));
}

/* The parts of a kernel that are executed once are so in each slice. */
static void add_truth(const struct worker *worker, uint64_t outer)
{
	const struct measure_request *request = worker->request;

	for (size_t n = 0; n < worker->open; n++) {
		const enum quantity quantity = worker->samplings[n].event->quantity;

		if (kernel_knows(request->kernel, quantity))
			run_counts(worker->run, worker->number, (uint32_t)n)->truth += (uint64_t)kernel_truth(
				request->kernel, quantity, outer, request->inner);
	}
}

/* Everything between the two looks at the clocks is the kernel's, or what enabling and disabling take. */
static void run_slice(struct worker *worker, uint64_t outer)
{
	struct thread_counts *counts = &worker->run->thread[worker->number];
	struct rusage before, after;
	uint64_t cpu, wall;

	worker->state.outer = outer;
	getrusage(RUSAGE_THREAD, &before);
	enable_all(worker, 1);
	wall = clock_ns(CLOCK_MONOTONIC);
	cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	worker->request->kernel->code(&worker->state);
	counts->cpu_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
	counts->wall_ns += clock_ns(CLOCK_MONOTONIC) - wall;
	enable_all(worker, 0);
	getrusage(RUSAGE_THREAD, &after);
	counts->involuntary += (uint64_t)(after.ru_nivcsw - before.ru_nivcsw);
	counts->voluntary += (uint64_t)(after.ru_nvcsw - before.ru_nvcsw);
	counts->outer += outer;
	add_truth(worker, outer);
}

/* Turns of the chain of additions: a million cycles */
#define CLOCK_OUTER 10u
#define CLOCK_INNER 1000u

/*
 * How long a cycle is meanwhile: clocks vary, and nobody but the CPU knows. Beside a kernel whose loads are
 * timed, where no event disturbs them.
 */
static void time_clock(struct worker *worker)
{
	struct thread_counts *counts = &worker->run->thread[worker->number];
	const struct kernel *additions = kernel_named("additions");
	struct kernel_state state = worker->state;
	uint64_t cpu;

	if (worker->open || !worker->request->kernel->turn[QUANTITY_CHAINED] || !additions)
		return;
	state.outer = CLOCK_OUTER;
	state.inner = CLOCK_INNER;
	cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	additions->code(&state);
	counts->clock_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
	counts->clock_cycles += (uint64_t)kernel_truth(additions, QUANTITY_CYCLES, CLOCK_OUTER, CLOCK_INNER);
}

/* One outer turn without events: code and stack are there for the first time before these are on. */
static void warm_up(struct worker *worker)
{
	run_slice(worker, 1);
	memset(&worker->run->thread[worker->number], 0, sizeof(worker->run->thread[0]));
}

/* A ring that had to be smaller is looked at more often. */
static uint64_t slice_of(const struct worker *worker)
{
	const uint64_t usual = SAMPLING_PAGES * (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t slice = worker->request->slice;

	for (size_t n = 0; n < worker->open; n++) {
		const uint64_t bytes = worker->samplings[n].ring.data_bytes;

		if (bytes < usual && worker->request->slice * bytes / usual < slice)
			slice = worker->request->slice * bytes / usual;
	}
	return slice ? slice : 1;
}

static int run_slices(struct worker *worker)
{
	const struct measure_request *request = worker->request;
	const uint64_t slice = slice_of(worker);
	uint64_t left = request->outer;

	while (left) {
		const uint64_t outer = left < slice ? left : slice;
		const int error = kernel_refresh(request->kernel, &worker->state);

		if (error) {
			snprintf(worker->reason, EVENT_REASON, "memory: %s", strerror(-error));
			return -1;
		}
		if (request->stop && *request->stop) {
			worker->is_stopped = 1;
			break;
		}
		time_clock(worker);
		run_slice(worker, outer);
		drain_all(worker);
		left -= outer;
	}
	return 0;
}

static void settle(struct worker *worker)
{
	const struct thread_counts *thread = &worker->run->thread[worker->number];

	for (size_t n = 0; n < worker->open; n++) {
		struct counts *counts = run_counts(worker->run, worker->number, (uint32_t)n);
		const int error = sampling_read(&worker->samplings[n], counts);

		if (error == -ENODATA)
			snprintf(worker->reason, EVENT_REASON, "its counter has ended: the kernel gave the "
				 "event up");
		else if (error)
			snprintf(worker->reason, EVENT_REASON, "its counter: %s", strerror(-error));
		if (worker->samplings[n].event->quantity == QUANTITY_CPU_TIME)
			counts->truth = thread->cpu_ns;
	}
}

static void bind(struct worker *worker)
{
	cpu_set_t cpus;

	if (worker->request->cpu < 0)
		return;
	CPU_ZERO(&cpus);
	CPU_SET((size_t)worker->request->cpu + worker->number, &cpus);
	worker->is_unbound = sched_setaffinity(0, sizeof(cpus), &cpus) != 0;
}

/* Whose CPU goes offline runs on any other from then on (select_fallback_rq() in kernel/sched/core.c). */
static void check_bound(struct worker *worker)
{
	cpu_set_t cpus;

	if (worker->request->cpu < 0 || worker->is_unbound)
		return;
	worker->is_unbound = sched_getaffinity(0, sizeof(cpus), &cpus) || CPU_COUNT(&cpus) != 1 ||
			     !CPU_ISSET((size_t)worker->request->cpu + worker->number, &cpus);
}

static int open_all(struct worker *worker)
{
	const struct measure_request *request = worker->request;
	const struct bench_event *members[EVENTS_MOST];
	const size_t count = request->event ? event_members(request->event, members) : 0;

	for (size_t n = 0; n < count; n++) {
		char why[EVENT_REASON];

		if (sampling_open(&worker->samplings[n], members[n], request->machine, request->kernel,
				  &worker->state, request->period,
				  run_latencies(worker->run, worker->number, (uint32_t)n), why)) {
			if (count > 1)
				snprintf(worker->reason, EVENT_REASON, "%s, number %zu of %zu: %.160s",
					 members[n]->name, n + 1, count, why);
			else
				snprintf(worker->reason, EVENT_REASON, "%s", why);
			return -1;
		}
		worker->open++;
	}
	return 0;
}

static void *work(void *data)
{
	struct worker *worker = data;
	const struct measure_request *request = worker->request;
	int error;

	bind(worker);
	error = kernel_prepare(request->kernel, &worker->state, request->inner,
			       request->seed + worker->number);
	if (error)
		snprintf(worker->reason, EVENT_REASON, "memory: %s", strerror(-error));
	else
		warm_up(worker);
	if (error || open_all(worker))
		atomic_store(worker->has_failed, 1);
	pthread_barrier_wait(worker->barrier);
	if (!atomic_load(worker->has_failed) && !run_slices(worker))
		settle(worker);
	check_bound(worker);
	for (size_t n = 0; n < worker->open; n++)
		sampling_close(&worker->samplings[n]);
	if (!error)
		kernel_free(&worker->state);
	return NULL;
}

/* All threads begin, or none. 0, or -1: 'started' are there */
static int start_all(struct worker *workers, pthread_t *threads, uint32_t count, uint32_t *started)
{
	sigset_t all, before;
	int error = 0;

	/* a signal is the main thread's, but for that of a thread's own access (measure_run()) */
	sigfillset(&all);
	sigdelset(&all, SIGTRAP);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (*started = 0; *started < count && !error; *started += !error)
		error = pthread_create(&threads[*started], NULL, work, &workers[*started]);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error ? -1 : 0;
}

static int run_threads(const struct measure_request *request, struct run *run, struct worker *workers,
		       char *reason)
{
	pthread_t threads[THREADS_MOST];
	pthread_barrier_t barrier;
	atomic_int has_failed = 0;
	uint32_t started;
	int code = 0;

	if (pthread_barrier_init(&barrier, NULL, request->threads))
		return -1;
	for (uint32_t n = 0; n < request->threads; n++) {
		workers[n].request = request;
		workers[n].run = run;
		workers[n].number = n;
		workers[n].barrier = &barrier;
		workers[n].has_failed = &has_failed;
	}
	if (start_all(workers, threads, request->threads, &started)) {
		snprintf(reason, EVENT_REASON, "only %u of %u threads can be made", started,
			 request->threads);
		atomic_store(&has_failed, 1);
		code = -1;
	}
	/* in place of those that are not there */
	for (uint32_t n = started; n < request->threads; n++)
		pthread_barrier_wait(&barrier);
	for (uint32_t n = 0; n < started; n++)
		pthread_join(threads[n], NULL);
	pthread_barrier_destroy(&barrier);
	return code;
}

static int run_counted(const struct measure_request *request, struct run *run, struct worker *workers,
		       char *reason)
{
	uint64_t before = 0, after = 0;
	const int is_told = request->event && measure_interrupts(request->machine->root, &before);
	const int code = run_threads(request, run, workers, reason);

	run->has_interrupts = is_told && measure_interrupts(request->machine->root, &after);
	run->interrupts = run->has_interrupts ? after - before : 0;
	return code;
}

static int run_once(const struct measure_request *request, struct run *run,
		    char reason[EVENT_REASON])
{
	const struct bench_event *members[EVENTS_MOST];
	const size_t events = request->event ? event_members(request->event, members) : 0;
	struct worker *workers = calloc(request->threads, sizeof(*workers));
	int code = -1;

	memset(run, 0, sizeof(*run));
	snprintf(reason, EVENT_REASON, "memory is short");
	if (workers && request->threads && request->threads <= THREADS_MOST &&
	    !run_allocate(run, request->threads, (uint32_t)events) &&
	    !run_allocate_latencies(run, request->kernel, members)) {
		run->period = request->period;
		run->inner = request->inner;
		code = run_counted(request, run, workers, reason);
	}
	for (uint32_t n = 0; workers && n < request->threads; n++) {
		run->is_stopped |= workers[n].is_stopped;
		run->unbound += (uint32_t)workers[n].is_unbound;
		if (!*workers[n].reason)
			continue;
		snprintf(reason, EVENT_REASON, "%s", workers[n].reason);
		code = -1;
	}
	free(workers);
	return code;
}

static atomic_uint causeless;

static void count_trap(int signal)
{
	(void)signal;
	atomic_fetch_add_explicit(&causeless, 1, memory_order_relaxed);
}

/*
 * There are hypervisors that now and then deliver the debug exception of a breakpoint with a DR6 that names
 * no cause, and may lose a hit then. To the kernel it is nobody's (exc_debug_user() in
 * arch/x86/kernel/traps.c): the thread gets a SIGTRAP, which would be the end of it, and a program that is
 * not sampled has none.
 */
int measure_run(const struct measure_request *request, struct run *run, char reason[EVENT_REASON])
{
	struct sigaction action = { .sa_handler = count_trap, .sa_flags = SA_RESTART }, before;
	uint32_t again = 0;
	int code;

	sigemptyset(&action.sa_mask);
	sigaction(SIGTRAP, &action, &before);
	do {
		if (again)
			run_free(run);
		atomic_store(&causeless, 0);
		code = run_once(request, run, reason);
	} while (!code && !run->is_stopped && atomic_load(&causeless) &&
		 again++ < MEASURE_AGAIN_MOST);
	sigaction(SIGTRAP, &before, NULL);
	run->again = again < MEASURE_AGAIN_MOST ? again : MEASURE_AGAIN_MOST;
	return code;
}

uint64_t measure_slice(double samples_per_outer, double ns_per_outer)
{
	const double most_samples = 8.0 * 4096 / SAMPLING_RECORD * SAMPLING_PAGES / 8 / 2;
	const double most_ns = 50e6;
	double slice = ns_per_outer > 0 ? most_ns / ns_per_outer : 1;

	if (samples_per_outer > 0 && slice * samples_per_outer > most_samples)
		slice = most_samples / samples_per_outer;
	return slice < 1 ? 1 : slice > 1e9 ? UINT64_C(1000000000) : (uint64_t)slice;
}
