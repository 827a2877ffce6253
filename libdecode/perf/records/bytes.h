/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading bytes of any alignment, and never beyond their end. */
#ifndef PRECIS_PERF_BYTES_H
#define PRECIS_PERF_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "libdecode/sample/bit_field.h"

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

static inline uint16_t load_u16(const uint8_t *bytes)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static inline uint32_t load_u32(const uint8_t *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static inline uint64_t load_u64(const uint8_t *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

/* The bytes not yet taken. The functions below return 0, changing nothing, where they run out. */
struct cursor {
	const uint8_t *at, *end;
};

static inline size_t cursor_left(const struct cursor *cursor)
{
	return (size_t)(cursor->end - cursor->at);
}

static inline int cursor_u16(struct cursor *cursor, uint16_t *value)
{
	if (unlikely(cursor_left(cursor) < sizeof(*value)))
		return 0;
	*value = load_u16(cursor->at);
	cursor->at += sizeof(*value);
	return 1;
}

static inline int cursor_u32(struct cursor *cursor, uint32_t *value)
{
	if (unlikely(cursor_left(cursor) < sizeof(*value)))
		return 0;
	*value = load_u32(cursor->at);
	cursor->at += sizeof(*value);
	return 1;
}

static inline int cursor_u64(struct cursor *cursor, uint64_t *value)
{
	if (unlikely(cursor_left(cursor) < sizeof(*value)))
		return 0;
	*value = load_u64(cursor->at);
	cursor->at += sizeof(*value);
	return 1;
}

/* 'count' items of 'item' bytes each; item > 0 */
static inline int cursor_array(struct cursor *cursor, uint64_t count, size_t item,
			       const uint8_t **bytes)
{
	if (unlikely(count > cursor_left(cursor) / item))
		return 0;
	*bytes = cursor->at;
	cursor->at += count * item;
	return 1;
}

#endif
