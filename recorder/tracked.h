/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which blocks are recorded, where not all are. A block that is not costs free() one load: of a counter that
 * its page has together with others. Then a set of addresses is asked, in parts with a lock each.
 */
#ifndef PRECIS_RECORDER_TRACKED_H
#define PRECIS_RECORDER_TRACKED_H

#include <stdint.h>

#define COUNTERS_LOG 20u

/*
 * 2^COUNTERS_LOG, of pages side by side: those of a heap share few cache lines. At its most one stays
 * there.
 */
extern uint8_t *tracked_counters;

static inline uint64_t tracked_mix(uint64_t value)
{
	return value * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint64_t tracked_counter_of(uint64_t address)
{
	return address >> 12 & ((1u << COUNTERS_LOG) - 1);
}

static inline uint8_t *tracked_counter(uint64_t address)
{
	return &tracked_counters[tracked_counter_of(address)];
}

static inline int tracked_maybe(uint64_t address)
{
	return *(volatile uint8_t *)tracked_counter(address) != 0;
}

/* @param spacing  bytes of the heap for each block that is recorded, about. @return 0, -1: no memory */
int tracked_begin(uint64_t spacing);
/* @return 0: no memory for it, it is not recorded */
int tracked_add(uint64_t address);
/* @return 1: it was one, and is no more */
int tracked_remove(uint64_t address);

#endif
