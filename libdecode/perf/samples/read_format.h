/* SPDX-License-Identifier: BSD-3-Clause */
/* read_format bits whose layout is known. */
#ifndef PRECIS_PERF_READ_FORMAT_H
#define PRECIS_PERF_READ_FORMAT_H

#include <precis/record.h>

#define READ_FORMAT_KNOWN_BITS                                                                     \
	(PRECIS_FORMAT_TIME_ENABLED | PRECIS_FORMAT_TIME_RUNNING | PRECIS_FORMAT_ID |              \
	 PRECIS_FORMAT_GROUP | PRECIS_FORMAT_LOST)

/* How long it was enabled, and how long of that it counted */
static inline int read_format_has_times(uint64_t format)
{
	const uint64_t times = PRECIS_FORMAT_TIME_ENABLED | PRECIS_FORMAT_TIME_RUNNING;

	return (format & times) == times && !(format & ~(uint64_t)READ_FORMAT_KNOWN_BITS);
}

#endif
