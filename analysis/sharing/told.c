/* SPDX-License-Identifier: BSD-3-Clause */
/* See told.h. */
#include "told.h"

#include <stdlib.h>
#include <string.h>

/* So many more behind them. 0, or -1 if memory is short */
static int append(void **list, uint32_t *count, const void *more, uint32_t more_count, size_t bytes)
{
	void *all;

	if (!more_count)
		return 0;
	all = realloc(*list, ((size_t)*count + more_count) * bytes);
	if (!all)
		return -1;
	memcpy((char *)all + *count * bytes, more, more_count * bytes);
	*list = all;
	*count += more_count;
	return 0;
}

int sharing_told_merge(struct sharing_told *told, const struct sharing_told *others,
		       struct sharing_lines *lines)
{
	const uint32_t memory_count = told->memory_count, place_count = told->place_count;
	void *memories = told->memories, *places = told->places;
	const int failed = append(&memories, &told->memory_count, others->memories, others->memory_count,
				  sizeof(*told->memories)) < 0 ||
			   append(&places, &told->place_count, others->places, others->place_count,
				  sizeof(*told->places)) < 0;

	told->memories = memories;
	told->places = places;
	for (uint32_t n = 0; n < lines->line_count; n++)
		lines->lines[n].told += lines->lines[n].told ? memory_count : 0;
	for (uint32_t n = 0; n < lines->way_count; n++)
		lines->ways[n].told += lines->ways[n].told ? place_count : 0;
	return failed ? -1 : 0;
}

void sharing_told_free(struct sharing_told *told)
{
	free(told->memories);
	free(told->places);
	memset(told, 0, sizeof(*told));
}
