/* SPDX-License-Identifier: BSD-3-Clause */
/* With which stores experiments are made: any, and of lines in which these were in vain one in some. */
#include <string.h>

#include "sharing/candidates.h"
#include "tests/support/tap.h"

#define STORES 100000u

/* How many experiments in vain it takes from there on until the line is tried seldom; and how seldom then */
static uint32_t until_seldom(int32_t in_vain, double *share)
{
	const struct sampled_access access = { .address = 64, .weight = 1 };
	struct random random = random_of(1);
	uint32_t made = 0;

	for (; made < 1000; made++) {
		struct candidates candidates;
		uint32_t taken = 0;

		memset(&candidates, 0, sizeof(candidates));
		for (uint32_t n = 0; n < 100; n++)
			taken += (uint32_t)candidates_consider(&candidates, &random, &access, 0,
							       in_vain);
		CU_ASSERT_EQUAL(candidates.count, taken);
		if (taken < 100)
			break;
		CU_ASSERT_EQUAL(candidates.chosen.chance, 1);
		in_vain = candidates_in_vain(in_vain, 0);
	}
	*share = 0;
	for (uint32_t n = 0; n < STORES; n++) {
		struct candidates candidates = { .count = 0 };

		*share += candidates_consider(&candidates, &random, &access, 0, in_vain);
		CU_ASSERT(!candidates.count || candidates.chosen.chance == 1.0 / 16);
	}
	*share /= STORES;
	return made;
}

static void in_vain(void)
{
	int32_t found = 0, often;
	double share;

	CU_ASSERT_EQUAL(until_seldom(0, &share), 8);
	CU_ASSERT_DOUBLE_EQUAL(share, 1.0 / 16, 0.004);
	/* one that was not makes up for eight */
	found = candidates_in_vain(found, 1);
	CU_ASSERT_EQUAL(until_seldom(found, &share), 16);
	found = candidates_in_vain(found, 0);
	CU_ASSERT_EQUAL(until_seldom(found, &share), 15);
	often = found;
	for (int n = 0; n < 1000; n++)
		often = candidates_in_vain(often, 1);
	CU_ASSERT_EQUAL(until_seldom(often, &share), 8 * 17);
	/* however many were in vain */
	for (int n = 0; n < 1000; n++)
		found = candidates_in_vain(found, 0);
	CU_ASSERT_EQUAL(until_seldom(found, &share), 0);
	found = candidates_in_vain(found, 1);
	CU_ASSERT_EQUAL(until_seldom(found, &share), 16);
}

/* Of those taken up any by the same chance, and the writer is the one that stored */
static void which(void)
{
	uint32_t chosen[10] = { 0 };
	struct random random = random_of(2);

	for (uint32_t run = 0; run < 20000; run++) {
		struct candidates candidates = { .count = 0 };

		for (uint32_t n = 0; n < 10; n++) {
			const struct sampled_access access = { .address = 64 * (n + 1),
							       .weight = 1 };

			CU_ASSERT_EQUAL(candidates_consider(&candidates, &random, &access, n, 0),
					1);
		}
		CU_ASSERT_EQUAL(candidates.chosen.access.address,
				64 * (candidates.chosen.writer + 1));
		chosen[candidates.chosen.writer]++;
	}
	for (uint32_t n = 0; n < 10; n++)
		CU_ASSERT(chosen[n] > 1800 && chosen[n] < 2200);
}

static int is_considered(struct candidates *candidates, uint64_t time)
{
	const struct sampled_access access = { .address = 64, .weight = 1, .time = time };
	struct random random = random_of(3);

	return candidates_consider(candidates, &random, &access, 0, 0);
}

/* What was stored during a long experiment is not tried behind it, whenever its sample is taken. */
static void long_ones(void)
{
	struct candidates candidates = { .count = 0 };

	CU_ASSERT_TRUE(is_considered(&candidates, 900000));
	CU_ASSERT_EQUAL(candidates.count, 1);
	candidates_tried(&candidates, 1000000, 2000000);
	CU_ASSERT_EQUAL(candidates.count, 0);
	CU_ASSERT_TRUE(is_considered(&candidates, 1500000));
	candidates_tried(&candidates, 3000000, 9000000);
	CU_ASSERT_FALSE(is_considered(&candidates, 2500000));
	CU_ASSERT_FALSE(is_considered(&candidates, 8999999));
	CU_ASSERT_EQUAL(candidates.count, 0);
	CU_ASSERT_TRUE(is_considered(&candidates, 9000000));
	/* a short one is not */
	candidates_tried(&candidates, 10000000, 10300000);
	CU_ASSERT_TRUE(is_considered(&candidates, 10100000));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "lines in which experiments were in vain are tried seldom", in_vain },
		{ "which of the stores", which },
		{ "those behind a long experiment", long_ones },
	};

	return tap_main("candidates", cases, sizeof(cases) / sizeof(cases[0]));
}
