/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_ranges.h. */
#include "live_ranges.h"

#include <stdlib.h>
#include <string.h>

/* Where a range is, or would be; chunk == count: behind all others */
struct place {
	uint32_t chunk, n;
};

static uint64_t end_of(const struct live_ranges_chunk *chunk)
{
	return chunk->list[chunk->count - 1].end;
}

/* The first that ends behind the address */
static struct place place_of(const struct live_ranges *ranges, uint64_t address)
{
	struct place place = { 0, 0 };
	uint32_t high = ranges->count;

	while (place.chunk < high) {
		const uint32_t between = place.chunk + (high - place.chunk) / 2;

		if (end_of(ranges->chunk[between]) > address)
			high = between;
		else
			place.chunk = between + 1;
	}
	high = place.chunk < ranges->count ? ranges->chunk[place.chunk]->count : 0;
	while (place.n < high) {
		const uint32_t between = place.n + (high - place.n) / 2;

		if (ranges->chunk[place.chunk]->list[between].end > address)
			high = between;
		else
			place.n = between + 1;
	}
	return place;
}

static struct live_range *at(const struct live_ranges *ranges, struct place place)
{
	return place.chunk < ranges->count ? &ranges->chunk[place.chunk]->list[place.n] : NULL;
}

/* An empty one, before that of the number. 0, or -1 if memory is short */
static int insert_chunk(struct live_ranges *ranges, uint32_t number)
{
	struct live_ranges_chunk *chunk;

	if (ranges->count == ranges->room) {
		const uint32_t room = ranges->room ? 2 * ranges->room : 4;
		struct live_ranges_chunk **more =
			realloc(ranges->chunk, room * sizeof(struct live_ranges_chunk *));

		if (!more)
			return -1;
		ranges->chunk = more;
		ranges->room = room;
	}
	chunk = malloc(sizeof(*chunk));
	if (!chunk)
		return -1;
	chunk->count = 0;
	memmove(&ranges->chunk[number + 1], &ranges->chunk[number],
		(ranges->count - number) * sizeof(struct live_ranges_chunk *));
	ranges->chunk[number] = chunk;
	ranges->count++;
	return 0;
}

/* Of a full one the second half goes into one of its own. 0, or -1 if memory is short */
static int split_chunk(struct live_ranges *ranges, uint32_t number)
{
	const uint32_t half = LIVE_RANGES_CHUNK / 2;
	struct live_ranges_chunk *first, *second;

	if (insert_chunk(ranges, number + 1) < 0)
		return -1;
	first = ranges->chunk[number];
	second = ranges->chunk[number + 1];
	second->count = first->count - half;
	memcpy(second->list, &first->list[half], second->count * sizeof(second->list[0]));
	first->count = half;
	return 0;
}

static int insert(struct live_ranges *ranges, struct place place, const struct live_range *range)
{
	struct live_ranges_chunk *chunk;

	if (place.chunk == ranges->count) { /* behind the last one of the last chunk */
		if (!ranges->count && insert_chunk(ranges, 0) < 0)
			return -1;
		place.chunk = ranges->count - 1;
		place.n = ranges->chunk[place.chunk]->count;
	}
	if (ranges->chunk[place.chunk]->count == LIVE_RANGES_CHUNK) {
		if (split_chunk(ranges, place.chunk) < 0)
			return -1;
		if (place.n > ranges->chunk[place.chunk]->count) {
			place.n -= ranges->chunk[place.chunk]->count;
			place.chunk++;
		}
	}
	chunk = ranges->chunk[place.chunk];
	memmove(&chunk->list[place.n + 1], &chunk->list[place.n],
		(chunk->count - place.n) * sizeof(chunk->list[0]));
	chunk->list[place.n] = *range;
	chunk->count++;
	return 0;
}

/* Chunks from 'from' on that have none are let go, of 'count'. */
static void drop_empty(struct live_ranges *ranges, uint32_t from, uint32_t count)
{
	uint32_t kept = from;

	for (uint32_t n = from; n < from + count; n++) {
		if (ranges->chunk[n]->count)
			ranges->chunk[kept++] = ranges->chunk[n];
		else
			free(ranges->chunk[n]);
	}
	memmove(&ranges->chunk[kept], &ranges->chunk[from + count],
		(ranges->count - from - count) * sizeof(struct live_ranges_chunk *));
	ranges->count -= from + count - kept;
}

/* Those from there on that end at 'end' or before; the last one that does not is the next */
static void drop(struct live_ranges *ranges, struct place place, uint64_t end)
{
	const uint32_t first = place.chunk;
	uint32_t looked_at = 0;

	for (; first + looked_at < ranges->count; looked_at++, place.n = 0) {
		struct live_ranges_chunk *chunk = ranges->chunk[first + looked_at];
		uint32_t to = place.n;

		while (to < chunk->count && chunk->list[to].end <= end)
			to++;
		memmove(&chunk->list[place.n], &chunk->list[to],
			(chunk->count - to) * sizeof(chunk->list[0]));
		chunk->count -= to - place.n;
		if (place.n < chunk->count) { /* one that is there still */
			looked_at++;
			break;
		}
	}
	drop_empty(ranges, first, looked_at);
}

int live_ranges_remove(struct live_ranges *ranges, uint64_t start, uint64_t end)
{
	struct place place = place_of(ranges, start);
	struct live_range *range = at(ranges, place), rest;

	if (start >= end || !range)
		return 0;
	if (range->start < start && range->end > end) {
		rest = *range;
		rest.start = end;
		range->end = start;
		place.n++;
		return insert(ranges, place, &rest);
	}
	if (range->start < start) {
		range->end = start;
		place = place_of(ranges, start);
	}
	if (at(ranges, place))
		drop(ranges, place, end);
	range = at(ranges, place_of(ranges, start));
	if (range && range->start < end)
		range->start = end;
	return 0;
}

int live_ranges_add(struct live_ranges *ranges, const struct live_range *range)
{
	if (range->start >= range->end)
		return 0;
	if (live_ranges_remove(ranges, range->start, range->end) < 0)
		return -1;
	return insert(ranges, place_of(ranges, range->start), range);
}

void live_ranges_remove_thread(struct live_ranges *ranges, uint32_t tid)
{
	for (uint32_t number = 0; number < ranges->count; number++) {
		struct live_ranges_chunk *chunk = ranges->chunk[number];
		uint32_t kept = 0;

		for (uint32_t n = 0; n < chunk->count; n++) {
			if (chunk->list[n].tid != tid)
				chunk->list[kept++] = chunk->list[n];
		}
		chunk->count = kept;
	}
	drop_empty(ranges, 0, ranges->count);
}

const struct live_range *live_ranges_find(const struct live_ranges *ranges, uint64_t address)
{
	const struct live_range *range = at(ranges, place_of(ranges, address));

	return range && range->start <= address ? range : NULL;
}

int live_ranges_copy(struct live_ranges *to, const struct live_ranges *from)
{
	for (uint32_t number = 0; number < from->count; number++) {
		if (insert_chunk(to, number) < 0)
			return -1;
		memcpy(to->chunk[number], from->chunk[number], sizeof(*from->chunk[number]));
	}
	return 0;
}

void live_ranges_free(struct live_ranges *ranges)
{
	for (uint32_t number = 0; number < ranges->count; number++)
		free(ranges->chunk[number]);
	free(ranges->chunk);
	memset(ranges, 0, sizeof(*ranges));
}
