/* SPDX-License-Identifier: BSD-3-Clause */
/* Values as libdecode/objects/format.h has them. */
#ifndef PRECIS_RECORDER_ENCODE_H
#define PRECIS_RECORDER_ENCODE_H

#include "libdecode/objects/format.h"

static inline uint8_t *put_varint(uint8_t *at, uint64_t value)
{
	while (value >= 0x80) {
		*at++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*at++ = (uint8_t)value;
	return at;
}

static inline uint8_t *put_address(uint8_t *at, uint64_t address, uint64_t *before)
{
	uint64_t low = address % 16;

	at = put_varint(at, objects_zigzag((int64_t)(address / 16 - *before / 16)) << 1 | (low != 0));
	if (low)
		*at++ = (uint8_t)low;
	*before = address;
	return at;
}

static inline uint8_t *put_operation(uint8_t *at, uint64_t ticks, uint32_t operation)
{
	at = put_varint(at, ticks << 4 | (operation < 16 ? operation : 0));
	return operation < 16 ? at : put_varint(at, operation);
}

#endif
