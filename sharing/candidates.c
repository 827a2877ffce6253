/* SPDX-License-Identifier: BSD-3-Clause */
/* See candidates.h. */
#include "candidates.h"

/* A line in which so many experiments were in vain is tried as seldom. */
#define PRIVATE_AFTER 8u
#define PRIVATE_CHANCE (1.0 / 16)

void candidates_consider(struct candidates *candidates, struct random *random,
			 const struct sampled_access *access, uint32_t writer, uint32_t in_vain)
{
	const double chance = in_vain >= PRIVATE_AFTER ? PRIVATE_CHANCE : 1;

	if (chance < 1 && random_uniform(random) >= chance)
		return;
	candidates->considered += access->weight / chance;
	candidates->all += access->weight / chance;
	if (random_below(random, ++candidates->count))
		return;
	candidates->chosen = (struct candidate){ *access, chance, writer };
}

double candidates_represented(const struct candidates *candidates)
{
	const struct candidate *chosen = &candidates->chosen;

	return chosen->access.weight * (double)candidates->count / chosen->chance;
}
