/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sharing PATTERN TURNS FILE: four threads, each on a CPU of its own, of which one at a time accesses
 * lines, in TURNS turns. Nothing but these accesses is traced: how threads wait for each other is not.
 *
 *   token   a thread at random loads a word of each of 8 lines and stores another value there: what it
 *           gets is from the one that had them before
 *   ring    as token, but threads take turns
 *   pairs   the first thread stores to 8 lines and the second one loads them; of each four such turns
 *           the third and the fourth thread have one, with lines of their own
 *   all     a thread at random loads all 12 lines, and stores to its own 3 of them
 *   false   as token, but each thread has a word of its own in each line
 *   none    as token, but each thread has 4 lines of its own
 *   large   as none, with 64 lines
 *   queue   the first thread stores to a ring of 4096 lines, and the second one loads them
 *
 * Known: how often each thread has loaded a line that it had to get from another one, and how often it
 * loaded the word that was stored there. That is kept here by turn, and is appended to FILE, a line for
 * each pair of threads: process, thread that wrote, thread that read, loads, loads of words stored.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traced.h"

#define THREADS 4
#define LINES 4096
#define WORDS 8

static volatile uint64_t memory[LINES][WORDS] __attribute__((aligned(4096)));
static long turns;
static long turn; /* it is under way, of thread 'whose', which alone writes to what is here */
static _Atomic int whose; /* -1: all are done */
static int tid[THREADS];
static uint64_t seed;

/* What is known of each line, and what follows: loads that thread 'to' got from thread 'from' */
static int writer[LINES], written[LINES]; /* -1: nobody; a word */
static int has[LINES][THREADS];
static long loads[THREADS][THREADS], true_loads[THREADS][THREADS];

static int random_below(int n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (int)((seed >> 33) % (uint64_t)n);
}

static void does_load(int thread, int line, int word)
{
	const int from = writer[line];

	if (from >= 0 && from != thread && !has[line][thread]) {
		loads[from][thread]++;
		true_loads[from][thread] += written[line] == word;
	}
	has[line][thread] = 1;
}

static void does_store(int thread, int line, int word)
{
	memset(has[line], 0, sizeof(has[line]));
	has[line][thread] = 1;
	writer[line] = thread;
	written[line] = word;
}

/* Loads a word of each of n lines, and stores another value to it */
__attribute__((noinline)) static void update(volatile uint64_t *word, long n)
{
	uint64_t x = 0;

	__asm__ volatile("1:\n\tmov (%0), %2\n\tadd $1, %2\n\tmov %2, (%0)\n\t"
			 "add $64, %0\n\tdec %1\n\tjnz 1b"
			 : "+r"(word), "+r"(n), "+r"(x)
			 :
			 : "memory", "cc");
}

__attribute__((noinline)) static void load(volatile uint64_t *word, long n)
{
	uint64_t x = 0;

	__asm__ volatile("1:\n\tmov (%0), %2\n\tadd $64, %0\n\tdec %1\n\tjnz 1b"
			 : "+r"(word), "+r"(n), "+r"(x)
			 :
			 : "memory", "cc");
}

__attribute__((noinline)) static void store(volatile uint64_t *word, long n)
{
	__asm__ volatile("1:\n\tmov %1, (%0)\n\tadd $64, %0\n\tdec %1\n\tjnz 1b"
			 : "+r"(word), "+r"(n)
			 :
			 : "memory", "cc");
}

static void traced(void (*access)(volatile uint64_t *, long), int line, int word, int n)
{
	traced_begin();
	access(&memory[line][word], n);
	traced_end();
}

static void updates(int thread, int line, int word, int n)
{
	for (int i = line; i < line + n; i++) {
		does_load(thread, i, word);
		does_store(thread, i, word);
	}
	traced(update, line, word, n);
}

static void loads_of(int thread, int line, int word, int n)
{
	for (int i = line; i < line + n; i++)
		does_load(thread, i, word);
	traced(load, line, word, n);
}

