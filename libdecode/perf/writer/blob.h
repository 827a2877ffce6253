/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that grow. A failed allocation is remembered: ask once, at the end. */
#ifndef PRECIS_PERF_BLOB_H
#define PRECIS_PERF_BLOB_H

#include <stddef.h>
#include <stdint.h>

struct blob {
	uint8_t *bytes;
	size_t count, room;
	int failed;
};

void precis_blob_put(struct blob *blob, const void *bytes, size_t count);
void precis_blob_u32(struct blob *blob, uint32_t value);
/* perf_header_string: {u32 length; text padded with NULs to that length, a multiple of 64} */
void precis_blob_string(struct blob *blob, const char *text);
void precis_blob_free(struct blob *blob);

#endif
