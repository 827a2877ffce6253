/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Knows which of its blocks are there, and asks the recorder: live_blocks [unknown]. "unknown": it is to
 * know none. Prints TAP lines without a plan.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <precis/objects.h>

#define BLOCKS 4096
#define ROUNDS 60000
#define STABLE 512
#define THREADS 4

static int count, failed;

static void tap(int good, const char *name, long detail)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++count, name);
	if (!good)
		printf("# %ld\n", detail);
	fflush(stdout);
	failed += !good;
}

static uint64_t scatter(uint64_t *state)
{
	uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	return x ^ x >> 27;
}

/* Small ones, some of pages, a few that the C library maps */
static size_t some_size(uint64_t *state)
{
	uint64_t x = scatter(state);

	return x % 64 == 0 ? 200000 + x / 64 % 400000 : x % 8 == 0 ? 1 + x / 8 % 9000 : 1 + x / 8 % 200;
}

static __attribute__((noinline)) void *make(size_t size)
{
	void *volatile block = malloc(size);

	return block;
}

static int is_site(uint64_t site)
{
	return site - (uint64_t)(uintptr_t)make < 64;
}

/* Each byte that matters of a block is in it */
static int is_known(const char *block, size_t size)
{
	const size_t at[] = { 0, size / 2, size - 1 };
	struct precis_objects_block found;

	for (int n = 0; n < 3; n++) {
		if (precis_objects_find(block + at[n], &found) != 1 || found.start != (uintptr_t)block ||
		    found.size != size || !is_site(found.site))
			return 0;
	}
	return 1;
}

static char *blocks[BLOCKS];
static size_t sizes[BLOCKS];

/* A place that is in no block: behind the end, and where one was */
static int is_unknown(const char *address)
{
	struct precis_objects_block found;
	int answer = precis_objects_find(address, &found);

	for (int n = 0; answer == 1 && n < BLOCKS; n++) {
		if (blocks[n] && (uintptr_t)blocks[n] == found.start && sizes[n] == found.size)
			return (uintptr_t)address - found.start < found.size; /* it is another one's */
	}
	return answer == 0;
}

static void check_random(void)
{
	uint64_t state = 1;
	long unknown = 0, ghosts = 0, asked = 0;

	for (long round = 0; round < ROUNDS; round++) {
		unsigned int n = scatter(&state) % BLOCKS;

		if (blocks[n]) {
			char *gone = blocks[n];

			unknown += !is_known(blocks[n], sizes[n]);
			asked++;
			free(gone);
			blocks[n] = NULL;
			ghosts += round % 16 == 0 && !is_unknown(gone);
			continue;
		}
		sizes[n] = some_size(&state);
		blocks[n] = make(sizes[n]);
		unknown += !is_known(blocks[n], sizes[n]);
		ghosts += round % 16 == 0 && !is_unknown(blocks[n] + sizes[n]);
	}
	tap(!unknown && asked > ROUNDS / 4, "blocks of all sizes, whole, by who asked for them",
	    unknown);
	tap(!ghosts, "what was freed, and what is behind a block, is in none", ghosts);
}

static void check_kinds(void)
{
	struct precis_objects_block found;
	char *block = make(1000), *volatile grown;
	void *volatile aligned = NULL;
	volatile size_t too_much = SIZE_MAX / 4;

	grown = realloc(block, too_much);
	tap(!grown && is_known(block, 1000), "a realloc() that fails leaves the block", 0);
	grown = realloc(block, 70000);
	tap(precis_objects_find(grown + 69999, &found) == 1 && found.start == (uintptr_t)grown &&
		    found.size == 70000,
	    "realloc()", 0);
	free(grown);
	tap(precis_objects_find(grown, &found) == 0, "free()", 0);
	tap(!posix_memalign((void **)&aligned, 4096, 5000) &&
		    precis_objects_find((char *)aligned + 4999, &found) == 1 && found.size == 5000,
	    "posix_memalign()", 0);
	free(aligned);
	tap(precis_objects_find((void *)UINTPTR_MAX, &found) == 0 && precis_objects_find(NULL, &found) == 0 &&
		    precis_objects_find(&found, &found) == 0,
	    "addresses that no block can have", 0);
}

/* ---- while others come and go ---- */

static char *stable[STABLE];
static volatile long wrong, answers, handled;
static volatile int stop;

static void ask(uint64_t random)
{
	const char *block = stable[random % STABLE], *address = block + (random >> 20) % 48;
	struct precis_objects_block found;

	if (precis_objects_find(address, &found) != 1 || found.start != (uintptr_t)block || found.size != 48)
		__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
	/* Whatever comes of a place where blocks come and go: what is told holds the address */
	address = block + 48 + (random >> 32) % 4096;
	if (precis_objects_find(address, &found) == 1 && (uintptr_t)address - found.start >= found.size)
		__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&answers, 1, __ATOMIC_RELAXED);
}

static void on_signal(int number)
{
	static _Thread_local uint64_t state;

	(void)number;
	for (int n = 0; n < 20; n++)
		ask(scatter(&state));
	handled++;
}

static void *churn(void *argument)
{
	uint64_t state = (uintptr_t)argument;
	char *mine[256] = { 0 };

	while (!stop) {
		unsigned int n = scatter(&state) % 256;

		free(mine[n]);
		mine[n] = make(some_size(&state));
	}
	for (int n = 0; n < 256; n++)
		free(mine[n]);
	return NULL;
}

/* A child of a fork while others are at work has all that its parent had */
static int child_knows(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		int good = 1;
		char *block = make(48);

		for (int n = 0; n < STABLE; n++)
			good &= is_known(stable[n], 48);
		good &= is_known(block, 48);
		_exit(!good);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void check_threads(void)
{
	struct itimerval often = { { 0, 2000 }, { 0, 2000 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	pthread_t threads[THREADS];
	uint64_t state = 7;
	int children = 0;

	for (int n = 0; n < STABLE; n++) {
		stable[n] = make(48);
		free(make(some_size(&state))); /* so that they are not side by side */
	}
	sigaction(SIGPROF, &action, NULL);
	for (uintptr_t n = 0; n < THREADS; n++)
		pthread_create(&threads[n], NULL, churn, (void *)(n + 1));
	setitimer(ITIMER_PROF, &often, NULL);
	for (int n = 0; n < 20; n++)
		children += child_knows();
	while (handled < 50 || answers < 100000)
		ask(scatter(&state));
	setitimer(ITIMER_PROF, &never, NULL);
	stop = 1;
	for (int n = 0; n < THREADS; n++)
		pthread_join(threads[n], NULL);
	tap(!wrong, "in signal handlers and beside threads that allocate: each answer is right", wrong);
	tap(children == 20, "children forked meanwhile know all blocks, old and new", children);
}

int main(int argc, char **argv)
{
	struct precis_objects_block found;
	char *block;

	mallopt(M_MMAP_THRESHOLD, 300000);
	if (argc > 1 && !strcmp(argv[1], "unknown")) {
		block = make(100);
		tap(precis_objects_find(block, &found) == -1, "which blocks there are is not known", 0);
		free(block);
		return failed != 0;
	}
	check_random();
	check_kinds();
	check_threads();
	return failed != 0;
}
