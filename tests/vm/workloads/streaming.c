/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * streaming BYTES STORES: traced: STORES non-temporal stores (MOVNTI) of 8 bytes, one after the
 * other through BYTES of memory (from the beginning again at the end), each followed by an
 * ordinary store of as many bytes to the stack.
 *
 * Known: half of the stores are streaming stores.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "traced.h"

__attribute__((noinline)) static void run(uint64_t *words, uint64_t n, uint64_t stores)
{
	volatile uint64_t last;
	uint64_t i;

	for (i = 0; i < stores; i++) {
		__asm__ volatile("movnti %1, %0" : "=m"(words[i % n]) : "r"(i));
		last = i;
	}
	(void)last;
}

int main(int argc, char **argv)
{
	uint64_t bytes = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
	uint64_t stores = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
	uint64_t *words;

	if (bytes < sizeof(*words) || stores == 0) {
		fprintf(stderr, "usage: streaming BYTES STORES\n");
		return 2;
	}
	words = calloc(bytes / sizeof(*words), sizeof(*words));
	if (!words)
		return 1;
	traced_open();
	traced_begin();
	run(words, bytes / sizeof(*words), stores);
	traced_end();
	printf("streaming %llu\n", (unsigned long long)words[0]);
	free(words);
	return 0;
}
