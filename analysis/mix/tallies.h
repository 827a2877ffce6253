/* SPDX-License-Identifier: BSD-3-Clause */
/* What one kind of thing was seen how often: tallies in a hash table. */
#ifndef ANALYSIS_MIX_TALLIES_H
#define ANALYSIS_MIX_TALLIES_H

#include <stddef.h>
#include <stdint.h>

#include "flow.h"

#define MIX_GROUPS 32u
#define MIX_BLOCKS_MOST (UINT32_C(1) << 30) /* numbers are less */
#define MIX_STACK_MOST 64u /* branches of one stack; those of a longer one are not taken */

/* A taken branch: the block that it ends, and the block that it enters. FLOW_NONE: not in the graph */
struct mix_jump {
	uint32_t from, to;
};

/*
 * Streams may have numbers, by which they are found at once: other streams have other ones, from 1 on. 0: it
 * has none, as those that come late
 */
#define MIX_NUMBERED_MOST (UINT32_C(1) << 16) /* they are less */

struct mix_tally {
	uint32_t first, last,
		to; /* a stream and where its end jumped; a sample: 'first' alone; a branch */
	uint8_t kind, group, newest;
	uint32_t count;
	uint64_t weight; /* sum of periods */
	double published; /* of a stream: sum of period / (streams of its stack) */
};

enum mix_tally_kind { MIX_SAMPLE, MIX_STREAM, MIX_BRANCH };

static inline int mix_tally_is_same(const struct mix_tally *a, const struct mix_tally *b)
{
	return a->first == b->first && a->last == b->last && a->to == b->to &&
	       a->group == b->group && a->kind == b->kind && a->newest == b->newest;
}

/** What was seen once more */
static inline void mix_tally_add(struct mix_tally *tally, const struct mix_tally *more)
{
	tally->count += more->count;
	tally->weight += more->weight;
	tally->published += more->published;
}

/**
 * Stream n of a stack, of which 'jumps' are the newest first, goes from where jump n + 1 went to where
 * jump n began.
 * @return 0: one of these is not in the graph
 */
static inline int mix_stream_is_placed(const struct mix_jump *jumps, uint32_t n)
{
	return jumps[n + 1].to != FLOW_NONE && jumps[n].from != FLOW_NONE;
}

/* Is jump n the same as the one before it? */
static inline int mix_jump_is_twin(const struct mix_jump *jumps, uint32_t n)
{
	return jumps[n].from == jumps[n + 1].from && jumps[n].to == jumps[n + 1].to;
}

static inline uint64_t mix_mixed(uint64_t value)
{
	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

/* Of a hash table: which tally there is, from 1 on, or 0: none; and the lower half of its hash */
struct mix_tally_slot {
	uint32_t number, hash;
};

/* Zeroed memory has none. */
struct mix_tallies {
	struct mix_tally *tally; /* as they came, in which order they are gone through */
	size_t count, most; /* there is room for */
	struct mix_tally_slot *slot; /* 'room' of them; none, where nothing was looked for */
	size_t room;
};

/** Room for a whole stack, before its tallies are added. @return 0, or -1: memory is short */
int mix_tallies_make_room(struct mix_tallies *tallies);

/** Where there is room */
void mix_tallies_add(struct mix_tallies *tallies, const struct mix_tally *more);

/** For so many more that are put behind the others. @return 0, or -1: memory is short */
int mix_tallies_reserve(struct mix_tallies *tallies, size_t count);

/** Where that is done, without looking for one that is the same: there is none, or it does not matter */
static inline void mix_tallies_append(struct mix_tallies *tallies, const struct mix_tally *more)
{
	tallies->tally[tallies->count++] = *more;
}

void mix_tallies_free(struct mix_tallies *tallies);

#endif