static void stores_to(int thread, int line, int word, int n)
{
	for (int i = line; i < line + n; i++)
		does_store(thread, i, word);
	traced(store, line, word, n);
}

static void token(int thread)
{
	updates(thread, 0, 0, 8);
}

static void pairs(int thread)
{
	const int first = thread / 2 * 8;

	if (thread % 2)
		loads_of(thread, first, 0, 8);
	else
		stores_to(thread, first, 0, 8);
}

static void all(int thread)
{
	loads_of(thread, 0, 0, 12);
	stores_to(thread, 3 * thread, 0, 3);
}

static void false_sharing(int thread)
{
	updates(thread, 0, thread, 8);
}

static void none(int thread)
{
	updates(thread, thread * 4, 0, 4);
}

static void large(int thread)
{
	updates(thread, thread * 64, 0, 64);
}

static void queue(int thread)
{
	if (thread)
		loads_of(thread, 0, 0, LINES);
	else
		stores_to(thread, 0, 0, LINES);
}

static int anybody(long n)
{
	(void)n;
	return random_below(THREADS);
}

static int in_turn(long n)
{
	return (int)(n % THREADS);
}

static int in_pairs(long n)
{
	return (int)(n % 2) + (n / 2 % 4 == 3 ? 2 : 0);
}

static int two_in_turn(long n)
{
	return (int)(n % 2);
}

static const struct pattern {
	const char *name;
	void (*take_turn)(int thread);
	int (*whose_turn)(long n);
} patterns[] = {
	{ "token", token, anybody },         { "ring", token, in_turn },
	{ "pairs", pairs, in_pairs },        { "all", all, anybody },
	{ "false", false_sharing, anybody }, { "none", none, anybody },
	{ "large", large, anybody },         { "queue", queue, two_in_turn },
};

static const struct pattern *pattern;

/* PAUSE has qemu run another CPU */
static void *run(void *argument)
{
	const int thread = (int)(intptr_t)argument;
	cpu_set_t alone;

	CPU_ZERO(&alone);
	CPU_SET(thread, &alone);
	if (sched_setaffinity(0, sizeof(alone), &alone)) {
		perror("sharing: sched_setaffinity");
		exit(1);
	}
	tid[thread] = (int)syscall(SYS_gettid);
	for (int now; (now = whose) >= 0;) {
		if (now != thread) {
			__asm__ volatile("pause");
			continue;
		}
		pattern->take_turn(thread);
		turn++;
		whose = turn < turns ? pattern->whose_turn(turn) : -1;
	}
	return NULL;
}

static int tell(const char *path)
{
	FILE *file = fopen(path, "a");

	if (!file) {
		perror(path);
		return 1;
	}
	for (int from = 0; from < THREADS; from++)
		for (int to = 0; to < THREADS; to++)
			if (from != to)
				fprintf(file, "%d %d %d %ld %ld\n", (int)getpid(), tid[from], tid[to],
					loads[from][to], true_loads[from][to]);
	return fclose(file) != 0;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];

	if (argc < 4)
		return 2;
	for (size_t n = 0; n < sizeof(patterns) / sizeof(patterns[0]); n++)
		if (!strcmp(argv[1], patterns[n].name))
			pattern = &patterns[n];
	turns = atol(argv[2]);
	if (!pattern || turns < 1)
		return 2;
	memset(writer, -1, sizeof(writer));
	memset((void *)memory, 1, sizeof(memory));
	seed = (uint64_t)getpid();
	whose = pattern->whose_turn(0);
	traced_open();
	for (int n = 0; n < THREADS; n++)
		if (pthread_create(&thread[n], NULL, run, (void *)(intptr_t)n))
			return 1;
	for (int n = 0; n < THREADS; n++)
		pthread_join(thread[n], NULL);
	return tell(argv[3]);
}
