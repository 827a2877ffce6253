/* SPDX-License-Identifier: BSD-3-Clause */
/* The excess of branches at the oldest place of a stack, beside that of a place by chance. */
#include "bias.h"

#include <math.h>

/* How many stacks a branch is expected to be the oldest of */
static double expected_of(const struct mix_observations *observations, uint32_t block)
{
	return (double)observations->places[block].all / observations->depth;
}

struct mix_bias mix_bias_of(const struct mix_observations *observations)
{
	struct mix_bias bias = { NAN, NAN, 0 };
	double oldest = 0, random = 0, variance = 0;

	if (!observations->full)
		return bias;
	for (uint32_t block = 0; block < observations->place_room; block++) {
		const struct mix_places *places = &observations->places[block];
		const double expected = expected_of(observations, block);

		oldest += fmax(0, places->oldest - expected);
		random += fmax(0, places->random - expected);
		variance += expected * (1 - expected / (double)observations->full);
	}
	bias.excess = oldest / (double)observations->full;
	bias.baseline = random / (double)observations->full;
	/*
	 * The positive part of a normal variable has a standard deviation of 0.58; the difference of two
	 * sums of them is three of its own away from 0.
	 */
	bias.is_flagged = bias.excess - bias.baseline >
			  3 * 0.58 * sqrt(2 * variance) / (double)observations->full;
	return bias;
}

double mix_branch_excess(const struct mix_observations *observations, uint32_t block)
{
	return block < observations->place_room && observations->full
		       ? observations->places[block].oldest - expected_of(observations, block)
		       : 0;
}

int mix_branch_is_biased(const struct mix_observations *observations, uint32_t block)
{
	const double excess = mix_branch_excess(observations, block);
	double expected;

	if (!(excess > 0))
		return 0;
	expected = expected_of(observations, block);
	return excess > 5 * sqrt(expected + 1) && excess > expected / 5;
}
