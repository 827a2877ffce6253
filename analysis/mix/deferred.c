/* SPDX-License-Identifier: BSD-3-Clause */
/* See deferred.h. */
#include "deferred.h"

#include <stdlib.h>
#include <string.h>

#include "noted.h"

/* Hundreds of stacks of 32, thousands of known ones, of which many streams are the same; 8 MiB in all */
#define BATCH_BYTES (UINT32_C(1) << 18)
#define ROOM_FIRST 1024u
#define LINE 64u

/* What follows an observation that waits. Of a stack whose streams do not all have numbers: its jumps */
enum { JUMPS, NUMBERS, WHERE_NUMBERS_ARE };

struct waiting {
	uint64_t number; /* of observations before it */
	uint64_t weight;
	double published;
	uint32_t kind, first, to; /* as of a tally */
	uint16_t streams, follows;
};

/* By number of a sample's block or of a stream: its number among what is noted; 0: it is not yet */
struct direct {
	uint32_t *number;
	uint32_t room;
};

struct group {
	struct noted_group noted;
	unsigned char *batch; /* NULL: nothing was seen yet */
	uint32_t filled; /* bytes */
	struct direct direct[NOTED_SORTS];
};

struct mix_deferred {
	struct group groups[MIX_GROUPS];
	uint64_t observations, unplaced;
	struct noted_key
		*streams; /* by number: its key, as of a MIX_STREAM; zeroed: it has not come yet */
	uint32_t stream_room;
};

struct mix_deferred *mix_deferred_new(void)
{
	return calloc(1, sizeof(struct mix_deferred));
}

/* All that is needed for counting alone */
static void free_batch(struct group *group)
{
	free(group->batch);
	group->batch = NULL;
	noted_free_index(&group->noted);
	for (uint32_t sort = 0; sort < NOTED_SORTS; sort++) {
		free(group->direct[sort].number);
		group->direct[sort] = (struct direct){ 0 };
	}
}

void mix_deferred_free(struct mix_deferred *deferred)
{
	if (!deferred)
		return;
	for (uint32_t n = 0; n < MIX_GROUPS; n++) {
		free_batch(&deferred->groups[n]);
		noted_free(&deferred->groups[n].noted);
	}
	free(deferred->streams);
	free(deferred);
}

/* --- what has numbers --- */

static uint32_t larger_room(uint32_t room, uint32_t number)
{
	for (room = room ? room : ROOM_FIRST; room <= number;)
		room *= 2;
	return room;
}

/* For a number, less than MIX_NUMBERED_MOST, in the table of all. @return 0, or -1: memory is short */
static int make_stream_room(struct mix_deferred *deferred, uint32_t number)
{
	const uint32_t room = larger_room(deferred->stream_room, number);
	struct noted_key *more = realloc(deferred->streams, room * sizeof(*more));

	if (!more)
		return -1;
	memset(more + deferred->stream_room, 0, (room - deferred->stream_room) * sizeof(*more));
	deferred->streams = more;
	deferred->stream_room = room;
	return 0;
}

static int grow_direct(struct direct *direct, uint32_t number)
{
	const uint32_t room = larger_room(direct->room, number);
	uint32_t *more = realloc(direct->number, room * sizeof(*more));

	if (!more)
		return -1;
	memset(more + direct->room, 0, (room - direct->room) * sizeof(*more));
	direct->number = more;
	direct->room = room;
	return 0;
}

/* For all numbers that streams have up to now. @return 0, or -1: memory is short */
static inline int make_direct_room(struct group *group, uint32_t stream_room)
{
	for (uint32_t sort = MIX_STREAM; stream_room && sort < NOTED_SORTS; sort++) {
		if (sort != MIX_BRANCH && group->direct[sort].room < stream_room &&
		    grow_direct(&group->direct[sort], stream_room - 1) < 0)
			return -1;
	}
	return 0;
}

static inline uint32_t number_of(struct group *group, struct noted_key key, uint32_t first,
				 const struct waiting *one)
{
	return noted_number_of(&group->noted, key, first, one->number);
}

static inline void count_once(struct group *group, uint32_t number, const struct waiting *one)
{
	struct noted *noted = &group->noted.noted[number];

	noted->count++;
	noted->weight += one->weight;
	noted->published += one->published;
}

