/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting: equal streams of one group are one tally. */
#include "observations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libdecode/code/streams.h"

#include "deferred.h"

static uint8_t group_of(uint64_t cluster)
{
	return (uint8_t)(mix_mixed(cluster + UINT64_C(0x9e3779b97f4a7c15)) % MIX_GROUPS);
}

static int count_one(struct mix_observations *observations, const struct mix_tally *key)
{
	if (observations->deferred)
		return mix_defer(observations->deferred, key);
	if (mix_tallies_make_room(&observations->tallies) < 0)
		return -1;
	mix_tallies_add(&observations->tallies, key);
	return 0;
}

int mix_add_sample(struct mix_observations *observations, uint32_t block, uint64_t period,
		   uint64_t cluster)
{
	const struct mix_tally key = { .first = block,
				       .kind = MIX_SAMPLE,
				       .group = group_of(cluster),
				       .count = 1,
				       .weight = period };

	observations->samples++;
	observations->sample_weight[key.group] += period;
	if (block == FLOW_NONE) {
		observations->unplaced_samples++;
		observations->unplaced_weight += period;
		return 0;
	}
	return count_one(observations, &key);
}

int mix_add_branch(struct mix_observations *observations, struct mix_jump jump, uint64_t period,
		   uint64_t cluster)
{
	const struct mix_tally key = { .first = jump.from,
				       .to = jump.to,
				       .kind = MIX_BRANCH,
				       .group = group_of(cluster),
				       .count = 1,
				       .weight = period };

	return jump.from == FLOW_NONE || jump.to == FLOW_NONE ? 0 : count_one(observations, &key);
}

static int make_place(struct mix_observations *observations, uint32_t block)
{
	uint32_t room = observations->place_room ? observations->place_room : 64;
	struct mix_places *places;

	while (room <= block && room < UINT32_C(1) << 31)
		room *= 2;
	places = realloc(observations->places, room * sizeof(*places));
	if (!places)
		return -1;
	memset(places + observations->place_room, 0,
	       (room - observations->place_room) * sizeof(*places));
	observations->places = places;
	observations->place_room = room;
	return 0;
}

/* NULL: memory is short */
static inline struct mix_places *places_of(struct mix_observations *observations, uint32_t block)
{
	if (block >= observations->place_room && make_place(observations, block) < 0)
		return NULL;
	return &observations->places[block];
}

/* A deeper stack than any before: what was taken for full ones was not. */
static void deepen(struct mix_observations *observations, uint32_t depth)
{
	observations->depth = depth;
	observations->full = 0;
	memset(observations->twins, 0, sizeof(observations->twins));
	if (observations->place_room)
		memset(observations->places, 0, observations->place_room * sizeof(*observations->places));
	for (uint32_t n = 0; observations->known && n < mix_stacks_count(observations->known); n++)
		mix_stacks_at(observations->known, n)->full = 0;
}

/* Which place of a full stack tells what places by chance are like: whoever counts it, and when */
static inline uint32_t chosen_of(uint64_t cluster, uint32_t count)
{
	return (uint32_t)(mix_mixed(~cluster) % count);
}

/*
 * What a stack adds to each of its streams' published count, with as many binary digits as leave room for
 * millions of such: their sum is the same in whatever order, and whoever adds up a part of it.
 */
static inline double published_of(uint64_t period, uint32_t streams)
{
	const double part = (double)period / streams, shifted = part * (0x1p23 + 1);

	return shifted - (shifted - part);
}

static int place_full(struct mix_observations *observations, const struct mix_jump *jumps,
		      uint32_t count, uint64_t cluster)
{
	const uint32_t newest = jumps[0].from, oldest = jumps[count - 1].from;
	const uint32_t chosen = jumps[chosen_of(cluster, count)].from;
	struct mix_places *places = observations->places;
	uint32_t room = observations->place_room;

	observations->full++;
	for (uint32_t n = 0; n < count; n++) {
		const uint32_t from = jumps[n].from;

		if (n + 1 < count && mix_jump_is_twin(jumps, n))
			observations->twins[n]++;
		if (from >= room) {
			if (from == FLOW_NONE)
				continue;
			if (make_place(observations, from) < 0)
				return -1;
			places = observations->places;
			room = observations->place_room;
		}
		places[from].all++;
	}
	if (newest != FLOW_NONE)
		places[newest].newest++;
	if (oldest != FLOW_NONE)
		places[oldest].oldest++;
	if (chosen != FLOW_NONE)
		places[chosen].random++;
	return 0;
}

static int count_streams(struct mix_observations *observations, const struct mix_jump *jumps,
			 const uint32_t *numbers, uint32_t count, const struct mix_tally *what)
{
	struct mix_tally stream = *what;

	if (observations->deferred)
		return mix_defer_stack(observations->deferred, what, jumps, numbers, count);
	if (mix_tallies_make_room(&observations->tallies) < 0)
		return -1;
	for (uint32_t n = 0; n + 1 < count; n++) {
		if (!mix_stream_is_placed(jumps, n)) {
			observations->unplaced_streams++;
			continue;
		}
		stream.first = jumps[n + 1].to;
		stream.last = jumps[n].from;
		stream.to = jumps[n].to;
		stream.newest = n == 0;
		mix_tallies_add(&observations->tallies, &stream);
	}
	return 0;
}

