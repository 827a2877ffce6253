/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a core's samples measure: the library is asked. It decodes made-up samples of the core, and
 * says why what is absent is absent.
 */
#ifndef COMPARE_ANSWER_H
#define COMPARE_ANSWER_H

#include <precis/precis.h>

#define COMPARE_SAMPLES 1024 /* of each core: enough that every field is in some of them */

enum compare_verdict {
	COMPARE_NO = 0,
	COMPARE_YES = 1,
	COMPARE_UNKNOWN = 2 /* the records have a place for it; which events fill it is not known */
};

struct compare_cell {
	enum compare_verdict verdict;
	enum precis_reason reason; /* of NO and UNKNOWN */
	const char *detail;	   /* static */
};

/* What a core's samples can have, by enum precis_field */
struct compare_answer {
	struct compare_cell cells[PRECIS_FIELD_COUNT];
};

/* @param core  enum precis_amd_core; enum precis_intel_core */
void compare_ask_amd(uint32_t core, struct compare_answer *answer);
void compare_ask_intel(uint32_t core, struct compare_answer *answer);

/* The next of a fixed sequence of numbers in which all bits vary */
static inline uint64_t compare_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#endif
