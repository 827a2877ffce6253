/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranges of the address space that are something at a time, as mappings: a later one takes the place of
 * what was there, and a part of one can end. They lie by address in chunks, so that one that comes moves
 * few others, wherever that is: Linux maps downwards, and a file may say that there are millions.
 */
#ifndef ANALYSIS_OBJECTS_LIVE_RANGES_H
#define ANALYSIS_OBJECTS_LIVE_RANGES_H

#include <stdint.h>

struct live_range {
	uint64_t start, end; /* behind the last byte */
	uint64_t origin; /* where it began before parts of it ended */
	uint32_t kind, tid, stack, name, tag, serial; /* the caller's */
	uint16_t file, tag_file;
};

#define LIVE_RANGES_CHUNK 128u

struct live_ranges_chunk {
	uint32_t count; /* 1 or more */
	struct live_range list[LIVE_RANGES_CHUNK];
};

/* Zeroed memory has none. */
struct live_ranges {
	struct live_ranges_chunk **chunk;
	uint32_t count, room; /* of chunks */
};

/* 0, or -1 if memory is short; one of no bytes is none */
int live_ranges_add(struct live_ranges *ranges, const struct live_range *range);
int live_ranges_remove(struct live_ranges *ranges, uint64_t start, uint64_t end);
/* All of a thread */
void live_ranges_remove_thread(struct live_ranges *ranges, uint32_t tid);

/* NULL: none has the address. It lives until the next change. */
const struct live_range *live_ranges_find(const struct live_ranges *ranges, uint64_t address);

/* 0, or -1 if memory is short. 'to' has none. */
int live_ranges_copy(struct live_ranges *to, const struct live_ranges *from);
void live_ranges_free(struct live_ranges *ranges);

#endif