int mix_add_stack(struct mix_observations *observations, const struct mix_jump *jumps, uint32_t count,
		  uint64_t period, uint64_t cluster)
{
	return mix_add_numbered_stack(observations, jumps, NULL, count, period, cluster);
}

/* @return what all of its streams have in common */
static inline struct mix_tally begin_stack(struct mix_observations *observations, uint32_t count,
					   uint64_t period, uint64_t cluster)
{
	const uint8_t group = group_of(cluster);

	observations->stacks++;
	observations->stack_weight[group] += period;
	observations->stream_weight += (double)period * (count - 1);
	return (struct mix_tally){ .kind = MIX_STREAM,
				   .group = group,
				   .count = 1,
				   .weight = period,
				   .published = published_of(period, count - 1) };
}

int mix_add_numbered_stack(struct mix_observations *observations, const struct mix_jump *jumps,
			   const uint32_t *streams, uint32_t count, uint64_t period,
			   uint64_t cluster)
{
	struct mix_tally key;

	if (count > MIX_STACK_MOST) {
		observations->too_long++;
		return 0;
	}
	if (count < 2)
		return 0;
	if (count > observations->depth)
		deepen(observations, count);
	key = begin_stack(observations, count, period, cluster);
	if (count == observations->depth && place_full(observations, jumps, count, cluster) < 0)
		return -1;
	return count_streams(observations, jumps, streams, count, &key);
}

/* --- stacks that come again --- */

/* What full ones were seen of since their places were counted last: room for these was made then */
static void place_known(struct mix_observations *observations)
{
	struct mix_places *places = observations->places;

	for (uint32_t number = 0; number < mix_stacks_count(observations->known); number++) {
		struct mix_stack *stack = mix_stacks_at(observations->known, number);
		const uint32_t *from = mix_stack_sources(stack), last = stack->count - 1;

		if (!stack->full)
			continue;
		for (uint32_t n = 0; n < stack->count; n++) {
			if (from[n] != FLOW_NONE)
				places[from[n]].all += stack->full;
			observations->twins[n] += stack->twins >> n & 1 ? stack->full : 0;
		}
		if (from[0] != FLOW_NONE)
			places[from[0]].newest += stack->full;
		if (from[last] != FLOW_NONE)
			places[from[last]].oldest += stack->full;
		stack->full = 0;
	}
}

/* Nothing waits that has to do with those that are forgotten */
static int forget_known(struct mix_observations *observations)
{
	place_known(observations);
	if (mix_deferred_count(observations->deferred) < 0)
		return -1;
	mix_deferred_count_known(observations->deferred, observations->known);
	mix_stacks_clear(observations->known);
	return 0;
}

int mix_know_stack(struct mix_observations *observations, uint32_t number,
		   const struct mix_jump *jumps, const uint32_t *streams, uint32_t count)
{
	if (!observations->known)
		observations->known = mix_stacks_new();
	if (!observations->known || (!number && forget_known(observations) < 0))
		return -1;
	mix_stacks_add(observations->known, jumps, streams, count);
	return 0;
}

int mix_add_known_stack(struct mix_observations *observations, uint32_t number, uint64_t period,
			uint64_t cluster)
{
	struct mix_stack *stack = mix_stacks_at(observations->known, number);
	const struct mix_tally key = begin_stack(observations, stack->count, period, cluster);

	if (stack->count == observations->depth) {
		const uint32_t chosen = mix_stack_sources(stack)[chosen_of(cluster, stack->count)];

		observations->full++;
		stack->full++;
		if (chosen != FLOW_NONE)
			observations->places[chosen].random++;
	}
	return mix_defer_known(observations->deferred, &key, observations->known, number);
}

/* --- the end --- */

int mix_observations_defer(struct mix_observations *observations)
{
	if (!observations->deferred)
		observations->deferred = mix_deferred_new();
	return observations->deferred ? 0 : -1;
}

void mix_observations_at(struct mix_observations *observations, uint64_t number)
{
	if (observations->deferred)
		mix_deferred_at(observations->deferred, number);
}

int mix_observations_count(struct mix_observations *observations)
{
	const int status = observations->known ? forget_known(observations) : 0;

	mix_stacks_free(observations->known);
	observations->known = NULL;
	return observations->deferred && !status ? mix_deferred_count(observations->deferred)
						 : status;
}

int mix_observations_settle(struct mix_observations *observations)
{
	struct mix_deferred *deferred = observations->deferred;
	int status = mix_observations_count(observations);

	observations->deferred = NULL;
	if (deferred && !status)
		status = mix_deferred_settle(deferred, &observations->tallies,
					     &observations->unplaced_streams);
	mix_deferred_free(deferred);
	return status;
}

/* --- joining --- */

/* What was seen of a block. @return 0, or -1: memory is short */
static int add_places_of(struct mix_observations *to, uint32_t block, const struct mix_places *had)
{
	struct mix_places *places = places_of(to, block);

	if (!places)
		return -1;
	places->all += had->all;
	places->oldest += had->oldest;
	places->newest += had->newest;
	places->random += had->random;
	return 0;
}

