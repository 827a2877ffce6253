/* SPDX-License-Identifier: BSD-3-Clause */
/* See ranges.h. */
#include <string.h>

#include <precis/error.h>

#include "ranges.h"

/* A chunk's room grows by its half from the first to the last: most processes have ten or twenty ranges. */
#define CHUNK_FIRST 8u
#define CHUNK_MOST 64u

struct chunk {
	uint32_t users; /* address spaces that it belongs to; to be written only if 1 */
	uint32_t count, room;
	struct range range[];
};

/* A place among the ranges: before range[at] of chunk[chunk], or at its end */
struct place {
	uint32_t chunk, at;
};

static size_t chunk_bytes(uint32_t room)
{
	return sizeof(struct chunk) + room * sizeof(struct range);
}

static struct chunk *chunk_new(uint32_t room, struct budget *budget)
{
	struct chunk *chunk = budget_alloc(budget, chunk_bytes(room));

	if (chunk) {
		chunk->users = 1;
		chunk->room = room;
	}
	return chunk;
}

static void chunk_release(struct chunk *chunk, struct budget *budget)
{
	if (--chunk->users == 0)
		budget_free(budget, chunk, chunk_bytes(chunk->room));
}

static void ranges_release(struct ranges *ranges, struct budget *budget)
{
	budget_free(budget, ranges->chunk, ranges->room * sizeof(*ranges->chunk));
	memset(ranges, 0, sizeof(*ranges));
}

void precis_ranges_clear(struct ranges *ranges, struct budget *budget)
{
	uint32_t i;

	for (i = 0; i < ranges->count; i++)
		chunk_release(ranges->chunk[i], budget);
	ranges_release(ranges, budget);
}

