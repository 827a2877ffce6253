/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads on one CPU that pass a turn and sleep until it comes back: each turn is a context switch, and one
 * store to a word that all share. One in some is handed over to precis sharing. Prints its times as JSON.
 *
 * turns THREADS TURNS PERIOD
 */
#define _GNU_SOURCE /* CPU affinity, syscall() */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <precis/accesses.h>

#define THREADS_MOST 64

static volatile uint64_t word __attribute__((aligned(64)));
static int waits[THREADS_MOST];
static struct precis_accesses_ring *ring;
static int threads;
static uint64_t turns, period;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void pass_to(int thread)
{
	const uint64_t one = 1;

	if (write(waits[thread], &one, sizeof(one)) != (ssize_t)sizeof(one))
		exit(1);
}

static void await(int thread)
{
	uint64_t count;

	if (read(waits[thread], &count, sizeof(count)) != (ssize_t)sizeof(count))
		exit(1);
}

static void *run(void *data)
{
	const int thread = (int)(intptr_t)data;
	const uint32_t tid = (uint32_t)syscall(SYS_gettid);

	for (uint64_t turn = (uint64_t)thread; turn < turns; turn += (uint64_t)threads) {
		await(thread);
		word = turn;
		/* of each thread in turn */
		if (turn / (uint64_t)threads % period == 0)
			precis_accesses_put(ring, &word, sizeof(word), PRECIS_ACCESSES_STORE, tid,
					    period);
		pass_to((thread + 1) % threads);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const uint64_t begun = now();
	pthread_t started[THREADS_MOST];
	cpu_set_t cpu;

	threads = argc == 4 ? atoi(argv[1]) : 0;
	if (threads < 2 || threads > THREADS_MOST)
		return 2;
	turns = strtoull(argv[2], NULL, 10);
	period = strtoull(argv[3], NULL, 10);
	CPU_ZERO(&cpu);
	CPU_SET(sched_getcpu(), &cpu);
	if (!period || sched_setaffinity(0, sizeof(cpu), &cpu))
		return 2;
	ring = precis_accesses_open();
	for (int n = 0; n < threads; n++)
		waits[n] = eventfd(0, EFD_CLOEXEC);
	for (int n = 0; n < threads; n++)
		pthread_create(&started[n], NULL, run, (void *)(intptr_t)n);
	pass_to(0);
	for (int n = 0; n < threads; n++)
		pthread_join(started[n], NULL);
	printf("{\"seconds\": %.6f, \"cpu_seconds\": %.6f}\n", (double)(now() - begun) / 1e9,
	       (double)clock() / CLOCKS_PER_SEC);
	return 0;
}
