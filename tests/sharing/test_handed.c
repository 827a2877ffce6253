/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that a program hands over by <precis/accesses.h>: what is no ring is left alone; and what threads
 * hand over at once, while one reads, comes once, if it had room, whole, and in its thread's order. With
 * -fsanitize=thread that test says whether anything of that rests on luck.
 */
#include "sharing/handed_reader.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

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
		precis_accesses_put(reader.ring, address_of(thread, n), 8,
				    n % 2 ? PRECIS_ACCESSES_LOAD : PRECIS_ACCESSES_STORE, thread,
				    n);
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
static int is_right(const struct sampled_access *access)
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
	       access->bytes == 8 &&
	       access->flags == (number % 2 ? PRECIS_ACCESSES_LOAD : PRECIS_ACCESSES_STORE);
}

static uint64_t read_all(uint64_t *wrong)
{
	struct sampled_access access;
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

/* Whoever begins to read is told what comes from then on, and of that what had no room. */
static void beginning(void)
{
	struct sampled_access access;

	CU_ASSERT_EQUAL_FATAL(handed_reader_make(&reader), 0);
	for (uint32_t n = 0; n < PRECIS_ACCESSES_SLOTS + 3; n++)
		precis_accesses_put(reader.ring, &reader, 8, PRECIS_ACCESSES_STORE, 1, 1);
	CU_ASSERT_EQUAL(handed_reader_dropped(&reader), 3);
	handed_reader_begin(&reader);
	CU_ASSERT_FALSE(handed_reader_next(&reader, &access));
	CU_ASSERT_EQUAL(handed_reader_dropped(&reader), 0);
	for (uint32_t n = 0; n < PRECIS_ACCESSES_SLOTS + 5; n++)
		precis_accesses_put(reader.ring, &reader, 8, PRECIS_ACCESSES_STORE, 2, 1);
	CU_ASSERT_TRUE(handed_reader_next(&reader, &access));
	CU_ASSERT_EQUAL(access.tid, 2);
	CU_ASSERT_EQUAL(handed_reader_dropped(&reader), 5);
	handed_reader_close(&reader);
}

/* What a magic stands for: programs that were compiled with it write so for ever. */
static void layout(void)
{
	CU_ASSERT_EQUAL(sizeof(struct precis_accesses_slot), 40);
	CU_ASSERT_EQUAL(offsetof(struct precis_accesses_slot, turn), 0);
	CU_ASSERT_EQUAL(offsetof(struct precis_accesses_slot, address), 8);
	CU_ASSERT_EQUAL(offsetof(struct precis_accesses_slot, weight), 16);
	CU_ASSERT_EQUAL(offsetof(struct precis_accesses_slot, time), 24);
	CU_ASSERT_EQUAL(offsetof(struct precis_accesses_slot, tid), 32);
	CU_ASSERT_EQUAL(offsetof(struct precis_accesses_slot, bytes), 36);
	CU_ASSERT_EQUAL(offsetof(struct precis_accesses_slot, flags), 38);
	CU_ASSERT_EQUAL(sizeof(struct precis_accesses_ring), 64 + 65536 * 40);
	CU_ASSERT_EQUAL(offsetof(struct precis_accesses_ring, dropped), 8);
	CU_ASSERT_EQUAL(offsetof(struct precis_accesses_ring, head), 16);
	CU_ASSERT_EQUAL(offsetof(struct precis_accesses_ring, tail), 24);
	CU_ASSERT_EQUAL(offsetof(struct precis_accesses_ring, slots), 64);
	CU_ASSERT_EQUAL(memcmp(&(uint64_t){ PRECIS_ACCESSES_MAGIC }, "PECSAC02", 8), 0);
	CU_ASSERT_EQUAL(PRECIS_ACCESSES_LOAD, 1);
	CU_ASSERT_EQUAL(PRECIS_ACCESSES_STORE, 2);
}

/* Of that name, so many bytes, with that magic: is it opened? */
static int is_opened(const char *path, off_t bytes, uint64_t magic)
{
	const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct precis_accesses_ring *ring;

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(write(fd, &magic, sizeof(magic)), (ssize_t)sizeof(magic));
	CU_ASSERT_EQUAL(ftruncate(fd, bytes), 0);
	close(fd);
	ring = precis_accesses_open();
	if (!ring)
		return 0;
	precis_accesses_put(ring, ring, 4, PRECIS_ACCESSES_LOAD, 7, 3);
	CU_ASSERT_EQUAL(ring->slots[0].turn, 1);
	CU_ASSERT_EQUAL(ring->slots[0].weight, 3);
	munmap(ring, sizeof(*ring));
	return 1;
}

/* What is named need not be a ring: nothing is written there, and nothing read that is not there. */
static void names(void)
{
	const off_t all = sizeof(struct precis_accesses_ring);
	char path[] = "/tmp/precis-accesses-XXXXXX";
	const int fd = mkstemp(path);

	CU_ASSERT_FATAL(fd >= 0);
	close(fd);
	unsetenv(PRECIS_ACCESSES_ENVIRONMENT);
	CU_ASSERT_PTR_NULL(precis_accesses_open());
	setenv(PRECIS_ACCESSES_ENVIRONMENT, path, 1);
	CU_ASSERT_TRUE(is_opened(path, all, PRECIS_ACCESSES_MAGIC));
	CU_ASSERT_FALSE(is_opened(path, all, PRECIS_ACCESSES_MAGIC + 1));
	CU_ASSERT_FALSE(is_opened(path, all - 1, PRECIS_ACCESSES_MAGIC));
	CU_ASSERT_FALSE(is_opened(path, 0, PRECIS_ACCESSES_MAGIC));
	setenv(PRECIS_ACCESSES_ENVIRONMENT, "/", 1);
	CU_ASSERT_PTR_NULL(precis_accesses_open());
	setenv(PRECIS_ACCESSES_ENVIRONMENT, "/dev/null", 1);
	CU_ASSERT_PTR_NULL(precis_accesses_open());
	unlink(path);
	CU_ASSERT_PTR_NULL(precis_accesses_open());
	precis_accesses_put(NULL, path, 1, PRECIS_ACCESSES_LOAD, 1, 1);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the layout is that of its magic", layout },
		{ "a file that is a ring, and some that are none", names },
		{ "what lay there before anybody read", beginning },
		{ "threads that hand accesses over at once, beside one that reads", all_at_once },
	};

	return tap_main("handed", cases, sizeof(cases) / sizeof(cases[0]));
}