/* The last chunk that starts at or below the address; 0 if none does */
static uint32_t find_chunk(const struct ranges *ranges, uint64_t address)
{
	uint32_t low = 0, high = ranges->count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (ranges->chunk[middle]->range[0].start <= address)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* How many ranges of the chunk start at or below the address */
static uint32_t count_below(const struct chunk *chunk, uint64_t address)
{
	uint32_t low = 0, high = chunk->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (chunk->range[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct range *precis_ranges_below(const struct ranges *ranges, uint64_t address)
{
	const struct chunk *chunk;
	uint32_t below;

	if (ranges->count == 0)
		return NULL;
	chunk = ranges->chunk[find_chunk(ranges, address)];
	below = count_below(chunk, address);
	return below ? &chunk->range[below - 1] : NULL;
}

const struct range *precis_ranges_above(const struct ranges *ranges, uint64_t address)
{
	const struct chunk *chunk;
	uint32_t at, below;

	if (ranges->count == 0)
		return NULL;
	at = find_chunk(ranges, address);
	chunk = ranges->chunk[at];
	below = count_below(chunk, address);
	if (below < chunk->count)
		return &chunk->range[below];
	return at + 1 < ranges->count ? &ranges->chunk[at + 1]->range[0] : NULL;
}

const struct range *precis_ranges_find(const struct ranges *ranges, uint64_t address)
{
	const struct range *below = precis_ranges_below(ranges, address);

	return below && below->end > address ? below : NULL;
}

/* Put a chunk behind the first 'at' ones */
static int add_chunk(struct ranges *ranges, uint32_t at, struct chunk *chunk, struct budget *budget)
{
	if (ranges->count == ranges->room) {
		uint32_t room = ranges->room ? ranges->room * 2 : 1;
		struct chunk **larger = budget_alloc(budget, room * sizeof(struct chunk *));

		if (!larger)
			return PRECIS_E_NO_MEMORY;
		if (ranges->count)
			memcpy(larger, ranges->chunk, ranges->count * sizeof(*larger));
		budget_free(budget, ranges->chunk, ranges->room * sizeof(*larger));
		ranges->chunk = larger;
		ranges->room = room;
	}
	memmove(ranges->chunk + at + 1, ranges->chunk + at,
		(ranges->count - at) * sizeof(*ranges->chunk));
	ranges->chunk[at] = chunk;
	ranges->count++;
	return 0;
}

/* Make sure that a chunk is this address space's alone and has room for so many more ranges */
static int make_writable(struct ranges *ranges, uint32_t at, uint32_t more, struct budget *budget)
{
	struct chunk *chunk = ranges->chunk[at];
	struct chunk *copy;
	uint32_t room = chunk->room;

	if (room - chunk->count < more)
		room = room + room / 2 < CHUNK_MOST ? room + room / 2 : CHUNK_MOST;
	if (chunk->users == 1 && room == chunk->room)
		return 0;
	copy = chunk_new(room, budget);
	if (!copy)
		return PRECIS_E_NO_MEMORY;
	memcpy(copy->range, chunk->range, chunk->count * sizeof(*chunk->range));
	copy->count = chunk->count;
	chunk_release(chunk, budget);
	ranges->chunk[at] = copy;
	return 0;
}

/* Move the upper half of a full chunk into a new one behind it */
static int split_chunk(struct ranges *ranges, uint32_t at, struct budget *budget)
{
	struct chunk *chunk;
	struct chunk *upper;
	uint32_t keep;
	int error;

	error = make_writable(ranges, at, 0, budget);
	if (error)
		return error;
	chunk = ranges->chunk[at];
	keep = chunk->count / 2;
	upper = chunk_new(CHUNK_MOST, budget);
	if (!upper)
		return PRECIS_E_NO_MEMORY;
	error = add_chunk(ranges, at + 1, upper, budget);
	if (error) {
		chunk_release(upper, budget);
		return error;
	}
	upper->count = chunk->count - keep;
	memcpy(upper->range, chunk->range + keep, upper->count * sizeof(*chunk->range));
	chunk->count = keep;
	return 0;
}

static int add_first_chunk(struct ranges *ranges, uint32_t at, struct budget *budget)
{
	struct chunk *chunk = chunk_new(CHUNK_FIRST, budget);
	int error = chunk ? add_chunk(ranges, at, chunk, budget) : PRECIS_E_NO_MEMORY;

	if (error && chunk)
		chunk_release(chunk, budget);
	return error;
}

/*
 * The chunk for a range that starts there, which is not full. Mappings come upwards or downwards: where one
 * would be at an end of a full chunk another chunk begins, and no two are left half empty.
 */
static int chunk_with_room(struct ranges *ranges, uint64_t start, uint32_t *at,
			   struct budget *budget)
{
	const struct chunk *chunk;
	uint32_t below;
	int error;

	*at = find_chunk(ranges, start);
	if (ranges->count == 0)
		return add_first_chunk(ranges, 0, budget);
	chunk = ranges->chunk[*at];
	if (chunk->count < CHUNK_MOST)
		return 0;
	below = count_below(chunk, start);
	if (below == 0)
		return add_first_chunk(ranges, *at, budget);
	if (below == CHUNK_MOST) {
		++*at;
		return *at < ranges->count && ranges->chunk[*at]->count < CHUNK_MOST
			       ? 0
			       : add_first_chunk(ranges, *at, budget);
	}
	error = split_chunk(ranges, *at, budget);
	*at = find_chunk(ranges, start);
	return error;
}

/* Put in a range that overlaps none */
static int add_range(struct ranges *ranges, const struct range *range, struct budget *budget)
{
	struct chunk *chunk;
	uint32_t at, below;
	int error = chunk_with_room(ranges, range->start, &at, budget);

	if (!error)
		error = make_writable(ranges, at, 1, budget);
	if (error)
		return error;
	chunk = ranges->chunk[at];
	below = count_below(chunk, range->start);
	memmove(chunk->range + below + 1, chunk->range + below,
		(chunk->count - below) * sizeof(*range));
	chunk->range[below] = *range;
	chunk->count++;
	return 0;
}

static void remove_range(struct ranges *ranges, struct place place, struct budget *budget)
{
	struct chunk *chunk = ranges->chunk[place.chunk];

	chunk->count--;
	memmove(chunk->range + place.at, chunk->range + place.at + 1,
		(chunk->count - place.at) * sizeof(*chunk->range));
	if (chunk->count > 0)
		return;
	chunk_release(chunk, budget);
	ranges->count--;
	memmove(ranges->chunk + place.chunk, ranges->chunk + place.chunk + 1,
		(ranges->count - place.chunk) * sizeof(*ranges->chunk));
	if (ranges->count == 0)
		ranges_release(ranges, budget);
}

/* The first range that ends above the address. @return 0 if there is none */
static int find_above(const struct ranges *ranges, uint64_t address, struct place *place)
{
	const struct chunk *chunk;

	if (ranges->count == 0)
		return 0;
	place->chunk = find_chunk(ranges, address);
	chunk = ranges->chunk[place->chunk];
	place->at = count_below(chunk, address);
	if (place->at > 0 && chunk->range[place->at - 1].end > address)
		place->at--;
	if (place->at == chunk->count) {
		place->chunk++;
		place->at = 0;
	}
	return place->chunk < ranges->count;
}

int precis_ranges_remove(struct ranges *ranges, uint64_t start, uint64_t end, struct budget *budget)
{
	struct place place;

	while (find_above(ranges, start, &place)) {
		struct range *range = &ranges->chunk[place.chunk]->range[place.at];
		struct range upper = *range;
		int error;

		if (range->start >= end)
			break;
		error = make_writable(ranges, place.chunk, 0, budget);
		if (error)
			return error;
		range = &ranges->chunk[place.chunk]->range[place.at];
		upper.offset += end - upper.start;
		upper.start = end;
		if (range->start < start) {
			range->end = start;
			/* A range cut in two has no more neighbours in [start, end) */
			if (upper.end > end)
				return add_range(ranges, &upper, budget);
		} else if (range->end > end) {
			*range = upper;
			break;
		} else {
			remove_range(ranges, place, budget);
		}
	}
	return 0;
}

int precis_ranges_insert(struct ranges *ranges, const struct range *range, struct budget *budget)
{
	int error = precis_ranges_remove(ranges, range->start, range->end, budget);

	return error ? error : add_range(ranges, range, budget);
}

int precis_ranges_copy(struct ranges *to, const struct ranges *from, struct budget *budget)
{
	uint32_t i;

	precis_ranges_clear(to, budget);
	if (from->count == 0)
		return 0;
	to->chunk = budget_alloc(budget, from->count * sizeof(*to->chunk));
	if (!to->chunk)
		return PRECIS_E_NO_MEMORY;
	to->room = from->count;
	to->count = from->count;
	for (i = 0; i < from->count; i++) {
		to->chunk[i] = from->chunk[i];
		to->chunk[i]->users++;
	}
	return 0;
}
