/* SPDX-License-Identifier: BSD-3-Clause */
/* Between which bytes of a line it would have to end, so that nobody shares it: uses that are given. */
#include "analysis/sharing/neighbours.h"

#include <string.h>

#include "tests/support/tap.h"

static struct sharing_neighbours found[16];

/* As many stores or loads of a thread, from that byte on */
static struct sharing_own_use stores(uint32_t party, uint8_t offset, uint8_t bytes,
				     uint64_t samples)
{
	return (struct sharing_own_use){ .party = party,
					 .span = { offset, bytes },
					 .stores = samples };
}

static struct sharing_own_use loads(uint32_t party, uint8_t offset, uint8_t bytes, uint64_t samples)
{
	return (struct sharing_own_use){ .party = party,
					 .span = { offset, bytes },
					 .loads = samples };
}

#define FIND(...)                                                                                  \
	struct sharing_own_use uses[] = { __VA_ARGS__ };                                           \
	const uint32_t count = sharing_neighbours_find(uses, sizeof(uses) / sizeof(uses[0]), found)

/* A party and the offset of its use, as a number */
#define LOWER(n) (100 * uses[found[n].lower].party + uses[found[n].lower].span.offset)
#define UPPER(n) (100 * uses[found[n].upper].party + uses[found[n].upper].span.offset)

static void two_writers(void)
{
	FIND(stores(2, 16, 8, 100), stores(2, 24, 8, 100), stores(1, 8, 8, 100), stores(1, 0, 8, 100));

	CU_ASSERT_EQUAL_FATAL(count, 1);
	CU_ASSERT_EQUAL(LOWER(0), 108);
	CU_ASSERT_EQUAL(UPPER(0), 216);
}

static void eight_writers(void)
{
	FIND(stores(0, 0, 8, 100), stores(1, 8, 8, 100), stores(2, 16, 8, 100), stores(3, 24, 8, 100),
	     stores(4, 32, 8, 100), stores(5, 40, 8, 100), stores(6, 48, 8, 100), stores(7, 56, 8, 100));

	CU_ASSERT_EQUAL_FATAL(count, 7);
	for (uint32_t n = 0; n < count; n++) {
		CU_ASSERT_EQUAL(LOWER(n), 108 * n);
		CU_ASSERT_EQUAL(UPPER(n), 108 * (n + 1));
	}
}

static void a_reader(void)
{
	{
		/* whoever stores somewhere else of its own is a writer of the line */
		FIND(stores(1, 0, 8, 100), loads(1, 8, 8, 100), loads(2, 16, 8, 100));

		CU_ASSERT_EQUAL_FATAL(count, 1);
		CU_ASSERT_EQUAL(LOWER(0), 108);
	}
	{
		FIND(loads(1, 8, 8, 100), loads(2, 16, 8, 100));

		CU_ASSERT_EQUAL(count, 0);
	}
}

static void the_same_bytes(void)
{
	{
		FIND(stores(1, 0, 8, 100), stores(2, 0, 8, 100), stores(1, 4, 4, 100));

		CU_ASSERT_EQUAL(count, 0);
	}
	{
		/* what both access lies between what is their own */
		FIND(stores(1, 0, 8, 100), stores(1, 16, 8, 100), stores(2, 16, 8, 100),
		     stores(2, 32, 8, 100));

		CU_ASSERT_EQUAL_FATAL(count, 1);
		CU_ASSERT_EQUAL(LOWER(0), 100);
		CU_ASSERT_EQUAL(UPPER(0), 232);
	}
	{
		/* one in six is somebody else's, one in a hundred does not matter */
		FIND(stores(1, 0, 8, 100), loads(2, 0, 8, 20), stores(2, 8, 8, 100));

		CU_ASSERT_EQUAL(count, 0);
	}
	{
		FIND(stores(1, 0, 8, 1000), loads(2, 0, 8, 10), stores(2, 8, 8, 100));

		CU_ASSERT_EQUAL(count, 1);
	}
}

static void few_samples(void)
{
	FIND(stores(1, 0, 8, 1000), stores(2, 8, 8, 20));

	CU_ASSERT_EQUAL(count, 0);
}

/* Of a span of which nobody knows the end the first byte counts */
static void no_length(void)
{
	FIND(stores(1, 0, 0, 100), stores(2, 4, 0, 100), stores(2, 63, 0, 100));

	CU_ASSERT_EQUAL(count, 1);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "two threads with members of their own: the line has to end between them", two_writers },
		{ "a counter for each of eight threads: at seven places", eight_writers },
		{ "one of both has to store", a_reader },
		{ "bytes that several access are nobody's", the_same_bytes },
		{ "few samples do not say that bytes are one thread's alone", few_samples },
		{ "accesses whose width is not known", no_length },
	};

	return tap_main("neighbours", cases, sizeof(cases) / sizeof(cases[0]));
}
