/* SPDX-License-Identifier: BSD-3-Clause */
/* See precis_published.h. */
#include "precis_published.h"

#include <string.h>

#define WORDS PRECIS_STATISTICS_WORDS

_Static_assert(WORDS * sizeof(uint64_t) == sizeof(struct precis_papi_statistics), "whole words");

void precis_publish(struct precis_published *published, const struct precis_papi_statistics *statistics)
{
	uint64_t words[WORDS];

	memcpy(words, statistics, sizeof(words));
	__atomic_add_fetch(&published->sequence, 1, __ATOMIC_SEQ_CST);
	for (size_t n = 0; n < WORDS; n++)
		__atomic_store_n(&published->words[n], words[n], __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&published->sequence, 1, __ATOMIC_SEQ_CST);
}

void precis_published(const struct precis_published *published, struct precis_papi_statistics *statistics)
{
	uint64_t words[WORDS];
	uint32_t before;

	do {
		before = __atomic_load_n(&published->sequence, __ATOMIC_SEQ_CST);
		for (size_t n = 0; n < WORDS; n++)
			words[n] = __atomic_load_n(&published->words[n], __ATOMIC_SEQ_CST);
	} while (before % 2 || __atomic_load_n(&published->sequence, __ATOMIC_SEQ_CST) != before);
	memcpy(statistics, words, sizeof(words));
}
