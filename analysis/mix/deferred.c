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
#define FORGOTTEN 4096u /* tallies at a time, when they are put together: many pages */

/* One observation that waits. The jumps of a stack follow */
struct waiting {
	struct mix_tally what;
	uint64_t number; /* of observations before it */
	uint64_t jumps;
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

/* Half a line of a cache, and never in two of them */
struct noted {
	uint64_t ends;
	uint32_t to, count;
	uint64_t weight;
	double published;
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
		free(deferred->groups[n].since);
		free(deferred->groups[n].index);
	}
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
	return count > (UINT32_C(1) << group->index_bits) / 4 ? grow_index(group) : 0;
}

static inline void count_once(struct group *group, struct key key, uint32_t first,
			      const struct waiting *one)
{
	uint32_t *slot = &group->index[slot_of(group, key, first)];
	struct noted *noted;

	if (!*slot) {
		*slot = ++group->count;
		group->noted[*slot] = (struct noted){ .ends = key.ends, .to = key.to };
		group->since[*slot] = one->number;
	}
	noted = &group->noted[*slot];
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
	uint64_t sort = SORT_NEWEST;

	for (uint32_t n = 0; n + 1 < one->jumps; n++, sort = MIX_STREAM) {
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
		count_once(group, keys[n], slots[n], one);
	return unplaced;
}

static void count_alone(struct group *group, const struct waiting *one)
{
	const struct key key =
		key_of(one->what.kind, one->what.first, one->what.last, one->what.to);

	count_once(group, key, slot_first(key, group->index_bits), one);
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

	for (uint32_t n = 0; n < MIX_GROUPS; n++) {
		struct group *counted = &deferred->groups[n];

		if (count_batch(deferred, counted) < 0)
			return -1;
		free(counted->batch);
		free(counted->index);
		counted->batch = NULL;
		counted->index = NULL;
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

			mix_tallies_add(tallies, &tally);
			forget_before(group, next[n]);
		}
	}
	*unplaced += deferred->unplaced;
	return last + 1 < deferred->observations ? mix_tallies_make_room(tallies) : 0;
}
