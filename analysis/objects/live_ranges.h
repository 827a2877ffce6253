/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranges of the address space that are something at a time, as mappings: a later one takes the place of
 * what was there, and a part of one can end. There are few: they are an array, by address.
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

/* Zeroed memory has none. */
struct live_ranges {
	struct live_range *list;
	uint32_t count, room;
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
