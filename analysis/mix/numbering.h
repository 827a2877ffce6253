/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of a few words, each of which has a number: 0, 1, ... in the order in which they came. */
#ifndef ANALYSIS_MIX_NUMBERING_H
#define ANALYSIS_MIX_NUMBERING_H

#include <stdint.h>

#define NUMBERING_WORDS 4u
#define NUMBERING_NONE UINT32_MAX

struct numbering_key {
	uint64_t word[NUMBERING_WORDS];
};

/* Zeroed memory has none. */
struct numbering {
	struct numbering_key *key; /* by number */
	uint32_t count, room;
	uint32_t *slot; /* of a hash table: 1 + a number */
	uint32_t slots; /* a power of two */
};

/** The number of a key, which is put in if need be. @return NUMBERING_NONE: memory is short */
uint32_t numbering_of(struct numbering *numbering, const struct numbering_key *key);

/** @return NUMBERING_NONE: there is no such key */
uint32_t numbering_find(const struct numbering *numbering, const struct numbering_key *key);

void numbering_free(struct numbering *numbering);

#endif
