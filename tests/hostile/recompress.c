/* SPDX-License-Identifier: BSD-3-Clause */
/* See recompress.h. */
#include "tests/hostile/recompress.h"

#ifdef HAVE_ZSTD
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include <precis/record.h>

#include "tests/property/random.h"

#define MOST_PIECES 4u
#define PIECE_ROOM 32000u
#define DATA_BYTES_OFFSET 48u

static void put(struct form_part *result, const void *bytes, size_t count, size_t room)
{
	if (count > room - result->count)
		return;
	memcpy(result->bytes + result->count, bytes, count);
	result->count += count;
}

/* One record of compressed bytes, of either type */
static void put_record(struct form_part *result, uint32_t type, const uint8_t *bytes, size_t count,
		       size_t room)
{
	static const uint8_t padding[8];
	uint64_t data_bytes = count;
	size_t extra = type == PRECIS_RECORD_COMPRESSED2 ? sizeof(data_bytes) : 0;
	size_t pad = extra ? (8 - count % 8) % 8 : 0;
	uint16_t misc = 0, size = (uint16_t)(8 + extra + count + pad);

	put(result, &type, sizeof(type), room);
	put(result, &misc, sizeof(misc), room);
	put(result, &size, sizeof(size), room);
	put(result, &data_bytes, extra, room);
	put(result, bytes, count, room);
	put(result, padding, pad, room);
}

static void put_compressed(struct form_part *result, uint32_t type, const uint8_t *plain,
			   size_t plain_count, uint64_t *state, size_t room)
{
	static ZSTD_CCtx *context;
	static uint8_t piece[PIECE_ROOM];
	uint64_t pieces = 1 + random_next(state) % MOST_PIECES;
	size_t from = 0;

	if (!context)
		context = ZSTD_createCCtx();
	if (!context)
		abort();
	ZSTD_CCtx_reset(context, ZSTD_reset_session_only);
	for (uint64_t n = 0; n < pieces; n++) {
		size_t left = plain_count - from;
		size_t count = n + 1 == pieces || !left ? left : random_next(state) % left;
		ZSTD_inBuffer in = { plain + from, count, 0 };
		ZSTD_outBuffer out = { piece, sizeof(piece), 0 };

		if (ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush))
			return; /* random bytes: more than fits, and less is another test */
		put_record(result, type, piece, out.pos, room);
		from += count;
	}
}

void recompress(const struct form_part *part, const struct structure *structure,
		const uint8_t *plain, size_t plain_count, uint64_t *state, struct form_part *result,
		size_t room)
{
	int done = 0;
	uint64_t data_bytes;

	result->count = 0;
	put(result, part->bytes, structure->start, room);
	for (uint32_t k = 0; k < structure->count; k++) {
		uint32_t type = structure->record[k].type;

		if (type != PRECIS_RECORD_COMPRESSED && type != PRECIS_RECORD_COMPRESSED2)
			put(result, part->bytes + structure->record[k].at,
			    structure->record[k].whole, room);
		else if (!done++)
			put_compressed(result, type, plain, plain_count, state, room);
	}
	data_bytes = result->count - structure->start;
	if (structure->metadata_end > DATA_BYTES_OFFSET)
		memcpy(result->bytes + DATA_BYTES_OFFSET, &data_bytes, sizeof(data_bytes));
}
#else
void recompress(const struct form_part *part, const struct structure *structure,
		const uint8_t *plain, size_t plain_count, uint64_t *state, struct form_part *result,
		size_t room)
{
	(void)part;
	(void)structure;
	(void)plain;
	(void)plain_count;
	(void)state;
	(void)result;
	(void)room;
}
#endif
