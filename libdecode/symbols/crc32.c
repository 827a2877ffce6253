/* SPDX-License-Identifier: BSD-3-Clause */
/* See crc32.h. */
#include "crc32.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#define POLYNOMIAL UINT32_C(0xedb88320)

static void fill(uint32_t table[256])
{
	uint32_t i, bit, value;

	for (i = 0; i < 256; i++) {
		value = i;
		for (bit = 0; bit < 8; bit++)
			value = value & 1 ? value >> 1 ^ POLYNOMIAL : value >> 1;
		table[i] = value;
	}
}

int precis_crc32_of_file(int fd, uint32_t *crc)
{
	uint32_t table[256], value = UINT32_MAX;
	uint8_t bytes[16384];
	off_t at = 0;
	ssize_t got, i;

	fill(table);
	while ((got = pread(fd, bytes, sizeof(bytes), at)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return 0;
		for (i = 0; i < got; i++)
			value = value >> 8 ^ table[(value ^ bytes[i]) & 0xff];
		at += got;
	}
	*crc = ~value;
	return 1;
}
