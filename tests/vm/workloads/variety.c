/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * variety STEPS: STEPS turns, in each of which there are loads whose addresses come from the ones
 * before, a store, an atomic addition, a prefetch, a streaming store, a branch that cannot be
 * predicted and a call of a function on another page, all at random places of small pages and large
 * ones: on a core with small arrays (zen4_patterns) a little of everything that a sample can tell.
 * Another process begins elsewhere.
 *
 * Known: nothing but the exact totals.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "traced.h"

#define SMALL_BYTES 0x40000
#define NODES (SMALL_BYTES / 64)
#define LARGE_BYTES 0x200000

/* Functions on pages of their own */
#define FUNCTION(n)                                                                                \
	__attribute__((noinline, aligned(4096))) static uint64_t page##n(uint64_t x)               \
	{                                                                                          \
		return x * (2 * n + 3) + n;                                                        \
	}
FUNCTION(0)
FUNCTION(1)
FUNCTION(2)
FUNCTION(3)
FUNCTION(4)
FUNCTION(5)
FUNCTION(6)
FUNCTION(7)
FUNCTION(8)
FUNCTION(9)
FUNCTION(10)
FUNCTION(11)
FUNCTION(12)
FUNCTION(13)
FUNCTION(14)
FUNCTION(15)
FUNCTION(16)
FUNCTION(17)
FUNCTION(18)
FUNCTION(19)

static uint64_t (*const functions[])(uint64_t x) = {
	page0, page1, page2, page3, page4, page5, page6, page7, page8, page9,
	page10, page11, page12, page13, page14, page15, page16, page17, page18, page19,
};

#define FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

static uint64_t next_random(uint64_t x)
{
	return x * 6364136223846793005u + 1442695040888963407u;
}

/* The second word of one of the lines of either memory */
static uint64_t *place(char *const memory[2], uint64_t x)
{
	uint64_t bytes = x >> 62 ? SMALL_BYTES : LARGE_BYTES;

	return (uint64_t *)(memory[!(x >> 62)] + ((x >> 32) & (bytes - 1) & ~63ull) + 8);
}

/* A line each, of the small pages: the first word of each leads to another */
static void link_all(char *memory)
{
	uint32_t i, at = 0, next;

	for (i = 0; i < NODES; i++, at = next) {
		next = (at * 1029 + 2309) % NODES; /* through all, whose number is a power of two */
		*(char **)(memory + at * 64) = memory + next * 64;
	}
}

__attribute__((noinline)) static uint64_t variety(char *const memory[2], uint64_t steps)
{
	char *node = memory[0] + (unsigned int)getpid() * 977u % NODES * 64;
	uint64_t x = 1;
	int i;

	while (steps-- > 0) {
		for (i = 0; i < 16; i++)
			node = *(char *volatile *)node;
		x = next_random(x);
		__builtin_prefetch(place(memory, x << 3));
		*(volatile uint64_t *)place(memory, x << 5) = x;
		__asm__ volatile("lock addq $1, %0" : "+m"(*place(memory, x << 7)));
		__asm__ volatile("movnti %1, %0" : "=m"(*place(memory, x << 9)) : "r"(x));
		if (x >> 63)
			__asm__ volatile("add $5, %0" : "+r"(x));
		x = functions[(x >> 40) % FUNCTIONS](x);
	}
	return x;
}

int main(int argc, char **argv)
{
	void *memory[2];
	uint64_t x;

	if (argc < 2)
		return 2;
	if (posix_memalign(&memory[0], 4096, SMALL_BYTES) ||
	    posix_memalign(&memory[1], LARGE_BYTES, LARGE_BYTES))
		return 1;
	madvise(memory[0], SMALL_BYTES, MADV_NOHUGEPAGE);
	madvise(memory[1], LARGE_BYTES, MADV_HUGEPAGE);
	link_all(memory[0]);
	*(uint64_t *)memory[1] = 0;
	traced_open();
	traced_begin();
	x = variety((char *const *)memory, strtoull(argv[1], NULL, 0));
	traced_end();
	printf("variety %llx\n", (unsigned long long)x);
	return 0;
}
