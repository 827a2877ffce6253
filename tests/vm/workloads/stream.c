/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream BYTES ELEMENTS: a[i] = b[i] + c[i] over three arrays of BYTES bytes each, ELEMENTS times
 * (from the beginning again at the end). Traced: two loads and a store an element.
 *
 * Known: one load in 8 begins a line; the loads do not depend on each other.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traced.h"

__attribute__((noinline)) void add(uint64_t *a, const uint64_t *b, const uint64_t *c, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		a[i] = b[i] + c[i];
		__asm__ volatile("" ::: "memory"); /* not in vectors */
	}
}

int main(int argc, char **argv)
{
	size_t bytes, elements, n, left;
	void *array[3];
	int i;

	if (argc < 3)
		return 2;
	bytes = strtoull(argv[1], NULL, 0);
	left = elements = strtoull(argv[2], NULL, 0);
	if (bytes < 64)
		return 2;
	for (i = 0; i < 3; i++) {
		if (posix_memalign(&array[i], 4096, bytes))
			return 2;
		memset(array[i], i, bytes);
	}
	traced_open();
	traced_begin();
	while (left > 0) {
		n = left < bytes / 8 ? left : bytes / 8;
		add(array[0], array[1], array[2], n);
		left -= n;
	}
	traced_end();
	printf("stream done at %p\n", (void *)add);
	return 0;
}
