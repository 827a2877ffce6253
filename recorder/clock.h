/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clock of events. The time stamp counter where the kernel trusts it, which takes half as long to read as
 * CLOCK_MONOTONIC; what the one is in terms of the other is noted from time to time.
 */
#ifndef PRECIS_RECORDER_CLOCK_H
#define PRECIS_RECORDER_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "libdecode/objects/format.h"

extern int clock_is_tsc;
extern uint64_t clock_reading; /* ticks that reading it takes */

static inline uint64_t clock_nanoseconds(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/*
 * Now. Nothing that comes before is later than that: without the fence the counter may be read before a load
 * that other threads' events depend on, and the block that it gave be freed before it was allocated.
 */
static inline uint64_t ticks_now(void)
{
	uint32_t low, high;

	if (!clock_is_tsc)
		return clock_nanoseconds(CLOCK_MONOTONIC);
	__asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high)::"memory");
	return (uint64_t)high << 32 | low;
}

/* What the recorder takes of a thread */
struct own_time {
	uint64_t ticks;
	uint64_t ns; /* CPU time of what is rare and takes long, which is not in ticks yet */
};

/* What takes longer than some 50 microseconds is somebody else's, who had the CPU meanwhile: 0 */
static inline uint64_t own_ticks_since(uint64_t begin)
{
	const uint64_t took = ticks_now() - begin;

	return took < UINT64_C(1) << 17 ? took : 0;
}

/*
 * The same of one event that stands for many, which do not read the clock for that: one takes a tenth of a
 * microsecond, and an interrupt in it would stand for as many
 */
static inline uint64_t event_ticks_since(uint64_t begin)
{
	const uint64_t took = ticks_now() - begin;

	return took < UINT64_C(1) << 11 && took > clock_reading ? took - clock_reading : 0;
}

/*
 * @param wanted  enum objects_clock_id, 0: the time stamp counter if it can be trusted. @return the one
 * taken
 */
uint32_t clock_choose(uint64_t wanted);

/* CLOCK_MONOTONIC between two ticks: of some tries the closest */
void clock_pair(struct objects_clock *clock);
/* Name this thread, and name it back: a recording has a COMM record of that, with its own clock's time */
void clock_comm(struct objects_clock *clock, uint32_t number);

#endif
