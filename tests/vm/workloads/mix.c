/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mix THREADS STEPS: each thread chases pointers, streams, branches and adds atomically to a shared
 * counter, STEPS turns of each, in functions of these names: something of everything that a sample
 * can tell, for recordings whose shape is what is tested. All threads are made by one that is
 * traced, and are traced because of that.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "traced.h"

#define NODES 8192
#define WORDS 32768
#define MAX_THREADS 16

struct node {
	struct node *next;
	uint64_t value[7];
};

static _Atomic uint64_t shared;
static uint64_t steps;
static struct node nodes[MAX_THREADS][NODES];
static uint64_t words[MAX_THREADS][WORDS];

__attribute__((noinline)) uint64_t chase(const struct node *node, uint64_t n)
{
	uint64_t sum = 0;

	while (n-- > 0) {
		sum += node->value[0];
		node = node->next;
	}
	return sum;
}

__attribute__((noinline)) uint64_t stream(uint64_t *a, uint64_t n)
{
	uint64_t sum = 0, i;

	for (i = 0; i < n; i++) {
		a[i % WORDS] += i;
		sum ^= a[i * 7 % WORDS];
	}
	return sum;
}

__attribute__((noinline)) uint64_t branchy(uint64_t x, uint64_t n)
{
	uint64_t sum = 0;

	while (n-- > 0) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		if (x >> 63)
			sum += x;
		else if (x & 0x100000000)
			sum ^= x;
		else
			sum--;
	}
	return sum;
}

__attribute__((noinline)) void contend(uint64_t n)
{
	while (n-- > 0)
		atomic_fetch_add(&shared, 1);
}

static void *run(void *argument)
{
	uintptr_t id = (uintptr_t)argument;
	uint64_t sum;

	sum = chase(nodes[id], steps);
	sum += stream(words[id], steps);
	sum += branchy(sum + id, steps);
	contend(steps);
	return (void *)(uintptr_t)sum;
}

int main(int argc, char **argv)
{
	pthread_t thread[MAX_THREADS];
	uint64_t sum = 0;
	void *result;
	long threads, t;
	uint32_t i;

	if (argc < 3)
		return 2;
	threads = atol(argv[1]);
	steps = strtoull(argv[2], NULL, 0);
	if (threads < 1 || threads > MAX_THREADS)
		return 2;
	for (t = 0; t < threads; t++)
		for (i = 0; i < NODES; i++) {
			nodes[t][i].next = &nodes[t][(i * 40505u + 12345u) % NODES];
			nodes[t][i].value[0] = i;
		}
	traced_open();
	traced_begin();
	for (t = 0; t < threads; t++)
		if (pthread_create(&thread[t], NULL, run, (void *)t))
			return 1;
	for (t = 0; t < threads; t++) {
		pthread_join(thread[t], &result);
		sum += (uintptr_t)result;
	}
	traced_end();
	printf("mix sum %llx shared %llu\n", (unsigned long long)sum, (unsigned long long)shared);
	return 0;
}
