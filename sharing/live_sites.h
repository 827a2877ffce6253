/* SPDX-License-Identifier: BSD-3-Clause */
/* Which instructions were seen to access which bytes of lines, and on which CPUs: by samples and by traps. */
#ifndef SHARING_LIVE_SITES_H
#define SHARING_LIVE_SITES_H

#include <stddef.h>
#include <stdint.h>

#include "sampled_access.h"
#include "watch.h"

#define LIVE_SITES_MOST 65536u

struct live_site {
	uint64_t line; /* address; 0: free */
	uint64_t ip; /* the instruction; of traps what comes behind it; 0: not known */
	uint32_t tid;
	uint32_t cpu; /* number from 1; 0: not known */
	uint32_t count;
	uint8_t offset; /* in the line; of traps that of the word that was watched */
	uint8_t bytes; /* 0: not known; of traps: all that was watched, where that is more than a word */
	uint8_t flags; /* ACCESS_*; 0: not known. Of traps: a store may have loaded as well */
	uint8_t is_trap;
};

/* Zeroed memory has no room. */
struct live_sites {
	struct live_site *list; /* LIVE_SITES_MOST slots */
	uint32_t count;
	uint64_t beyond; /* accesses for which there was no room */
};

/* 0, or -1 if memory is short; to be freed in any case */
int live_sites_open(struct live_sites *sites);
void live_sites_free(struct live_sites *sites);

void live_sites_sampled(struct live_sites *sites, const struct sampled_access *access);

/* One trap. @param flags  of the access, as far as that is known */
void live_sites_trap(struct live_sites *sites, const struct watch_thread *thread,
		     const struct watch_hit *hit, uint16_t flags);

/*
 * Traps in the order of their times, of registers that are as they were then: those that one access met are
 * one, a store where it met a register for stores.
 */
void live_sites_trapped(struct live_sites *sites, struct watch *watch, const struct watch_hit *hits,
			size_t count);

#endif
