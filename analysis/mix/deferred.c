/* SPDX-License-Identifier: BSD-3-Clause */
/* See deferred.h. */
#include "deferred.h"

#include <stdlib.h>
#include <string.h>

/* Some 400 stacks of 32, of which many streams are the same; four megabytes in all */
#define BATCH_BYTES (UINT32_C(1) << 17)
#define INDEX_FIRST 1024u
#define LINE 64u

/* One observation that waits. The jumps of a stack follow */
struct waiting {
	struct mix_tally what;
	uint64_t number; /* of observations before it */
	uint64_t jumps;
};

/*
 * What tells tallies of a group apart, in two words, which stay in registers: a processor waits where
 * it reads at once what it has just written in smaller parts.
 */
struct key {
	uint64_t ends, rest;
};

struct noted {
	struct key key;
	uint64_t since; /* the number of the observation that had it first */
	uint64_t weight;
	double published;
	uint32_t count;
};

struct group {
	unsigned char *batch; /* NULL: nothing was seen yet */
	uint32_t filled; /* bytes */
	uint32_t count, room;
	struct noted *noted; /* in the order in which they were seen first */
	uint32_t *index; /* a hash table: 1 + the number of one that is noted; 0: free */
	uint32_t index_room; /* a power of two */
};

struct mix_deferred {
	struct group groups[MIX_GROUPS];
	uint64_t observations, unplaced;
};

struct mix_deferred *mix_deferred_new(void)
{
	return calloc(1, sizeof(struct mix_deferred));
}

void mix_deferred_free(struct mix_deferred *deferred)
{
	for (uint32_t n = 0; deferred && n < MIX_GROUPS; n++) {
		free(deferred->groups[n].batch);
		free(deferred->groups[n].noted);
		free(deferred->groups[n].index);
	}
	free(deferred);
}

/* --- the tallies of one group --- */

static inline struct key key_of(uint32_t first, uint32_t last, uint32_t to, uint32_t kind,
				uint32_t newest)
{
	return (struct key){ (uint64_t)first << 32 | last,
			     (uint64_t)to << 32 | kind << 8 | newest };
}

static struct mix_tally tally_of(const struct noted *noted, uint32_t group)
{
	return (struct mix_tally){ .first = (uint32_t)(noted->key.ends >> 32),
				   .last = (uint32_t)noted->key.ends,
				   .to = (uint32_t)(noted->key.rest >> 32),
				   .kind = (uint8_t)(noted->key.rest >> 8),
				   .newest = (uint8_t)noted->key.rest,
				   .group = (uint8_t)group,
				   .count = noted->count,
				   .weight = noted->weight,
				   .published = noted->published };
}

static inline int is_same(struct key a, struct key b)
{
	return a.ends == b.ends && a.rest == b.rest;
}

static inline uint32_t slot_first(const struct group *group, struct key key)
{
	return (uint32_t)mix_mixed(key.ends * UINT64_C(0x9e3779b97f4a7c15) + key.rest) &
	       (group->index_room - 1);
}

/* The key's own, or a free one, from its first on */
static inline uint32_t slot_of(const struct group *group, struct key key, uint32_t slot)
{
	uint32_t number;

	while ((number = group->index[slot]) && !is_same(group->noted[number - 1].key, key))
		slot = (slot + 1) & (group->index_room - 1);
	return slot;
}

static int grow_index(struct group *group)
{
	const uint32_t room = group->index_room ? 2 * group->index_room : INDEX_FIRST;
	uint32_t *index = calloc(room, sizeof(*index));

	if (!index)
		return -1;
	free(group->index);
	group->index = index;
	group->index_room = room;
	for (uint32_t n = 0; n < group->count; n++) {
		const struct key key = group->noted[n].key;

		group->index[slot_of(group, key, slot_first(group, key))] = n + 1;
	}
	return 0;
}

/* For a whole stack */
static int make_room(struct group *group)
{
	if (group->count + MIX_STACK_MOST > group->room) {
		const uint32_t room = group->room ? 2 * group->room : INDEX_FIRST / 2;
		struct noted *more = realloc(group->noted, room * sizeof(*more));

		if (!more)
			return -1;
		group->noted = more;
		group->room = room;
	}
	return group->count + MIX_STACK_MOST > group->index_room / 4 ? grow_index(group) : 0;
}

static inline void count_once(struct group *group, struct key key, uint32_t first,
			      const struct waiting *one)
{
	uint32_t *slot = &group->index[slot_of(group, key, first)];
	struct noted *noted;

	if (!*slot) {
		group->noted[group->count++] = (struct noted){ .key = key, .since = one->number };
		*slot = group->count;
	}
	noted = &group->noted[*slot - 1];
	noted->count++;
	noted->weight += one->what.weight;
	noted->published += one->what.published;
}

