/* SPDX-License-Identifier: BSD-3-Clause */
/* Heavy hitters: an array of entries, and an index of their keys. */
#include "statistics/heavy.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 64u
#define INDEX_BITS_FIRST 7u

static size_t index_slots(const struct heavy *heavy)
{
	return (size_t)1 << heavy->index_bits;
}

/* The slot of a key, or the free one where it belongs */
static uint32_t *find_slot(const struct heavy *heavy, uint64_t space, uint64_t address)
{
	const size_t mask = index_slots(heavy) - 1;
	size_t at = (size_t)(tally_hash_of(&heavy->hash, space, address) >> (64 - heavy->index_bits));

	for (; heavy->index[at]; at = (at + 1) & mask) {
		const struct heavy_entry *entry = &heavy->entries[heavy->index[at] - 1];

		if (entry->address == address && entry->space == space)
			break;
	}
	return &heavy->index[at];
}

static void fill_index(struct heavy *heavy)
{
	memset(heavy->index, 0, index_slots(heavy) * sizeof(*heavy->index));
	for (uint32_t n = 0; n < heavy->count; n++)
		*find_slot(heavy, heavy->entries[n].space, heavy->entries[n].address) = n + 1;
}

/* Half of the slots stay free with that many entries. 0, or -1 if memory is short */
static int widen_index(struct heavy *heavy, uint32_t count)
{
	uint32_t bits = heavy->index_bits, *wider;

	while ((uint64_t)count > (UINT64_C(1) << bits) / 2)
		bits++;
	if (bits == heavy->index_bits)
		return 0;
	wider = malloc(((size_t)1 << bits) * sizeof(*wider));
	if (!wider)
		return -1;
	free(heavy->index);
	heavy->index = wider;
	heavy->index_bits = bits;
	fill_index(heavy);
	return 0;
}

int heavy_init(struct heavy *heavy, uint32_t limit)
{
	memset(heavy, 0, sizeof(*heavy));
	heavy->limit = limit;
	heavy->index_bits = INDEX_BITS_FIRST;
	tally_hash_begin(&heavy->hash);
	heavy->index = calloc(index_slots(heavy), sizeof(*heavy->index));
	return heavy->index ? 0 : -1;
}

void heavy_free(struct heavy *heavy)
{
	free(heavy->index);
	free(heavy->entries);
	memset(heavy, 0, sizeof(*heavy));
}

void heavy_clear(struct heavy *heavy)
{
	memset(heavy->index, 0, index_slots(heavy) * sizeof(*heavy->index));
	heavy->count = 0;
	heavy->total = heavy->floor = heavy->dropped = 0;
}

void heavy_close(struct heavy *heavy)
{
	struct heavy_entry *entries = realloc(heavy->entries, heavy->count * sizeof(*entries));

	free(heavy->index);
	heavy->index = NULL;
	if (entries || !heavy->count)
		heavy->entries = entries;
	heavy->room = heavy->count;
}

