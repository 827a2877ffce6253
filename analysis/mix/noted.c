/* SPDX-License-Identifier: BSD-3-Clause */
/* See noted.h. */
#include "noted.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define INDEX_FIRST_BITS 10
#define LINE 64u
#define FORGOTTEN 4096u /* tallies at a time, when they are put together: many pages */

void noted_free_index(struct noted_group *group)
{
	free(group->index);
	group->index = NULL;
}

void noted_free(struct noted_group *group)
{
	noted_free_index(group);
	free(group->noted);
	free(group->since);
	memset(group, 0, sizeof(*group));
}

static struct noted_key key_at(const struct noted_group *group, uint32_t number)
{
	return (struct noted_key){ group->noted[number].ends, group->noted[number].to };
}

static int grow_index(struct noted_group *group)
{
	const uint32_t bits = group->index_bits ? group->index_bits + 1 : INDEX_FIRST_BITS;
	uint32_t *index = calloc((size_t)1 << bits, sizeof(*index));

	if (!index)
		return -1;
	free(group->index);
	group->index = index;
	group->index_bits = bits;
	for (uint32_t n = 1; n <= group->count; n++) {
		const struct noted_key key = key_at(group, n);

		group->index[noted_slot_of(group, key, noted_slot_first(key, bits))] = n;
	}
	return 0;
}

static int grow_noted(struct noted_group *group)
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

int noted_make_room(struct noted_group *group)
{
	const uint32_t count = group->count + MIX_STACK_MOST;

	if (count >= group->room && grow_noted(group) < 0)
		return -1;
	return count > (UINT32_C(1) << group->index_bits) / 2 ? grow_index(group) : 0;
}

/* --- the end --- */

static void give_pages_back(const void *from, const void *to)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t first = ((uintptr_t)from + page - 1) / page * page,
			end = (uintptr_t)to / page * page;

	if (end > first)
		madvise((void *)first, end - first, MADV_DONTNEED);
}

/* What is added elsewhere is not kept twice. */
static void forget_before(const struct noted_group *group, uint32_t number)
{
	if (number % FORGOTTEN)
		return;
	give_pages_back(group->noted + number - FORGOTTEN, group->noted + number);
	give_pages_back(group->since + number - FORGOTTEN, group->since + number);
}

static uint64_t since_of(const struct noted_group *group, uint32_t number)
{
	return number <= group->count ? group->since[number] : UINT64_MAX;
}

/* Which one has the observation that comes next. 'since': of each one's next tally, UINT64_MAX: none */
static uint32_t next_of(const uint64_t *since, uint32_t count)
{
	uint32_t next = 0;

	for (uint32_t n = 1; n < count; n++) {
		if (since[n] < since[next])
			next = n;
	}
	return next;
}

static uint32_t block_of(const uint32_t *blocks, uint32_t number)
{
	return number == FLOW_NONE ? FLOW_NONE : blocks[number];
}

/* Samples have one block, branches two, streams three */
static struct noted_key renumbered(const struct noted *noted, const uint32_t *blocks)
{
	const uint64_t sort = noted->ends >> NOTED_SORT_SHIFT;
	const uint32_t first = (uint32_t)(noted->ends >> NOTED_FIRST_SHIFT) & (MIX_BLOCKS_MOST - 1);
	const int is_stream = sort == MIX_STREAM || sort == NOTED_NEWEST;

	return noted_key_of(sort, blocks[first], is_stream ? blocks[(uint32_t)noted->ends] : 0,
			    sort == MIX_SAMPLE ? noted->to : block_of(blocks, noted->to));
}

static int join_one(struct noted_group *into, const struct noted_group *from, uint32_t number,
		    const uint32_t *blocks)
{
	const struct noted *noted = &from->noted[number];
	const struct noted_key key = renumbered(noted, blocks);
	struct noted *joined;

	if (noted_make_room(into) < 0)
		return -1;
	joined = &into->noted[noted_number_of(into, key, noted_slot_first(key, into->index_bits),
					      from->since[number])];
	joined->count += noted->count;
	joined->weight += noted->weight;
	joined->published += noted->published;
	forget_before(from, number);
	return 0;
}

int noted_join(struct noted_group *into, const struct noted_group *const *from,
	       const uint32_t *const *blocks, uint32_t count)
{
	uint32_t *next = malloc(count * sizeof(*next));
	uint64_t *since = malloc(count * sizeof(*since));
	int failed = !next || !since;

	for (uint32_t n = 0; n < count && !failed; n++) {
		next[n] = 1;
		since[n] = since_of(from[n], 1);
	}
	for (uint32_t n = failed ? 0 : next_of(since, count); !failed && since[n] != UINT64_MAX;
	     n = next_of(since, count)) {
		failed = join_one(into, from[n], next[n], blocks[n]) < 0;
		since[n] = since_of(from[n], ++next[n]);
	}
	free(next);
	free(since);
	return failed ? -1 : 0;
}

static struct mix_tally tally_of(const struct noted *noted, uint32_t group)
{
	const uint64_t sort = noted->ends >> NOTED_SORT_SHIFT;

	return (struct mix_tally){ .first = (uint32_t)(noted->ends >> NOTED_FIRST_SHIFT) &
					    (MIX_BLOCKS_MOST - 1),
				   .last = (uint32_t)noted->ends,
				   .to = noted->to,
				   .kind = sort == NOTED_NEWEST ? MIX_STREAM : (uint8_t)sort,
				   .newest = sort == NOTED_NEWEST,
				   .group = (uint8_t)group,
				   .count = noted->count,
				   .weight = noted->weight,
				   .published = noted->published };
}

int noted_settle(const struct noted_group *const *groups, struct mix_tallies *tallies)
{
	uint32_t next[MIX_GROUPS]; /* of each group's, that is to be added */
	uint64_t since[MIX_GROUPS];
	size_t count = 0;

	for (uint32_t n = 0; n < MIX_GROUPS; n++) {
		next[n] = 1;
		since[n] = since_of(groups[n], 1);
		count += groups[n]->count;
	}
	if (mix_tallies_reserve(tallies, count) < 0)
		return -1;
	for (uint32_t n = next_of(since, MIX_GROUPS); since[n] != UINT64_MAX;
	     n = next_of(since, MIX_GROUPS)) {
		const struct noted_group *group = groups[n];
		const uint64_t last = since[n];

		for (; since[n] == last; since[n] = since_of(group, ++next[n])) {
			const struct mix_tally tally = tally_of(&group->noted[next[n]], n);

			/* Groups have their own, and of one group each is noted once */
			mix_tallies_append(tallies, &tally);
			forget_before(group, next[n]);
		}
	}
	return 0;
}
