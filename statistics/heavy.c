/* SPDX-License-Identifier: BSD-3-Clause */
/* Heavy hitters: an array of entries, and a tally that finds them. */
#include "statistics/heavy.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 64u

/* Never full, also with all the keys of another table that is about to be taken in */
static size_t index_bytes(uint32_t limit)
{
	return 8 * (size_t)limit * sizeof(struct tally_entry);
}

int heavy_init(struct heavy *heavy, uint32_t limit)
{
	memset(heavy, 0, sizeof(*heavy));
	heavy->limit = limit;
	return tally_init(&heavy->index, index_bytes(limit));
}

void heavy_free(struct heavy *heavy)
{
	tally_free(&heavy->index);
	free(heavy->entries);
	memset(heavy, 0, sizeof(*heavy));
}

void heavy_clear(struct heavy *heavy)
{
	tally_clear(&heavy->index);
	heavy->count = 0;
	heavy->total = heavy->floor = heavy->dropped = 0;
}

void heavy_close(struct heavy *heavy)
{
	struct heavy_entry *entries = realloc(heavy->entries, heavy->count * sizeof(*entries));

	tally_free(&heavy->index);
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

/* The tally anew, for entries that have moved. 0, or -1 if memory is short */
static int index_entries(struct heavy *heavy)
{
	tally_free(&heavy->index);
	if (tally_init(&heavy->index, index_bytes(heavy->limit)) < 0)
		return -1;
	for (uint32_t n = 0; n < heavy->count; n++) {
		const struct heavy_entry *entry = &heavy->entries[n];
		struct tally_entry *found =
			tally_add(&heavy->index, entry->space, entry->address);

		if (!found)
			return -1;
		found->weight = n;
	}
	return 0;
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
	return index_entries(heavy);
}

static int make_room(struct heavy *heavy)
{
	uint32_t room = heavy->room ? 2 * heavy->room : ROOM_FIRST;
	struct heavy_entry *more;

	if (heavy->count == heavy->limit)
		return drop_half(heavy);
	if (heavy->count < heavy->room)
		return 0;
	if (room > heavy->limit)
		room = heavy->limit;
	more = realloc(heavy->entries, room * sizeof(*more));
	if (!more)
		return -1;
	heavy->entries = more;
	heavy->room = room;
	return 0;
}

static struct heavy_entry *add_entry(struct heavy *heavy, uint64_t space, uint64_t address)
{
	struct heavy_entry *entry;
	struct tally_entry *found;

	/* The index has the key by now: it is taken in once more if that is made anew */
	found = make_room(heavy) < 0 ? NULL : tally_add(&heavy->index, space, address);
	if (!found) {
		heavy->failed = 1;
		return NULL;
	}
	found->weight = heavy->count;
	entry = &heavy->entries[heavy->count++];
	memset(entry, 0, sizeof(*entry));
	entry->space = space;
	entry->address = address;
	entry->missed = heavy->floor;
	return entry;
}

struct heavy_entry *heavy_add(struct heavy *heavy, uint64_t space, uint64_t address,
			      uint64_t weight)
{
	struct tally_entry *found = tally_add(&heavy->index, space, address);
	struct heavy_entry *entry;

	if (!found || heavy->failed)
		return NULL;
	entry = found->samples > 1 ? &heavy->entries[found->weight]
				   : add_entry(heavy, space, address);
	if (entry) {
		entry->weight += weight;
		heavy->total += weight;
	}
	return entry;
}

/* Room for that many more: up to twice the limit, which the index has room for */
static int make_room_for(struct heavy *heavy, uint32_t more)
{
	struct heavy_entry *entries;

	if (heavy->room - heavy->count >= more)
		return 0;
	entries = realloc(heavy->entries, (heavy->count + more) * sizeof(*entries));
	if (!entries)
		return -1;
	heavy->entries = entries;
	heavy->room = heavy->count + more;
	return 0;
}

/* Not to be dropped before all are in it: what goes would come again. */
static int take_in(struct heavy *heavy, const struct heavy_entry *from, uint64_t floor,
		   uint64_t others_floor,
		   void (*combine)(struct heavy_entry *to, const struct heavy_entry *from))
{
	struct tally_entry *found = tally_add(&heavy->index, from->space, from->address);
	struct heavy_entry *to;

	if (!found)
		return -1;
	if (found->samples == 1) {
		found->weight = heavy->count;
		to = &heavy->entries[heavy->count++];
		*to = (struct heavy_entry){
			.space = from->space, .address = from->address,
			.missed = floor + others_floor,
		};
	} else {
		to = &heavy->entries[found->weight];
	}
	/* up to now it was taken for one that the other table has not */
	to->missed = to->missed - others_floor + from->missed;
	to->weight += from->weight;
	combine(to, from);
	return 0;
}

int heavy_merge(struct heavy *heavy, const struct heavy *other,
		void (*combine)(struct heavy_entry *to, const struct heavy_entry *from))
{
	uint64_t floor = heavy->floor;

	if (make_room_for(heavy, other->count) < 0)
		return -1;
	for (uint32_t n = 0; n < heavy->count; n++)
		heavy->entries[n].missed += other->floor;
	for (uint32_t n = 0; n < other->count; n++) {
		if (take_in(heavy, &other->entries[n], floor, other->floor, combine) < 0)
			return -1;
	}
	heavy->floor = floor + other->floor;
	heavy->total += other->total;
	heavy->dropped += other->dropped;
	return heavy->count > heavy->limit ? drop_half(heavy) : 0;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int heaviest_first(const void *a, const void *b)
{
	const struct heavy_entry *left = *(const struct heavy_entry *const *)a;
	const struct heavy_entry *right = *(const struct heavy_entry *const *)b;
	int result = COMPARE(right->weight, left->weight);

	if (!result)
		result = COMPARE(right->figures[0], left->figures[0]);
	if (!result)
		result = COMPARE(left->space, right->space);
	return result ? result : COMPARE(left->address, right->address);
}

long heavy_top(const struct heavy *heavy, const struct heavy_entry **top, size_t room)
{
	const struct heavy_entry **all = malloc((heavy->count + 1) * sizeof(*all));
	size_t count = heavy->count < room ? heavy->count : room;

	if (!all)
		return -1;
	for (uint32_t n = 0; n < heavy->count; n++)
		all[n] = &heavy->entries[n];
	qsort(all, heavy->count, sizeof(*all), heaviest_first);
	memcpy(top, all, count * sizeof(*top));
	free(all);
	return (long)count;
}
