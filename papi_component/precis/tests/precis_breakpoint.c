/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * N accesses of a period P give floor(N / P) samples, each with the right address
 * and thread, however they are delivered, in one thread and in several.
 */
#define _GNU_SOURCE
#include <pthread.h>

#include "precis_test.h"

#define THREADS_MOST 8
#define BREAKPOINTS_MOST 4 /* x86 has no more debug registers */
/* A record of all fields that a breakpoint has is shorter. */
#define RECORD_BYTES_MOST 128

static const char *const delivery_names[] = { "batch", "watermark", "thread", "sample" };

/* One event of a thread, and what its callback saw */
struct watched {
	volatile long cell __attribute__((aligned(64)));
	const struct worker *worker;
	int code;
	uint32_t position;
	uint64_t samples, wrong_address, wrong_tid, wrong_period, wrong_event, wrong_place,
		unordered;
	uint64_t lost_before, last_time;
	long long count;
	struct precis_papi_statistics statistics;
};

struct worker {
	uint32_t delivery, breakpoints;
	uint64_t accesses, period;
	pthread_barrier_t *begin;
	pthread_t thread;
	pid_t tid;
	int set, error;
	int is_stopping; /* what waits is delivered by the thread itself */
	struct watched watched[BREAKPOINTS_MOST];
};

/* Where does the callback run? */
static int is_right_place(const struct worker *worker, const struct precis_papi_arrival *arrival)
{
	int is_own = test_tid() == worker->tid;

	switch (worker->delivery) {
	case PRECIS_PAPI_BATCH:
		return is_own && !arrival->context && worker->is_stopping;
	case PRECIS_PAPI_THREAD:
		return (!is_own || worker->is_stopping) && !arrival->context;
	default:
		return is_own && (arrival->context || worker->is_stopping);
	}
}

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	struct watched *watched = user;
	const struct worker *worker = watched->worker;
	uint64_t address, tid, time = 0, period;

	watched->samples++;
	watched->wrong_address += !precis_get_addr(sample, &address) ||
				  address != (uint64_t)(uintptr_t)&watched->cell;
	watched->wrong_tid += !precis_get_tid(sample, &tid) || (pid_t)tid != worker->tid;
	watched->wrong_period += arrival->period != worker->period ||
				 !precis_get_period(sample, &period) || period != worker->period;
	watched->wrong_event += arrival->event_set != worker->set ||
				arrival->event_code != watched->code ||
				arrival->position != watched->position;
	watched->wrong_place += !is_right_place(worker, arrival);
	watched->unordered += !precis_get_time(sample, &time) || time < watched->last_time;
	watched->last_time = time;
	watched->lost_before += arrival->lost_before;
}

static int prepare(struct worker *worker)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = worker->delivery,
		.period = worker->period,
		.callback = on_sample,
		.watermark_samples = worker->delivery == PRECIS_PAPI_WATERMARK ? 10 : 0,
	};
	int error;

	worker->set = PAPI_NULL;
	test_must(PAPI_create_eventset(&worker->set), "PAPI_create_eventset");
	for (uint32_t n = 0; n < worker->breakpoints; n++) {
		struct watched *watched = &worker->watched[n];

		watched->worker = worker;
		watched->position = n;
		watched->code = test_add_breakpoint(worker->set, &watched->cell);
		sampling.user = watched;
		error = precis_papi_set_sampling(worker->set, watched->code, &sampling);
		if (error)
			return error;
	}
	return PAPI_OK;
}

/* Breakpoint n is accessed once in n + 1 turns. */
static void access_cells(struct worker *worker)
{
	for (uint64_t turn = 0; turn < worker->accesses; turn++) {
		for (uint32_t n = 0; n < worker->breakpoints; n++) {
			if (turn % (n + 1) == 0)
				worker->watched[n].cell = (long)turn;
		}
	}
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	long long counts[BREAKPOINTS_MOST];

	test_must(PAPI_register_thread(), "PAPI_register_thread");
	worker->tid = test_tid();
	worker->error = prepare(worker);
	pthread_barrier_wait(worker->begin);
	if (!worker->error)
		worker->error = PAPI_start(worker->set);
	if (!worker->error) {
		access_cells(worker);
		__atomic_store_n(&worker->is_stopping, 1, __ATOMIC_SEQ_CST);
		worker->error = PAPI_stop(worker->set, counts);
	}
	for (uint32_t n = 0; !worker->error && n < worker->breakpoints; n++) {
		worker->watched[n].count = counts[n];
		worker->watched[n].statistics =
			test_statistics(worker->set, worker->watched[n].code);
	}
	if (worker->error)
		printf("# %d: %s\n", worker->error, precis_papi_strerror(worker->error));
	test_destroy(&worker->set);
	test_must(PAPI_unregister_thread(), "PAPI_unregister_thread");
	return NULL;
}

