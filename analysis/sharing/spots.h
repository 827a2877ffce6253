/* SPDX-License-Identifier: BSD-3-Clause */
/* On which CPUs something was seen, and how often: short lists in bounded memory, one of each thing. */
#ifndef ANALYSIS_SHARING_SPOTS_H
#define ANALYSIS_SHARING_SPOTS_H

#include <stdint.h>

/* CPUs with higher numbers have no room. */
#define SHARING_SPOTS_MOST 4096u

struct sharing_spot {
	uint32_t cpu, samples;
	uint32_t next; /* of the next CPU: a number from 1; 0: it is the last of its list */
};

/* All lists. Zeroed memory has none, and no room. */
struct sharing_spots {
	struct sharing_spot *list;
	uint32_t count, room, limit;
	uint32_t free; /* the first of those that are of no list any more, from 1 */
	uint64_t beyond; /* samples that had no room */
};

/* @param first  of the list: a number from 1, 0: it is empty. 0, or -1 if memory is short */
int sharing_spots_add(struct sharing_spots *spots, uint32_t *first, uint32_t cpu, uint32_t samples);

/* All of another one's list. 0, or -1 if memory is short */
int sharing_spots_merge(struct sharing_spots *spots, uint32_t *first,
			const struct sharing_spots *others, uint32_t others_first);

/* The list is not wanted any more. */
void sharing_spots_release(struct sharing_spots *spots, uint32_t first);

/* The CPU with most samples; UINT32_MAX: there is none. 'count': how many CPUs there are */
uint32_t sharing_spots_most(const struct sharing_spots *spots, uint32_t first, uint32_t *count);

void sharing_spots_free(struct sharing_spots *spots);

#endif
