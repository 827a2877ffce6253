/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream that has to be read more than once. */
#ifndef PRECIS_PERF_SPOOL_H
#define PRECIS_PERF_SPOOL_H

#include "source.h"

/*
 * Copy what is left of a stream, from its window on, into a temporary file, which takes its place.
 * @return 0; 1: that could not be done, source->sys_errno says why; or as byte_source_open()
 */
int byte_source_spool(struct byte_source *source, const char *directory);

#endif
