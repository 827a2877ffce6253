/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * FlatBuffers, as far as Arrow's metadata need them: built from the end to the beginning, so that
 * whatever refers to something stands in front of it. A reference is how many bytes before the end
 * something begins; 0 is none.
 *
 * Source: flatbuffers.dev, "FlatBuffer Internals".
 */
#ifndef EXPORT_FLATBUFFER_H
#define EXPORT_FLATBUFFER_H

#include <stddef.h>
#include <stdint.h>

#define FLAT_FIELDS 8 /* of a table */

/* Zeroed memory is empty. */
struct flatbuffer {
	uint8_t *bytes; /* 'room' of them, the last 'used' are filled */
	size_t room, used;
	int failed; /* memory was short: all that follows is without effect */
	size_t table; /* where the table that is being built ends */
	size_t field[FLAT_FIELDS]; /* where its fields are; 0: it has none of that number */
};

typedef size_t flat_reference;

flat_reference flat_text(struct flatbuffer *flat, const char *text);

/* A vector of references */
flat_reference flat_references(struct flatbuffer *flat, const flat_reference *items,
			       uint32_t count);

/* A vector of structs that are made of 64-bit words: 'words' in each */
flat_reference flat_structs(struct flatbuffer *flat, const uint64_t *items, uint32_t count,
			    uint32_t words);

/* A table: what its fields refer to has to be there before it is begun. */
void flat_begin(struct flatbuffer *flat);
void flat_number(struct flatbuffer *flat, uint32_t field, uint64_t value, uint32_t bytes);
void flat_refer(struct flatbuffer *flat, uint32_t field, flat_reference to);
flat_reference flat_end(struct flatbuffer *flat);

/* The root in front of all. What there is then begins at 'bytes' + 'room' - 'used'. */
void flat_finish(struct flatbuffer *flat, flat_reference root);

static inline const uint8_t *flat_bytes(const struct flatbuffer *flat)
{
	return flat->bytes + flat->room - flat->used;
}

/* Begin anew, in the same memory. */
static inline void flat_clear(struct flatbuffer *flat)
{
	flat->used = 0;
}

void flat_free(struct flatbuffer *flat);

#endif
