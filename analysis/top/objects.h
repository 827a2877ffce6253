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

/* Longer ones are not compared beyond that: perf records 20 bytes */
#define TOP_BUILD_ID 32u

/* The objects of a run that was saved, which have no symbols, and their builds. Zeroed memory has none */
struct top_build {
	const char *object; /* the pointer that stands for it */
	uint32_t id_bytes;
	uint8_t id[TOP_BUILD_ID]; /* as recorded; none: it is not known */
};
struct top_builds {
	struct top_build *list; /* by pointer */
	uint32_t count;
};
void top_builds_free(struct top_builds *builds);

/* Who knows the build of an object: the symbols of its recording; NULL: the others */
struct top_source {
	struct precis_symbols *symbols;
	const struct top_builds *builds;
	uint32_t number; /* PLACE_SYMBOLS of its objects */
	int was_saved;   /* they know some places alone: who knows all is asked, once there is one */
};

/* The id of the build of an object, as many bytes as it has; 0: it is not known */
uint32_t top_build_id(const struct top_source *source, const char *object, uint32_t cpumode,
		      uint8_t id[TOP_BUILD_ID]);

/* One object, by the pointer that stands for it in all recordings */
struct top_object {
	const char *name; /* the pointer */
	const char *first; /* of recordings that know its build, or of those that do not: for its symbols */
	uint32_t symbols; /* whose that is: who is asked */
	uint32_t has_id;  /* its recording knows its build */
};

struct top_objects {
	void *known; /* of tsearch(3), by pointer */
	void *named; /* by name */
	uint32_t rebuilt; /* how many names have several builds */
};

/*
 * What stands for an object; itself if it is the first of its name and build. One whose build is not known is
 * taken for the first of its name; but who knows that build is not asked for its symbols.
 * NULL if memory is short
 */
const struct top_object *top_objects_get(struct top_objects *objects, const char *object,
					 uint32_t cpumode, const struct top_source *source);

/* What those symbols know an object as by whose 'first' it goes here; itself if no others are known */
const char *top_objects_asked(const struct top_objects *objects, const char *object);

void top_objects_free(struct top_objects *objects);

#endif
