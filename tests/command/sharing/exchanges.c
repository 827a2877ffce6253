/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that do not wait for each other exchange what is in one word that all share, and in one of their
 * own: of the former each learns who had it last. It is the Write-Volume of publications, by locked exchanges
 * in place of additions. Who comes behind whom depends on how fast each is, and on what slows it down. Prints
 * the truth as workload.c does.
 *
 * exchanges PAUSE THREADS SECONDS PERIOD SEED [FRACTION]
 *
 * PAUSE: turns of an empty loop behind each access
 * FRACTION: of accesses that are to the shared word (default 1)
 */
#define _GNU_SOURCE /* syscall() */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <precis/accesses.h>

#define THREADS_MOST 64

static struct {
	_Alignas(64) uint64_t word;
} shared, own[THREADS_MOST];
static uint64_t all[THREADS_MOST][THREADS_MOST] __attribute__((aligned(64)));
static uint32_t tids[THREADS_MOST];
static struct precis_accesses_ring *ring;
static uint64_t period, seed, pause_turns;
static double fraction = 1;
static int threads, has_ended;

static uint64_t next(uint64_t *state)
{
	uint64_t value = *state += UINT64_C(0x9e3779b97f4a7c15);

	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

/* Its column, which nobody else writes to, is counted at the end. */
static void *run(void *data)
{
	const int thread = (int)(intptr_t)data;
	uint64_t state = seed * 1000 + (uint64_t)thread, left = 1 + next(&state) % period;
	uint64_t from[THREADS_MOST + 1] = { 0 };

	tids[thread] = (uint32_t)syscall(SYS_gettid);
	while (!__atomic_load_n(&has_ended, __ATOMIC_RELAXED)) {
		const int is_shared = (double)(next(&state) >> 32) < fraction * 4294967296.0;
		uint64_t *word = is_shared ? &shared.word : &own[thread].word;
		const uint64_t before =
			__atomic_exchange_n(word, (uint64_t)thread + 1, __ATOMIC_RELAXED);

		from[before] += (uint64_t)is_shared;
		for (uint64_t n = 0; n < pause_turns; n++)
			__asm__ volatile("" : : : "memory");
		if (--left)
			continue;
		left = 1 + next(&state) % (2 * period - 1);
		precis_accesses_put(ring, word, sizeof(*word),
				    PRECIS_ACCESSES_LOAD | PRECIS_ACCESSES_STORE, tids[thread],
				    period);
	}
	for (int n = 0; n < threads; n++)
		all[n][thread] = n == thread ? 0 : from[n + 1];
	return NULL;
}

static void print(const char *name)
{
	printf("\"%s\": [", name);
	for (int from = 0; from < threads; from++) {
		printf("%s[", from ? ", " : "");
		for (int to = 0; to < threads; to++)
			printf("%s%" PRIu64, to ? ", " : "", all[from][to]);
		printf("]");
	}
	printf("], ");
}

int main(int argc, char **argv)
{
	pthread_t started[THREADS_MOST];
	double seconds;

	threads = argc >= 6 ? atoi(argv[2]) : 0;
	if (threads < 1 || threads > THREADS_MOST)
		return 2;
	pause_turns = strtoull(argv[1], NULL, 10);
	seconds = atof(argv[3]);
	period = strtoull(argv[4], NULL, 10);
	seed = strtoull(argv[5], NULL, 10);
	fraction = argc > 6 ? atof(argv[6]) : fraction;
	ring = precis_accesses_open();
	for (int n = 0; n < threads; n++)
		pthread_create(&started[n], NULL, run, (void *)(intptr_t)n);
	nanosleep(&(struct timespec){ (time_t)seconds,
				      (long)((seconds - (double)(time_t)seconds) * 1e9) },
		  NULL);
	__atomic_store_n(&has_ended, 1, __ATOMIC_RELAXED);
	for (int n = 0; n < threads; n++)
		pthread_join(started[n], NULL);
	printf("{\"ring\": %s, \"tids\": [", ring ? "true" : "false");
	for (int n = 0; n < threads; n++)
		printf("%s%" PRIu32, n ? ", " : "", tids[n]);
	printf("], ");
	print("all");
	print("met"); /* it is one word */
	printf("\"seconds\": %.6f, \"cpu_seconds\": %.6f}\n", seconds,
	       (double)clock() / CLOCKS_PER_SEC);
	return 0;
}
