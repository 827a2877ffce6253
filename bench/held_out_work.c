/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * held_out_work WHAT TURNS: a program whose sampling is predicted, and that no calibration has seen. What:
 * hash, sort, copy or mixed. Each turn works on fresh pages, and writes into eight bytes at WATCHED.
 */
#define _GNU_SOURCE /* MAP_FIXED_NOREPLACE */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define WATCHED 0x20000000ul
#define WORDS 8192u /* of a turn: 16 pages */
#define EACH 512u   /* words that are copied at once: a page */

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void hash(uint64_t *words, uint64_t *state)
{
	for (uint32_t n = 0; n < WORDS; n++)
		words[next_random(state) % WORDS] += n;
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void sort(uint64_t *words, uint64_t *state)
{
	for (uint32_t n = 0; n < WORDS; n++)
		words[n] = next_random(state);
	qsort(words, WORDS / 8, sizeof(*words), compare);
}

static void copy(uint64_t *words, uint64_t *state)
{
	words[0] = *state;
	for (uint32_t n = EACH; n + EACH <= WORDS; n += EACH) {
		for (uint32_t again = 0; again < 8; again++)
			memmove(words + n, words + n - EACH, EACH * sizeof(*words));
	}
}

static void mixed(uint64_t *words, uint64_t *state)
{
	copy(words, state);
	hash(words, state);
	qsort(words, WORDS / 32, sizeof(*words), compare);
}

static const struct {
	const char *name;
	void (*run)(uint64_t *words, uint64_t *state);
} works[] = { { "hash", hash }, { "sort", sort }, { "copy", copy }, { "mixed", mixed } };

int main(int argc, char **argv)
{
	const long turns = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
	const size_t bytes = WORDS * sizeof(uint64_t);
	volatile uint64_t *watched;
	uint64_t state = 88172645463325252u, *words;
	size_t work = 0;

	while (argc == 3 && work < 4 && strcmp(works[work].name, argv[1]) != 0)
		work++;
	words = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	watched = mmap((void *)WATCHED, 4096, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (argc != 3 || work == 4 || turns < 1 || words == MAP_FAILED || watched != (void *)WATCHED) {
		fprintf(stderr, "usage: held_out_work hash|sort|copy|mixed TURNS\n");
		return 2;
	}
	madvise(words, bytes, MADV_NOHUGEPAGE);
	for (long turn = 0; turn < turns; turn++) {
		madvise(words, bytes, MADV_DONTNEED);
		works[work].run(words, &state);
		*watched = (uint64_t)turn;
	}
	return 0;
}
