/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparing words that users type. */
#ifndef PRECIS_SAMPLE_WORDS_H
#define PRECIS_SAMPLE_WORDS_H

#include <stddef.h>

/* Equal without regard to the case of ASCII letters; no locale takes part. */
static inline int precis_words_equal(const char *a, const char *b, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		char x = a[i], y = b[i];

		if (x >= 'A' && x <= 'Z')
			x = (char)(x | 0x20);
		if (y >= 'A' && y <= 'Z')
			y = (char)(y | 0x20);
		if (x != y)
			return 0;
	}
	return 1;
}

#endif
