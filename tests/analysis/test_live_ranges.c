/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranges that come and go, and parts of them: what each address is, beside an array with an entry for each.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/objects/live_ranges.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define ADDRESSES_MOST 4096u
#define STEPS 20000u
#define MANY 1000000u

/* What each address is, by the number of the step that made it so; 0: nothing */
static uint32_t truth[ADDRESSES_MOST];
static uint32_t origin[ADDRESSES_MOST], of_thread[ADDRESSES_MOST];
static uint32_t addresses; /* so many of these */

static void fill(uint32_t from, uint32_t to, uint32_t what, uint32_t thread)
{
	for (uint32_t at = from; at < to; at++) {
		truth[at] = what;
		origin[at] = from;
		of_thread[at] = thread;
	}
}

static uint32_t differences(const struct live_ranges *ranges)
{
	uint32_t count = 0;

	for (uint32_t at = 0; at < addresses; at++) {
		const struct live_range *range = live_ranges_find(ranges, at);

		if (!truth[at] || !range)
			count += range || truth[at];
		else
			count += range->stack != truth[at] || range->origin != origin[at] ||
				 range->tid != of_thread[at];
	}
	return count;
}

static void forget_thread(uint32_t thread)
{
	for (uint32_t at = 0; at < addresses; at++) {
		if (of_thread[at] == thread)
			truth[at] = 0;
	}
}

/* Ranges of so many bytes at the most; few are of any length. Looked at after so many steps */
static void come_and_go(uint32_t longest, uint32_t looked_at)
{
	uint64_t state = random_seed("live ranges");
	struct live_ranges ranges = { 0 }, copy = { 0 };
	uint32_t wrong = 0, failed = 0;

	for (uint32_t step = 1; step <= STEPS; step++) {
		const uint32_t start = (uint32_t)(random_next(&state) % addresses),
			       room = addresses - start;
		const uint32_t most =
			room < longest || random_next(&state) % 500 == 0 ? room : longest;
		const uint32_t end = start + (uint32_t)(random_next(&state) % (most + 1));
		const uint32_t thread = (uint32_t)(random_next(&state) % 4);
		const struct live_range range = {
			.start = start,
			.end = end,
			.origin = start,
			.stack = step,
			.tid = thread,
		};

		switch (random_next(&state) % 8) {
		case 0:
			if (step % looked_at)
				break;
			live_ranges_remove_thread(&ranges, thread);
			forget_thread(thread);
			break;
		case 1:
		case 2:
			failed |= live_ranges_remove(&ranges, start, end) < 0;
			fill(start, end, 0, UINT32_MAX);
			break;
		default:
			failed |= live_ranges_add(&ranges, &range) < 0;
			fill(start, end, step, thread);
		}
		wrong += step % looked_at ? 0 : differences(&ranges);
	}
	CU_ASSERT_EQUAL(failed, 0);
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(live_ranges_copy(&copy, &ranges), 0);
	live_ranges_free(&ranges);
	CU_ASSERT_EQUAL(differences(&copy), 0);
	live_ranges_free(&copy);
}

static void few(void)
{
	addresses = 96;
	come_and_go(addresses, 1);
}

static void some(void)
{
	addresses = ADDRESSES_MOST;
	for (uint32_t longest = 1; longest <= addresses; longest *= 4) {
		memset(truth, 0, sizeof(truth));
		come_and_go(longest, 64);
	}
}

/* As many as a file may say, downwards as Linux maps them; then all but half of the first gone at once */
static void many(void)
{
	struct live_ranges ranges = { 0 };
	uint32_t wrong = 0;

	for (uint32_t n = MANY; n > 0; n--) {
		const struct live_range range = {
			.start = UINT64_C(16) * n,
			.end = UINT64_C(16) * n + 8,
			.stack = n,
		};

		CU_ASSERT_EQUAL_FATAL(live_ranges_add(&ranges, &range), 0);
	}
	for (uint32_t n = 1; n <= MANY; n++) {
		const struct live_range *range = live_ranges_find(&ranges, UINT64_C(16) * n + 7);

		wrong += !range || range->stack != n ||
			 live_ranges_find(&ranges, UINT64_C(16) * n + 8) != NULL;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(live_ranges_remove(&ranges, 20, UINT64_MAX), 0);
	CU_ASSERT_PTR_NOT_NULL(live_ranges_find(&ranges, 19));
	CU_ASSERT_PTR_NULL(live_ranges_find(&ranges, 20));
	CU_ASSERT_PTR_NULL(live_ranges_find(&ranges, UINT64_C(16) * MANY));
	live_ranges_free(&ranges);
}

static const struct tap_case cases[] = {
	{ "at each address what came last", few },
	{ "the same of hundreds at a time", some },
	{ "a million at a time", many },
};

int main(void)
{
	return tap_main("ranges that come and go", cases, sizeof(cases) / sizeof(cases[0]));
}
