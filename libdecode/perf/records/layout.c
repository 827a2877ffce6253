/* SPDX-License-Identifier: BSD-3-Clause */
/* From an attr to where things stand in its samples and trailers. */
#include <precis/error.h>
#include <precis/record.h>

#include "attr.h"
#include "libdecode/sample/abi.h"
#include "record_header.h"

#define WORD 8u

/* Members of a SAMPLE before its ID, and of a trailer before and behind its ID */
#define BEFORE_ID (PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_ADDR)
#define TRAILER_BEHIND_ID (PRECIS_SAMPLE_STREAM_ID | PRECIS_SAMPLE_CPU)
#define TRAILER                                                                                    \
	(PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_ID | TRAILER_BEHIND_ID |           \
	 PRECIS_SAMPLE_IDENTIFIER)

static uint32_t words(uint64_t sample_type, uint32_t members)
{
	return (uint32_t)__builtin_popcountll(sample_type & members);
}

static uint32_t id_offset(uint64_t sample_type)
{
	if (sample_type & PRECIS_SAMPLE_IDENTIFIER)
		return RECORD_HEADER_BYTES;
	if (sample_type & PRECIS_SAMPLE_ID)
		return RECORD_HEADER_BYTES + WORD * words(sample_type, BEFORE_ID);
	return 0;
}

static uint32_t id_from_end(uint64_t sample_type)
{
	if (sample_type & PRECIS_SAMPLE_IDENTIFIER)
		return WORD;
	if (sample_type & PRECIS_SAMPLE_ID)
		return WORD + WORD * words(sample_type, TRAILER_BEHIND_ID);
	return 0;
}

int precis_layout_init(const void *attr, size_t bytes, struct precis_layout *layout)
{
	uint64_t type;

	ABI_OUT(struct precis_layout, layout, precis_layout_init(attr, bytes, &abi));
	if (!attr)
		return PRECIS_E_ARGUMENT;
	if (bytes < ATTR_MIN_BYTES)
		return PRECIS_E_BAD_SIZE;
	type = attr_u64(attr, bytes, ATTR_SAMPLE_TYPE);
	layout->sample_type = type;
	layout->unknown_bits = (type & ~(uint64_t)PRECIS_SAMPLE_KNOWN_BITS) != 0;
	layout->read_format = attr_u64(attr, bytes, ATTR_READ_FORMAT);
	layout->branch_sample_type = attr_u64(attr, bytes, ATTR_BRANCH_SAMPLE_TYPE);
	layout->regs_user = attr_u64(attr, bytes, ATTR_SAMPLE_REGS_USER);
	layout->regs_intr = attr_u64(attr, bytes, ATTR_SAMPLE_REGS_INTR);
	layout->sample_id_all = attr_bits(attr, ATTR_SAMPLE_ID_ALL, 1);
	layout->trailer_bytes = layout->sample_id_all ? WORD * words(type, TRAILER) : 0;
	layout->id_offset = id_offset(type);
	layout->id_from_end = layout->sample_id_all ? id_from_end(type) : 0;
	return 0;
}
