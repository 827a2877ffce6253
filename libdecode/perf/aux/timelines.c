/* SPDX-License-Identifier: BSD-3-Clause */
/* Values over time, by key: sorted arrays, for most of what comes belongs at an end. */
#include "timelines.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

/* Where the key is, or where it would be */
static uint32_t search(const struct timelines *lines, uint64_t key)
{
	uint32_t low = 0, high = lines->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (lines->line[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct timeline *timelines_find(const struct timelines *lines, uint64_t key)
{
	uint32_t at = search(lines, key);

	return at < lines->count && lines->line[at].key == key ? &lines->line[at] : NULL;
}

/* Room for one more element. @return 0 or PRECIS_E_NO_MEMORY */
static int grow(void **array, uint32_t count, uint32_t *room, size_t element, uint32_t least)
{
	uint32_t larger = *room ? 2 * *room : least;
	void *moved;

	if (count < *room)
		return 0;
	moved = realloc(*array, larger * element);
	if (!moved)
		return PRECIS_E_NO_MEMORY;
	*array = moved;
	*room = larger;
	return 0;
}

/* A line that has no change yet. @return 0, PRECIS_E_NO_MEMORY, PRECIS_E_NO_SPACE */
static int add_line(struct timelines *lines, uint64_t key, struct timeline **added)
{
	uint32_t at = search(lines, key);
	void *array = lines->line;

	if (lines->count == TIMELINES_MOST)
		return PRECIS_E_NO_SPACE;
	if (grow(&array, lines->count, &lines->room, sizeof(struct timeline), 64))
		return PRECIS_E_NO_MEMORY;
	lines->line = array;
	memmove(lines->line + at + 1, lines->line + at,
		(lines->count - at) * sizeof(struct timeline));
	lines->count++;
	lines->line[at] = (struct timeline){ .key = key };
	*added = &lines->line[at];
	return 0;
}

/* How many changes are not later than that */
static uint32_t changes_up_to(const struct timeline *line, uint64_t time)
{
	uint32_t low = 0, high = line->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (line->change[middle].time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct timeline_change *timeline_at(const struct timeline *line, uint64_t time)
{
	uint32_t count = changes_up_to(line, time);

	return count ? &line->change[count - 1] : NULL;
}

int timelines_learn(struct timelines *lines, uint64_t key, uint64_t time, uint64_t value)
{
	struct timeline *line = timelines_find(lines, key);
	uint32_t at = line ? changes_up_to(line, time) : 0;
	struct timeline_change added = { time, value };
	void *array;
	int error;

	if (at && line->change[at - 1].value == value)
		return 0;
	if (lines->changes == TIMELINE_CHANGES_MOST ||
	    (line && line->count - at > TIMELINE_DISORDER_MOST))
		return PRECIS_E_NO_SPACE;
	if (!line) {
		error = add_line(lines, key, &line);
		if (error)
			return error;
	}
	array = line->change;
	if (grow(&array, line->count, &line->room, sizeof(added), 2))
		return PRECIS_E_NO_MEMORY;
	line->change = array;
	memmove(line->change + at + 1, line->change + at, (line->count - at) * sizeof(added));
	line->change[at] = added;
	line->count++;
	lines->changes++;
	return 0;
}

void timelines_free(struct timelines *lines)
{
	for (uint32_t n = 0; n < lines->count; n++)
		free(lines->line[n].change);
	free(lines->line);
	memset(lines, 0, sizeof(*lines));
}
