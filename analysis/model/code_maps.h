/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What code a process has mapped where: only to see that other code comes to the same addresses, as of a
 * library that is loaded where another one was.
 */
#ifndef ANALYSIS_MODEL_CODE_MAPS_H
#define ANALYSIS_MODEL_CODE_MAPS_H

#include <stddef.h>

#include <precis/precis.h>

struct code_map {
	uint64_t start, end; /* [start, end) */
	uint64_t time; /* since when */
	uint64_t
		what; /* which file, and how far its offsets are from addresses: a hash; 0: no file */
};

/* Zeroed memory has none. */
struct code_maps {
	struct code_map *list; /* by 'start'; they do not overlap */
	uint32_t count, room;
};

/* Does the record map code of a process, which it may have made itself? */
int code_maps_are_in(const struct precis_record *record, struct precis_mmap *map);

/**
 * @param room  bytes that it may still take, from which what it takes is taken
 * @return the time from which on other code is there than before, at all that it covers; 0: there is none, or
 *         both are mapped at one time: then the later record is right
 */
uint64_t code_maps_add(struct code_maps *maps, const struct precis_mmap *map, uint64_t time,
		       size_t *room);

/** What was mapped before that time is no more. */
void code_maps_forget(struct code_maps *maps, uint64_t time);

void code_maps_free(struct code_maps *maps);

#endif
