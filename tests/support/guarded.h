/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies that end where memory ends: a read behind them kills, with a sanitizer and without. */
#ifndef TESTS_SUPPORT_GUARDED_H
#define TESTS_SUPPORT_GUARDED_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define GUARDED_MOST (1u << 20)

/* @return the only such copy: the next call takes its place */
static inline const uint8_t *guarded(const void *bytes, size_t count)
{
	static uint8_t *end;

	if (!end) {
		void *pages = mmap(NULL, 2 * (size_t)GUARDED_MOST, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (pages == MAP_FAILED)
			abort();
		end = (uint8_t *)pages + GUARDED_MOST;
		if (mprotect(end, GUARDED_MOST, PROT_NONE))
			abort();
	}
	if (count > GUARDED_MOST)
		abort();
	if (count)
		memcpy(end - count, bytes, count);
	return end - count;
}

#endif
