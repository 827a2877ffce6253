/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a seekable file. */
#ifndef PRECIS_PERF_ATTRS_H
#define PRECIS_PERF_ATTRS_H

#include "events.h"
#include "libdecode/perf/reader/header.h"

int file_read_attrs(struct file_events *events, const struct file_header *header,
		    struct record_stream *stream);

#endif
