/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_ranges.h. */
#include "live_ranges.h"

#include <stdlib.h>
#include <string.h>

/* The first that ends behind the address */
static uint32_t place_of(const struct live_ranges *ranges, uint64_t address)
{
	uint32_t low = 0, high = ranges->count;

	while (low < high) {
		const uint32_t between = low + (high - low) / 2;

		if (ranges->list[between].end > address)
			high = between;
		else
			low = between + 1;
	}
	return low;
}

static int insert(struct live_ranges *ranges, uint32_t at, const struct live_range *range)
{
	if (ranges->count == ranges->room) {
		const uint32_t room = ranges->room ? 2 * ranges->room : 16;
		struct live_range *more = realloc(ranges->list, room * sizeof(*more));

		if (!more)
			return -1;
		ranges->list = more;
		ranges->room = room;
	}
	memmove(&ranges->list[at + 1], &ranges->list[at],
		(ranges->count - at) * sizeof(*ranges->list));
	ranges->list[at] = *range;
	ranges->count++;
	return 0;
}

static void drop(struct live_ranges *ranges, uint32_t from, uint32_t to)
{
	memmove(&ranges->list[from], &ranges->list[to],
		(ranges->count - to) * sizeof(*ranges->list));
	ranges->count -= to - from;
}

int live_ranges_remove(struct live_ranges *ranges, uint64_t start, uint64_t end)
{
	uint32_t first = place_of(ranges, start), last;

	if (start >= end || first == ranges->count)
		return 0;
	if (ranges->list[first].start < start && ranges->list[first].end > end) {
		struct live_range rest = ranges->list[first];

		rest.start = end;
		ranges->list[first].end = start;
		return insert(ranges, first + 1, &rest);
	}
	if (ranges->list[first].start < start)
		ranges->list[first++].end = start;
	for (last = first; last < ranges->count && ranges->list[last].end <= end;)
		last++;
	drop(ranges, first, last);
	if (first < ranges->count && ranges->list[first].start < end)
		ranges->list[first].start = end;
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
	uint32_t kept = 0;

	for (uint32_t n = 0; n < ranges->count; n++) {
		if (ranges->list[n].tid != tid)
			ranges->list[kept++] = ranges->list[n];
	}
	ranges->count = kept;
}

const struct live_range *live_ranges_find(const struct live_ranges *ranges, uint64_t address)
{
	const uint32_t at = place_of(ranges, address);

	return at < ranges->count && ranges->list[at].start <= address ? &ranges->list[at] : NULL;
}

int live_ranges_copy(struct live_ranges *to, const struct live_ranges *from)
{
	if (!from->count)
		return 0;
	to->list = malloc(from->count * sizeof(*to->list));
	if (!to->list)
		return -1;
	memcpy(to->list, from->list, from->count * sizeof(*to->list));
	to->count = to->room = from->count;
	return 0;
}

void live_ranges_free(struct live_ranges *ranges)
{
	free(ranges->list);
	memset(ranges, 0, sizeof(*ranges));
}
