/* SPDX-License-Identifier: BSD-3-Clause */
/* From the id in a record to the event that it belongs to. */
#ifndef PRECIS_PERF_IDS_H
#define PRECIS_PERF_IDS_H

#include <stddef.h>
#include <stdint.h>

#define IDS_CACHE 256u /* the kernel numbers events one by one: few of them share a place */
#define IDS_NONE UINT32_MAX

struct precis_id {
	uint64_t id;
	uint32_t event;
};

/*
 * A sorted array behind a direct-mapped cache: look-ups of a real recording end
 * in the cache, and no choice of ids makes one slower than a binary search.
 */
struct precis_ids {
	struct precis_id *sorted;
	size_t count;
	struct precis_id cache[IDS_CACHE]; /* event IDS_NONE: empty */
};

/* 'ids' is malloc'ed and owned from here on. Of equal ids that of the lowest event wins. */
void precis_ids_init(struct precis_ids *index, struct precis_id *ids, size_t count);
void precis_ids_free(struct precis_ids *index);

/* @return the event, or IDS_NONE */
uint32_t precis_ids_search(struct precis_ids *index, uint64_t id);

static inline uint32_t precis_ids_find(struct precis_ids *index, uint64_t id)
{
	const struct precis_id *cached = &index->cache[id % IDS_CACHE];

	if (__builtin_expect(cached->id == id && cached->event != IDS_NONE, 1))
		return cached->event;
	return precis_ids_search(index, id);
}

#endif
