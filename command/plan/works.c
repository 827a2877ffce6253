/* SPDX-License-Identifier: BSD-3-Clause */
/* See works.h. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "works.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "statistics/random.h"

#define PAGES 32u        /* fresh ones, again and again */
#define TURNS 4000u      /* of the loop between two faults */
#define STEPS 1200u      /* from pointer to pointer */
#define COPIED 16384u    /* bytes */
#define SET_USUAL ((size_t)512 << 10)

struct works {
	unsigned char *fresh;
	size_t page;
	size_t set; /* bytes of the two below */
	size_t *next; /* one circle through all of it */
	unsigned char *copies;
	size_t at;
	volatile uint64_t sink;
	volatile uint64_t written __attribute__((aligned(8)));
};

size_t works_cache(void)
{
	const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);

	return bytes > 0 ? (size_t)bytes : 0;
}

/* One circle (Sattolo's algorithm) over cache lines, the same each time */
static void link_circle(size_t *next, size_t lines, size_t each)
{
	struct random random = random_of(20170601);

	for (size_t n = 0; n < lines; n++)
		next[n * each] = n * each;
	for (size_t n = lines - 1; n > 0; n--) {
		const size_t other = (size_t)random_below(&random, n), swapped = next[n * each];

		next[n * each] = next[other * each];
		next[other * each] = swapped;
	}
}

struct works *works_open(void)
{
	struct works *works = calloc(1, sizeof(*works));
	const size_t cache = works_cache();

	if (!works)
		return NULL;
	works->page = (size_t)sysconf(_SC_PAGESIZE);
	works->set = cache ? cache / 2 : SET_USUAL;
	works->fresh = mmap(NULL, PAGES * works->page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	works->next = malloc(works->set);
	works->copies = malloc(works->set);
	if (works->fresh == MAP_FAILED || !works->next || !works->copies) {
		works_close(works);
		return NULL;
	}
	/* a huge page would be one fault for all of them */
	madvise(works->fresh, PAGES * works->page, MADV_NOHUGEPAGE);
	memset(works->copies, 1, works->set);
	link_circle(works->next, works->set / 64, 64 / sizeof(*works->next));
	return works;
}

void works_close(struct works *works)
{
	if (works->fresh && works->fresh != MAP_FAILED)
		munmap(works->fresh, PAGES * works->page);
	free(works->next);
	free(works->copies);
	free(works);
}

static void compute(struct works *works)
{
	uint64_t sum = works->sink;

	for (unsigned int n = 0; n < TURNS; n++)
		sum = sum * 3 + n;
	works->sink = sum;
}

static void chase(struct works *works)
{
	size_t at = works->at;

	for (unsigned int n = 0; n < STEPS; n++)
		at = works->next[at];
	works->at = at;
	works->sink = at;
}

static void copy(struct works *works)
{
	const size_t half = works->set / 2;

	works->at = (works->at + COPIED) % (half - COPIED);
	memcpy(works->copies + works->at, works->copies + half + works->at, COPIED);
	works->sink = works->copies[works->at];
}

static void (*const programs[WORKS])(struct works *works) = { compute, chase, copy };

void works_run(struct works *works, unsigned int n)
{
	works->at = 0;
	for (unsigned int fault = 0; fault < WORK_FAULTS; fault++) {
		if (fault % PAGES == 0)
			madvise(works->fresh, PAGES * works->page, MADV_DONTNEED);
		works->fresh[fault % PAGES * works->page] = (unsigned char)fault;
		works->written = fault;
		programs[n](works);
	}
}

const volatile void *works_written(const struct works *works)
{
	return &works->written;
}

size_t works_bytes(const struct works *works, unsigned int n)
{
	return PAGES * works->page + (n ? works->set : 0);
}
