/* SPDX-License-Identifier: BSD-3-Clause */
/* See flatbuffer.h. */
#include "flatbuffer.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 4096u

/* Room for 'bytes' in front. NULL if memory is short */
static uint8_t *push(struct flatbuffer *flat, size_t bytes)
{
	if (!flat->failed && bytes > flat->room - flat->used) {
		size_t room = 2 * flat->room + bytes + ROOM_FIRST;
		uint8_t *more = malloc(room);

		if (more && flat->used)
			memcpy(more + room - flat->used, flat_bytes(flat), flat->used);
		flat->failed = !more;
		if (more) {
			free(flat->bytes);
			flat->bytes = more;
			flat->room = room;
		}
	}
	if (flat->failed)
		return NULL;
	flat->used += bytes;
	return flat->bytes + flat->room - flat->used;
}

/* Zeros, so that what comes in front of them, with 'bytes' more behind it, ends aligned */
static void align(struct flatbuffer *flat, size_t bytes, size_t alignment)
{
	size_t padding = (0 - flat->used - bytes) % alignment;
	uint8_t *at = push(flat, padding);

	if (at)
		memset(at, 0, padding);
}

/* Its lowest byte first, whatever the machine */
static void put(struct flatbuffer *flat, uint64_t value, size_t bytes)
{
	uint8_t *at = push(flat, bytes);

	for (size_t n = 0; at && n < bytes; n++)
		at[n] = (uint8_t)(value >> 8 * n);
}

flat_reference flat_text(struct flatbuffer *flat, const char *text)
{
	size_t length = strlen(text);
	uint8_t *at;

	align(flat, length + 1, 4);
	at = push(flat, length + 1);
	if (at)
		memcpy(at, text, length + 1);
	put(flat, length, 4);
	return flat->used;
}

/* From here to there, forwards; the four bytes for it are aligned */
static void put_distance(struct flatbuffer *flat, flat_reference to)
{
	put(flat, flat->used + 4 - to, 4);
}

flat_reference flat_references(struct flatbuffer *flat, const flat_reference *items, uint32_t count)
{
	align(flat, 0, 4);
	for (uint32_t n = count; n--;)
		put_distance(flat, items[n]);
	put(flat, count, 4);
	return flat->used;
}

flat_reference flat_structs(struct flatbuffer *flat, const uint64_t *items, uint32_t count,
			    uint32_t words)
{
	align(flat, 0, 8);
	for (size_t n = (size_t)count * words; n--;)
		put(flat, items[n], 8);
	put(flat, count, 4);
	return flat->used;
}

void flat_begin(struct flatbuffer *flat)
{
	memset(flat->field, 0, sizeof(flat->field));
	flat->table = flat->used;
}

void flat_number(struct flatbuffer *flat, uint32_t field, uint64_t value, uint32_t bytes)
{
	align(flat, bytes, bytes);
	put(flat, value, bytes);
	flat->field[field] = flat->used;
}

void flat_refer(struct flatbuffer *flat, uint32_t field, flat_reference to)
{
	if (!to)
		return;
	align(flat, 4, 4);
	put_distance(flat, to);
	flat->field[field] = flat->used;
}

/* The table begins with how far in front of it its own table of fields is. */
flat_reference flat_end(struct flatbuffer *flat)
{
	uint32_t count = FLAT_FIELDS;
	flat_reference table;
	uint8_t *at;

	while (count && !flat->field[count - 1])
		count--;
	align(flat, 4, 4);
	put(flat, 0, 4);
	table = flat->used;
	for (uint32_t n = count; n--;)
		put(flat, flat->field[n] ? table - flat->field[n] : 0, 2);
	put(flat, table - flat->table, 2);
	put(flat, 4 + 2 * count, 2);
	if (flat->failed)
		return 0;
	at = flat->bytes + flat->room - table;
	for (size_t n = 0; n < 4; n++)
		at[n] = (uint8_t)((flat->used - table) >> 8 * n);
	return table;
}

void flat_finish(struct flatbuffer *flat, flat_reference root)
{
	align(flat, 4, 8);
	put_distance(flat, root);
}

void flat_free(struct flatbuffer *flat)
{
	free(flat->bytes);
	memset(flat, 0, sizeof(*flat));
}
