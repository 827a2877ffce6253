/* SPDX-License-Identifier: BSD-3-Clause */
/* See alike.h. */
#include "alike.h"

#include <stdlib.h>
#include <string.h>

#include "numbering.h"

static int make_room(struct alike *alike, const struct numbering *numbering)
{
	struct alike_one *more;

	if (numbering->room == alike->room)
		return 0;
	more = realloc(alike->one, numbering->room * sizeof(*more));
	if (!more)
		return -1;
	alike->one = more;
	alike->room = numbering->room;
	return 0;
}

static int add(struct alike *alike, struct numbering *numbering, const struct mix_tally *tally,
	       uint32_t *number)
{
	const struct numbering_key key = { { (uint64_t)tally->first << 32 | tally->last, tally->to,
					     (uint64_t)tally->kind << 1 | tally->newest, 0 } };

	*number = numbering_of(numbering, &key);
	if (*number == NUMBERING_NONE || make_room(alike, numbering) < 0)
		return -1;
	if (*number == alike->count)
		alike->one[alike->count++] = (struct alike_one){ .first = *tally };
	alike->one[*number].count += tally->count;
	alike->one[*number].weight += tally->weight;
	return 0;
}

int alike_find(struct alike *alike, const struct mix_tallies *tallies)
{
	struct numbering numbering = { 0 };
	int failed;

	alike->number = malloc((tallies->count + 1) * sizeof(*alike->number));
	failed = !alike->number;
	for (size_t n = 0; n < tallies->count && !failed; n++)
		failed = add(alike, &numbering, &tallies->tally[n], &alike->number[n]) < 0;
	numbering_free(&numbering);
	return failed ? -1 : 0;
}

void alike_free(struct alike *alike)
{
	free(alike->one);
	free(alike->number);
	memset(alike, 0, sizeof(*alike));
}
