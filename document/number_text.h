/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers as text, for millions of cells: each function writes at 'at', without
 * a NUL, and returns where the text ends. NUMBER_TEXT bytes are always enough.
 */
#ifndef NUMBER_TEXT_H
#define NUMBER_TEXT_H

#include <stdint.h>
#include <string.h>

#define NUMBER_TEXT 24

/* "00" to "99", and "00" to "ff" */
extern const char decimal_pairs[200];
extern const char hex_pairs[512];

/* Exactly 'count' digits of a value that has no more; 'count' is even. */
static inline char *put_digits(char *at, uint32_t value, unsigned int count)
{
	for (char *pair = at + count; pair > at; value /= 100) {
		pair -= 2;
		memcpy(pair, decimal_pairs + 2 * (value % 100), 2);
	}
	return at + count;
}

static inline char *put_decimal_u32(char *at, uint32_t value)
{
	unsigned int count;

	if (value < 10) {
		*at = (char)('0' + value);
		return at + 1;
	}
	if (value < 100)
		return put_digits(at, value, 2);
	count = value < 10000 ? 4 : value < 1000000 ? 6 : value < 100000000 ? 8 : 10;
	put_digits(at, value, count);
	if (*at != '0')
		return at + count;
	memmove(at, at + 1, count - 1);
	return at + count - 1;
}

static inline char *put_decimal(char *at, uint64_t value)
{
	const uint32_t part = 100000000;

	if (value <= UINT32_MAX)
		return put_decimal_u32(at, (uint32_t)value);
	at = put_decimal(at, value / part);
	return put_digits(at, (uint32_t)(value % part), 8);
}

static inline char *put_signed(char *at, int64_t value)
{
	if (value >= 0)
		return put_decimal(at, (uint64_t)value);
	*at++ = '-';
	return put_decimal(at, 0 - (uint64_t)value);
}

/* 0x and all 16 digits */
static inline char *put_hex_full(char *at, uint64_t value)
{
	memcpy(at, "0x", 2);
	for (char *pair = at + 18; pair > at + 2; value >>= 8) {
		pair -= 2;
		memcpy(pair, hex_pairs + 2 * (value & 255), 2);
	}
	return at + 18;
}

/* 0x and as many digits as it takes */
static inline char *put_hex(char *at, uint64_t value)
{
	unsigned int digits = value ? (67u - (unsigned int)__builtin_clzll(value)) / 4 : 1;

	value <<= 64 - 4 * digits;
	memcpy(at, "0x", 2);
	at += 2;
	/* From the first digit on; what is written behind the last one is not kept. */
	for (unsigned int done = 0; done < digits; done += 2, value <<= 8)
		memcpy(at + done, hex_pairs + 2 * (value >> 56), 2);
	return at + digits;
}

/* 3.852145000: perf's notation of a time, to the nanosecond */
static inline char *put_seconds(char *at, uint64_t ns)
{
	const uint64_t second = 1000000000;

	at = put_decimal(at, ns / second);
	*at++ = '.';
	*at++ = (char)('0' + ns % second / 100000000);
	return put_digits(at, (uint32_t)(ns % 100000000), 8);
}

static inline char *put_bytes(char *at, const char *bytes, size_t count)
{
	memcpy(at, bytes, count);
	return at + count;
}

#endif
