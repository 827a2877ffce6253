/* SPDX-License-Identifier: BSD-3-Clause */
/* The index of ids. */
#include "ids.h"

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
	const struct precis_id *a = left, *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

void precis_ids_init(struct precis_ids *index, struct precis_id *ids, size_t count)
{
	index->sorted = ids;
	index->count = count;
	for (size_t i = 0; i < IDS_CACHE; i++)
		index->cache[i].event = IDS_NONE;
	if (count)
		qsort(ids, count, sizeof(*ids), compare);
}

void precis_ids_free(struct precis_ids *index)
{
	free(index->sorted);
}

uint32_t precis_ids_search(struct precis_ids *index, uint64_t id)
{
	size_t low = 0, high = index->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index->sorted[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == index->count || index->sorted[low].id != id)
		return IDS_NONE;
	index->cache[id % IDS_CACHE] = index->sorted[low];
	return index->sorted[low].event;
}
