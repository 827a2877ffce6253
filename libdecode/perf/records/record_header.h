/* SPDX-License-Identifier: BSD-3-Clause */
/* struct perf_event_header, and cursors over what follows it. */
#ifndef PRECIS_PERF_RECORD_HEADER_H
#define PRECIS_PERF_RECORD_HEADER_H

#include <precis/record.h>

#include "bytes.h"

#define RECORD_HEADER_BYTES 8u
/* header.size is a u16 */
#define RECORD_MAX_BYTES 65535u

static inline uint16_t record_header_size(const uint8_t *header)
{
	return load_u16(header + 6);
}

static inline uint16_t record_header_misc(const uint8_t *header)
{
	return load_u16(header + 4);
}

/* A header with misc 0 */
static inline void record_header_store(uint8_t *header, uint32_t type, uint16_t size)
{
	const uint16_t misc = 0;

	memcpy(header, &type, sizeof(type));
	memcpy(header + 4, &misc, sizeof(misc));
	memcpy(header + 6, &size, sizeof(size));
}

/* A view of a record whose header.size has been checked. 'offset' is left as it is. */
static inline void record_view(const uint8_t *header, struct precis_record *record)
{
	record->type = load_u32(header);
	record->misc = record_header_misc(header);
	record->size = record_header_size(header);
	record->data = header;
}

/* simpleperf's own types of records (Android) begin behind this; perf's are below 128 */
#define SIMPLEPERF_FIRST_TYPE 32768u

/* simpleperf's own keep the high half of a size of 32 bits where others have misc. */
static inline uint64_t record_bytes_beyond_size(const struct precis_record *record)
{
	return record->type > SIMPLEPERF_FIRST_TYPE ? (uint64_t)record->misc << 16 : 0;
}

static inline struct cursor record_body(const struct precis_record *record)
{
	struct cursor body = { record->data + RECORD_HEADER_BYTES, record->data + record->size };

	return body;
}

#endif
