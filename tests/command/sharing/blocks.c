/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two threads in turns, each with a member of its own in one block of the heap: no symbol says what that is,
 * but the type of what its instructions access. One in some is handed over to precis sharing.
 *
 * blocks TURNS PERIOD
 */
#define _GNU_SOURCE /* syscall() */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <precis/accesses.h>

struct pair {
	long first, second;
};

static int turn __attribute__((aligned(64)));
static struct pair *block;
static uint64_t turns, period;

__attribute__((noinline)) static void count_first(struct pair *pair)
{
	pair->first++;
}

__attribute__((noinline)) static void count_second(struct pair *pair)
{
	pair->second++; // ACCESSED
}

static void *run(void *data)
{
	const int me = (int)(intptr_t)data;
	const uint32_t tid = (uint32_t)syscall(SYS_gettid);
	struct precis_accesses_ring *ring = precis_accesses_open();
	unsigned int random = (unsigned int)me + 1;
	uint64_t left = 1;

	for (uint64_t n = 0; n < turns; n++) {
		while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != me)
			sched_yield();
		(me ? count_second : count_first)(block);
		__atomic_store_n(&turn, !me, __ATOMIC_RELEASE);
		if (--left)
			continue;
		random = random * 1103515245 + 12345;
		left = 1 + (random >> 8) % (2 * period - 1);
		precis_accesses_put(ring, me ? &block->second : &block->first, sizeof(long),
				    PRECIS_ACCESSES_LOAD | PRECIS_ACCESSES_STORE, tid, period);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	if (argc != 3)
		return 2;
	turns = strtoull(argv[1], NULL, 10);
	period = strtoull(argv[2], NULL, 10);
	block = aligned_alloc(64, 64);
	for (intptr_t n = 0; n < 2; n++)
		pthread_create(&threads[n], NULL, run, (void *)n);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], NULL);
	/* the block stays: what the allocator writes into it would be accesses of its members, too */
	return 0;
}
