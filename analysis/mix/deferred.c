/* SPDX-License-Identifier: BSD-3-Clause */
/* See deferred.h. */
#include "deferred.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Some 400 stacks of 32, of which many streams are the same; four megabytes in all */
#define BATCH_BYTES (UINT32_C(1) << 17)
#define INDEX_FIRST_BITS 10
#define LINE 64u
#define AHEAD 4u /* tallies of a group, whose slots are asked for before they are needed */
#define FORGOTTEN 4096u /* tallies at a time, when they are put together: many pages */

/* What follows an observation that waits. Of a stack whose streams do not all have numbers: its jumps */
enum { JUMPS, NUMBERS, WHERE_NUMBERS_ARE };

struct waiting {
	uint64_t number; /* of observations before it */
	uint64_t weight;
	double published;
	uint32_t kind, first, to; /* as of a tally */
	uint16_t streams, follows;
};

/*
 * What tells tallies of a group apart: a stream's or a sample's first block and a stream's last one, with
 * what kind it is of in the two bits that no number of a block needs; and where the stream jumped.
 */
struct key {
	uint64_t ends;
	uint32_t to;
};
#define FIRST_SHIFT 32
#define SORT_SHIFT 62
/* A stream that ends in a stack's newest entry; all others have their kind */
#define SORT_NEWEST UINT64_C(3)
#define SORTS 4u

/* Half a line of a cache, and never in two of them */
struct noted {
	uint64_t ends;
	uint32_t to, count;
	uint64_t weight;
	double published;
};

/* By number of a sample's block or of a stream: its number among what is noted; 0: it is not yet */
struct direct {
	uint32_t *number;
	uint32_t room;
};

struct group {
	unsigned char *batch; /* NULL: nothing was seen yet */
	uint32_t filled; /* bytes */
	uint32_t count, room;
	/* From 1 on, in the order in which they were seen first; which observation that was */
	struct noted *noted;
	uint64_t *since;
	uint32_t *index; /* a hash table: the number of one that is noted; 0: free */
	uint32_t index_bits; /* of its room */
	struct direct direct[SORTS];
};

struct mix_deferred {
	struct group groups[MIX_GROUPS];
	uint64_t observations, unplaced;
	struct key
		*streams; /* by number: its key, as of a MIX_STREAM; zeroed: it has not come yet */
	uint32_t stream_room;
};

struct mix_deferred *mix_deferred_new(void)
{
	return calloc(1, sizeof(struct mix_deferred));
}

/* What finds that which is noted, and is not needed any more when all is */
static void free_index(struct group *group)
{
	free(group->batch);
	free(group->index);
	group->batch = NULL;
	group->index = NULL;
	for (uint32_t sort = 0; sort < SORTS; sort++) {
		free(group->direct[sort].number);
		group->direct[sort] = (struct direct){ 0 };
	}
}

void mix_deferred_free(struct mix_deferred *deferred)
{
	if (!deferred)
		return;
	for (uint32_t n = 0; n < MIX_GROUPS; n++) {
		free_index(&deferred->groups[n]);
		free(deferred->groups[n].noted);
		free(deferred->groups[n].since);
	}
	free(deferred->streams);
	free(deferred);
}

/* --- the tallies of one group --- */

static inline struct key key_of(uint64_t sort, uint32_t first, uint32_t last, uint32_t to)
{
	return (struct key){ sort << SORT_SHIFT | (uint64_t)first << FIRST_SHIFT | last, to };
}

static struct mix_tally tally_of(const struct noted *noted, uint32_t group)
{
	const uint64_t sort = noted->ends >> SORT_SHIFT;

	return (struct mix_tally){ .first = (uint32_t)(noted->ends >> FIRST_SHIFT) &
					    (MIX_BLOCKS_MOST - 1),
				   .last = (uint32_t)noted->ends,
				   .to = noted->to,
				   .kind = sort == SORT_NEWEST ? MIX_STREAM : (uint8_t)sort,
				   .newest = sort == SORT_NEWEST,
				   .group = (uint8_t)group,
				   .count = noted->count,
				   .weight = noted->weight,
				   .published = noted->published };
}

/* The upper bits of a product, which each bit of the key has a part in */
static inline uint32_t slot_first(struct key key, uint32_t index_bits)
{
	return (uint32_t)((key.ends + key.to * UINT64_C(0xd6e8feb86659fd93)) *
				  UINT64_C(0x9e3779b97f4a7c15) >>
			  (64 - index_bits));
}

