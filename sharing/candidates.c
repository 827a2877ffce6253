/* SPDX-License-Identifier: BSD-3-Clause */
/* See candidates.h. */
#include "candidates.h"

/* A line in which so many more experiments were in vain is tried as seldom. */
#define PRIVATE_AFTER 8
#define PRIVATE_CHANCE (1.0 / 16)
/* About the shortest time for which a thread has its CPU */
#define LONG_NS 2000000u
/* Each that was not makes up for as many, so many of them at most */
#define FOUND_MOST 16

int32_t candidates_in_vain(int32_t before, int was_found)
{
	const int32_t less = (before > 0 ? 0 : before) - PRIVATE_AFTER;

	if (!was_found)
		return before < PRIVATE_AFTER ? before + 1 : before;
	return less < -FOUND_MOST * PRIVATE_AFTER ? -FOUND_MOST * PRIVATE_AFTER : less;
}

void candidates_tried(struct candidates *candidates, uint64_t begun, uint64_t ended)
{
	candidates->count = 0;
	if (ended - begun > LONG_NS)
		candidates->from = ended;
}

int candidates_consider(struct candidates *candidates, struct random *random,
			const struct sampled_access *access, uint32_t writer, int32_t in_vain)
{
	const double chance = in_vain >= PRIVATE_AFTER ? PRIVATE_CHANCE : 1;

	if (access->time < candidates->from)
		return 0;
	if (chance < 1 && random_uniform(random) >= chance)
		return 0;
	if (!random_below(random, ++candidates->count))
		candidates->chosen = (struct candidate){ *access, chance, writer };
	return 1;
}
