/* SPDX-License-Identifier: BSD-3-Clause */
/* See neighbours.h. */
#include "neighbours.h"

#include <stdlib.h>

#include "statistics/interval.h"

#define OWN_LEAST 0.90

static int by_offset(const void *a, const void *b)
{
	const struct sharing_own_use *left = a, *right = b;

	if (left->span.offset != right->span.offset)
		return left->span.offset < right->span.offset ? -1 : 1;
	return (left->party > right->party) - (left->party < right->party);
}

/* Of a span whose length is not known the first byte is */
static uint32_t end_of(const struct sharing_own_use *use)
{
	return use->span.offset + (use->span.bytes ? use->span.bytes : 1u);
}

static int meet(const struct sharing_own_use *one, const struct sharing_own_use *other)
{
	return one->span.offset < end_of(other) && other->span.offset < end_of(one);
}

/* Do its bytes belong to its party? */
static int is_own(const struct sharing_own_use *uses, uint32_t count,
		  const struct sharing_own_use *use)
{
	uint64_t own = 0, all = 0;

	for (uint32_t n = 0; n < count; n++) {
		if (!meet(&uses[n], use))
			continue;
		all += uses[n].loads + uses[n].stores;
		if (uses[n].party == use->party)
			own += uses[n].loads + uses[n].stores;
	}
	return all && interval_of_share(own, all).low > OWN_LEAST;
}

/* Does the party store to any bytes of its own? */
static int is_writer(const struct sharing_own_use *uses, uint32_t count, uint32_t party)
{
	for (uint32_t n = 0; n < count; n++) {
		if (uses[n].party == party && uses[n].stores && uses[n].is_own)
			return 1;
	}
	return 0;
}

uint32_t sharing_neighbours_find(struct sharing_own_use *uses, uint32_t count,
				 struct sharing_neighbours *found)
{
	const struct sharing_own_use *last = NULL;
	uint32_t pairs = 0;

	qsort(uses, count, sizeof(*uses), by_offset);
	for (uint32_t n = 0; n < count; n++)
		uses[n].is_own = is_own(uses, count, &uses[n]);
	for (uint32_t n = 0; n < count; n++) {
		if (!uses[n].is_own)
			continue;
		if (last && last->party != uses[n].party &&
		    (is_writer(uses, count, last->party) || is_writer(uses, count, uses[n].party)))
			found[pairs++] = (struct sharing_neighbours){ (uint32_t)(last - uses), n };
		last = &uses[n];
	}
	return pairs;
}
