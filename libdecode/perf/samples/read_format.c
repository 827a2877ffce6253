/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts in the layout that read_format asks for:
 *   one event   value [enabled] [running] [id] [lost]
 *   a group     nr [enabled] [running] {value [id] [lost]}[nr]
 */
#include <precis/kernel_records.h>

#include "libdecode/perf/records/record_body.h"
#include "libdecode/sample/abi.h"
#include "read_format.h"

#define WORD 8u

static uint32_t words(uint64_t format, uint64_t members)
{
	return (uint32_t)__builtin_popcountll(format & members);
}

static int take_times(struct cursor *at, struct precis_read *read)
{
	return (!(read->present & PRECIS_FORMAT_TIME_ENABLED) ||
		cursor_u64(at, &read->time_enabled)) &&
	       (!(read->present & PRECIS_FORMAT_TIME_RUNNING) ||
		cursor_u64(at, &read->time_running));
}

static int parse(uint64_t read_format, struct cursor *at, struct precis_read *read)
{
	uint32_t value_words = 1 + words(read_format, PRECIS_FORMAT_ID | PRECIS_FORMAT_LOST);
	struct precis_bytes ignored;
	struct cursor start = *at;
	uint64_t first; /* nr of a group, else the value */

	if (read_format & ~(uint64_t)READ_FORMAT_KNOWN_BITS)
		return PRECIS_E_UNKNOWN_BITS;
	read->present = (uint32_t)read_format;
	if (!cursor_u64(at, &first) || !take_times(at, read))
		return PRECIS_E_TRUNCATED;
	if (read_format & PRECIS_FORMAT_GROUP) {
		read->count = first;
		if (!cursor_view(at, first, (size_t)WORD * value_words, &read->block))
			return PRECIS_E_TRUNCATED;
		return 0;
	}
	read->count = 1;
	if (!cursor_view(at, value_words - 1, WORD, &ignored))
		return PRECIS_E_TRUNCATED;
	read->block.data = start.at;
	read->block.bytes = (uint32_t)(at->at - start.at);
	return 0;
}

int precis_read_parse(uint64_t read_format, struct precis_bytes block, struct precis_read *read)
{
	struct cursor at = { block.data, block.data + block.bytes };

	ABI_OUT(struct precis_read, read, precis_read_parse(read_format, block, &abi));
	if ((!block.data && block.bytes))
		return PRECIS_E_ARGUMENT;
	return parse(read_format, &at, read);
}

int precis_read_value(const struct precis_read *read, uint64_t n, struct precis_read_value *value)
{
	const uint8_t *at;

	ABI_IN(struct precis_read, read, precis_read_value(&abi, n, value));
	ABI_OUT(struct precis_read_value, value, precis_read_value(read, n, &abi));
	if (n >= read->count)
		return PRECIS_E_ARGUMENT;
	value->present = read->present & (PRECIS_FORMAT_ID | PRECIS_FORMAT_LOST);
	at = read->block.data;
	if (read->present & PRECIS_FORMAT_GROUP)
		at += n * WORD * (1 + words(value->present, value->present));
	value->value = load_u64(at);
	at += WORD;
	if (!(read->present & PRECIS_FORMAT_GROUP))
		at += WORD *
		      words(read->present, PRECIS_FORMAT_TIME_ENABLED | PRECIS_FORMAT_TIME_RUNNING);
	if (value->present & PRECIS_FORMAT_ID) {
		value->id = load_u64(at);
		at += WORD;
	}
	if (value->present & PRECIS_FORMAT_LOST)
		value->lost = load_u64(at);
	return 0;
}

int precis_read_record_parse(const struct precis_layout *layout, const struct precis_record *record,
			     struct precis_read_record *read)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_READ, &body);

	ABI_IN(struct precis_layout, layout, precis_read_record_parse(&abi, record, read));
	ABI_OUT_ENDING_IN(struct precis_read_record, read, read,
			  precis_read_record_parse(layout, record, &abi));
	if (error)
		return error;
	if (cursor_left(&body) < layout->trailer_bytes)
		return PRECIS_E_TRUNCATED;
	body.end -= layout->trailer_bytes;
	read->read.size = sizeof(read->read);
	if (!cursor_pair(&body, &read->pid, &read->tid))
		return PRECIS_E_TRUNCATED;
	return parse(layout->read_format, &body, &read->read);
}
