/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What changes as a recording goes on, for each of many keys: whose a counter is, which task
 * runs on a CPU.
 */
#ifndef PRECIS_PERF_TIMELINES_H
#define PRECIS_PERF_TIMELINES_H

#include <stdint.h>

/* From a time on the value holds. */
struct timeline_change {
	uint64_t time, value;
};

struct timeline {
	uint64_t key;
	struct timeline_change *change; /* 'count' of them, by time; one at least */
	uint32_t count, room;
};

/* Zeroed memory is none. */
struct timelines {
	struct timeline *line; /* by key */
	uint32_t count, room;
	uint32_t changes; /* of all lines */
};

/* Memory is bounded: no more changes, no more keys. */
#define TIMELINE_CHANGES_MOST (1u << 20)
#define TIMELINES_MOST (1u << 17)
/* Changes may arrive out of order, but not by more than this. */
#define TIMELINE_DISORDER_MOST 1024u

/*
 * From that time on the key's value is this. Of two changes of one time the later learnt holds.
 * @return 0, PRECIS_E_NO_MEMORY, PRECIS_E_NO_SPACE
 */
int timelines_learn(struct timelines *lines, uint64_t key, uint64_t time, uint64_t value);

/* NULL: nothing was learnt of it. */
struct timeline *timelines_find(const struct timelines *lines, uint64_t key);

/* The change that holds at a time; NULL before the first. */
const struct timeline_change *timeline_at(const struct timeline *line, uint64_t time);

void timelines_free(struct timelines *lines);

#endif
