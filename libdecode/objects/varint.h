/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of a payload, each checked against its end. */
#ifndef PRECIS_OBJECTS_VARINT_H
#define PRECIS_OBJECTS_VARINT_H

#include "format.h"

/* @return 1; 0: it does not end before the payload does, or has more than 64 bits */
static inline int take_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
	const uint8_t *byte = *at;

	*value = 0;
	for (unsigned int shift = 0; byte < end && shift < 64; shift += 7) {
		uint64_t bits = *byte & 0x7f;

		if (shift == 63 && bits > 1)
			return 0;
		*value |= bits << shift;
		if (!(*byte++ & 0x80)) {
			*at = byte;
			return 1;
		}
	}
	return 0;
}

/* One of 32 bits */
static inline int take_number(const uint8_t **at, const uint8_t *end, uint32_t *value)
{
	uint64_t wide;

	if (!take_varint(at, end, &wide) || wide > UINT32_MAX)
		return 0;
	*value = (uint32_t)wide;
	return 1;
}

static inline int take_address(const uint8_t **at, const uint8_t *end, uint64_t *address)
{
	uint64_t value, low = 0;

	if (!take_varint(at, end, &value))
		return 0;
	if (value & 1) {
		if (*at == end || **at > 15)
			return 0;
		low = *(*at)++;
	}
	*address = ((*address >> 4) + (uint64_t)objects_unzigzag(value >> 1)) << 4 | low;
	return 1;
}

#endif
