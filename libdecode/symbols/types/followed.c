/* SPDX-License-Identifier: BSD-3-Clause */
/* See followed.h: a table in which the last of some that go to the same place stays. */
#include "followed.h"

#define FOLLOWED_LOG 10u

struct followed *precis_followed_find(struct precis_data_types *types, uint64_t return_address,
				      uint32_t given)
{
	const size_t count = (size_t)1 << FOLLOWED_LOG;
	struct followed *followed;

	if (!types->followed)
		types->followed = budget_alloc(&types->budget, count * sizeof(*followed));
	if (!types->followed)
		return NULL;
	followed = types->followed;
	followed +=
		((return_address ^ given) * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - FOLLOWED_LOG);
	if (followed->return_address != return_address || followed->given != given)
		*followed = (struct followed){ .return_address = return_address, .given = given };
	return followed;
}

int precis_followed_note(struct followed *followed, const struct followed_offer *offer)
{
	for (uint32_t n = 0; n < followed->count; n++) {
		const struct followed_offer *one = &followed->offer[n];

		if (one->type == offer->type && one->evidence == offer->evidence &&
		    one->part == offer->part)
			return 0;
	}
	if (followed->count < FOLLOWED_OFFERS)
		followed->offer[followed->count++] = *offer;
	else
		followed->has_more = 1;
	return 1;
}
