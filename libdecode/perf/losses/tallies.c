/* SPDX-License-Identifier: BSD-3-Clause */
/* See tallies.h. */
#include "tallies.h"

#include <stdlib.h>

struct sample_tally *precis_tallies_look_up(struct tallies *tallies, struct tally_near *near,
					    uint64_t key)
{
	uint32_t number = numbering_find(&tallies->numbers, key);
	void *items = tallies->tallies;

	if (number == NUMBER_NONE && !tallies->is_full) {
		if (numbering_make_room(&tallies->numbers, TALLIES_MOST, &items, &tallies->room,
					sizeof(*tallies->tallies))) {
			tallies->tallies = items;
			number = numbering_take(&tallies->numbers, key, TALLIES_MOST);
		}
		tallies->is_full = number == NUMBER_NONE;
	}
	if (number == NUMBER_NONE)
		return NULL;
	near->key = key;
	near->number = number;
	return &tallies->tallies[number];
}

const struct sample_tally *tallies_find(const struct tallies *tallies, uint32_t event,
					uint32_t tid)
{
	uint32_t number = numbering_find(&tallies->numbers, tally_key(event, tid));

	return number == NUMBER_NONE ? NULL : &tallies->tallies[number];
}

void tallies_free(struct tallies *tallies)
{
	numbering_free(&tallies->numbers);
	free(tallies->tallies);
}
