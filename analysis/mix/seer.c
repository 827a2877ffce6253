/* SPDX-License-Identifier: BSD-3-Clause */
/* See seer.h. */
#include "seer.h"

#include <stdlib.h>
#include <string.h>

#include <precis/fields.h>

#include "known_stacks.h"

#define CACHED 65536u /* a power of two, as is: */
#define CACHED_JUMPS 32768u
#define PLACES_SHIFT 8 /* of one observation fewer are looked for */

/* Of what addresses are: who had them, when, in what mode */
struct space {
	uint64_t task; /* process and context */
	/* Another one after each record that changes what is mapped, and for each mode. 0: none */
	uint64_t epoch;
};
#define EPOCH_MODES 8u

/* An address whose place is known */
struct cached_place {
	uint64_t address;
	struct space space;
	uint32_t place;
};

/* Streams that end in one branch begin in one place nearly always, or in two. */
#define CACHED_STREAMS 2u

/* A branch, the places of both of whose ends are: a line of a cache */
struct cached_jump {
	uint64_t from, to;
	struct space space;
	uint32_t from_place, to_place;
	/* Streams that it ended last: where they began, and their numbers */
	uint32_t stream[CACHED_STREAMS];
	uint64_t began[CACHED_STREAMS];
};
#define LINE 64u

int mix_seer_new(struct mix_seer *seer, struct mix_locating *locating, int is_shared)
{
	seer->locating = locating;
	seer->is_shared = is_shared;
	seer->cache = calloc(CACHED, sizeof(*seer->cache));
	seer->jump_cache = aligned_alloc(LINE, CACHED_JUMPS * sizeof(*seer->jump_cache));
	if (seer->jump_cache)
		memset(seer->jump_cache, 0, CACHED_JUMPS * sizeof(*seer->jump_cache));
	return seer->cache && seer->jump_cache ? 0 : -1;
}

static void forget_stacks(struct mix_seer *seer)
{
	known_stacks_free(seer->known);
	seer->known = NULL;
}

void mix_seer_free(struct mix_seer *seer)
{
	forget_stacks(seer);
	mix_observations_free(&seer->seen);
	numbering_free(&seer->places);
	numbering_free(&seer->streams);
	free(seer->first);
	free(seer->of_events);
	free(seer->cache);
	free(seer->jump_cache);
	memset(seer, 0, sizeof(*seer));
}

int mix_seer_begin(struct mix_seer *seer)
{
	if (mix_observations_defer(&seer->seen) < 0)
		return -1;
	if (!seer->known)
		seer->known = known_stacks_new(MIX_STACKS_MOST);
	return seer->known ? 0 : -1;
}

int mix_seer_settle(struct mix_seer *seer)
{
	forget_stacks(seer);
	return mix_observations_settle(&seer->seen);
}

/* What is needed for seeing alone is as large as what a small recording has. */
int mix_seer_count(struct mix_seer *seer)
{
	forget_stacks(seer);
	numbering_free(&seer->streams);
	free(seer->cache);
	free(seer->jump_cache);
	seer->cache = NULL;
	seer->jump_cache = NULL;
	return mix_observations_count(&seer->seen);
}

void mix_seer_at(struct mix_seer *seer, uint64_t number)
{
	seer->number = number;
	seer->located = 0;
	mix_observations_at(&seer->seen, number);
}

/* --- places --- */

/* When a place that has just got a number was seen. @return 0, or -1: memory is short */
static int note_first(struct mix_seer *seer, uint32_t place)
{
	if (place >= seer->first_room) {
		const uint32_t room = seer->places.room;
		uint64_t *more = realloc(seer->first, room * sizeof(*more));

		if (!more)
			return -1;
		seer->first = more;
		seer->first_room = room;
	}
	seer->first[place] = seer->number << PLACES_SHIFT | seer->located;
	return 0;
}

