/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_clock.h
 * @brief The time by which the component measures what it, and what it calls, takes.
 */
#ifndef PRECIS_CLOCK_H
#define PRECIS_CLOCK_H

#include <stdint.h>
#include <time.h>

/** @return nanoseconds of CLOCK_MONOTONIC */
static inline uint64_t precis_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/** What costs so little that each callback can be measured: of no unit, but even */
static inline uint64_t precis_ticks(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc();
#else
	return precis_now();
#endif
}

#endif