static uint32_t note_numbered(const struct mix_deferred *deferred, struct group *group,
			      uint64_t sort, uint32_t stream, const struct waiting *one)
{
	const struct noted_key *any = &deferred->streams[stream];
	const struct noted_key key = { (any->ends & ~(NOTED_NEWEST << NOTED_SORT_SHIFT)) |
					       sort << NOTED_SORT_SHIFT,
				       any->to };
	const uint32_t number =
		number_of(group, key, noted_slot_first(key, group->noted.index_bits), one);

	group->direct[sort].number[stream] = number;
	return number;
}

static inline const uint32_t *numbers_of(const struct waiting *one)
{
	const uint32_t *where = (const uint32_t *)(const void *)(one + 1);

	if (one->follows == WHERE_NUMBERS_ARE)
		memcpy(&where, one + 1, sizeof(where));
	return where;
}

static void count_numbered(const struct mix_deferred *deferred, struct group *group,
			   const struct waiting *one)
{
	const uint32_t *streams = numbers_of(one);
	uint64_t sort = NOTED_NEWEST;

	for (uint32_t n = 0; n < one->streams; n++, sort = MIX_STREAM) {
		uint32_t number = group->direct[sort].number[streams[n]];

		if (!number)
			number = note_numbered(deferred, group, sort, streams[n], one);
		count_once(group, number, one);
	}
}

/* --- what waits --- */

/* Where one group's tallies are too many for a cache, too: each step of all look-ups before the next step */
static uint32_t count_streams(struct group *group, const struct waiting *one)
{
	const struct mix_jump *jumps = (const struct mix_jump *)(const void *)(one + 1);
	struct noted_key keys[MIX_STACK_MOST];
	uint32_t slots[MIX_STACK_MOST], streams = 0, unplaced = 0;
	uint64_t sort = NOTED_NEWEST;

	for (uint32_t n = 0; n < one->streams; n++, sort = MIX_STREAM) {
		if (!mix_stream_is_placed(jumps, n)) {
			unplaced++;
			continue;
		}
		keys[streams] = noted_key_of(sort, jumps[n + 1].to, jumps[n].from, jumps[n].to);
		slots[streams] = noted_slot_first(keys[streams], group->noted.index_bits);
		__builtin_prefetch(&group->noted.index[slots[streams++]]);
	}
	for (uint32_t n = 0; n < streams; n++)
		__builtin_prefetch(&group->noted.noted[group->noted.index[slots[n]]]);
	for (uint32_t n = 0; n < streams; n++)
		count_once(group, number_of(group, keys[n], slots[n], one), one);
	return unplaced;
}

/* What has a place in the table of blocks has it there; NULL: it has none */
static inline uint32_t *direct_of(struct group *group, const struct waiting *one)
{
	struct direct *direct = &group->direct[MIX_SAMPLE];

	return one->kind == MIX_SAMPLE && one->first < direct->room ? &direct->number[one->first]
								    : NULL;
}

static int count_alone(struct group *group, const struct waiting *one)
{
	const struct noted_key key = noted_key_of(one->kind, one->first, 0, one->to);
	uint32_t *direct, number;

	if (one->kind == MIX_SAMPLE && one->first < MIX_NUMBERED_MOST &&
	    one->first >= group->direct[MIX_SAMPLE].room &&
	    grow_direct(&group->direct[MIX_SAMPLE], one->first) < 0)
		return -1;
	direct = direct_of(group, one);
	number = direct ? *direct : 0;
	if (!number)
		number = number_of(group, key, noted_slot_first(key, group->noted.index_bits), one);
	if (direct)
		*direct = number;
	count_once(group, number, one);
	return 0;
}

static inline size_t bytes_of(uint32_t streams, uint32_t follows)
{
	const size_t follow = !streams                       ? 0
			      : follows == WHERE_NUMBERS_ARE ? sizeof(uint32_t *)
			      : follows == NUMBERS           ? streams * sizeof(uint32_t)
						   : (streams + 1) * sizeof(struct mix_jump);

	return (sizeof(struct waiting) + follow + sizeof(uint64_t) - 1) / sizeof(uint64_t) *
	       sizeof(uint64_t);
}

static const unsigned char *behind(const unsigned char *at)
{
	const struct waiting *waiting = (const struct waiting *)(const void *)at;

	return at + bytes_of(waiting->streams, waiting->follows);
}

static inline void fetch_numbers(const struct waiting *one)
{
	const uint32_t *numbers = numbers_of(one);

	for (uint32_t n = 0; n < one->streams; n += LINE / sizeof(*numbers))
		__builtin_prefetch(numbers + n);
}

