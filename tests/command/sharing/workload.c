/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that share lines, and know who got what from whom: they take turns in an order that is random,
 * and that nothing changes which slows one of them down. Each access is counted by who makes it. One in
 * some is handed over to precis sharing. Prints the truth as JSON.
 *
 * workload PATTERN THREADS SECONDS PERIOD SEED [FRACTION [WINDOW]]
 *
 * SECONDS: "100000t" are so many turns, in place of that
 * FRACTION: of accesses that are shared, or of those that store, where the pattern has such (default 0.1)
 * WINDOW: in ms: what was stored longer ago is not counted (default: it is)
 */
#define _GNU_SOURCE /* syscall() */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <precis/accesses.h>

#define THREADS_MOST 64
#define LINES 8192
#define WORDS 8
#define NOBODY THREADS_MOST
/* From here on each thread has a line of its own. */
#define PRIVATE (LINES - THREADS_MOST)

enum how { PLAIN, LOCKED, VECTOR, OVER_BORDERS, WHOLE_LINE };

struct choice {
	int line, word, is_store;
	/* VECTOR: 32 bytes from the word on; OVER_BORDERS: 16 bytes from its middle on; WHOLE_LINE: all */
	enum how how;
};

typedef struct choice choose(int thread, uint64_t random);

static volatile uint64_t lines[LINES][WORDS] __attribute__((aligned(4096)));
static int writer[LINES], word_written[LINES];
static int words_written[LINES];
static uint64_t has[LINES], stored_at[LINES];
static uint64_t all[THREADS_MOST][THREADS_MOST], met[THREADS_MOST][THREADS_MOST];
static uint32_t tids[THREADS_MOST];
static uint64_t turn __attribute__((aligned(64))), end = UINT64_MAX;
static struct precis_accesses_ring *ring;
static choose *chosen;
static int threads;
static uint64_t period, seed, until, window; /* 0: none */
static double fraction = 0.1;

