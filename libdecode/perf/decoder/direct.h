/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields that stand at fixed places of a record: one by one (decoder.c), or of many (columns.c). */
#ifndef PRECIS_PERF_DECODER_DIRECT_H
#define PRECIS_PERF_DECODER_DIRECT_H

#include <precis/decoder.h>

#include "libdecode/perf/records/bytes.h"

#define SIGNED_4 5 /* a width: four bytes, to be sign-extended */

static inline uint64_t load_generic(const uint8_t *at, uint32_t width)
{
	switch (width) {
	case 2:
		return load_u16(at);
	case 4:
		return load_u32(at);
	case SIGNED_4:
		return (uint64_t)(int64_t)(int32_t)load_u32(at);
	default:
		return load_u64(at);
	}
}

/*
 * Of a SAMPLE record with a payload the bytes of that.
 * @return 1; 0 if it does not stand where the plan has it
 */
static inline int direct_payload(const struct precis_decoder_plan *plan, const uint8_t *record,
				 uint32_t size, struct precis_bytes *raw)
{
	uint32_t around = plan->direct.raw_offset + 4u + plan->direct.tail_bytes;

	if (size < around)
		return 0;
	raw->bytes = load_u32(record + plan->direct.raw_offset);
	raw->data = record + plan->direct.raw_offset + 4;
	return raw->bytes <= size - around;
}

/*
 * The generic field of many records of an event whose plan is usable and wants it.
 * @param records  'count' SAMPLE records whose payload stands where the plan has it
 * @return 1: each has a value; 0: none has, or not by this way: left to the payload
 */
int precis_decoder_column(const struct precis_decoder *decoder, uint32_t field,
			  const uint8_t *const *records, uint32_t count, uint64_t *values);

#endif
