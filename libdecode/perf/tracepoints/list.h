/* SPDX-License-Identifier: BSD-3-Clause */
/* A sample's fields as "name=value". */
#ifndef PRECIS_PERF_TRACEPOINT_LIST_H
#define PRECIS_PERF_TRACEPOINT_LIST_H

#include <precis/tracepoint.h>

/* @return the length, as snprintf(3) */
size_t precis_tracepoint_list(const struct precis_tracepoint *tracepoint, const void *raw,
			      size_t bytes, char *room, size_t size);

#endif
