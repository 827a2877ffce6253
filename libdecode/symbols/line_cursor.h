/* SPDX-License-Identifier: BSD-3-Clause */
/* Taking DWARF's numbers from bytes, never beyond their end. */
#ifndef PRECIS_SYMBOLS_LINE_CURSOR_H
#define PRECIS_SYMBOLS_LINE_CURSOR_H

#include <stdint.h>
#include <string.h>

/** A run of bytes that belong to somebody else. */
struct line_bytes {
	const uint8_t *at;
	size_t bytes;
};

static inline int take_bytes(struct line_bytes *from, void *value, size_t bytes)
{
	if (from->bytes < bytes)
		return 0;
	memcpy(value, from->at, bytes);
	from->at += bytes;
	from->bytes -= bytes;
	return 1;
}

static inline int take_u8(struct line_bytes *from, uint8_t *value)
{
	return take_bytes(from, value, 1);
}

/* A number of 1, 2, 4 or 8 bytes in this machine's order, which is little endian or the file's */
static inline int take_fixed(struct line_bytes *from, size_t bytes, uint64_t *value)
{
	uint16_t half;
	uint32_t word;
	uint8_t byte;
	int taken;

	switch (bytes) {
	case 1:
		taken = take_bytes(from, &byte, bytes);
		*value = taken ? byte : 0;
		return taken;
	case 2:
		taken = take_bytes(from, &half, bytes);
		*value = taken ? half : 0;
		return taken;
	case 4:
		taken = take_bytes(from, &word, bytes);
		*value = taken ? word : 0;
		return taken;
	case 8:
		return take_bytes(from, value, bytes);
	default:
		return 0;
	}
}

/* LEB128; 'sign' is set to how many bits it has. Bits from 64 on are lost, as they mean nothing. */
static inline int take_leb(struct line_bytes *from, uint64_t *value, unsigned int *bits)
{
	uint8_t byte = 0x80;

	*value = 0;
	*bits = 0;
	while (byte & 0x80) {
		if (!take_u8(from, &byte))
			return 0;
		if (*bits < 64)
			*value |= (uint64_t)(byte & 0x7f) << *bits;
		*bits = *bits < 64 ? *bits + 7 : *bits;
	}
	return 1;
}

static inline int take_uleb(struct line_bytes *from, uint64_t *value)
{
	unsigned int bits;

	return take_leb(from, value, &bits);
}

static inline int take_sleb(struct line_bytes *from, int64_t *value)
{
	unsigned int bits;
	uint64_t number;

	if (!take_leb(from, &number, &bits))
		return 0;
	if (bits < 64 && number >> (bits - 1) & 1)
		number |= UINT64_MAX << bits;
	*value = (int64_t)number;
	return 1;
}

/* A string with its NUL. @return NULL if it does not end */
static inline const char *take_text(struct line_bytes *from)
{
	const uint8_t *end = from->bytes ? memchr(from->at, '\0', from->bytes) : NULL;
	const char *text = (const char *)from->at;

	if (!end)
		return NULL;
	from->bytes -= (size_t)(end + 1 - from->at);
	from->at = end + 1;
	return text;
}

static inline int skip_bytes(struct line_bytes *from, uint64_t bytes)
{
	if (bytes > from->bytes)
		return 0;
	/* a section that is not there has no address, to which C does not let even 0 be added */
	if (bytes)
		from->at += bytes;
	from->bytes -= (size_t)bytes;
	return 1;
}

#endif
