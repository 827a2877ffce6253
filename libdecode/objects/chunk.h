/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of one chunk. */
#ifndef PRECIS_OBJECTS_CHUNK_H
#define PRECIS_OBJECTS_CHUNK_H

#include "private.h"

/* Is that a chunk, as far as its first bytes tell? 'room': how many the file has from there on */
int chunk_is_one(const struct objects_chunk *chunk, uint64_t room);
/* Does its content have its checksum? The payload lies behind it, padded. It is changed in between. */
int chunk_is_whole(struct objects_chunk *chunk);

/* Mean bytes between samples of blocks from the threshold on; 0: all are in it. Of a whole chunk of events */
uint64_t chunk_large_interval(const struct objects_chunk *chunk);

/* Bytes of it all */
static inline size_t chunk_bytes(const struct objects_chunk *chunk)
{
	return sizeof(*chunk) + objects_padded(chunk->bytes);
}

/*
 * Read it into memory. @return 0; PRECIS_E_IO, PRECIS_E_NO_MEMORY; PRECIS_E_TRUNCATED: it is no more as it
 * was
 */
int chunk_open(struct precis_object_file *file, struct chunk_reader *reader, uint64_t offset);
void chunk_close(struct precis_object_file *file, struct chunk_reader *reader);

/* @return 1: 'reader->event' is the next; 0: there is no more; PRECIS_E_BAD_SIZE: the rest makes no sense */
int chunk_next(struct precis_object_file *file, struct chunk_reader *reader);

#endif
