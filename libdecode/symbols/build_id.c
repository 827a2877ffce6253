/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source: struct perf_record_header_build_id, tools/lib/perf/include/perf/event.h
 * of Linux 7.3.
 */
#include "build_id.h"

#include <string.h>

#include <precis/error.h>

/* {header; s32 pid; u8 build_id[24]; filename}; byte 20 is the length if misc says so */
#define HEADER_BYTES 8u
#define ID_AT (HEADER_BYTES + 4u)
#define LENGTH_AT (ID_AT + BUILD_ID_BYTES)
#define FILENAME_AT (ID_AT + 24u)
#define MISC_HAS_LENGTH (1u << 15)

static int is_zero(const uint8_t *data, size_t bytes)
{
	size_t i = 0;

	while (i < bytes && data[i] == 0)
		i++;
	return i == bytes;
}

void precis_build_id_set(struct build_id *id, const uint8_t *data, size_t bytes)
{
	memset(id, 0, sizeof(*id));
	if (bytes > BUILD_ID_BYTES || is_zero(data, bytes))
		return;
	memcpy(id->data, data, bytes);
	id->bytes = (uint32_t)bytes;
}

int precis_build_id_matches(const struct build_id *recorded, const uint8_t *found, size_t bytes)
{
	return bytes > 0 && bytes <= recorded->bytes && memcmp(recorded->data, found, bytes) == 0 &&
	       is_zero(recorded->data + bytes, recorded->bytes - bytes);
}

int precis_build_id_parse(const struct precis_record *record, struct build_id_record *parsed)
{
	size_t bytes = BUILD_ID_BYTES;

	if (record->size <= FILENAME_AT ||
	    !memchr(record->data + FILENAME_AT, '\0', record->size - FILENAME_AT))
		return PRECIS_E_TRUNCATED;
	if (record->misc & MISC_HAS_LENGTH)
		bytes = record->data[LENGTH_AT];
	precis_build_id_set(&parsed->id, record->data + ID_AT, bytes);
	parsed->filename = (const char *)record->data + FILENAME_AT;
	return 0;
}
