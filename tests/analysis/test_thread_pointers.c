/* SPDX-License-Identifier: BSD-3-Clause */
/* Where threads have their variables: what samples say twice, of one program, until the thread has ended. */
#include "analysis/objects/thread_pointers.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define THREADS 200u

static const struct thread_process process = { 100, 3 };

static void say(struct thread_pointers *pointers, struct thread_process of, uint32_t tid,
		uint64_t pointer, uint32_t times)
{
	while (times--)
		CU_ASSERT_EQUAL(thread_pointers_learn(pointers, of, tid, pointer), 0);
}

/* The pointer that is found; 0: none */
static uint64_t found(const struct thread_pointers *pointers, struct thread_process of,
		      uint64_t time, uint64_t address)
{
	const struct thread_pointer *is = thread_pointers_find(pointers, of, time, address);

	return is ? is->pointer : 0;
}

static void twice(void)
{
	struct thread_pointers pointers = { 0 };

	say(&pointers, process, 101, 0x7000, 1);
	CU_ASSERT_EQUAL(found(&pointers, process, 0, 0x6ff0), 0);
	CU_ASSERT_EQUAL(thread_pointers_settle(&pointers), 0);
	pointers.is_settled = 0;
	say(&pointers, process, 101, 0x7000, 1);
	CU_ASSERT_EQUAL(found(&pointers, process, 0, 0x6ff0), 0x7000);
	CU_ASSERT_EQUAL(found(&pointers, process, 0, 0x7000), 0);
	/* one that was not right hides none behind it */
	say(&pointers, process, 101, 0x6ff8, 1);
	CU_ASSERT_EQUAL(found(&pointers, process, 0, 0x6ff0), 0x7000);
	CU_ASSERT_EQUAL(thread_pointers_settle(&pointers), 1);
	CU_ASSERT_EQUAL(thread_pointers_settle(&pointers), 0);
	thread_pointers_free(&pointers);
}

static void elsewhere(void)
{
	const struct thread_process before = { 100, 2 }, other = { 99, 3 };
	struct thread_pointers pointers = { 0 };

	say(&pointers, process, 101, 0x7000000, 2);
	CU_ASSERT_EQUAL(found(&pointers, before, 0, 0x6fffff0), 0);
	CU_ASSERT_EQUAL(found(&pointers, other, 0, 0x6fffff0), 0);
	CU_ASSERT_EQUAL(found(&pointers, process, 0, 0x7000000 - (1 << 24)), 0x7000000);
	CU_ASSERT_EQUAL(found(&pointers, process, 0, 0x7000000 - (1 << 24) - 1), 0);
	thread_pointers_free(&pointers);
}

static void ends(void)
{
	struct thread_pointers pointers = { 0 };

	say(&pointers, process, 101, 0x7000, 2);
	say(&pointers, process, 102, 0x9000, 2);
	thread_pointers_end(&pointers, 100, 101, 50);
	thread_pointers_end(&pointers, 99, 102, 50);
	CU_ASSERT_EQUAL(found(&pointers, process, 50, 0x6ff0), 0x7000);
	CU_ASSERT_EQUAL(found(&pointers, process, 51, 0x6ff0), 0x9000);
	CU_ASSERT_EQUAL(found(&pointers, process, 51, 0x8ff0), 0x9000);
	/* the next one has the same memory */
	say(&pointers, process, 103, 0x7000, 2);
	CU_ASSERT_EQUAL(found(&pointers, process, 51, 0x6ff0), 0x7000);
	thread_pointers_free(&pointers);
}

static void programs(void)
{
	const struct thread_process child = { 200, 1 }, other = { 300, 1 };
	struct thread_pointers pointers = { 0 };

	CU_ASSERT_EQUAL(thread_pointers_code(&pointers, process), 0);
	CU_ASSERT_EQUAL(thread_pointers_map(&pointers, process, 0x401000), 0);
	CU_ASSERT_EQUAL(thread_pointers_map(&pointers, process, 0x7f0000), 0);
	CU_ASSERT_EQUAL(thread_pointers_fork(&pointers, process, child), 0);
	CU_ASSERT_EQUAL(thread_pointers_fork(&pointers, other, (struct thread_process){ 301, 1 }),
			0);
	CU_ASSERT_EQUAL(thread_pointers_code(&pointers, process), 0x401000);
	CU_ASSERT_EQUAL(thread_pointers_code(&pointers, child), 0x401000);
	CU_ASSERT_EQUAL(thread_pointers_code(&pointers, other), 0);
	thread_pointers_free(&pointers);
}

/* In whatever order they come each one's memory is its own. */
static void many(void)
{
	struct thread_pointers pointers = { 0 };
	uint64_t state = 20261128;

	for (uint32_t n = 0; n < 40 * THREADS; n++) {
		const uint32_t thread = (uint32_t)(random_next(&state) % THREADS);

		say(&pointers, (struct thread_process){ 1 + thread % 3, 1 }, thread,
		    0x10000 + thread * 0x1000ull, 1);
	}
	for (uint32_t thread = 0; thread < THREADS; thread++)
		CU_ASSERT_EQUAL(found(&pointers, (struct thread_process){ 1 + thread % 3, 1 }, 0,
				      0x10000 + thread * 0x1000ull - 8),
				0x10000 + thread * 0x1000ull);
	thread_pointers_free(&pointers);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "what one sample says alone is not believed", twice },
		{ "of another process, of another program, or far away none is found", elsewhere },
		{ "a thread has its memory until it ends", ends },
		{ "the first code is the executable's, a forked process has its parent's",
		  programs },
		{ "many threads in any order", many },
	};

	return tap_main("thread_pointers", cases, sizeof(cases) / sizeof(cases[0]));
}
