/* SPDX-License-Identifier: BSD-3-Clause */
/* "did you mean": the known word that is nearest to one that is not known. */
#ifndef OUTPUT_NEAREST_H
#define OUTPUT_NEAREST_H

#include <stddef.h>

#define NEAREST_ROOM 96

struct nearest {
	const char *word;
	size_t length;
	const char *found; /* the nearest so far; NULL: none is near */
	size_t distance;   /* a nearer one has less */
};

/* Looking for what the first 'length' bytes of 'word' may be meant to be. */
struct nearest nearest_to(const char *word, size_t length);

/* One that is known; of several that are as near, the first is found. NULL is none. */
void nearest_offer(struct nearest *nearest, const char *known);

/* All fields of the catalogue. */
void nearest_offer_fields(struct nearest *nearest);

/* "; did you mean 'KNOWN'?" in 'room', or "" */
const char *nearest_hint(const struct nearest *nearest, char room[NEAREST_ROOM]);

#endif