/* The key's own, or a free one, from its first on */
static inline uint32_t slot_of(const struct group *group, struct key key, uint32_t slot)
{
	uint32_t number;

	while ((number = group->index[slot]) &&
	       (group->noted[number].ends != key.ends || group->noted[number].to != key.to))
		slot = (slot + 1) & ((UINT32_C(1) << group->index_bits) - 1);
	return slot;
}

static int grow_index(struct group *group)
{
	const uint32_t bits = group->index_bits ? group->index_bits + 1 : INDEX_FIRST_BITS;
	uint32_t *index = calloc((size_t)1 << bits, sizeof(*index));

	if (!index)
		return -1;
	free(group->index);
	group->index = index;
	group->index_bits = bits;
	for (uint32_t n = 1; n <= group->count; n++) {
		const struct key key = { group->noted[n].ends, group->noted[n].to };

		group->index[slot_of(group, key, slot_first(key, bits))] = n;
	}
	return 0;
}

static int grow_noted(struct group *group)
{
	const uint32_t room = group->room ? 2 * group->room : UINT32_C(1) << (INDEX_FIRST_BITS - 1);
	struct noted *noted = aligned_alloc(LINE, room * sizeof(*noted));
	uint64_t *since = realloc(group->since, room * sizeof(*since));

	if (since)
		group->since = since;
	if (!noted || !since) {
		free(noted);
		return -1;
	}
	if (group->count)
		memcpy(noted + 1, group->noted + 1, group->count * sizeof(*noted));
	free(group->noted);
	group->noted = noted;
	group->room = room;
	return 0;
}

/* For a whole stack */
static int make_room(struct group *group)
{
	const uint32_t count = group->count + MIX_STACK_MOST;

	if (count >= group->room && grow_noted(group) < 0)
		return -1;
	return count > (UINT32_C(1) << group->index_bits) / 2 ? grow_index(group) : 0;
}

/* The key's number, which is noted if need be */
static inline uint32_t number_of(struct group *group, struct key key, uint32_t first,
				 const struct waiting *one)
{
	uint32_t *slot = &group->index[slot_of(group, key, first)];

	if (!*slot) {
		*slot = ++group->count;
		group->noted[*slot] = (struct noted){ .ends = key.ends, .to = key.to };
		group->since[*slot] = one->number;
	}
	return *slot;
}

static inline void count_once(struct group *group, uint32_t number, const struct waiting *one)
{
	struct noted *noted = &group->noted[number];

	noted->count++;
	noted->weight += one->weight;
	noted->published += one->published;
}

/* --- what has numbers --- */

static uint32_t larger_room(uint32_t room, uint32_t number)
{
	for (room = room ? room : UINT32_C(1) << INDEX_FIRST_BITS; room <= number;)
		room *= 2;
	return room;
}

/* For a number, less than MIX_NUMBERED_MOST, in the table of all. @return 0, or -1: memory is short */
static int make_stream_room(struct mix_deferred *deferred, uint32_t number)
{
	const uint32_t room = larger_room(deferred->stream_room, number);
	struct key *more = realloc(deferred->streams, room * sizeof(*more));

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
	for (uint32_t sort = MIX_STREAM; stream_room && sort < SORTS; sort++) {
		if (sort != MIX_BRANCH && group->direct[sort].room < stream_room &&
		    grow_direct(&group->direct[sort], stream_room - 1) < 0)
			return -1;
	}
	return 0;
}

