/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Combinations that samples of runs were of not long ago, by the bits that decide: a cache of few bytes for
 * each, as registers have some forty such bits, which fit into one word.
 */
#ifndef ANALYSIS_SEEN_H
#define ANALYSIS_SEEN_H

#include "groups.h"

/* Registers are turned to the left by so many bits, so that those of each fall where others have none. */
struct packing {
	int is_possible; /* have all of them room? */
	uint32_t control, data, data2; /* data3 stays as it is. */
};

/* Of registers of which these bits decide */
struct packing packing_of(const struct group_key *bits);

/* All that a group_key has but its form, if packing is possible */
struct packed_key {
	uint64_t bits, measured;
};

struct seen {
	struct packed_key key;
	uint64_t form;
	uint32_t combination, generation; /* of the run's; those of other generations are no more */
};
#define SEEN_WAYS 2u
#define SEEN_SETS_LOG2 13u

/* As many as there are, each set in a line of the processor's; to be freed. NULL: memory is short */
struct seen *seen_new(void);

static inline uint64_t turned(uint64_t bits, uint32_t left)
{
	return bits << (left & 63) | bits >> (-left & 63);
}

static inline uint64_t packed_bits(const struct packing *packing, const struct group_key *key)
{
	return turned(key->control, packing->control) | turned(key->data, packing->data) |
	       turned(key->data2, packing->data2) | key->data3;
}

static inline struct packed_key packed_key_of(const struct packing *packing, const struct group_key *key)
{
	return (struct packed_key){ .bits = packed_bits(packing, key), .measured = key->measured };
}

/* The set of a key, by multiply-shift as group_home() */
static inline struct seen *seen_set(struct seen *seen, const struct packed_key *key, uint64_t form)
{
	const uint64_t hash = key->bits * UINT64_C(0x9e3779b97f4a7c15) +
			      key->measured * UINT64_C(0xc2b2ae3d27d4eb4f) + form;

	return &seen[SEEN_WAYS * (hash >> (64 - SEEN_SETS_LOG2))];
}

/* In its set, the number of the combination; -1: it is none that was seen of late */
static inline int64_t seen_find(const struct seen *set, const struct packed_key *key, uint64_t form,
				uint32_t generation)
{
	for (uint32_t n = 0; n < SEEN_WAYS; n++) {
		if (set[n].key.bits == key->bits && set[n].key.measured == key->measured &&
		    set[n].form == form && set[n].generation == generation)
			return set[n].combination;
	}
	return -1;
}

static inline void seen_put(struct seen *set, const struct packed_key *key, uint64_t form,
			    uint32_t combination, uint32_t generation)
{
	set[1] = set[0];
	set[0] = (struct seen){ *key, form, combination, generation };
}

#endif
