/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * branches KIND STEPS: traced: STEPS turns of a loop with one conditional branch in it, which is
 * taken always (KIND 0), every other time (1), or at random (2). The loop's own branch is taken.
 *
 * Known: how often each branch is taken; 0 and 1 can be predicted, 2 not better than by half.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "traced.h"

__attribute__((noinline)) uint64_t branches(const uint8_t *taken, uint64_t steps)
{
	uint64_t sum = 0, i;

	for (i = 0; i < steps; i++) {
		if (taken[i & 0xffff])
			__asm__ volatile("add $1, %0" : "+r"(sum));
		else
			__asm__ volatile("add $2, %0" : "+r"(sum));
	}
	return sum;
}

int main(int argc, char **argv)
{
	static uint8_t taken[0x10000];
	uint64_t random = 1, steps, sum;
	int kind, i;

	if (argc < 3)
		return 2;
	kind = atoi(argv[1]);
	steps = strtoull(argv[2], NULL, 0);
	for (i = 0; i < 0x10000; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		taken[i] = kind == 0 ? 1 : kind == 1 ? i & 1 : random >> 63;
	}
	traced_open();
	traced_begin();
	sum = branches(taken, steps);
	traced_end();
	printf("branches sum %llu at %p\n", (unsigned long long)sum, (void *)branches);
	return 0;
}
