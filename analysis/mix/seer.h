/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one thread sees of code, in tables of its own: places have numbers in the order in which it came upon
 * them, and what was seen there is counted by these. Several of them are put together by joining.h.
 */
#ifndef ANALYSIS_MIX_SEER_H
#define ANALYSIS_MIX_SEER_H

#include "libdecode/code/streams.h"

#include "locating.h"
#include "observations.h"

struct cached_place;
struct cached_jump;
struct known_stacks;

/* How stacks of one event were read, in what this thread saw of them */
struct seer_streams {
	struct code_streams *of; /* the event's */
	struct code_streams had;
};

struct mix_seer {
	struct mix_locating *locating;
	struct numbering places; /* keys of mix_locate() */
	uint64_t *first; /* by place: when it was seen first. NULL: nobody else sees any */
	uint32_t first_room;
	struct numbering streams; /* by places: where they begin, and the branch that they end in */
	struct cached_place *cache;
	struct cached_jump *jump_cache;
	struct mix_observations seen;
	struct known_stacks *known; /* as long as counting is put off */
	struct seer_streams *of_events;
	uint32_t event_count;
	int is_shared; /* there are others */
	uint64_t number; /* of what is being seen, among all that all of them see … */
	uint32_t located; /* … and how many places were looked for in it */
	struct code_jump branches[CODE_JUMPS_MOST];
};

/** @param seer  zeroed. @return 0, or -1: memory is short. To be freed in any case */
int mix_seer_new(struct mix_seer *seer, struct mix_locating *locating, int is_shared);
void mix_seer_free(struct mix_seer *seer);

/** Counting is put off, until mix_seer_settle() or mix_seer_count(). @return 0, or -1: memory is short */
int mix_seer_begin(struct mix_seer *seer);
int mix_seer_settle(struct mix_seer *seer);
/** As mix_observations_count(); nothing can be seen behind it */
int mix_seer_count(struct mix_seer *seer);

/** What comes is number 'number' of all, of which it has seen none as high. For those that are shared */
void mix_seer_at(struct mix_seer *seer, uint64_t number);

/* As of sightings.h; 'streams' of one that is shared is not touched: see of_events */
int mix_seer_sample(struct mix_seer *seer, const struct mix_witness *who, uint64_t address);
int mix_seer_branch(struct mix_seer *seer, const struct mix_witness *who, uint64_t from,
		    uint64_t to);
int mix_seer_stack(struct mix_seer *seer, const struct mix_witness *who,
		   struct code_streams *streams, const struct precis_perf_sample *sample);

#endif