/*
 * What the next samples are counted in: the next one's tally, and where the one behind it has its own; and
 * the numbers of a stack's streams that are elsewhere
 */
static inline void fetch_ahead(struct group *group, const unsigned char *next, const unsigned char *end)
{
	const uint32_t *direct;
	const struct waiting *behind_next;

	if (next >= end)
		return;
	direct = direct_of(group, (const struct waiting *)(const void *)next);
	if (direct)
		__builtin_prefetch(&group->noted.noted[*direct], 1);
	next = behind(next);
	if (next >= end)
		return;
	behind_next = (const struct waiting *)(const void *)next;
	direct = direct_of(group, behind_next);
	if (direct)
		__builtin_prefetch(direct, 1);
	else if (behind_next->streams && behind_next->follows == WHERE_NUMBERS_ARE)
		fetch_numbers(behind_next);
}

static int count_batch(struct mix_deferred *deferred, struct group *group)
{
	/* of a group without a batch there is no address that 0 may be added to */
	const unsigned char *end = group->filled ? group->batch + group->filled : group->batch;
	int failed = make_direct_room(group, deferred->stream_room) < 0;

	for (const unsigned char *at = group->batch; at < end && !failed; at = behind(at)) {
		const struct waiting *waiting = (const struct waiting *)(const void *)at;

		failed = noted_make_room(&group->noted) < 0;
		if (failed)
			break;
		fetch_ahead(group, behind(at), end);
		if (!waiting->streams)
			failed = count_alone(group, waiting) < 0;
		else if (waiting->follows == JUMPS)
			deferred->unplaced += count_streams(group, waiting);
		else
			count_numbered(deferred, group, waiting);
	}
	group->filled = 0;
	return failed ? -1 : 0;
}

/* Where one more observation waits. NULL: memory is short */
static struct waiting *next_waiting(struct mix_deferred *deferred, const struct mix_tally *what,
				    uint32_t streams, uint32_t follows)
{
	const size_t bytes = bytes_of(streams, follows);
	struct group *group = &deferred->groups[what->group];
	struct waiting *waiting;

	if (!group->batch)
		group->batch = malloc(BATCH_BYTES);
	if (!group->batch ||
	    (group->filled + bytes > BATCH_BYTES && count_batch(deferred, group) < 0))
		return NULL;
	waiting = (struct waiting *)(void *)(group->batch + group->filled);
	group->filled += (uint32_t)bytes;
	/*
	 * The group's turn comes again soon, when another one's stack would have to wait for this one's
	 * memory
	 */
	for (size_t ahead = 0; ahead < bytes + LINE; ahead += LINE)
		__builtin_prefetch(group->batch + group->filled + ahead, 1);
	*waiting = (struct waiting){ .number = deferred->observations++,
				     .weight = what->weight,
				     .published = what->published,
				     .kind = what->kind,
				     .first = what->first,
				     .to = what->to,
				     .streams = (uint16_t)streams,
				     .follows = (uint16_t)follows };
	return waiting;
}

int mix_defer(struct mix_deferred *deferred, const struct mix_tally *what)
{
	return next_waiting(deferred, what, 0, JUMPS) ? 0 : -1;
}

/* The keys of numbers that come up. @return 0: not all streams have one; -1: memory is short */
static int learn_streams(struct mix_deferred *deferred, const struct mix_jump *jumps,
			 const uint32_t *streams, uint32_t count)
{
	for (uint32_t n = 0; streams && n < count; n++) {
		const uint32_t stream = streams[n];

		if (!stream || stream >= MIX_NUMBERED_MOST)
			return 0;
		if (stream >= deferred->stream_room && make_stream_room(deferred, stream) < 0)
			return -1;
		if (!deferred->streams[stream].ends)
			deferred->streams[stream] = noted_key_of(MIX_STREAM, jumps[n + 1].to,
								 jumps[n].from, jumps[n].to);
	}
	return streams != NULL;
}

int mix_defer_stack(struct mix_deferred *deferred, const struct mix_tally *what,
		    const struct mix_jump *jumps, const uint32_t *streams, uint32_t count)
{
	const uint32_t following = count - 1;
	const int is_numbered = learn_streams(deferred, jumps, streams, following);
	struct waiting *waiting = is_numbered < 0 ? NULL
						  : next_waiting(deferred, what, following,
								 is_numbered ? NUMBERS : JUMPS);

	if (!waiting)
		return -1;
	if (is_numbered)
		memcpy(waiting + 1, streams, following * sizeof(*streams));
	else
		memcpy(waiting + 1, jumps, count * sizeof(*jumps));
	return 0;
}

