/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers from 0 on for what is met again and again: texts, and triples of numbers. */
#ifndef EXPORT_NUMBERING_H
#define EXPORT_NUMBERING_H

#include <stddef.h>
#include <stdint.h>

#define NO_NUMBER UINT32_MAX
#define NUMBERS_MOST (UINT32_C(1) << 30)

/* Which number has what, by its hash. */
struct slots {
	uint32_t *slot; /* one more than a number; 0: free */
	uint32_t *hash; /* by number */
	uint32_t count, room;
};

/* Zeroed memory is empty. */
struct texts {
	struct slots slots;
	size_t *start; /* by number; in 'bytes', where each ends with a NUL */
	char *bytes;
	size_t used, room;
};

/* Zeroed memory is empty. */
struct triples {
	struct slots slots;
	uint32_t (*triple)[3]; /* by number */
};

/* The number of what may be new; NO_NUMBER if memory is short. */
uint32_t texts_number(struct texts *texts, const char *text);
uint32_t triples_number(struct triples *triples, uint32_t first, uint32_t second, uint32_t third);

static inline const char *texts_of(const struct texts *texts, uint32_t number)
{
	return texts->bytes + texts->start[number];
}

void texts_free(struct texts *texts);
void triples_free(struct triples *triples);

#endif
