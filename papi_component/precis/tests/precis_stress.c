/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Usage: precis_stress [SECONDS [CLOCK-PERIOD]]
 *
 * Eight threads make EventSets, start, read, reset, stop and destroy them; every
 * event has another kind of delivery each time. How many samples the breakpoints
 * made is known from the stores: none may be missing in the sums of those that
 * came, were lost, and were discarded. Afterwards nothing may be left open.
 * 3 seconds, and a clock with a sample each 200000 ns, unless told otherwise.
 */
#define _GNU_SOURCE /* registers in <ucontext.h> */
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "precis_load.h"
#include "precis_process.h"
#include "precis_tools.h"

#define THREADS 8
#define BREAKPOINTS LOAD_BREAKPOINTS
#define EVENTS (BREAKPOINTS + 1) /* the last is a clock */
#define RUNS 3 /* PAPI_start to PAPI_stop, of one EventSet */
#define ROUNDS 12 /* of stores and a read, in a run */
#define FULL_ROUND 5
#define MANY 300u /* stores of that round: more samples than a ring has room for */
#define LEAST 7u /* EventSets of each thread: each event has had each kind */
#define RING 16384u /* so small that samples are lost */

/* Bytes of malloc's own stores: what a thread keeps ready for itself */
#define MALLOC_SLACK (128 << 10)

static const int periods[BREAKPOINTS] = { 1, 1, 3 };
static int clock_period = 200000;

struct worker {
	volatile long cell[BREAKPOINTS];
	int set, code[EVENTS];
	enum load_kind kind[EVENTS];
	uint64_t calls[EVENTS]; /* of callbacks and handlers; atomic */
	uint64_t samples[EVENTS], lost[EVENTS], discarded[EVENTS];
	uint64_t stores, since_reset; /* to each cell */
	uint64_t episodes, all_samples, all_lost, all_discarded;
	struct load_wrong wrong;
};

static struct worker workers[THREADS];
static __thread struct worker *current;
static pthread_barrier_t barrier;
static int must_end;

/* --- where samples go ------------------------------------------------------------- */

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	uint64_t *calls = user;

	(void)sample;
	(void)arrival;
	__atomic_add_fetch(calls, 1, __ATOMIC_RELAXED);
}

static void on_overflow(int set, void *address, long long vector, void *context)
{
	(void)set;
	(void)address;
	(void)context;
	for (int n = 0; n < EVENTS && current; n++) {
		if (vector >> n & 1)
			__atomic_add_fetch(&current->calls[n], 1, __ATOMIC_RELAXED);
	}
}

static int set_kind(struct worker *worker, int n)
{
	const struct load_event event = {
		.set = worker->set,
		.code = worker->code[n],
		.period = n < BREAKPOINTS ? periods[n] : clock_period,
		.ring_bytes = RING,
		.callback = on_sample,
		.user = &worker->calls[n],
		.handler = on_overflow,
	};

	return load_set_kind(&event, worker->kind[n]);
}

/* --- one EventSet's life ------------------------------------------------------------ */

static int begin(struct worker *worker)
{
	worker->set = PAPI_NULL;
	worker->stores = 0;
	memset(worker->samples, 0, sizeof(worker->samples));
	memset(worker->lost, 0, sizeof(worker->lost));
	memset(worker->discarded, 0, sizeof(worker->discarded));
	if (load_must(&worker->wrong, PAPI_create_eventset(&worker->set), "PAPI_create_eventset"))
		return -1;
	for (int n = 0; n < EVENTS; n++) {
		char name[PAPI_MAX_STR_LEN] = "precis:::SW_CPU_CLOCK";

		if (n < BREAKPOINTS)
			test_name_breakpoint(name, (uintptr_t)&worker->cell[n]);
		if (load_must(&worker->wrong, PAPI_event_name_to_code(name, &worker->code[n]),
			      name) ||
		    load_must(&worker->wrong, PAPI_add_event(worker->set, worker->code[n]),
			      "PAPI_add_event"))
			return -1;
	}
	for (int n = 0; n < EVENTS; n++) {
		worker->kind[n] = (enum load_kind)((worker->episodes + (uint64_t)n * 2) % LOAD_KINDS);
		__atomic_store_n(&worker->calls[n], 0, __ATOMIC_RELAXED);
		if (load_must(&worker->wrong, set_kind(worker, n),
			      load_kind_names[worker->kind[n]]))
			return -1;
	}
	return 0;
}