static uint32_t locate(struct mix_seer *seer, const struct mix_witness *who, uint64_t address)
{
	const uint32_t known = seer->places.count;
	struct numbering_key key;
	uint32_t place;

	if (mix_locate(seer->locating, who, address, &key) < 0)
		return NUMBERING_NONE;
	if (seer->locating->places_most && known >= seer->locating->places_most &&
	    numbering_find(&seer->places, &key) == NUMBERING_NONE)
		mix_leave_out(&key);
	place = numbering_of(&seer->places, &key);
	if (!seer->is_shared)
		return place;
	seer->located++;
	if (place != NUMBERING_NONE && place == known && note_first(seer, place) < 0)
		return NUMBERING_NONE;
	return place;
}

static struct space space_of(const struct mix_seer *seer, const struct mix_witness *who)
{
	return (struct space){ (uint64_t)who->pid << 32 | who->context,
			       seer->locating->generation * EPOCH_MODES +
				       who->cpumode % EPOCH_MODES };
}

static inline int is_same(struct space a, struct space b)
{
	return a.task == b.task && a.epoch == b.epoch;
}

static inline uint64_t hashed(uint64_t address, struct space space)
{
	return (address ^ space.task << 20) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint32_t place_at(struct mix_seer *seer, const struct mix_witness *who, uint64_t address)
{
	const struct space space = space_of(seer, who);
	struct cached_place *cached = &seer->cache[hashed(address, space) >> 48 & (CACHED - 1)];

	if (cached->address == address && is_same(cached->space, space))
		return cached->place;
	*cached = (struct cached_place){ address, space, locate(seer, who, address) };
	if (cached->place == NUMBERING_NONE)
		cached->space.epoch = 0;
	return cached->place;
}

/* Both places in one look, as nearly all entries of stacks are the same few branches. NULL: no memory */
static inline struct cached_jump *jump_at(struct mix_seer *seer, const struct mix_witness *who,
					  struct space space, struct code_jump branch)
{
	const uint64_t hash = hashed(branch.from + (branch.to << 15 | branch.to >> 49), space);
	struct cached_jump *cached = &seer->jump_cache[hash >> 48 & (CACHED_JUMPS - 1)];

	if (cached->from != branch.from || cached->to != branch.to ||
	    !is_same(cached->space, space)) {
		const uint32_t from = place_at(seer, who, branch.from),
			       to = place_at(seer, who, branch.to);

		if (from == NUMBERING_NONE || to == NUMBERING_NONE)
			return NULL;
		*cached = (struct cached_jump){ .from = branch.from,
						.to = branch.to,
						.space = space,
						.from_place = from,
						.to_place = to };
	}
	return cached;
}

/* The first MIX_NUMBERED_MOST have numbers, of which most of all streams are. */
static uint32_t number_stream(struct mix_seer *seer, struct cached_jump *newer, uint64_t began,
			      uint32_t place)
{
	const struct numbering_key key = { { place, newer->from_place, newer->to_place, 0 } };
	const uint32_t number = seer->streams.count < MIX_NUMBERED_MOST - 1
					? numbering_of(&seer->streams, &key)
					: numbering_find(&seer->streams, &key);

	memmove(newer->stream + 1, newer->stream, (CACHED_STREAMS - 1) * sizeof(*newer->stream));
	memmove(newer->began + 1, newer->began, (CACHED_STREAMS - 1) * sizeof(*newer->began));
	newer->began[0] = began;
	newer->stream[0] = number == NUMBERING_NONE ? 0 : number + 1;
	return newer->stream[0];
}

/* That which begins where an older branch went: an address, and its place */
static inline uint32_t stream_of(struct mix_seer *seer, struct cached_jump *newer, uint64_t began,
				 uint32_t place)
{
	for (uint32_t n = 0; n < CACHED_STREAMS; n++) {
		if (newer->began[n] == began)
			return newer->stream[n];
	}
	return number_stream(seer, newer, began, place);
}

/* The numbers of 'streams' are one less. @return 0, or -1: memory is short */
static int see_jumps(struct mix_seer *seer, const struct mix_witness *who, uint32_t count,
		     struct mix_jump *jumps, uint32_t *streams)
{
	const struct code_jump *branches = seer->branches;
	const struct space space = space_of(seer, who);
	struct cached_jump *newer = NULL;

	for (uint32_t n = 0; n < count; n++) {
		struct cached_jump *cached = jump_at(seer, who, space, branches[n]);

		if (!cached)
			return -1;
		jumps[n] = (struct mix_jump){ cached->from_place, cached->to_place };
		/* Unless this one has taken the place of the newer one */
		if (n)
			streams[n - 1] =
				newer->from == branches[n - 1].from &&
						newer->to == branches[n - 1].to
					? stream_of(seer, newer, branches[n].to, cached->to_place)
					: 0;
		newer = cached;
	}
	return 0;
}

/* --- what is seen --- */

int mix_seer_sample(struct mix_seer *seer, const struct mix_witness *who, uint64_t address)
{
	const uint32_t place = place_at(seer, who, address);

	return place == NUMBERING_NONE
		       ? -1
		       : mix_add_sample(&seer->seen, place, who->period, who->cluster);
}

int mix_seer_branch(struct mix_seer *seer, const struct mix_witness *who, uint64_t from,
		    uint64_t to)
{
	struct mix_jump jump;

	jump.from = place_at(seer, who, from);
	jump.to = place_at(seer, who, to);
	return jump.from == NUMBERING_NONE || jump.to == NUMBERING_NONE
		       ? -1
		       : mix_add_branch(&seer->seen, jump, who->period, who->cluster);
}

/* What counts how stacks of an event are read. NULL: memory is short */
static struct code_streams *streams_here(struct mix_seer *seer, struct code_streams *streams)
{
	struct seer_streams *more;

	if (!seer->is_shared)
		return streams;
	for (uint32_t n = 0; n < seer->event_count; n++) {
		if (seer->of_events[n].of == streams)
			return &seer->of_events[n].had;
	}
	more = realloc(seer->of_events, (seer->event_count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	seer->of_events = more;
	more += seer->event_count++;
	*more = (struct seer_streams){ .of = streams, .had = { .one_ring = streams->one_ring } };
	return &more->had;
}

/* Are all ranges of the last stack kept, and has each a number? 'copies': as of code_streams_again() */
static int may_come_again(const struct mix_seer *seer, const uint32_t *numbers, uint32_t count,
			  uint64_t *copies)
{
	const struct code_jump *branches = seer->branches;

	*copies = 0;
	for (uint32_t n = 0; n + 1 < count; n++) {
		if (!numbers[n] || code_fate_of(branches[n + 1], branches[n]) != CODE_FATE_KEPT)
			return 0;
		if (branches[n].from == branches[n + 1].from &&
		    branches[n].to == branches[n + 1].to)
			*copies |= UINT64_C(1) << n;
	}
	return 1;
}

static int know_stack(struct mix_seer *seer, struct known_stack *key, const struct mix_jump *jumps,
		      const uint32_t *numbers, uint32_t count)
{
	uint32_t number;

	if (!may_come_again(seer, numbers, count, &key->copies))
		return 0;
	number = known_stacks_add(seer->known, key);
	return mix_know_stack(&seer->seen, number, jumps, numbers, count);
}

int mix_seer_stack(struct mix_seer *seer, const struct mix_witness *who,
		   struct code_streams *streams, const struct precis_perf_sample *sample)
{
	const struct space space = space_of(seer, who);
	struct code_streams *here = streams_here(seer, streams);
	struct mix_jump jumps[MIX_STACK_MOST];
	uint32_t numbers[MIX_STACK_MOST], count, kept;
	struct known_stack key = { .task = space.task, .epoch = space.epoch };
	const struct known_stack *known;

	if (!here)
		return -1;
	known = seer->known ? known_stacks_find(seer->known, sample, &key) : NULL;
	if (known) {
		code_streams_again(here, known->entries, known->copies);
		return mix_add_known_stack(&seer->seen, known->number, who->period, who->cluster);
	}
	count = code_streams_jumps(here, sample, seer->branches);
	/* Of longer stacks, which are none of a processor, the newest part */
	kept = count < MIX_STACK_MOST ? count : MIX_STACK_MOST;
	if (count < 2)
		return 0;
	if (see_jumps(seer, who, kept, jumps, numbers) < 0 ||
	    mix_add_numbered_stack(&seer->seen, jumps, numbers, kept, who->period, who->cluster) <
		    0)
		return -1;
	return key.entries ? know_stack(seer, &key, jumps, numbers, kept) : 0;
}