static int by_number(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

uint64_t heavy_cut(uint64_t *uppers, size_t count, size_t *same)
{
	size_t last = (count + 1) / 2 - 1;

	qsort(uppers, count, sizeof(*uppers), by_number);
	for (*same = 1; *same <= last && uppers[last - *same] == uppers[last]; ++*same)
		;
	return uppers[last];
}

static int drop_half(struct heavy *heavy)
{
	uint64_t *uppers = malloc(heavy->count * sizeof(*uppers));
	uint32_t kept = 0;
	size_t same;

	if (!uppers)
		return -1;
	for (uint32_t n = 0; n < heavy->count; n++)
		uppers[n] = heavy->entries[n].weight + heavy->entries[n].missed;
	heavy->floor = heavy_cut(uppers, heavy->count, &same);
	free(uppers);
	for (uint32_t n = 0; n < heavy->count; n++) {
		const struct heavy_entry *entry = &heavy->entries[n];
		uint64_t upper = entry->weight + entry->missed;

		if (upper < heavy->floor || (upper == heavy->floor && same && same--))
			continue;
		heavy->entries[kept++] = *entry;
	}
	heavy->dropped += heavy->count - kept;
	heavy->count = kept;
	fill_index(heavy);
	return 0;
}

/* 0, or -1 if memory is short */
static int widen(struct heavy *heavy, uint32_t room)
{
	struct heavy_entry *more = realloc(heavy->entries, room * sizeof(*more));

	if (!more)
		return -1;
	heavy->entries = more;
	heavy->room = room;
	return 0;
}

static int make_room(struct heavy *heavy)
{
	uint32_t room = heavy->room ? 2 * heavy->room : ROOM_FIRST;

	if (heavy->count == heavy->limit)
		return drop_half(heavy);
	if (heavy->count < heavy->room)
		return 0;
	return widen(heavy, room < heavy->limit ? room : heavy->limit);
}

void heavy_expect(struct heavy *heavy, uint32_t count)
{
	const uint32_t left = heavy->limit > heavy->count ? heavy->limit - heavy->count : 0;
	const uint32_t room = heavy->count + (count < left ? count : left);

	if (room > heavy->room)
		widen(heavy, room); /* or as they come */
	widen_index(heavy, room);
}

/* A key that has room behind all others */
static struct heavy_entry *put_entry(struct heavy *heavy, uint64_t space, uint64_t address,
				     uint64_t missed)
{
	struct heavy_entry *entry = &heavy->entries[heavy->count];

	*find_slot(heavy, space, address) = ++heavy->count;
	*entry = (struct heavy_entry){ .space = space, .address = address, .missed = missed };
	return entry;
}

static struct heavy_entry *add_entry(struct heavy *heavy, uint64_t space, uint64_t address)
{
	if (make_room(heavy) < 0 || widen_index(heavy, heavy->count + 1) < 0) {
		heavy->failed = 1;
		return NULL;
	}
	return put_entry(heavy, space, address, heavy->floor);
}

struct heavy_entry *heavy_add(struct heavy *heavy, uint64_t space, uint64_t address,
			      uint64_t weight)
{
	struct heavy_entry *entry;
	uint32_t number;

	if (heavy->failed)
		return NULL;
	number = *find_slot(heavy, space, address);
	entry = number ? &heavy->entries[number - 1] : add_entry(heavy, space, address);
	if (entry) {
		entry->weight += weight;
		heavy->total += weight;
	}
	return entry;
}

/* Room for that many more: up to twice the limit */
static int make_room_for(struct heavy *heavy, uint32_t more)
{
	if (widen_index(heavy, heavy->count + more) < 0)
		return -1;
	return heavy->room - heavy->count >= more ? 0 : widen(heavy, heavy->count + more);
}

/* Not to be dropped before all are in it: what goes would come again. */
static void take_in(struct heavy *heavy, const struct heavy_entry *from, uint64_t floor,
		    uint64_t others_floor,
		    void (*combine)(struct heavy_entry *to, const struct heavy_entry *from))
{
	const uint32_t number = *find_slot(heavy, from->space, from->address);
	struct heavy_entry *to = number ? &heavy->entries[number - 1] :
					  put_entry(heavy, from->space, from->address,
						    floor + others_floor);

	/* up to now it was taken for one that the other table has not */
	to->missed = to->missed - others_floor + from->missed;
	to->weight += from->weight;
	combine(to, from);
}

int heavy_merge(struct heavy *heavy, const struct heavy *other,
		void (*combine)(struct heavy_entry *to, const struct heavy_entry *from))
{
	uint64_t floor = heavy->floor;

	if (make_room_for(heavy, other->count) < 0)
		return -1;
	for (uint32_t n = 0; n < heavy->count; n++)
		heavy->entries[n].missed += other->floor;
	for (uint32_t n = 0; n < other->count; n++)
		take_in(heavy, &other->entries[n], floor, other->floor, combine);
	heavy->floor = floor + other->floor;
	heavy->total += other->total;
	heavy->dropped += other->dropped;
	return heavy->count > heavy->limit ? drop_half(heavy) : 0;
}

/* The last in the order is first[0], and each is behind both that are below it. */
static void sink(const struct heavy_entry **first, size_t count,
		 int (*order)(const void *, const void *))
{
	size_t at = 0, below;

	while ((below = 2 * at + 1) < count) {
		const struct heavy_entry *entry = first[at];

		if (below + 1 < count && order(&first[below], &first[below + 1]) < 0)
			below++;
		if (order(&first[below], &entry) < 0)
			return;
		first[at] = first[below];
		first[below] = entry;
		at = below;
	}
}

size_t heavy_top(const struct heavy *heavy, const struct heavy_entry **top, size_t room,
		 int (*order)(const void *, const void *))
{
	const size_t count = heavy->count < room ? heavy->count : room;

	for (size_t n = 0; n < count; n++)
		top[n] = &heavy->entries[n];
	qsort(top, count, sizeof(*top), order);
	/* turned round, what is sorted is a heap */
	for (size_t n = 0; n < count / 2; n++) {
		const struct heavy_entry *entry = top[n];

		top[n] = top[count - 1 - n];
		top[count - 1 - n] = entry;
	}
	for (uint32_t n = (uint32_t)count; count && n < heavy->count; n++) {
		const struct heavy_entry *entry = &heavy->entries[n];

		if (order(&entry, &top[0]) > 0)
			continue;
		top[0] = entry;
		sink(top, count, order);
	}
	qsort(top, count, sizeof(*top), order);
	return count;
}
