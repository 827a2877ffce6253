/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose address a sample has: that of the instruction that was measured, the next one, or some later. */
#ifndef ANALYSIS_ANNOTATE_EXACTNESS_H
#define ANALYSIS_ANNOTATE_EXACTNESS_H

#include <stdint.h>

struct precis_event;

struct exactness {
	const char *name; /* a word, for JSON and CSV */
	const char *text; /* a sentence */
};

/* @param kind  enum precis_event_kind; 'event' NULL: it is not known */
const struct exactness *exactness_of(uint32_t kind, const struct precis_event *event);

#endif
