/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The keys with the most weight, in bounded memory, with a bound of what is not known.
 *
 * As long as keys have room all is exact. When they have not, the lighter half goes, and 'floor'
 * is the most that one of these can have weighed. A key that comes (again) then has its weight
 * from there on; what it can have had before is its 'missed'. So always
 *
 *	weight <= true weight <= weight + missed,	missed <= floor
 *	true weight of a key that is not there <= floor <= total / (limit / 2)
 *
 * and whatever has more than that share of the total is in the table. These are the counters of
 * Misra and Gries ("Finding repeated elements", 1982), 'floor' below the upper bound of each, with
 * the median taken away at once as Anderson et al. do ("A High-Performance Algorithm for
 * Identifying Frequent Items in Data Streams", 2017): each time at least limit / 2 of them lose
 * what the floor rises by, and all that they can lose is the total.
 */
#ifndef STATISTICS_HEAVY_H
#define STATISTICS_HEAVY_H

#include "tally.h"

#define HEAVY_FIGURES 13u

struct heavy_entry {
	uint64_t space, address; /* the key, as a tally's */
	uint64_t weight; /* since it is in the table */
	uint64_t missed; /* at most so much came before that */
	uint64_t figures[HEAVY_FIGURES]; /* the caller's, 0 when it comes into the table */
};

struct heavy {
	struct tally_hash hash;
	uint32_t *index; /* open addressing: a key's number in 'entries', from 1; 0: free */
	uint32_t index_bits; /* log2 of its slots */
	struct heavy_entry *entries;
	uint32_t count, room, limit;
	uint64_t total; /* weight that was ever added */
	uint64_t floor; /* no key that is not in the table has more */
	uint64_t dropped; /* how many entries had to go */
	int failed; /* memory was short: nothing is added any more */
};

/** @param limit  entries at most, 2 or more. @return 0, or -1 if memory is short */
int heavy_init(struct heavy *heavy, uint32_t limit);
void heavy_free(struct heavy *heavy);

/** Forget all that was added and keep the memory. */
void heavy_clear(struct heavy *heavy);

/** So many keys come, nearly all of them new ones: their room is made at once, as far as memory is there. */
void heavy_expect(struct heavy *heavy, uint32_t count);

/** Nothing more is added: give back the memory that only that would need. */
void heavy_close(struct heavy *heavy);

/**
 * Add weight to a key.
 * @return its entry, valid until the next call; NULL if memory is short
 */
struct heavy_entry *heavy_add(struct heavy *heavy, uint64_t space, uint64_t address,
			      uint64_t weight);

/**
 * The entries that come first in an order, in that order.
 *
 * @param top    room for 'room' pointers; they are valid until the next heavy_add()
 * @param order  of two pointers to pointers to entries, as qsort() has it; no two are the same to it
 * @return how many there are
 */
size_t heavy_top(const struct heavy *heavy, const struct heavy_entry **top, size_t room,
		 int (*order)(const void *, const void *));

/**
 * Take in all entries of another table of the same limit, counted apart: of other samples, or of the
 * same recording's. What is true of each is true of both together ("Mergeable Summaries", Agarwal et
 * al., 2012): a key that is in but one of them can have had up to the other's floor there.
 *
 * @param other    its keys are those of 'heavy'
 * @param combine  adds the figures of an entry to those of the one that it goes to, which are 0 if it
 *                 was not there
 * @return 0, or -1 if memory is short
 */
int heavy_merge(struct heavy *heavy, const struct heavy *other,
		void (*combine)(struct heavy_entry *to, const struct heavy_entry *from));

/**
 * What is to go for half of the keys to have room again.
 *
 * @param uppers  what each can weigh at most; they are sorted
 * @param same    set to how many that can weigh just the result go, too
 * @return the new floor: those that can weigh less go
 */
uint64_t heavy_cut(uint64_t *uppers, size_t count, size_t *same);

#endif