static uint64_t next(uint64_t *state)
{
	uint64_t value = *state += UINT64_C(0x9e3779b97f4a7c15);

	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* --- patterns: bits of a random number choose --- */

/* All store and load the same words of four lines. */
static struct choice all_true(int thread, uint64_t random)
{
	(void)thread;
	return (struct choice){ (int)(random % 4), (int)(random >> 8 & 1),
				(int)(random >> 16 & 1), PLAIN };
}

/* The same lines, and each thread has words of its own there. */
static struct choice all_false(int thread, uint64_t random)
{
	return (struct choice){ (int)(random % 4), thread % WORDS, (int)(random >> 16 & 1),
				PLAIN };
}

/* Two and two; the first pair ten times as often as the others */
static struct choice pairs(int thread, uint64_t random)
{
	const int is_rare = thread / 2 != 0 && random >> 24 & 7;

	return (struct choice){ is_rare ? PRIVATE + thread : thread / 2, 0,
				(int)(random >> 16 & 1), PLAIN };
}

/* Two and two; the others a twentieth as often as the first */
static struct choice uneven(int thread, uint64_t random)
{
	const int is_rare = thread / 2 != 0 && (random >> 24) % 20;

	return (struct choice){ is_rare ? PRIVATE + thread : thread / 2, 0,
				(int)(random >> 16 & 1), PLAIN };
}

/* Bits of the random number that others leave */
static int is_drawn(uint64_t random)
{
	return (double)(random >> 32) < fraction * 4294967296.0;
}

/* One word, to which all store: each turn hands it over. */
static struct choice token(int thread, uint64_t random)
{
	(void)thread;
	(void)random;
	return (struct choice){ 0, 0, 1, PLAIN };
}

/* The same with locked instructions, on four lines */
static struct choice locked(int thread, uint64_t random)
{
	(void)thread;
	return (struct choice){ (int)(random % 4), 0, 1, LOCKED };
}

/* 32 bytes, the line's first half or second one */
static struct choice vectors(int thread, uint64_t random)
{
	(void)thread;
	return (struct choice){ (int)(random % 4), (int)(random >> 8 & 1) * 4,
				(int)(random >> 16 & 1), VECTOR };
}

/* 16 bytes over two borders of words: three words at the line's beginning, or three others */
static struct choice borders(int thread, uint64_t random)
{
	(void)thread;
	return (struct choice){ (int)(random % 4), (int)(random >> 8 & 1) * 4,
				(int)(random >> 16 & 1), OVER_BORDERS };
}

/* All of a line at once */
static struct choice whole(int thread, uint64_t random)
{
	(void)thread;
	return (struct choice){ (int)(random % 4), 0, (int)(random >> 16 & 1), WHOLE_LINE };
}

/* That fraction is to lines of all. */
static struct choice shared(int thread, uint64_t random)
{
	return (struct choice){ is_drawn(random) ? (int)(random % 4) : PRIVATE + thread, 0,
				(int)(random >> 16 & 1), PLAIN };
}

/* Write-Volume: locked additions, that fraction to one word of all */
static struct choice volume(int thread, uint64_t random)
{
	return (struct choice){ is_drawn(random) ? 0 : PRIVATE + thread, 0, 1, LOCKED };
}

/* Read by all, and that fraction stores. */
static struct choice read_mostly(int thread, uint64_t random)
{
	(void)thread;
	return (struct choice){ (int)(random % 16), (int)(random >> 8 & 1), is_drawn(random),
				PLAIN };
}

/* The first one puts lines into a queue, from which the second takes them so many lines later. */
static struct choice queue(int thread, uint64_t random, uint64_t lines_between)
{
	static uint64_t put, taken;

	(void)random;
	if (thread == 0 && put - taken < lines_between)
		return (struct choice){ (int)(put++ % lines_between), 0, 1, PLAIN };
	if (thread == 1 && put - taken == lines_between)
		return (struct choice){ (int)(taken++ % lines_between), 0, 0, PLAIN };
	return (struct choice){ PRIVATE + thread, 0, 1, PLAIN };
}

static struct choice queue_1(int thread, uint64_t random)
{
	return queue(thread, random, 1);
}

static struct choice queue_1k(int thread, uint64_t random)
{
	return queue(thread, random, 1024);
}

static struct choice queue_4k(int thread, uint64_t random)
{
	return queue(thread, random, 4096);
}

/* The first one stores, the others load. */
static struct choice one_writer(int thread, uint64_t random)
{
	return (struct choice){ (int)(random % 16), 3, !thread, PLAIN };
}

/* The same of four lines; the others load that word and four more, now this one and then that one. */
static struct choice fields(int thread, uint64_t random)
{
	return (struct choice){ (int)(random % 4), thread ? (int)((random >> 8) % 5) : 0, !thread,
				PLAIN };
}

/* Lines side by side, of which each thread has its own */
static struct choice nothing(int thread, uint64_t random)
{
	return (struct choice){ thread, (int)(random % WORDS), (int)(random >> 16 & 1), PLAIN };
}

/* One access in eight is to lines of all, the others to lines of each thread's own. */
static struct choice rare(int thread, uint64_t random)
{
	const int is_shared = !(random >> 24 & 7);

	return (struct choice){ is_shared ? (int)(random % 4) : PRIVATE + thread, 0,
				(int)(random >> 16 & 1), PLAIN };
}

static const struct {
	const char *name;
	choose *choose;
} patterns[] = {
	{ "true", all_true },     { "false", all_false },   { "pairs", pairs },
	{ "writer", one_writer }, { "none", nothing },      { "rare", rare },
	{ "uneven", uneven },     { "token", token },       { "locked", locked },
	{ "vectors", vectors },   { "shared", shared },     { "volume", volume },
	{ "borders", borders },   { "whole-lines", whole }, { "read-mostly", read_mostly },
	{ "queue-1", queue_1 },   { "queue-1k", queue_1k }, { "queue-4k", queue_4k },
	{ "fields", fields },
};

/* --- accesses --- */

static int words_of(const struct choice *is)
{
	static const int words[] = {
		[PLAIN] = 1, [LOCKED] = 1, [VECTOR] = 4, [OVER_BORDERS] = 3, [WHOLE_LINE] = 8
	};

	return words[is->how];
}

static uint16_t bytes_of(const struct choice *is)
{
	return is->how == OVER_BORDERS ? 16 : (uint16_t)(8 * words_of(is));
}

/* From where on */
static volatile uint64_t *place_of(const struct choice *is)
{
	volatile uint64_t *word = &lines[is->line][is->word];

	return is->how == OVER_BORDERS ? (volatile uint64_t *)(uintptr_t)((uintptr_t)word + 4)
				       : word;
}

static int meets(const struct choice *is)
{
	return is->word < word_written[is->line] + words_written[is->line] &&
	       word_written[is->line] < is->word + words_of(is);
}

static void count(int thread, const struct choice *is)
{
	const uint64_t bit = UINT64_C(1) << thread, time = window ? now() : 0;
	const int from = writer[is->line];

	if (from != NOBODY && from != thread && !(has[is->line] & bit) &&
	    time <= stored_at[is->line] + window) {
		all[from][thread]++;
		met[from][thread] += (uint64_t)meets(is);
	}
	has[is->line] |= bit;
	if (!is->is_store)
		return;
	writer[is->line] = thread;
	stored_at[is->line] = time;
	word_written[is->line] = is->word;
	words_written[is->line] = words_of(is);
	has[is->line] = bit;
}

/* In one instruction */
__attribute__((target("avx"))) static void access_vector(volatile uint64_t *at, int is_store)
{
	if (is_store)
		__asm__ volatile("vmovdqu %%ymm0, (%0)" : : "r"(at) : "memory");
	else
		__asm__ volatile("vmovdqu (%0), %%ymm0" : : "r"(at) : "xmm0");
}

static void access_over_borders(volatile uint64_t *at, int is_store)
{
	if (is_store)
		__asm__ volatile("movdqu %%xmm0, (%0)" : : "r"(at) : "memory");
	else
		__asm__ volatile("movdqu (%0), %%xmm0" : : "r"(at) : "xmm0");
}

__attribute__((target("avx512f"))) static void access_whole(volatile uint64_t *at, int is_store)
{
	if (is_store)
		__asm__ volatile("vmovdqu64 %%zmm0, (%0)" : : "r"(at) : "memory");
	else
		__asm__ volatile("vmovdqu64 (%0), %%zmm0" : : "r"(at) : "xmm0");
}

static void access_line(int thread, const struct choice *is)
{
	volatile uint64_t *at = place_of(is);

	if (is->how == VECTOR)
		access_vector(at, is->is_store);
	else if (is->how == OVER_BORDERS)
		access_over_borders(at, is->is_store);
	else if (is->how == WHOLE_LINE)
		access_whole(at, is->is_store);
	else if (is->how == LOCKED)
		__atomic_fetch_add(at, 1, __ATOMIC_RELAXED);
	else if (is->is_store)
		*at = (uint64_t)thread;
	else
		(void)*at;
	count(thread, is);
}

/*
 * A PMU that is made up samples accesses here (tests/command/sharing/fake_pmu.c): an address, and IbsOpData3
 * of a load or store of 8 bytes whose address is valid.
 */
#define OF_8_BYTES (UINT64_C(4) << 22 | UINT64_C(1) << 17)

__attribute__((noinline)) void sampled(const volatile void *address, uint64_t data3)
{
	__asm__ volatile("" : : "r"(address), "r"(data3) : "memory");
}

/* Whose turn that is */
static int whose(uint64_t number)
{
	uint64_t state = seed ^ number * UINT64_C(0xd1342543de82ef95);

	return (int)(next(&state) % (uint64_t)threads);
}

/* The next turn of the thread from that one on */
static uint64_t own_turn(int thread, uint64_t number)
{
	while (whose(number) != thread)
		number++;
	return number;
}

/* 0: there are no more */
static int await(uint64_t number)
{
	for (uint32_t n = 0; __atomic_load_n(&turn, __ATOMIC_ACQUIRE) != number; n++) {
		if (number >= __atomic_load_n(&end, __ATOMIC_RELAXED))
			return 0;
		if (n % 64 == 63)
			sched_yield();
	}
	return number < __atomic_load_n(&end, __ATOMIC_RELAXED);
}

static void *run(void *data)
{
	const int thread = (int)(intptr_t)data;
	uint64_t state = seed * 1000 + (uint64_t)thread, left = 1 + next(&state) % period;

	tids[thread] = (uint32_t)syscall(SYS_gettid);
	for (uint64_t number = own_turn(thread, 0); await(number);
	     number = own_turn(thread, number + 1)) {
		const struct choice is = chosen(thread, next(&state));

		access_line(thread, &is);
		if (number % 256 == 0 && now() >= until)
			__atomic_store_n(&end, number + 1, __ATOMIC_RELAXED);
		__atomic_store_n(&turn, number + 1, __ATOMIC_RELEASE);
		if (--left)
			continue;
		left = 1 + next(&state) % (2 * period - 1);
		sampled(place_of(&is), OF_8_BYTES | (is.is_store ? 2 : 1));
		precis_accesses_put(ring, place_of(&is), bytes_of(&is),
				    is.how == LOCKED ? PRECIS_ACCESSES_LOAD | PRECIS_ACCESSES_STORE
				    : is.is_store    ? PRECIS_ACCESSES_STORE
						     : PRECIS_ACCESSES_LOAD,
				    tids[thread], period);
	}
	return NULL;
}

/* --- the truth --- */

static void print(const char *name, uint64_t table[THREADS_MOST][THREADS_MOST])
{
	printf("\"%s\": [", name);
	for (int from = 0; from < threads; from++) {
		printf("%s[", from ? ", " : "");
		for (int to = 0; to < threads; to++)
			printf("%s%" PRIu64, to ? ", " : "", table[from][to]);
		printf("]");
	}
	printf("]");
}

int main(int argc, char **argv)
{
	pthread_t started[THREADS_MOST];
	uint64_t begun;

	for (size_t n = 0; argc >= 6 && n < sizeof(patterns) / sizeof(patterns[0]); n++) {
		if (strcmp(argv[1], patterns[n].name) == 0)
			chosen = patterns[n].choose;
	}
	threads = argc >= 6 ? atoi(argv[2]) : 0;
	if (!chosen || threads < 1 || threads > THREADS_MOST)
		return 2;
	if ((chosen == vectors && !__builtin_cpu_supports("avx")) ||
	    (chosen == whole && !__builtin_cpu_supports("avx512f")))
		return 3;
	period = strtoull(argv[4], NULL, 10);
	seed = strtoull(argv[5], NULL, 10);
	until = UINT64_MAX;
	if (argv[3][strlen(argv[3]) - 1] == 't')
		end = strtoull(argv[3], NULL, 10);
	else
		until = now() + (uint64_t)(atof(argv[3]) * 1e9);
	fraction = argc > 6 ? atof(argv[6]) : fraction;
	window = argc > 7 ? strtoull(argv[7], NULL, 10) * 1000000 : 0;
	ring = precis_accesses_open();
	for (int n = 0; n < LINES; n++)
		writer[n] = NOBODY;
	begun = now();
	for (int n = 0; n < threads; n++)
		pthread_create(&started[n], NULL, run, (void *)(intptr_t)n);
	for (int n = 0; n < threads; n++)
		pthread_join(started[n], NULL);
	printf("{\"ring\": %s, \"tids\": [", ring ? "true" : "false");
	for (int n = 0; n < threads; n++)
		printf("%s%" PRIu32, n ? ", " : "", tids[n]);
	printf("], ");
	print("all", all);
	printf(", ");
	print("met", met);
	printf(", \"seconds\": %.6f, \"cpu_seconds\": %.6f}\n", (double)(now() - begun) / 1e9,
	       (double)clock() / CLOCKS_PER_SEC);
	return 0;
}
