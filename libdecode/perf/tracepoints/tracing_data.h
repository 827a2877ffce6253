/* SPDX-License-Identifier: BSD-3-Clause */
/* The blob that perf record keeps of the kernel's tracing directory: HEADER_TRACING_DATA. */
#ifndef PRECIS_PERF_TRACING_DATA_H
#define PRECIS_PERF_TRACING_DATA_H

#include <precis/tracepoint.h>

/* A part of the blob, as it stands there. */
struct tracing_text {
	const char *text;
	size_t bytes;
};

/* The text that describes one tracepoint: /sys/kernel/tracing/events/SYSTEM/NAME/format */
struct tracing_format {
	const char *system; /* NUL-terminated in the blob */
	struct tracing_text text;
};

struct tracing_data {
	uint32_t long_bytes; /* of the kernel that wrote it: 4 or 8 */
	const char *blob;
	struct tracing_format *formats;
	size_t count;
	struct tracing_text printk_formats;
};

/*
 * Views of the blob's parts; 'formats' is to be freed. After an error it has what
 * stands before the broken place, 'error' (not NULL) where that is.
 * 0, or a negative enum precis_error
 */
int precis_tracing_data_parse(const void *blob, size_t bytes, struct tracing_data *data,
			      struct precis_tracepoints_error *error);

#endif
