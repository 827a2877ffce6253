/* SPDX-License-Identifier: BSD-3-Clause */
/* Tallies of one group, in the order in which they were seen first; of all groups they become a table. */
#ifndef ANALYSIS_MIX_NOTED_H
#define ANALYSIS_MIX_NOTED_H

#include "tallies.h"

/*
 * What tells tallies of a group apart: a stream's or a sample's first block and a stream's last one, with
 * what kind it is of in the two bits that no number of a block needs; and where the stream jumped.
 */
struct noted_key {
	uint64_t ends;
	uint32_t to;
};
#define NOTED_FIRST_SHIFT 32
#define NOTED_SORT_SHIFT 62
/* A stream that ends in a stack's newest entry; all others have their kind */
#define NOTED_NEWEST UINT64_C(3)
#define NOTED_SORTS 4u

/* Half a line of a cache, and never in two of them */
struct noted {
	uint64_t ends;
	uint32_t to, count;
	uint64_t weight;
	double published;
};

/* Zeroed memory has none. */
struct noted_group {
	uint32_t count, room;
	/* From 1 on, in the order in which they were seen first; which observation that was */
	struct noted *noted;
	uint64_t *since;
	uint32_t *index; /* a hash table: the number of one that is noted; 0: free */
	uint32_t index_bits; /* of its room */
};

static inline struct noted_key noted_key_of(uint64_t sort, uint32_t first, uint32_t last,
					    uint32_t to)
{
	return (struct noted_key){
		sort << NOTED_SORT_SHIFT | (uint64_t)first << NOTED_FIRST_SHIFT | last, to
	};
}

/* The upper bits of a product, which each bit of the key has a part in */
static inline uint32_t noted_slot_first(struct noted_key key, uint32_t index_bits)
{
	return (uint32_t)((key.ends + key.to * UINT64_C(0xd6e8feb86659fd93)) *
				  UINT64_C(0x9e3779b97f4a7c15) >>
			  (64 - index_bits));
}

/* The key's own, or a free one, from its first on */
static inline uint32_t noted_slot_of(const struct noted_group *group, struct noted_key key,
				     uint32_t slot)
{
	uint32_t number;

	while ((number = group->index[slot]) &&
	       (group->noted[number].ends != key.ends || group->noted[number].to != key.to))
		slot = (slot + 1) & ((UINT32_C(1) << group->index_bits) - 1);
	return slot;
}

/* The key's number, which is noted if need be: where there is room. 'first': noted_slot_first() */
static inline uint32_t noted_number_of(struct noted_group *group, struct noted_key key,
				       uint32_t first, uint64_t since)
{
	uint32_t *slot = &group->index[noted_slot_of(group, key, first)];

	if (!*slot) {
		*slot = ++group->count;
		group->noted[*slot] = (struct noted){ .ends = key.ends, .to = key.to };
		group->since[*slot] = since;
	}
	return *slot;
}

/** Room for a whole stack. @return 0, or -1: memory is short */
int noted_make_room(struct noted_group *group);

/** What finds that which is noted, and is not needed any more when all is */
void noted_free_index(struct noted_group *group);
void noted_free(struct noted_group *group);

/**
 * One group of what several threads noted, each of other observations, by blocks that have other numbers
 * with each: what one would have noted.
 * @param into   zeroed
 * @param from   'count' of them
 * @param blocks  of each: by its own number of a block, that of all
 * @return 0, or -1: memory is short
 */
int noted_join(struct noted_group *into, const struct noted_group *const *from,
	       const uint32_t *const *blocks, uint32_t count);

/**
 * All groups become one table, in the order that tallies would have if each observation had been added when
 * it came. The groups' memory is given back on the way.
 * @param groups   MIX_GROUPS of them, without their indexes
 * @param tallies  there are none yet
 * @return 0, or -1: memory is short
 */
int noted_settle(const struct noted_group *const *groups, struct mix_tallies *tallies);

#endif
