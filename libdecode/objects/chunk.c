/* SPDX-License-Identifier: BSD-3-Clause */
/* See chunk.h. */
#include "chunk.h"

#include <math.h>

#include "operations.h"
#include "varint.h"

static int has_known_flags(const struct objects_chunk *chunk)
{
	return !chunk->flags || (chunk->flags == OBJECTS_CHUNK_LARGE_SAMPLED &&
				 chunk->kind == OBJECTS_EVENTS && chunk->bytes >= sizeof(uint64_t));
}

uint64_t chunk_large_interval(const struct objects_chunk *chunk)
{
	uint64_t interval = 0;

	if (chunk->flags & OBJECTS_CHUNK_LARGE_SAMPLED)
		memcpy(&interval, chunk + 1, sizeof(interval));
	return interval;
}

int chunk_is_one(const struct objects_chunk *chunk, uint64_t room)
{
	return chunk->magic == OBJECTS_CHUNK_MAGIC && chunk->kind && has_known_flags(chunk) &&
	       chunk->bytes <= OBJECTS_PAYLOAD_MOST && chunk_bytes(chunk) <= room;
}

int chunk_is_whole(struct objects_chunk *chunk)
{
	uint32_t said = chunk->checksum, is;

	chunk->checksum = 0;
	is = objects_checksum(chunk, chunk_bytes(chunk));
	chunk->checksum = said;
	return is == said;
}

static struct objects_chunk *chunk_of(const struct chunk_reader *reader)
{
	return (struct objects_chunk *)(void *)reader->bytes;
}

int chunk_open(struct precis_object_file *file, struct chunk_reader *reader, uint64_t offset)
{
	struct objects_chunk head;
	size_t got, bytes;

	if (byte_source_read(&file->source, offset, &head, sizeof(head), &got))
		return PRECIS_E_IO;
	if (got < sizeof(head) || !chunk_is_one(&head, UINT64_MAX))
		return PRECIS_E_TRUNCATED;
	bytes = chunk_bytes(&head);
	reader->bytes = objects_take(file, bytes);
	if (!reader->bytes)
		return PRECIS_E_NO_MEMORY;
	if (byte_source_read(&file->source, offset, reader->bytes, bytes, &got))
		return PRECIS_E_IO;
	if (got < bytes || memcmp(reader->bytes, &head, sizeof(head)) || !chunk_is_whole(chunk_of(reader)))
		return PRECIS_E_TRUNCATED;
	reader->at = reader->bytes + sizeof(head);
	reader->end = reader->at + head.bytes;
	if (head.flags & OBJECTS_CHUNK_LARGE_SAMPLED)
		reader->at += sizeof(uint64_t);
	reader->time = head.first_time;
	reader->address = 0;
	reader->left = head.count;
	memset(&reader->event, 0, sizeof(reader->event));
	reader->event.offset = offset;
	reader->event.tid = head.tid;
	return 0;
}

void chunk_close(struct precis_object_file *file, struct chunk_reader *reader)
{
	if (reader->bytes)
		objects_give(file, reader->bytes, chunk_bytes(chunk_of(reader)));
	reader->bytes = NULL;
}

/* That a block is recorded, by what was asked for and the intervals of the chunk */
static double probability(const struct precis_object_file *file, const struct chunk_reader *reader,
			  uint64_t bytes)
{
	const uint64_t threshold = file->header.threshold;
	const uint64_t interval = threshold && bytes >= threshold
					  ? chunk_large_interval(chunk_of(reader))
					  : chunk_of(reader)->interval;

	if (!interval)
		return 1;
	return -expm1(-(double)(bytes ? bytes : 1) / (double)interval);
}

static int take_field(struct chunk_reader *reader, char field)
{
	struct precis_object_event *event = &reader->event;
	const uint8_t **at = &reader->at, *end = reader->end;

	switch (field) {
	case 'A':
		event->present |= PRECIS_OBJECT_HAS_ADDRESS;
		if (!take_address(at, end, &reader->address))
			return 0;
		event->address = reader->address;
		return 1;
	case 'S': event->present |= PRECIS_OBJECT_HAS_BYTES; return take_varint(at, end, &event->bytes);
	case 'K':
		if (!take_number(at, end, &event->stack))
			return 0;
		event->present |= event->stack ? PRECIS_OBJECT_HAS_STACK : 0;
		return 1;
	case 'N':
		if (!take_number(at, end, &event->name))
			return 0;
		event->present |= event->name ? PRECIS_OBJECT_HAS_NAME : 0;
		return 1;
	case 'T':
		if (!take_number(at, end, &event->type))
			return 0;
		event->present |= event->type ? PRECIS_OBJECT_HAS_TYPE : 0;
		return 1;
	case 'O':
		event->present |= PRECIS_OBJECT_HAS_FILE_OFFSET;
		return take_varint(at, end, &event->file_offset);
	case 'C': event->present |= PRECIS_OBJECT_HAS_ARRAY; return take_varint(at, end, &event->count);
	default: return take_varint(at, end, &event->stride);
	}
}

int chunk_next(struct precis_object_file *file, struct chunk_reader *reader)
{
	struct precis_object_event *event = &reader->event;
	const char *fields;
	uint64_t head;
	uint32_t operation;

	if (!reader->left)
		return reader->at == reader->end ? 0 : PRECIS_E_BAD_SIZE;
	if (!take_varint(&reader->at, reader->end, &head))
		return PRECIS_E_BAD_SIZE;
	operation = head & 15;
	if (!operation && (!take_number(&reader->at, reader->end, &operation) || operation < 16))
		return PRECIS_E_BAD_SIZE;
	fields = operation_fields(operation);
	if (!fields || head >> 4 > UINT64_MAX - reader->time)
		return PRECIS_E_BAD_SIZE;
	reader->time += head >> 4;
	reader->left--;
	*event = (struct precis_object_event){ .size = sizeof(*event),
					       .operation = operation,
					       .tid = event->tid,
					       .time = reader->time,
					       .offset = event->offset };
	for (; *fields; fields++)
		if (!take_field(reader, *fields))
			return PRECIS_E_BAD_SIZE;
	if (operation == OBJECTS_ALLOC || operation == OBJECTS_REALLOC_ALLOC) {
		event->present |= PRECIS_OBJECT_HAS_PROBABILITY;
		event->probability = probability(file, reader, event->bytes);
	}
	return 1;
}
