/* SPDX-License-Identifier: BSD-3-Clause */
/* For how many stores of others the writer's is awaited: by samples, and for ever where these are few. */
#include "sharing/patience.h"
#include "tests/support/tap.h"

/* A token goes round: each thread's store is behind one of each other thread. */
static void turns(void)
{
	for (uint32_t threads = 2; threads < 20; threads++)
		CU_ASSERT_EQUAL(patience_of(100, 100.0 * threads, 100, 0), 32 * (threads - 1));
}

/* As much less may be known of the others as one sample of theirs stands for. */
static void samples(void)
{
	CU_ASSERT_EQUAL(patience_of(32, 32, 16, 0), 32);
	CU_ASSERT_EQUAL(patience_of(32, 32, 2, 1), 32 * 31 / 2);
	CU_ASSERT_EQUAL(patience_of(32, 3200, 200, 100), 32 * 31 / 2);
	/* one sample of the others' that stands for many */
	CU_ASSERT_EQUAL(patience_of(101, 1100, 100, 1000), 32 * 20);
}

/* It stores more often than all others, or alone: some of these come in between now and then. */
static void most(void)
{
	CU_ASSERT_EQUAL(patience_of(1000, 1000, 999, 0), 32);
	CU_ASSERT_EQUAL(patience_of(1000, 1000, 1000, 1), 32);
}

static void unknown(void)
{
	CU_ASSERT_EQUAL(patience_of(31, 31, 15, 1), 0);
	CU_ASSERT_EQUAL(patience_of(0, 0, 0, 0), 0);
	/* none of its stores was sampled: nothing is known of how often it does */
	CU_ASSERT_EQUAL(patience_of(100, 100, 0, 1), 0);
	/* nearly none: more than there will ever be */
	CU_ASSERT(patience_of(100, 1e300, 1e-300, 1) >= 1000000);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "of threads that take turns", turns },
		{ "by what samples stand for", samples },
		{ "of one that stores most", most },
		{ "where it is not known", unknown },
	};

	return tap_main("patience", cases, sizeof(cases) / sizeof(cases[0]));
}
