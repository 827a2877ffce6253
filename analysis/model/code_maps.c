/* SPDX-License-Identifier: BSD-3-Clause */
/* See code_maps.h. */
#include "code_maps.h"

#include <stdlib.h>
#include <string.h>

/* Of more nothing is seen: finding room among them is work that grows with their number. */
#define MAPS_MOST 32768u
#define PROTECTION_EXECUTE 4u

int code_maps_are_in(const struct precis_record *record, struct precis_mmap *map)
{
	*map = (struct precis_mmap){ .size = sizeof(*map) };
	if (precis_mmap_parse(record, map) || map->pid == UINT32_MAX || !map->length ||
	    (record->misc & PRECIS_MISC_CPUMODE_MASK) != PRECIS_CPUMODE_USER)
		return 0;
	return map->present & PRECIS_MMAP_PROTECTION ? (map->protection & PROTECTION_EXECUTE) != 0
						     : !(record->misc & PRECIS_MISC_MMAP_DATA);
}

/* Memory that is no file's is none: where a compiler makes code at run time was none of another name. */
static uint64_t what_of(const struct precis_mmap *map)
{
	uint64_t hash = map->page_offset - map->addr;

	if (map->filename[0] != '/' || map->filename[1] == '/')
		return 0;
	for (const char *at = map->filename; *at; at++)
		hash = (hash ^ (uint8_t)*at) * UINT64_C(0x100000001b3);
	return hash ? hash : 1;
}

/* The first one that ends behind an address */
static uint32_t find(const struct code_maps *maps, uint64_t address)
{
	uint32_t low = 0, high = maps->count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (maps->list[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Room for so many. @return 0: there is none */
static int make_room(struct code_maps *maps, uint32_t count, size_t *room)
{
	uint32_t wanted = maps->room ? maps->room : 8;
	struct code_map *larger;
	size_t more;

	while (wanted < count)
		wanted += wanted / 2;
	more = (wanted - maps->room) * sizeof(*larger);
	if (!more)
		return 1;
	larger = wanted <= MAPS_MOST && more <= *room
			 ? realloc(maps->list, wanted * sizeof(*larger))
			 : NULL;
	if (!larger)
		return 0;
	*room -= more;
	maps->list = larger;
	maps->room = wanted;
	return 1;
}

/* It covers 'count' others, of which what is beside it stays. */
static void put(struct code_maps *maps, uint32_t at, uint32_t count, const struct code_map *map,
		size_t *room)
{
	struct code_map parts[3];
	uint32_t made = 0;

	if (count && maps->list[at].start < map->start) {
		parts[made] = maps->list[at];
		parts[made++].end = map->start;
	}
	parts[made++] = *map;
	if (count && maps->list[at + count - 1].end > map->end) {
		parts[made] = maps->list[at + count - 1];
		parts[made++].start = map->end;
	}
	if (!make_room(maps, maps->count + made - count, room))
		return;
	memmove(maps->list + at + made, maps->list + at + count,
		(maps->count - at - count) * sizeof(*map));
	memcpy(maps->list + at, parts, made * sizeof(*map));
	maps->count += made - count;
}

/* Records of one process come nearly in the order of time: what is later than this one stays. */
uint64_t code_maps_add(struct code_maps *maps, const struct precis_mmap *map, uint64_t time,
		       size_t *room)
{
	struct code_map added = { .start = map->addr, .time = time, .what = what_of(map) };
	const uint32_t at = find(maps, map->addr);
	uint64_t changed = 0;
	uint32_t count = 0;
	int is_last = 1;

	if (__builtin_add_overflow(map->addr, map->length, &added.end))
		added.end = UINT64_MAX;
	for (; at + count < maps->count && maps->list[at + count].start < added.end; count++) {
		const struct code_map *is = &maps->list[at + count];
		const uint64_t later = is->time > time ? is->time : time;

		is_last &= is->time <= time;
		if (is->time != time && is->what && is->what != added.what && later > changed)
			changed = later;
	}
	if (is_last)
		put(maps, at, count, &added, room);
	return changed;
}

void code_maps_forget(struct code_maps *maps, uint64_t time)
{
	uint32_t kept = 0;

	for (uint32_t n = 0; n < maps->count; n++) {
		if (maps->list[n].time >= time)
			maps->list[kept++] = maps->list[n];
	}
	maps->count = kept;
}

void code_maps_free(struct code_maps *maps)
{
	free(maps->list);
	memset(maps, 0, sizeof(*maps));
}
