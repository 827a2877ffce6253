/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers for keys, 0, 1, 2, … in the order of their appearance; how many is bounded. */
#ifndef PRECIS_PERF_NUMBERING_H
#define PRECIS_PERF_NUMBERING_H

#include <stddef.h>
#include <stdint.h>

#define NUMBER_NONE UINT32_MAX

struct numbered_key {
	uint64_t key;
	uint32_t number_and_one; /* 0: empty */
};

/* Zeroed memory is an empty one. */
struct numbering {
	struct numbered_key *slots; /* allocated with the first key */
	uint32_t room; /* how many slots, a power of two */
	uint32_t count;
};

/* @return the key's number; NUMBER_NONE if it has none */
uint32_t numbering_find(const struct numbering *numbering, uint64_t key);

/*
 * The same, and a number for a key that is new.
 * @param limit  how many keys there may be, always the same for one numbering
 * @return NUMBER_NONE if there are that many, or memory is short
 */
uint32_t numbering_take(struct numbering *numbering, uint64_t key, uint32_t limit);

/*
 * Room for one item more than there are keys, the new ones zeroed.
 * @param limit  as in numbering_take(), which is to be called next
 * @return 0 if memory is short
 */
int numbering_make_room(const struct numbering *numbering, uint32_t limit, void **items,
			uint32_t *room, size_t bytes);

void numbering_free(struct numbering *numbering);

#endif