static uint32_t note_numbered(const struct mix_deferred *deferred, struct group *group,
			      uint64_t sort, uint32_t stream, const struct waiting *one)
{
	const struct key *any = &deferred->streams[stream];
	const struct key key = { (any->ends & ~(SORT_NEWEST << SORT_SHIFT)) | sort << SORT_SHIFT,
				 any->to };
	const uint32_t number = number_of(group, key, slot_first(key, group->index_bits), one);

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
	uint64_t sort = SORT_NEWEST;

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
	struct key keys[MIX_STACK_MOST];
	uint32_t slots[MIX_STACK_MOST], streams = 0, unplaced = 0;
	uint64_t sort = SORT_NEWEST;

	for (uint32_t n = 0; n < one->streams; n++, sort = MIX_STREAM) {
		if (!mix_stream_is_placed(jumps, n)) {
			unplaced++;
			continue;
		}
		keys[streams] = key_of(sort, jumps[n + 1].to, jumps[n].from, jumps[n].to);
		slots[streams] = slot_first(keys[streams], group->index_bits);
		__builtin_prefetch(&group->index[slots[streams++]]);
	}
	for (uint32_t n = 0; n < streams; n++)
		__builtin_prefetch(&group->noted[group->index[slots[n]]]);
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
	const struct key key = key_of(one->kind, one->first, 0, one->to);
	uint32_t *direct, number;

	if (one->kind == MIX_SAMPLE && one->first < MIX_NUMBERED_MOST &&
	    one->first >= group->direct[MIX_SAMPLE].room &&
	    grow_direct(&group->direct[MIX_SAMPLE], one->first) < 0)
		return -1;
	direct = direct_of(group, one);
	number = direct ? *direct : 0;
	if (!number)
		number = number_of(group, key, slot_first(key, group->index_bits), one);
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
		__builtin_prefetch(&group->noted[*direct], 1);
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

		failed = make_room(group) < 0;
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
			deferred->streams[stream] =
				key_of(MIX_STREAM, jumps[n + 1].to, jumps[n].from, jumps[n].to);
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

int mix_defer_again(struct mix_deferred *deferred, const struct mix_tally *what,
		    const uint32_t *streams, uint32_t count)
{
	struct waiting *waiting = next_waiting(deferred, what, count - 1, WHERE_NUMBERS_ARE);

	if (!waiting)
		return -1;
	memcpy(waiting + 1, &streams, sizeof(streams));
	return 0;
}

int mix_deferred_count(struct mix_deferred *deferred)
{
	int failed = 0;

	for (uint32_t n = 0; n < MIX_GROUPS; n++)
		failed |= count_batch(deferred, &deferred->groups[n]) < 0;
	return failed ? -1 : 0;
}

/* --- the end --- */

/* Which group has the observation that comes next. 'since': of each group's next tally, UINT64_MAX: none */
static uint32_t next_of(const uint64_t *since)
{
	uint32_t next = 0;

	for (uint32_t n = 1; n < MIX_GROUPS; n++) {
		if (since[n] < since[next])
			next = n;
	}
	return next;
}

static uint64_t since_of(const struct group *group, uint32_t number)
{
	return number <= group->count ? group->since[number] : UINT64_MAX;
}

static void give_pages_back(const void *from, const void *to)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t first = ((uintptr_t)from + page - 1) / page * page,
			end = (uintptr_t)to / page * page;

	if (end > first)
		madvise((void *)first, end - first, MADV_DONTNEED);
}

static void fetch_slot(const struct mix_tallies *tallies, const struct group *group, uint32_t n,
		       uint32_t number)
{
	if (number <= group->count) {
		const struct mix_tally tally = tally_of(&group->noted[number], n);

		mix_tallies_fetch(tallies, &tally);
	}
}

/* The table of all grows as large as the groups: what it has of them is not kept twice. */
static void forget_before(const struct group *group, uint32_t number)
{
	if (number % FORGOTTEN)
		return;
	give_pages_back(group->noted + number - FORGOTTEN, group->noted + number);
	give_pages_back(group->since + number - FORGOTTEN, group->since + number);
}

int mix_deferred_settle(struct mix_deferred *deferred, struct mix_tallies *tallies,
			uint64_t *unplaced)
{
	uint32_t next[MIX_GROUPS]; /* of each group's, that is to be added */
	uint64_t since[MIX_GROUPS], last = UINT64_MAX;

	if (mix_deferred_count(deferred) < 0)
		return -1;
	for (uint32_t n = 0; n < MIX_GROUPS; n++) {
		struct group *counted = &deferred->groups[n];

		free_index(counted);
		next[n] = 1;
		since[n] = since_of(counted, 1);
	}
	/*
	 * Room is made as each observation would have made it: there are slots that depend on when it
	 * was.
	 */
	for (uint32_t n = next_of(since); since[n] != UINT64_MAX; n = next_of(since)) {
		const struct group *group = &deferred->groups[n];

		if (mix_tallies_make_room(tallies) < 0)
			return -1;
		for (last = since[n]; since[n] == last; since[n] = since_of(group, ++next[n])) {
			const struct mix_tally tally = tally_of(&group->noted[next[n]], n);

			fetch_slot(tallies, group, n, next[n] + AHEAD);
			mix_tallies_add(tallies, &tally);
			forget_before(group, next[n]);
		}
	}
	*unplaced += deferred->unplaced;
	return last + 1 < deferred->observations ? mix_tallies_make_room(tallies) : 0;
}
