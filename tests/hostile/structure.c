/* SPDX-License-Identifier: BSD-3-Clause */
/* See structure.h. */
#include <stdlib.h>
#include <string.h>

#include <precis/record.h>

#include "tests/hostile/structure.h"

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

enum header_offset {
	HEADER_SIZE = 8,
	HEADER_ATTR_SIZE = 16,
	HEADER_ATTRS = 24,
	HEADER_ATTRS_BYTES = 32,
	HEADER_DATA = 40,
	HEADER_DATA_BYTES = 48,
	PIPE_HEADER_BYTES = 16
};

#define COMPRESSED_BODY 8u
#define COMPRESSED2_BODY 16u

static uint64_t word(const struct form_part *part, uint64_t at)
{
	uint64_t value;

	if (at + sizeof(value) > part->count)
		abort();
	memcpy(&value, part->bytes + at, sizeof(value));
	return value;
}

static uint64_t larger(uint64_t left, uint64_t right)
{
	return left > right ? left : right;
}

static void find_sections(const struct form *form, uint32_t n, struct structure *structure)
{
	const struct form_part *part = &form->parts[n];
	uint64_t attr_bytes, attrs, attrs_bytes;

	structure->end = part->count;
	if (n)
		return; /* data.N has records alone */
	if (word(part, HEADER_SIZE) == PIPE_HEADER_BYTES) {
		structure->start = PIPE_HEADER_BYTES;
		structure->metadata_end = PIPE_HEADER_BYTES;
		return;
	}
	structure->start = word(part, HEADER_DATA);
	if (word(part, HEADER_DATA_BYTES))
		structure->end = structure->start + word(part, HEADER_DATA_BYTES);
	attr_bytes = word(part, HEADER_ATTR_SIZE);
	attrs = word(part, HEADER_ATTRS);
	attrs_bytes = word(part, HEADER_ATTRS_BYTES);
	structure->metadata_end = larger(word(part, HEADER_SIZE), attrs + attrs_bytes);
	for (uint64_t at = attrs; at < attrs + attrs_bytes; at += attr_bytes)
		structure->metadata_end =
			larger(structure->metadata_end,
			       word(part, at + attr_bytes - 16) + word(part, at + attr_bytes - 8));
}

/* What follows a record outside its size */
static uint64_t payload_of(const struct form_part *part, uint64_t at, uint32_t type)
{
	if (type == PRECIS_RECORD_AUXTRACE)
		return word(part, at + 8);
	if (type == PRECIS_RECORD_HEADER_TRACING_DATA)
		return (uint32_t)word(part, at + 8);
	return 0;
}

void structure_of(const struct form *form, uint32_t n, struct structure *structure)
{
	const struct form_part *part = &form->parts[n];
	uint64_t at;

	memset(structure, 0, sizeof(*structure));
	find_sections(form, n, structure);
	for (at = structure->start; at < structure->end;) {
		uint64_t header = word(part, at);
		uint32_t type = (uint32_t)header, size = (uint32_t)(header >> 48);
		uint32_t k = structure->count++;

		if (k == STRUCTURE_RECORDS || size < 8)
			abort();
		structure->record[k].type = type;
		structure->record[k].at = (uint32_t)at;
		structure->record[k].size = size;
		structure->record[k].whole = size + (uint32_t)payload_of(part, at, type);
		at += structure->record[k].whole;
	}
	if (at != structure->end && structure->end != structure->start)
		abort();
}

static int is_compressed(uint32_t type)
{
	return type == PRECIS_RECORD_COMPRESSED || type == PRECIS_RECORD_COMPRESSED2;
}

int structure_is_compressed(const struct structure *structure)
{
	for (uint32_t k = 0; k < structure->count; k++) {
		if (is_compressed(structure->record[k].type))
			return 1;
	}
	return 0;
}

#ifdef HAVE_ZSTD
#define MOST_BYTES ((size_t)1 << 20)

/* The compressed bytes of a record, as far as they are within the first 'count' of the part */
static ZSTD_inBuffer body_of(const struct form_part *part, const struct structure *structure,
			     uint32_t k, uint64_t count)
{
	uint64_t at = structure->record[k].at, start = at + COMPRESSED_BODY;
	uint64_t end = at + structure->record[k].size;
	ZSTD_inBuffer in = { NULL, 0, 0 };

	if (structure->record[k].type == PRECIS_RECORD_COMPRESSED2) {
		start = at + COMPRESSED2_BODY;
		end = start + word(part, at + COMPRESSED_BODY);
	}
	if (end > count)
		end = count;
	if (start < end) {
		in.src = part->bytes + start;
		in.size = end - start;
	}
	return in;
}

uint8_t *structure_decompress(const struct form_part *part, const struct structure *structure,
			      uint64_t count, size_t *plain_count)
{
	uint8_t *bytes = malloc(MOST_BYTES);
	ZSTD_DStream *stream = ZSTD_createDStream();
	ZSTD_outBuffer out = { bytes, MOST_BYTES, 0 };

	if (!bytes || !stream)
		abort();
	for (uint32_t k = 0; k < structure->count; k++) {
		ZSTD_inBuffer in;

		if (!is_compressed(structure->record[k].type))
			continue;
		in = body_of(part, structure, k, count);
		while (in.pos < in.size) {
			if (ZSTD_isError(ZSTD_decompressStream(stream, &out, &in)) ||
			    out.pos == out.size)
				abort();
		}
	}
	ZSTD_freeDStream(stream);
	*plain_count = out.pos;
	return bytes;
}
#else
uint8_t *structure_decompress(const struct form_part *part, const struct structure *structure,
			      uint64_t count, size_t *plain_count)
{
	(void)part;
	(void)structure;
	(void)count;
	*plain_count = 0;
	return NULL;
}
#endif