static int add_places(struct mix_observations *into, const struct mix_observations *from,
		      const uint32_t *blocks)
{
	for (uint32_t n = 0; n < from->place_room; n++) {
		if (from->places[n].all && add_places_of(into, blocks[n], &from->places[n]) < 0)
			return -1;
	}
	return 0;
}

/* Full stacks are those of the depth that is the largest of all. */
static int add_full(struct mix_observations *into, const struct mix_observations *from,
		    const uint32_t *blocks)
{
	if (from->depth > into->depth)
		deepen(into, from->depth);
	if (from->depth < into->depth)
		return 0;
	into->full += from->full;
	for (uint32_t n = 0; n < MIX_STACK_MOST; n++)
		into->twins[n] += from->twins[n];
	return add_places(into, from, blocks);
}

static int join_one(struct mix_observations *into, const struct mix_observations *from,
		    const uint32_t *blocks)
{
	into->samples += from->samples;
	into->unplaced_samples += from->unplaced_samples;
	into->unplaced_weight += from->unplaced_weight;
	into->stacks += from->stacks;
	into->stream_weight += from->stream_weight;
	into->too_long += from->too_long;
	for (uint32_t group = 0; group < MIX_GROUPS; group++) {
		into->sample_weight[group] += from->sample_weight[group];
		into->stack_weight[group] += from->stack_weight[group];
	}
	return add_full(into, from, blocks);
}

int mix_observations_join(struct mix_observations *into, struct mix_observations *const *from,
			  const uint32_t *const *blocks, uint32_t count)
{
	struct mix_deferred **deferred = malloc(count * sizeof(*deferred));
	int failed = !deferred;

	for (uint32_t n = 0; n < count && !failed; n++) {
		deferred[n] = from[n]->deferred;
		failed = join_one(into, from[n], blocks[n]) < 0;
	}
	failed = failed || mix_deferred_join(into->deferred, deferred, blocks, count) < 0;
	free(deferred);
	return failed ? -1 : 0;
}

static uint64_t scaled(uint64_t weight, double scale)
{
	const double product = (double)weight * scale;

	if (scale == 1)
		return weight;
	return product < 0x1p63 ? (uint64_t)llround(product) : UINT64_MAX / 2;
}

static int renumber_tallies(const struct mix_observations *from, mix_renumber_tally *of_tally,
			    void *data, double scale, struct mix_tallies *to)
{
	if (mix_tallies_reserve(to, from->tallies.count) < 0)
		return -1;
	for (size_t n = 0; n < from->tallies.count; n++) {
		struct mix_tally tally = from->tallies.tally[n];

		if (!of_tally(data, n, &tally))
			continue;
		if (tally.kind == MIX_STREAM) {
			tally.weight = scaled(tally.weight, scale);
			tally.published *= scale;
		}
		/* What has the same blocks now is added up where it is gathered */
		mix_tallies_append(to, &tally);
	}
	return 0;
}

static int renumber_places(const struct mix_observations *from, mix_renumber_branch *of_branch, void *data,
			   struct mix_observations *to)
{
	for (uint32_t n = 0; n < from->place_room; n++) {
		const uint32_t block = from->places[n].all ? of_branch(data, n) : FLOW_NONE;

		if (block != FLOW_NONE && add_places_of(to, block, &from->places[n]) < 0)
			return -1;
	}
	return 0;
}

int mix_observations_renumber(const struct mix_observations *from, mix_renumber_tally *of_tally,
			      mix_renumber_branch *of_branch, void *data, double scale,
			      struct mix_observations *to)
{
	*to = *from;
	to->tallies = (struct mix_tallies){ 0 };
	to->deferred = NULL;
	to->known = NULL;
	to->places = NULL;
	to->place_room = 0;
	to->stream_weight *= scale;
	for (uint32_t group = 0; group < MIX_GROUPS; group++)
		to->stack_weight[group] = scaled(from->stack_weight[group], scale);
	if (renumber_tallies(from, of_tally, data, scale, &to->tallies) < 0)
		return -1;
	return renumber_places(from, of_branch, data, to);
}

int mix_newest_is_copied(const struct mix_observations *observations)
{
	uint64_t pairs[MIX_STACK_MOST];

	for (uint32_t n = 0; n < MIX_STACK_MOST; n++)
		pairs[n] = n + 1 < observations->depth ? observations->full : 0;
	return code_newest_is_copied(pairs, observations->twins, MIX_STACK_MOST);
}

uint64_t mix_weight_of_samples(const struct mix_observations *observations)
{
	uint64_t weight = 0;

	for (uint32_t group = 0; group < MIX_GROUPS; group++)
		weight += observations->sample_weight[group];
	return weight;
}

void mix_observations_free(struct mix_observations *observations)
{
	mix_deferred_free(observations->deferred);
	mix_stacks_free(observations->known);
	mix_tallies_free(&observations->tallies);
	free(observations->places);
	memset(observations, 0, sizeof(*observations));
}
