/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the records of a recording are: a second opinion, which shares no code with the library and
 * is for recordings that are whole.
 */
#ifndef TESTS_HOSTILE_STRUCTURE_H
#define TESTS_HOSTILE_STRUCTURE_H

#include "tests/hostile/form.h"

#define STRUCTURE_RECORDS 1024u

struct structure {
	uint64_t start, end; /* of the data section of a part */
	uint64_t
		metadata_end; /* header, attrs and ids lie before, if the part is a seekable file */
	uint32_t count;
	struct {
		uint32_t type;
		uint32_t at, size; /* header.size */
		uint32_t whole; /* with the payload that follows some records */
	} record[STRUCTURE_RECORDS];
};

void structure_of(const struct form *form, uint32_t part, struct structure *structure);

/* Records inside records of compressed bytes, if the recording is compressed; needs libzstd. */
int structure_is_compressed(const struct structure *structure);
/*
 * What the first 'count' bytes of the part hold in compressed records, the last of which may be cut;
 * to be freed. NULL without libzstd.
 */
uint8_t *structure_decompress(const struct form_part *part, const struct structure *structure,
			      uint64_t count, size_t *plain_count);

#endif
