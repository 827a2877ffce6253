/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nodes TURNS: two threads on a machine with two NUMA nodes and a CPU on each. That on CPU 0 takes TURNS
 * turns, the other one half as many: 40 loads from and 20 stores to memory of its own node, 20 loads from
 * the other node's, and 120 instructions that touch none.
 *
 * Known: how many accesses each CPU makes to each node's memory, but for some to the thread's stack.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "traced.h"

#define NODES 2
#define BYTES 4096
#define MPOL_BIND 2 /* of linux/mempolicy.h */

static uint64_t *memory[NODES];
static uint64_t turns;

static uint64_t *memory_of(int node)
{
	const unsigned long nodes = 1ul << node;
	void *found = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (found == MAP_FAILED ||
	    syscall(SYS_mbind, found, BYTES, MPOL_BIND, &nodes, 8 * sizeof(nodes), 0)) {
		perror("nodes: mbind");
		exit(1);
	}
	memset(found, 1, BYTES);
	return found;
}

__attribute__((noinline)) static uint64_t visit(uint64_t *own, const uint64_t *other, uint64_t n)
{
	uint64_t x = 0;

	while (n-- > 0)
		__asm__ volatile(".rept 40\n\tmov (%1), %0\n\t.endr\n\t"
				 ".rept 20\n\tmov %0, 8(%1)\n\t.endr\n\t"
				 ".rept 20\n\tmov (%2), %0\n\t.endr\n\t"
				 ".rept 120\n\tadd $1, %0\n\t.endr"
				 : "=&r"(x)
				 : "r"(own), "r"(other)
				 : "memory", "cc");
	return x;
}

static void *run(void *argument)
{
	const int cpu = (int)(intptr_t)argument;
	cpu_set_t alone;
	uint64_t sum;

	CPU_ZERO(&alone);
	CPU_SET(cpu, &alone);
	if (sched_setaffinity(0, sizeof(alone), &alone)) {
		perror("nodes: sched_setaffinity");
		exit(1);
	}
	traced_begin();
	sum = visit(memory[cpu], memory[1 - cpu], turns >> cpu);
	traced_end();
	return (void *)(uintptr_t)sum;
}

int main(int argc, char **argv)
{
	pthread_t thread[NODES];
	intptr_t n;

	if (argc < 2)
		return 2;
	turns = strtoull(argv[1], NULL, 0);
	for (n = 0; n < NODES; n++)
		memory[n] = memory_of((int)n);
	traced_open();
	for (n = 0; n < NODES; n++)
		if (pthread_create(&thread[n], NULL, run, (void *)n))
			return 1;
	for (n = 0; n < NODES; n++)
		pthread_join(thread[n], NULL);
	puts("nodes done");
	return 0;
}
