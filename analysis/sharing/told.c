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

/* NULL: it is none, or memory is short */
static const char *own_copy(struct sharing_told *told, const char *text)
{
	char *copy = text ? strdup(text) : NULL;
	void *own = told->own;

	if (copy && append(&own, &told->own_count, &copy, 1, sizeof(*told->own)) < 0) {
		free(copy);
		copy = NULL;
	}
	told->own = own;
	return copy;
}

uint32_t sharing_told_datum(struct sharing_told *told, const struct sharing_datum *datum)
{
	struct sharing_datum own = *datum;
	void *data = told->data;
	int failed;

	own.name = own_copy(told, datum->name);
	own.file = own_copy(told, datum->file);
	failed = (datum->name && !own.name) || (datum->file && !own.file) ||
		 append(&data, &told->datum_count, &own, 1, sizeof(own)) < 0;
	told->data = data;
	return failed ? 0 : told->datum_count;
}

int sharing_told_merge(struct sharing_told *told, struct sharing_told *others,
		       struct sharing_lines *lines)
{
	const uint32_t memory_count = told->memory_count, place_count = told->place_count,
		       datum_count = told->datum_count;
	void *memories = told->memories, *places = told->places, *data = told->data,
	     *own = told->own;
	const int failed = append(&memories, &told->memory_count, others->memories,
				  others->memory_count, sizeof(*told->memories)) < 0 ||
			   append(&places, &told->place_count, others->places, others->place_count,
				  sizeof(*told->places)) < 0 ||
			   append(&data, &told->datum_count, others->data, others->datum_count,
				  sizeof(*told->data)) < 0 ||
			   append(&own, &told->own_count, others->own, others->own_count,
				  sizeof(*told->own)) < 0;

	told->memories = memories;
	told->places = places;
	told->data = data;
	told->own = own;
	if (!failed)
		others->own_count = 0;
	for (uint32_t n = 0; n < lines->line_count; n++)
		lines->lines[n].told += lines->lines[n].told ? memory_count : 0;
	for (uint32_t n = 0; n < lines->way_count; n++) {
		lines->ways[n].told += lines->ways[n].told ? place_count : 0;
		lines->ways[n].datum += lines->ways[n].datum ? datum_count : 0;
	}
	return failed ? -1 : 0;
}

void sharing_told_free(struct sharing_told *told)
{
	free(told->memories);
	free(told->places);
	free(told->data);
	for (uint32_t n = 0; n < told->own_count; n++)
		free(told->own[n]);
	free(told->own);
	memset(told, 0, sizeof(*told));
}
