/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of one size: NetBurst and formats 0 to 3. */
#ifndef PRECIS_PEBS_FIXED_H
#define PRECIS_PEBS_FIXED_H

#include <precis/pebs_record.h>

/* Where their words stand */
enum {
#define PRECIS_FIXED_WORD(formats, offset, word) FIXED_AT_##word = offset,
#include "words.def"
};

/* Registers, and words up to the last one of the format */
#define FIXED_BYTES_0 (8u * (PRECIS_PEBS_R15 + 1))
#define FIXED_BYTES_1 (FIXED_AT_LATENCY + 8u)
#define FIXED_BYTES_2 (FIXED_AT_TSX + 8u)
#define FIXED_BYTES_3 (FIXED_AT_TSC + 8u)
#define FIXED_BYTES_NETBURST_32 (4u * (PRECIS_PEBS_SP + 1))

/* Registers FLAGS to SP, which 32-bit records have, and to R15 */
#define FIXED_REGISTERS_32 ((1u << (PRECIS_PEBS_SP + 1)) - 1)
#define FIXED_REGISTERS_64 ((1u << (PRECIS_PEBS_R15 + 1)) - 1)

/* Bytes of a record that has all registers: formats 0 to 3 and NetBurst's of 64 bits */
static inline uint32_t fixed_bytes(uint32_t format)
{
	switch (format) {
	case PRECIS_PEBS_FORMAT_1:
		return FIXED_BYTES_1;
	case PRECIS_PEBS_FORMAT_2:
		return FIXED_BYTES_2;
	case PRECIS_PEBS_FORMAT_3:
		return FIXED_BYTES_3;
	default:
		return FIXED_BYTES_0;
	}
}

/* The words of a fixed format. */
static inline uint32_t fixed_words(uint32_t format)
{
	uint32_t words = 0;

#define PRECIS_FIXED_WORD(formats, offset, name)                                                   \
	words |= (formats) >> format & 1 ? 1u << PRECIS_PEBS_##name : 0;
#include "words.def"
	return words;
}

/* What a record of those words consists of. */
static inline uint32_t fixed_groups(uint32_t words)
{
	return PRECIS_PEBS_GROUP_GPR | (words ? PRECIS_PEBS_GROUP_MEMORY : 0);
}

#endif
