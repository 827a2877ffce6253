/* SPDX-License-Identifier: BSD-3-Clause */
/* A recording that is a directory: the files beside its file "data". */
#ifndef PRECIS_PERF_DIRECTORY_H
#define PRECIS_PERF_DIRECTORY_H

#include "libdecode/perf/reader/header.h"
#include "merger.h"

/*
 * Open the files data.N and merge them with 'stream', that of "data"; the header's data grow.
 * @param merger  stays as it is where there are no such files
 * @return 0 or negative
 */
int file_open_parts(const char *path, struct record_stream *stream, struct file_events *events,
		    struct file_header *header, struct merger **merger);

#endif
