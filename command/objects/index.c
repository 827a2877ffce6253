/* SPDX-License-Identifier: BSD-3-Clause */
/* See index.h. */
#include "index.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BITS 10u

static uint64_t home(const struct index *index, uint64_t key)
{
	return tally_hash_of(&index->hash, 0, key) >> index->shift;
}

/* Its slot, or the free one where it would be. The table has free ones. */
static uint64_t place(const struct index *index, uint64_t key)
{
	uint64_t n = home(index, key);

	while (index->slots[n].value_plus_1 && index->slots[n].key != key)
		n = (n + 1) & index->mask;
	return n;
}

const void *index_place(const struct index *index, uint64_t key)
{
	return index->slots ? &index->slots[home(index, key)] : NULL;
}

int index_find(const struct index *index, uint64_t key, uint32_t *value)
{
	const struct index_slot *slot;

	if (!index->slots)
		return 0;
	slot = &index->slots[place(index, key)];
	*value = slot->value_plus_1 - 1;
	return slot->value_plus_1 != 0;
}

/* Those behind it that would be in its slot had it not been there move up. */
int index_take(struct index *index, uint64_t key, uint32_t *value)
{
	uint64_t gap, n;

	if (!index_find(index, key, value))
		return 0;
	gap = place(index, key);
	for (n = (gap + 1) & index->mask; index->slots[n].value_plus_1; n = (n + 1) & index->mask) {
		const uint64_t wanted = home(index, index->slots[n].key);

		if (((n - wanted) & index->mask) < ((n - gap) & index->mask))
			continue;
		index->slots[gap] = index->slots[n];
		gap = n;
	}
	index->slots[gap].value_plus_1 = 0;
	index->count--;
	return 1;
}

static int grow(struct index *index)
{
	struct index larger = { .hash = index->hash };

	if (!index->slots)
		tally_hash_begin(&larger.hash);
	larger.shift = index->slots ? index->shift - 1 : 64 - FIRST_BITS;
	larger.mask = (UINT64_C(1) << (64 - larger.shift)) - 1;
	larger.slots = calloc(larger.mask + 1, sizeof(*larger.slots));
	if (!larger.slots)
		return -1;
	for (uint64_t n = 0; index->slots && n <= index->mask; n++)
		if (index->slots[n].value_plus_1)
			larger.slots[place(&larger, index->slots[n].key)] = index->slots[n];
	larger.count = index->count;
	free(index->slots);
	*index = larger;
	return 0;
}

int index_put(struct index *index, uint64_t key, uint32_t value)
{
	if ((!index->slots || index->count > index->mask / 2) && grow(index))
		return -1;
	index->slots[place(index, key)] = (struct index_slot){ key, value + 1 };
	index->count++;
	return 0;
}

void index_free(struct index *index)
{
	free(index->slots);
	memset(index, 0, sizeof(*index));
}
