/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that threads hand over, all at once, while one reads: each that had room comes, once, whole, and
 * in its thread's order. With -fsanitize=thread it says whether anything of that rests on luck.
 */
#include "sharing/handed_reader.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "tests/support/tap.h"

#define THREADS 4u
#define EACH 200000u

static struct handed_reader reader;
static uint64_t lasts[THREADS], done[THREADS];

/* What an access of a thread's is, by its number: none of its parts fits another one's */
static const volatile void *address_of(uint32_t thread, uint64_t number)
{
	return (const volatile void *)(uintptr_t)(1 + thread + THREADS * number);
}

static void *hand_over(void *data)
{
	const uint32_t thread = (uint32_t)(uintptr_t)data;

	for (uint64_t n = 1; n <= EACH; n++) {
		handed_put(reader.ring, address_of(thread, n), 8,
			   n % 2 ? HANDED_LOAD : HANDED_STORE, thread, n);
		/* on one CPU, too, there is to be somebody who reads */
		if (n % 4096 == 0)
			sched_yield();
	}
	__atomic_store_n(&done[thread], 1, __ATOMIC_RELEASE);
	return NULL;
}

static int are_done(void)
{
	uint64_t count = 0;

	for (uint32_t n = 0; n < THREADS; n++)
		count += __atomic_load_n(&done[n], __ATOMIC_ACQUIRE);
	return count == THREADS;
}

/* As its thread had it, behind the last one of that */
static int is_right(const struct handed_slot *access)
{
	const uint64_t number = access->weight;
	uint64_t *last;

	if (access->tid >= THREADS)
		return 0;
	last = &lasts[access->tid];
	if (number <= *last || number > EACH)
		return 0;
	*last = number;
	return access->address == (uint64_t)(uintptr_t)address_of(access->tid, number) &&
	       access->bytes == 8 && access->flags == (number % 2 ? HANDED_LOAD : HANDED_STORE);
}

static uint64_t read_all(uint64_t *wrong)
{
	struct handed_slot access;
	uint64_t count = 0;
	int is_last;

	do {
		is_last = are_done();
		while (handed_reader_next(&reader, &access)) {
			*wrong += !is_right(&access);
			count++;
		}
		sched_yield();
	} while (!is_last);
	return count;
}

static void all_at_once(void)
{
	pthread_t threads[THREADS];
	uint64_t wrong = 0, count;

	CU_ASSERT_EQUAL_FATAL(handed_reader_make(&reader), 0);
	for (uintptr_t n = 0; n < THREADS; n++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[n], NULL, hand_over, (void *)n), 0);
	count = read_all(&wrong);
	for (uint32_t n = 0; n < THREADS; n++)
		pthread_join(threads[n], NULL);
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(count > 0);
	CU_ASSERT_EQUAL(count + __atomic_load_n(&reader.ring->dropped, __ATOMIC_RELAXED),
			THREADS * EACH);
	handed_reader_close(&reader);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "threads that hand accesses over at once, beside one that reads", all_at_once },
	};

	return tap_main("handed", cases, sizeof(cases) / sizeof(cases[0]));
}
