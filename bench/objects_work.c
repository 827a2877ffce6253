/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work for objects.py: pairs of malloc and free at the end of so many calls, and what they took of CPU time.
 *
 *   objects_work PAIRS BYTES FRAMES NS         with NS of other work for each pair
 *   objects_work PAIRS BYTES FRAMES NS chance  each of these calls is of one or the other function, by chance
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static volatile uint64_t turns;

static void work(uint64_t count)
{
	for (uint64_t n = 0; n < count; n++)
		turns++;
}

static void pair(size_t bytes, uint64_t between)
{
	void *volatile block = malloc(bytes);

	work(between);
	free(block);
}

static __attribute__((noinline)) void pairs(long count, size_t bytes, int frames, uint64_t between)
{
	if (frames > 0) {
		pairs(count, bytes, frames - 1, between);
		__asm__ volatile(""); /* a call with a frame, not a jump */
		return;
	}
	for (long n = 0; n < count; n++)
		pair(bytes, between);
}

/* --- a stack of its own for each pair: functions of two kinds, which call each other --- */

static void narrow(size_t bytes, uint64_t between, int frames, uint64_t path);
static void wide(size_t bytes, uint64_t between, int frames, uint64_t path);

/* Part of both */
static inline __attribute__((always_inline)) void go_on(size_t bytes, uint64_t between, int frames,
							uint64_t path)
{
	if (!frames)
		pair(bytes, between);
	else if (path & 1)
		wide(bytes, between, frames - 1, path >> 1);
	else
		narrow(bytes, between, frames - 1, path >> 1);
}

static __attribute__((noinline)) void wide(size_t bytes, uint64_t between, int frames,
					   uint64_t path)
{
	volatile char room[64];

	room[0] = 1;
	go_on(bytes, between, frames, path);
	turns += room[0];
}

static __attribute__((noinline)) void narrow(size_t bytes, uint64_t between, int frames, uint64_t path)
{
	go_on(bytes, between, frames, path);
	turns++;
}

static void pairs_by_chance(long count, size_t bytes, int frames, uint64_t between)
{
	uint64_t path = 20261127;

	for (long n = 0; n < count; n++) {
		path = path * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		narrow(bytes, between, frames, path >> 24);
	}
}

/* Turns of work() in a nanosecond */
static double turns_per_ns(void)
{
	double begin = cpu_seconds();

	work(20000000);
	return 20000000 / ((cpu_seconds() - begin) * 1e9);
}

int main(int argc, char **argv)
{
	long count;
	double begin;

	if (argc != 5 && argc != 6)
		return 2;
	count = atol(argv[1]);
	uint64_t between = (uint64_t)(atof(argv[4]) * (atol(argv[4]) ? turns_per_ns() : 0));

	begin = cpu_seconds();
	(argc == 6 ? pairs_by_chance : pairs)(count, (size_t)atol(argv[2]), atoi(argv[3]), between);
	printf("%.2f\n", (cpu_seconds() - begin) * 1e9 / (double)count);
	return 0;
}
