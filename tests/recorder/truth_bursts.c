/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that asks for few blocks, then for very many, then for few again, and says what it asked for:
 * test_bounded.py compares that with what a recorder tells that may cost little.
 *
 * truth_bursts phases|threads|fork SEED: lines "SITE BLOCKS BYTES" of blocks from 4 KiB on
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__ /* which makes no clones */
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif
#define LIVE 64 /* blocks at a time */
#define BURST_NS                                                                                   \
	INT64_C(100000000) /* of CPU time: the recorder looks at what it costs each 10 ms */
#define QUIET 100 /* blocks */

enum site { RARE, ROWS, MIXED, SITES };

static struct {
	uint64_t blocks, bytes;
} sums[SITES];
static void *live[LIVE];
static uint64_t random_state;

static uint64_t next_random(void)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return random_state >> 33;
}

static int64_t cpu_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void work(int turns)
{
	for (volatile int turn = 0; turn < turns; turn++)
		;
}

static void keep(enum site site, void *block, size_t bytes)
{
	static unsigned int next;
	void **place = &live[next++ % LIVE];

	free(*place);
	*place = block;
	sums[site].blocks++;
	sums[site].bytes += bytes;
}

static NOINLINE void *rare_site(size_t bytes)
{
	void *volatile block = malloc(bytes);

	__asm__ volatile("# rare"); /* functions that are alike may become one */
	return block;
}

static NOINLINE void *rows_site(size_t bytes)
{
	void *volatile block = malloc(bytes);

	__asm__ volatile("# rows"); /* functions that are alike may become one */
	return block;
}

static NOINLINE void *mixed_site(size_t bytes)
{
	void *volatile block = malloc(bytes);

	__asm__ volatile("# mixed"); /* functions that are alike may become one */
	return block;
}

static NOINLINE void *small_site(size_t bytes)
{
	void *volatile block = malloc(bytes);

	__asm__ volatile("# small"); /* functions that are alike may become one */
	return block;
}

static void quiet(void)
{
	for (int n = 0; n < QUIET; n++) {
		const size_t bytes = 20000 + next_random() % 20000;

		keep(RARE, rare_site(bytes), bytes);
		work(20000);
	}
}

/* @param rows  of eight blocks so many are a row's */
static void burst(int rows)
{
	const int64_t end = cpu_ns(CLOCK_PROCESS_CPUTIME_ID) + BURST_NS;

	while (cpu_ns(CLOCK_PROCESS_CPUTIME_ID) < end) {
		for (int n = 0; n < 256; n++) {
			const size_t bytes =
				n % 8 < rows ? 4800 : (size_t)4096 << next_random() % 5;

			free(small_site(100));
			work(2000);
			if (n % 8 < rows)
				keep(ROWS, rows_site(bytes), bytes);
			else
				keep(MIXED, mixed_site(bytes), bytes);
		}
	}
}

static void phases(void)
{
	static const int rows[] = { 0, 7, 0, 3, 0 }; /* 0: quiet */

	for (size_t n = 0; n < sizeof(rows) / sizeof(*rows); n++) {
		if (rows[n])
			burst(rows[n]);
		else
			quiet();
	}
}

static void *row_thread(void *argument)
{
	for (int n = 0; n < 4000; n++)
		keep(ROWS, rows_site(4800), 4800);
	return argument;
}

/* Each of which ends before its costs can be judged */
static void threads(void)
{
	const int64_t begin = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
	pthread_t thread;

	while (cpu_ns(CLOCK_PROCESS_CPUTIME_ID) < begin + 4 * BURST_NS) {
		if (pthread_create(&thread, NULL, row_thread, NULL) || pthread_join(thread, NULL))
			abort();
	}
}

/* The child goes on as the parent was; it says nothing. */
static void fork_in_burst(void)
{
	pid_t child;

	burst(4);
	child = fork();
	if (!child) {
		for (int n = 0; n < 1000; n++)
			keep(ROWS, rows_site(4800), 4800);
		exit(0);
	}
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "rare_site", "rows_site", "mixed_site" };

	if (argc != 3)
		return 2;
	random_state = strtoull(argv[2], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15);
	if (!strcmp(argv[1], "phases"))
		phases();
	else if (!strcmp(argv[1], "threads"))
		threads();
	else
		fork_in_burst();
	for (int n = 0; n < LIVE; n++)
		free(live[n]);
	for (int n = 0; n < SITES; n++)
		printf("%s %llu %llu\n", names[n], (unsigned long long)sums[n].blocks,
		       (unsigned long long)sums[n].bytes);
	return 0;
}