static void store(struct worker *worker, uint64_t times)
{
	for (int n = 0; n < BREAKPOINTS; n++)
		tools_store(&worker->cell[n], times);
	worker->stores += times;
	worker->since_reset += times;
}

static void check_counts(struct worker *worker, const long long *values, const char *call)
{
	for (int n = 0; n < BREAKPOINTS; n++) {
		if (values[n] != (long long)worker->since_reset)
			load_fail(&worker->wrong, "%s: breakpoint %d: %lld, expected %" PRIu64,
				  call, n, values[n], worker->since_reset);
	}
	if (values[BREAKPOINTS] < 0)
		load_fail(&worker->wrong, "%s: the clock is at %lld", call, values[BREAKPOINTS]);
}

static void add_statistics(struct worker *worker)
{
	for (int n = 0; n < EVENTS; n++) {
		struct precis_papi_statistics statistics = { .size = sizeof(statistics) };

		if (worker->kind[n] == LOAD_COUNT ||
		    load_must(&worker->wrong,
			      precis_papi_get_statistics(worker->set, worker->code[n], &statistics),
			      "precis_papi_get_statistics"))
			continue;
		worker->samples[n] += statistics.samples;
		worker->lost[n] += statistics.lost;
		worker->discarded[n] += statistics.discarded;
	}
}

/* 'blocked': the last stores and PAPI_stop happen where no signal comes through */
static int run(struct worker *worker, int blocked)
{
	long long values[EVENTS];
	sigset_t all, before;

	worker->since_reset = 0;
	if (load_must(&worker->wrong, PAPI_start(worker->set), "PAPI_start"))
		return -1;
	for (uint64_t n = 0; n < ROUNDS; n++) {
		store(worker, n == FULL_ROUND ? MANY : n + worker->episodes % 7);
		if (load_must(&worker->wrong, PAPI_read(worker->set, values), "PAPI_read"))
			return -1;
		check_counts(worker, values, "PAPI_read");
		if (n % 4 == 3) {
			if (load_must(&worker->wrong, PAPI_reset(worker->set), "PAPI_reset"))
				return -1;
			worker->since_reset = 0;
		}
	}
	test_fill_signals(&all);
	if (blocked)
		pthread_sigmask(SIG_BLOCK, &all, &before);
	store(worker, 9);
	if (load_must(&worker->wrong, PAPI_stop(worker->set, values), "PAPI_stop"))
		return -1;
	if (blocked)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	check_counts(worker, values, "PAPI_stop");
	add_statistics(worker);
	return 0;
}

static void check_samples(struct worker *worker)
{
	for (int n = 0; n < EVENTS; n++) {
		uint64_t calls = __atomic_load_n(&worker->calls[n], __ATOMIC_RELAXED);
		uint64_t sum = worker->samples[n] + worker->lost[n] + worker->discarded[n];
		uint64_t expected = n < BREAKPOINTS ? worker->stores / (uint64_t)periods[n] : 0;
		enum load_kind kind = worker->kind[n];

		worker->all_samples += worker->samples[n];
		worker->all_lost += worker->lost[n];
		worker->all_discarded += worker->discarded[n];
		if (calls != worker->samples[n])
			load_fail(&worker->wrong,
				  "event %d (%s): %" PRIu64 " calls for %" PRIu64 " samples", n,
				  load_kind_names[kind], calls, worker->samples[n]);
		if (n == BREAKPOINTS || kind == LOAD_COUNT)
			continue;
		if (kind == LOAD_OVERWRITE ? sum > expected : sum != expected)
			load_fail(&worker->wrong,
				  "event %d (%s): %" PRIu64 " samples, %" PRIu64 " lost, %" PRIu64
				  " discarded, expected %" PRIu64,
				  n, load_kind_names[kind], worker->samples[n], worker->lost[n],
				  worker->discarded[n], expected);
	}
}

