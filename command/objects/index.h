/* SPDX-License-Identifier: BSD-3-Clause */
/* Where something with a number is in an array: a hash table that no choice of numbers makes slow. */
#ifndef OBJECTS_INDEX_H
#define OBJECTS_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "statistics/tally.h"

struct index_slot {
	uint64_t key;
	uint32_t value_plus_1; /* 0: it is free */
};

/* Zeroed memory is empty. */
struct index {
	struct index_slot *slots;
	uint64_t mask; /* number of slots - 1 */
	struct tally_hash hash;
	uint32_t shift; /* 64 - log2(slots) */
	size_t count;
};

/* @return 1 with the value, 0: there is none */
int index_find(const struct index *index, uint64_t key, uint32_t *value);

/* The same, which is gone then */
int index_take(struct index *index, uint64_t key, uint32_t *value);

/* Where it begins to look for a key; NULL: nowhere */
const void *index_place(const struct index *index, uint64_t key);

/* A key that is not there yet. @return 0, -1: no memory */
int index_put(struct index *index, uint64_t key, uint32_t value);

void index_free(struct index *index);

#endif
