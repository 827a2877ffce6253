/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program as parallel ones mostly are: its threads do a fixed amount of work each, wait for nobody,
 * and share now and then. What precis sharing costs it can be seen on all CPUs, where the time of programs
 * that take turns changes from run to run as the kernel puts their threads. Prints how long it took, and
 * its CPU time, as JSON.
 *
 * parallel PATTERN THREADS STEPS PERIOD
 *
 * PATTERN  total: each step adds to one word that all add to; counters: to the thread's own word, beside
 *          those of others; own: to a line of the thread's own
 * STEPS    of all threads together; each stores to lines of the thread's own, and once as PATTERN says
 * PERIOD   steps of a thread, of which the access that may be shared is handed over to precis sharing once
 */
#define _GNU_SOURCE /* syscall() */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <precis/accesses.h>

#define THREADS_MOST 64
#define WORDS 8
#define OWN_LINES 32

typedef uint64_t line[WORDS] __attribute__((aligned(64)));

static line shared[THREADS_MOST];
static struct precis_accesses_ring *ring;
static uint64_t steps, period;
static uint32_t words_apart;

/* What a thread does between two accesses that may be shared: a few hundred ns */
static uint64_t work(line *own, uint64_t state)
{
	for (uint32_t n = 0; n < OWN_LINES; n++) {
		state = (state ^ state >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
		own[state >> 59][n % WORDS] += state;
	}
	return state;
}

static void *run(void *data)
{
	const uintptr_t thread = (uintptr_t)data;
	uint64_t *word = (uint64_t *)shared + thread * words_apart, state = thread + 1;
	const uint32_t tid = (uint32_t)syscall(SYS_gettid);
	line *own = aligned_alloc(64, OWN_LINES * sizeof(line));

	if (!own)
		abort();
	memset(own, 0, OWN_LINES * sizeof(line));
	for (uint64_t n = 1; n <= steps; n++) {
		state = work(own, state);
		__atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
		if (n % period == 0)
			precis_accesses_put(ring, word, sizeof(*word),
					    PRECIS_ACCESSES_LOAD | PRECIS_ACCESSES_STORE, tid,
					    period);
	}
	free(own);
	return NULL;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* How many words lie between those of two threads. -1: there is no such pattern */
static int words_of(const char *pattern)
{
	static const struct {
		const char *name;
		int words;
	} patterns[] = { { "total", 0 }, { "counters", 1 }, { "own", WORDS } };

	for (size_t n = 0; n < sizeof(patterns) / sizeof(patterns[0]); n++) {
		if (strcmp(pattern, patterns[n].name) == 0)
			return patterns[n].words;
	}
	return -1;
}

int main(int argc, char **argv)
{
	const int words = argc == 5 ? words_of(argv[1]) : -1,
		  threads = argc == 5 ? atoi(argv[2]) : 0;
	pthread_t started[THREADS_MOST];
	double begun;

	if (words < 0 || threads < 1 || threads > THREADS_MOST)
		return 2;
	words_apart = (uint32_t)words;
	steps = strtoull(argv[3], NULL, 10) / (uint64_t)threads;
	period = strtoull(argv[4], NULL, 10);
	if (!period)
		return 2;
	ring = precis_accesses_open();
	begun = now();
	for (int n = 0; n < threads; n++)
		pthread_create(&started[n], NULL, run, (void *)(uintptr_t)n);
	for (int n = 0; n < threads; n++)
		pthread_join(started[n], NULL);
	printf("{\"seconds\": %.6f, \"cpu_seconds\": %.6f}\n", now() - begun,
	       (double)clock() / CLOCKS_PER_SEC);
	return 0;
}