static void live(struct worker *worker)
{
	if (!begin(worker)) {
		int is_well = 1;

		for (int n = 0; n < RUNS && is_well; n++)
			is_well = !run(worker, n == 1);
		if (is_well)
			check_samples(worker);
	}
	load_must(&worker->wrong, PAPI_cleanup_eventset(worker->set), "PAPI_cleanup_eventset");
	load_must(&worker->wrong, PAPI_destroy_eventset(&worker->set), "PAPI_destroy_eventset");
	worker->episodes++;
}

static void *work(void *argument)
{
	struct worker *worker = argument;

	current = worker;
	load_must(&worker->wrong, PAPI_register_thread(), "PAPI_register_thread");
	while (worker->episodes < LEAST && !worker->wrong.count)
		live(worker);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier); /* what is open has been counted */
	while (!__atomic_load_n(&must_end, __ATOMIC_RELAXED) && !worker->wrong.count)
		live(worker);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	load_must(&worker->wrong, PAPI_unregister_thread(), "PAPI_unregister_thread");
	return NULL;
}

/* --- all of them --------------------------------------------------------------------- */

static void sleep_for(int seconds)
{
	struct timespec rest = { .tv_sec = seconds };

	while (nanosleep(&rest, &rest))
		;
}

int main(int argc, char **argv)
{
	int seconds = 3;
	uint64_t episodes = 0, samples = 0, lost = 0, discarded = 0;
	pthread_t threads[THREADS];
	struct process before, after;

	test_begin(argc, argv);
	if (argc > 1 && !TESTS_QUIET)
		seconds = atoi(argv[1]);
	if (argc > 2)
		clock_period = atoi(argv[2]);
	if (seconds < 0 || clock_period <= 0) {
		fprintf(stderr, "usage: precis_stress [SECONDS [CLOCK-PERIOD]]\n");
		return 2;
	}
	if (load_breakpoints_are_wrong()) {
		tap_skip("this machine miscounts several breakpoints, also without PAPI",
			 "no count and no sample is missing");
		return tap_done();
	}
	alarm((unsigned int)seconds + 500); /* a deadlock ends, too */
	test_init_breakpoints();
	test_must(PAPI_thread_init((unsigned long (*)(void))pthread_self), "PAPI_thread_init");
	pthread_barrier_init(&barrier, NULL, THREADS + 1);
	for (int n = 0; n < THREADS; n++) {
		if (pthread_create(&threads[n], NULL, work, &workers[n]))
			test_bail_out("pthread_create", PAPI_ENOMEM);
	}
	pthread_barrier_wait(&barrier);
	process_look(&before);
	pthread_barrier_wait(&barrier);
	sleep_for(seconds);
	__atomic_store_n(&must_end, 1, __ATOMIC_RELAXED);
	pthread_barrier_wait(&barrier);
	process_look(&after);
	pthread_barrier_wait(&barrier);
	for (int n = 0; n < THREADS; n++) {
		pthread_join(threads[n], NULL);
		if (!tap_ok(!workers[n].wrong.count, "thread %d: no count and no sample is missing",
			    n))
			printf("# EventSet %" PRIu64 ": %s\n", workers[n].episodes,
			       workers[n].wrong.first);
		episodes += workers[n].episodes;
		samples += workers[n].all_samples;
		lost += workers[n].all_lost;
		discarded += workers[n].all_discarded;
	}
	printf("# %" PRIu64 " EventSets, %" PRIu64 " samples, %" PRIu64 " lost, %" PRIu64
	       " discarded\n",
	       episodes, samples, lost, discarded);
	tap_equal(after.descriptors, before.descriptors, "no descriptor is left open");
	tap_equal(after.rings, 0, "no ring is left mapped");
	if (!tap_ok(after.allocated <= before.allocated + MALLOC_SLACK, "no memory is left"))
		printf("# %zu bytes allocated, then %zu\n", before.allocated, after.allocated);
	return tap_done();
}
