/* SPDX-License-Identifier: BSD-3-Clause */
/* How many samples came of each event in each thread, and from when to when. */
#ifndef PRECIS_PERF_TALLIES_H
#define PRECIS_PERF_TALLIES_H

#include "libdecode/perf/records/record_header.h"
#include "numbering.h"

/* The most that there may be: memory is taken for those that there are */
#define TALLIES_MOST 65536u

#define TALLIES_NEAR 64u

struct sample_tally {
	uint64_t samples;
	uint64_t first_time, last_time; /* of any records that tell of it; both 0: none has one */
};

/* Where the key was found last that may stand at that place */
struct tally_near {
	uint64_t key; /* 0: none */
	uint32_t number;
};

/* Zeroed memory has counted nothing. */
struct tallies {
	struct numbering numbers;
	struct sample_tally *tallies;
	uint32_t room;
	uint32_t is_full; /* there are no more, so that each has counted from its first sample on */
	struct tally_near near[TALLIES_NEAR];
};

/* A key that is not 0 */
static inline uint64_t tally_key(uint32_t event, uint32_t tid)
{
	return (uint64_t)(event + 1) << 32 | tid;
}

/* The same where it is not near; NULL if there is no room */
struct sample_tally *precis_tallies_look_up(struct tallies *tallies, struct tally_near *near,
					    uint64_t key);

/* The tally of that, new if there was none; others may move. NULL if there is no room */
static inline struct sample_tally *tallies_take(struct tallies *tallies, uint32_t event,
						uint32_t tid)
{
	uint64_t key = tally_key(event, tid);
	struct tally_near *near = &tallies->near[(tid + event) % TALLIES_NEAR];

	if (likely(near->key == key))
		return &tallies->tallies[near->number];
	return precis_tallies_look_up(tallies, near, key);
}

/* The first and the last of some times; 0 is none. */
static inline void tally_note_times(struct sample_tally *tally, uint64_t first, uint64_t last)
{
	if (!first)
		return;
	if (!tally->last_time || first < tally->first_time)
		tally->first_time = first;
	if (last > tally->last_time)
		tally->last_time = last;
}

/* NULL if there is none */
const struct sample_tally *tallies_find(const struct tallies *tallies, uint32_t event,
					uint32_t tid);

void tallies_free(struct tallies *tallies);

#endif
