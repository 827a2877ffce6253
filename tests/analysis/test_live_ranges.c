/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranges that come and go, and parts of them: what each address is, beside an array with an entry for each.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/objects/live_ranges.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define ADDRESSES 96u
#define STEPS 20000u

/* What each address is, by the number of the step that made it so; 0: nothing */
static uint32_t truth[ADDRESSES];
static uint32_t origin[ADDRESSES], of_thread[ADDRESSES];

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

	for (uint32_t at = 0; at < ADDRESSES; at++) {
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
	for (uint32_t at = 0; at < ADDRESSES; at++) {
		if (of_thread[at] == thread)
			truth[at] = 0;
	}
}

static void come_and_go(void)
{
	uint64_t state = random_seed("live ranges");
	struct live_ranges ranges = { 0 }, copy = { 0 };
	uint32_t wrong = 0, failed = 0;

	for (uint32_t step = 1; step <= STEPS; step++) {
		const uint32_t start = (uint32_t)(random_next(&state) % ADDRESSES);
		const uint32_t end =
			start + (uint32_t)(random_next(&state) % (ADDRESSES + 1 - start));
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
		wrong += differences(&ranges);
	}
	CU_ASSERT_EQUAL(failed, 0);
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(live_ranges_copy(&copy, &ranges), 0);
	live_ranges_free(&ranges);
	CU_ASSERT_EQUAL(differences(&copy), 0);
	live_ranges_free(&copy);
}

static const struct tap_case cases[] = {
	{ "at each address what came last", come_and_go },
};

int main(void)
{
	return tap_main("ranges that come and go", cases, sizeof(cases) / sizeof(cases[0]));
}