static int is_exact(const struct worker *worker, uint32_t n)
{
	const struct watched *watched = &worker->watched[n];
	const struct precis_papi_statistics *statistics = &watched->statistics;
	uint64_t accesses = (worker->accesses + n) / (n + 1);
	uint64_t expected = accesses / worker->period;
	uint64_t wrong = watched->wrong_address + watched->wrong_tid + watched->wrong_period +
			 watched->wrong_event + watched->wrong_place + watched->unordered;
	int is_roomy = statistics->ring_bytes / RECORD_BYTES_MOST >= expected;
	int is_right = !worker->error && (uint64_t)watched->count == accesses &&
		       watched->samples + statistics->lost == expected &&
		       statistics->samples == watched->samples &&
		       (!is_roomy || !statistics->lost) && !wrong &&
		       watched->lost_before <= statistics->lost && !statistics->truncated &&
		       !statistics->discarded && statistics->period == worker->period;

	if (!worker->error)
		test_count_hits(watched->count, accesses);
	if (!is_right)
		printf("# breakpoint %u: count %lld of %" PRIu64 ", samples %" PRIu64 " (%" PRIu64
		       ") + lost %" PRIu64 " of %" PRIu64 "; wrong address %" PRIu64
		       ", tid %" PRIu64 ", period %" PRIu64 ", event %" PRIu64 ", place %" PRIu64
		       ", order %" PRIu64 "; truncated %" PRIu64 ", discarded %" PRIu64 "\n",
		       n, watched->count, accesses, watched->samples, statistics->samples,
		       statistics->lost, expected, watched->wrong_address, watched->wrong_tid,
		       watched->wrong_period, watched->wrong_event, watched->wrong_place,
		       watched->unordered, statistics->truncated, statistics->discarded);
	return is_right;
}

static void check(uint32_t threads, uint32_t breakpoints, uint32_t delivery, uint64_t accesses,
		  uint64_t period)
{
	static struct worker workers[THREADS_MOST];
	pthread_barrier_t begin;
	int is_right = 1;

	pthread_barrier_init(&begin, NULL, threads);
	for (uint32_t n = 0; n < threads; n++) {
		memset(&workers[n], 0, sizeof(workers[n]));
		workers[n].delivery = delivery;
		workers[n].breakpoints = breakpoints;
		workers[n].accesses = accesses;
		workers[n].period = period;
		workers[n].begin = &begin;
		test_must(pthread_create(&workers[n].thread, NULL, work, &workers[n]),
			  "pthread_create");
	}
	for (uint32_t n = 0; n < threads; n++) {
		pthread_join(workers[n].thread, NULL);
		for (uint32_t i = 0; i < breakpoints; i++)
			is_right &= is_exact(&workers[n], i);
	}
	pthread_barrier_destroy(&begin);
	tap_ok(is_right,
	       "%s: %u threads, %u breakpoints each, %" PRIu64 " accesses, period %" PRIu64,
	       delivery_names[delivery], threads, breakpoints, accesses, period);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	/* all samples of a run fit into a ring of the default size: none may be lost */
	static const uint64_t runs[][2] = {
		/* accesses, period */
		{ 1, 1 },    { 900, 1 },    { 901, 2 },     { 5003, 7 },
		{ 99, 100 }, { 9999, 100 }, { 10000, 100 }, { 5003, 997 },
	};

	test_init_breakpoints();
	test_must(PAPI_thread_init((unsigned long (*)(void))pthread_self), "PAPI_thread_init");
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++) {
		for (size_t n = 0; n < sizeof(runs) / sizeof(runs[0]); n++)
			check(1, 1, delivery, runs[n][0], runs[n][1]);
		for (uint32_t threads = 2; threads <= THREADS_MOST; threads *= 2)
			check(threads, 1, delivery, 2003, 7);
		for (uint32_t breakpoints = 2; breakpoints <= BREAKPOINTS_MOST; breakpoints++)
			check(1, breakpoints, delivery, 2003, 7);
		check(2, BREAKPOINTS_MOST, delivery, 900, 2);
	}
	return tap_done();
}
