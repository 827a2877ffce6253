/* SPDX-License-Identifier: BSD-3-Clause */
/* The time by which the component measures what it takes. */
#ifndef PRECIS_CLOCK_H
#define PRECIS_CLOCK_H

#include <stdint.h>
#include <time.h>

/* @return nanoseconds of CLOCK_MONOTONIC */
static inline uint64_t precis_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