/* What a group had before needs no order: it has tallies of all streams, which are added to at the end. */
int mix_defer_known(struct mix_deferred *deferred, const struct mix_tally *what,
		    struct mix_stacks *stacks, uint32_t number)
{
	struct mix_stack *stack = mix_stacks_at(stacks, number);
	struct mix_again *again;
	struct waiting *waiting;

	if (stack->times < MIX_STACK_OFTEN && ++stack->times == MIX_STACK_OFTEN)
		mix_stacks_often(stacks, number);
	if (stack->times == MIX_STACK_OFTEN && stack->groups >> what->group & 1) {
		again = &mix_stacks_again(stacks, stack)[what->group];
		deferred->observations++;
		again->count++;
		again->weight += what->weight;
		again->published += what->published;
		return 0;
	}
	stack->groups |= UINT32_C(1) << what->group;
	waiting = next_waiting(deferred, what, stack->count - 1, WHERE_NUMBERS_ARE);
	if (!waiting)
		return -1;
	memcpy(waiting + 1, &stack->streams, sizeof(stack->streams));
	return 0;
}

int mix_deferred_count(struct mix_deferred *deferred)
{
	int failed = 0;

	for (uint32_t n = 0; n < MIX_GROUPS; n++)
		failed |= count_batch(deferred, &deferred->groups[n]) < 0;
	return failed ? -1 : 0;
}

static void count_again(struct group *group, const struct mix_stack *stack, struct mix_again *again)
{
	uint64_t sort = NOTED_NEWEST;

	for (uint32_t n = 0; n + 1 < stack->count; n++, sort = MIX_STREAM) {
		struct noted *noted =
			&group->noted.noted[group->direct[sort].number[stack->streams[n]]];

		noted->count += (uint32_t)again->count;
		noted->weight += again->weight;
		noted->published += again->published;
	}
	*again = (struct mix_again){ 0 };
}

void mix_deferred_count_known(struct mix_deferred *deferred, struct mix_stacks *stacks)
{
	for (uint32_t group = 0; group < MIX_GROUPS; group++) {
		for (uint32_t often = 0; often < mix_stacks_often_count(stacks); often++) {
			const struct mix_stack *stack = mix_stacks_often_at(stacks, often);
			struct mix_again *again = &mix_stacks_again(stacks, stack)[group];

			if (again->count)
				count_again(&deferred->groups[group], stack, again);
		}
	}
}

/* --- the end --- */

void mix_deferred_at(struct mix_deferred *deferred, uint64_t number)
{
	deferred->observations = number;
}

int mix_deferred_settle(struct mix_deferred *deferred, struct mix_tallies *tallies,
			uint64_t *unplaced)
{
	const struct noted_group *groups[MIX_GROUPS];

	if (mix_deferred_count(deferred) < 0)
		return -1;
	for (uint32_t n = 0; n < MIX_GROUPS; n++) {
		free_batch(&deferred->groups[n]);
		groups[n] = &deferred->groups[n].noted;
	}
	*unplaced += deferred->unplaced;
	return noted_settle(groups, tallies);
}

int mix_deferred_join(struct mix_deferred *into, struct mix_deferred *const *from,
		      const uint32_t *const *blocks, uint32_t count)
{
	const struct noted_group **of = malloc(count * sizeof(*of));
	int failed = !of;

	for (uint32_t n = 0; n < count && !failed; n++) {
		into->unplaced += from[n]->unplaced;
		for (uint32_t group = 0; group < MIX_GROUPS; group++)
			free_batch(&from[n]->groups[group]);
	}
	for (uint32_t group = 0; group < MIX_GROUPS && !failed; group++) {
		for (uint32_t n = 0; n < count; n++)
			of[n] = &from[n]->groups[group].noted;
		failed = noted_join(&into->groups[group].noted, of, blocks, count) < 0;
		noted_free_index(&into->groups[group].noted);
		for (uint32_t n = 0; n < count; n++)
			noted_free(&from[n]->groups[group].noted);
	}
	free(of);
	return failed ? -1 : 0;
}
