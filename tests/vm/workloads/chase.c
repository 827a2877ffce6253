/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chase BYTES STRIDE STEPS [SEED]: follows pointers, in a random order, through BYTES of memory in
 * which one lies every STRIDE bytes, on pages of 4 KiB; others of these pages there are not. Traced:
 * STEPS loads, each of which needs the one before.
 *
 * Known: with more lines than a cache has, all miss it (after the first turn); with STRIDE 4096
 * each has a page of its own. The order is one cycle through all (Sattolo's algorithm).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "traced.h"

static uint64_t random_state;

static uint64_t next_random(void)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return random_state >> 33;
}

static void link_all(char *memory, size_t stride, size_t n)
{
	size_t *order = malloc(n * sizeof(*order));
	size_t i, j, t;

	if (!order)
		exit(1);
	for (i = 0; i < n; i++)
		order[i] = i;
	for (i = n - 1; i > 0; i--) {
		j = next_random() % i;
		t = order[i];
		order[i] = order[j];
		order[j] = t;
	}
	for (i = 0; i < n; i++)
		*(void **)(memory + i * stride) = memory + order[i] * stride;
	free(order);
}

__attribute__((noinline)) void *chase(void *pointer, uint64_t steps)
{
	while (steps-- > 0)
		pointer = *(void **)pointer;
	return pointer;
}

int main(int argc, char **argv)
{
	size_t bytes, stride;
	uint64_t steps;
	void *memory;

	if (argc < 4)
		return 2;
	bytes = strtoull(argv[1], NULL, 0);
	stride = strtoull(argv[2], NULL, 0);
	steps = strtoull(argv[3], NULL, 0);
	random_state = argc > 4 ? strtoull(argv[4], NULL, 0) : 1;
	if (stride < sizeof(void *) || bytes < 2 * stride)
		return 2;
	traced_open();
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED || madvise(memory, bytes, MADV_NOHUGEPAGE))
		return 1;
	link_all(memory, stride, bytes / stride);
	traced_begin();
	memory = chase(memory, steps);
	traced_end();
	printf("chase %s at %p\n", memory ? "done" : "lost", (void *)chase);
	return 0;
}
