/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples decoded in full, one for each group: those that several groups have in common are kept once. */
#ifndef ANALYSIS_FIRSTS_H
#define ANALYSIS_FIRSTS_H

#include <precis/sample.h>

#define FIRSTS_MOST 2048u

struct firsts {
	struct precis_sample *samples; /* FIRSTS_MOST; those that are not used are not initialised */
	uint32_t *groups; /* of each: how many have it */
	uint32_t *free; /* 'free_count' that none has */
	uint32_t free_count;
};

/* 0, or -1 if memory is short; to be released in any case. */
int firsts_init(struct firsts *firsts);
void firsts_release(struct firsts *firsts);

/* The place that the next one gets; there must be one. */
static inline uint32_t firsts_next(const struct firsts *firsts)
{
	return firsts->free[firsts->free_count - 1];
}

/* One more group has the sample at this place, which is the next one or is kept already. */
static inline void firsts_keep(struct firsts *firsts, uint32_t place)
{
	if (!firsts->groups[place]++)
		firsts->free_count--;
}

/* A group has it no more. */
static inline void firsts_drop(struct firsts *firsts, uint32_t place)
{
	if (!--firsts->groups[place])
		firsts->free[firsts->free_count++] = place;
}

#endif
