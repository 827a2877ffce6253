/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files and other things that are mapped, in several recordings: which are the same.
 *
 * Each recording's symbols have a pointer of their own for an object (precis/symbols.h). Objects of
 * one name are one, unless build ids were recorded that tell them apart.
 */
#ifndef ANALYSIS_TOP_OBJECTS_H
#define ANALYSIS_TOP_OBJECTS_H

#include <precis/precis.h>

/* One object, by the pointer that stands for it in all recordings */
struct top_object {
	const char *name; /* the pointer */
	uint32_t symbols; /* whose it is: what is asked for its symbols */
};

struct top_objects {
	void *known; /* of tsearch(3), by pointer */
	void *named; /* by name */
	uint32_t rebuilt; /* how many names have several builds */
};

/*
 * What stands for an object of these symbols, which are of that number; the object itself if it is the
 * first of its name and build. NULL if memory is short.
 */
const struct top_object *top_objects_get(struct top_objects *objects, const char *object,
					 uint32_t cpumode, struct precis_symbols *symbols,
					 uint32_t number);

void top_objects_free(struct top_objects *objects);

#endif