/* --- what waits --- */

/* Where one group's tallies are too many for a cache, too: each step of all look-ups before the next step */
static uint32_t count_streams(struct group *group, const struct waiting *one,
			      const struct mix_jump *jumps)
{
	struct key keys[MIX_STACK_MOST];
	uint32_t slots[MIX_STACK_MOST], streams = 0, unplaced = 0;

	for (uint32_t n = 0; n + 1 < one->jumps; n++) {
		if (!mix_stream_is_placed(jumps, n)) {
			unplaced++;
			continue;
		}
		keys[streams] = key_of(jumps[n + 1].to, jumps[n].from, jumps[n].to, MIX_STREAM,
				       n == 0);
		slots[streams] = slot_first(group, keys[streams]);
		__builtin_prefetch(&group->index[slots[streams++]]);
	}
	for (uint32_t n = 0; n < streams; n++) {
		const uint32_t number = group->index[slots[n]];

		__builtin_prefetch(&group->noted[number ? number - 1 : 0]);
	}
	for (uint32_t n = 0; n < streams; n++)
		count_once(group, keys[n], slots[n], one);
	return unplaced;
}

static void count_alone(struct group *group, const struct waiting *one)
{
	const struct key key =
		key_of(one->what.first, one->what.last, one->what.to, one->what.kind, 0);

	count_once(group, key, slot_first(group, key), one);
}

static int count_batch(struct mix_deferred *deferred, struct group *group)
{
	for (const unsigned char *at = group->batch; at < group->batch + group->filled;) {
		const struct waiting *waiting = (const struct waiting *)(const void *)at;
		const struct mix_jump *jumps = (const struct mix_jump *)(const void *)(waiting + 1);

		if (make_room(group) < 0)
			return -1;
		if (waiting->what.kind == MIX_STREAM)
			deferred->unplaced += count_streams(group, waiting, jumps);
		else
			count_alone(group, waiting);
		at = (const unsigned char *)(jumps + waiting->jumps);
	}
	group->filled = 0;
	return 0;
}

int mix_defer(struct mix_deferred *deferred, const struct mix_tally *what,
	      const struct mix_jump *jumps, uint32_t count)
{
	const struct waiting waiting = { *what, deferred->observations++, count };
	const size_t bytes = sizeof(waiting) + count * sizeof(*jumps);
	struct group *group = &deferred->groups[what->group];

	if (!group->batch)
		group->batch = malloc(BATCH_BYTES);
	if (!group->batch ||
	    (group->filled + bytes > BATCH_BYTES && count_batch(deferred, group) < 0))
		return -1;
	memcpy(group->batch + group->filled, &waiting, sizeof(waiting));
	if (count)
		memcpy(group->batch + group->filled + sizeof(waiting), jumps,
		       count * sizeof(*jumps));
	group->filled += (uint32_t)bytes;
	/*
	 * The group's turn comes again soon, when another one's stack would have to wait for this one's
	 * memory
	 */
	for (size_t ahead = 0; ahead < bytes + LINE; ahead += LINE)
		__builtin_prefetch(group->batch + group->filled + ahead, 1);
	return 0;
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
	return number < group->count ? group->noted[number].since : UINT64_MAX;
}

int mix_deferred_settle(struct mix_deferred *deferred, struct mix_tallies *tallies,
			uint64_t *unplaced)
{
	uint32_t added[MIX_GROUPS] = { 0 };
	uint64_t since[MIX_GROUPS], last = UINT64_MAX;

	for (uint32_t n = 0; n < MIX_GROUPS; n++) {
		struct group *counted = &deferred->groups[n];

		if (count_batch(deferred, counted) < 0)
			return -1;
		free(counted->batch);
		free(counted->index);
		counted->batch = NULL;
		counted->index = NULL;
		since[n] = since_of(counted, 0);
	}
	/*
	 * Room is made as each observation would have made it: there are slots that depend on when it
	 * was.
	 */
	for (uint32_t n = next_of(since); since[n] != UINT64_MAX; n = next_of(since)) {
		const struct group *group = &deferred->groups[n];

		if (mix_tallies_make_room(tallies) < 0)
			return -1;
		for (last = since[n]; since[n] == last; since[n] = since_of(group, ++added[n])) {
			const struct mix_tally tally = tally_of(&group->noted[added[n]], n);

			mix_tallies_add(tallies, &tally);
		}
	}
	*unplaced += deferred->unplaced;
	return last + 1 < deferred->observations ? mix_tallies_make_room(tallies) : 0;
}
