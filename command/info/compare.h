/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precis info --compare: what each generation's samples measure of a memory access, stage by
 * stage. The library is asked: it decodes made-up samples of each core, and says why what is
 * absent is absent.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include <precis/precis.h>

#include "document/matrix.h"

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

/* All of it: rows are fields under the stage of an access, columns are generations. */
void compare_gather(struct matrix *matrix);

/* @param core  enum precis_amd_core; enum precis_intel_core */
void compare_ask_amd(uint32_t core, struct compare_answer *answer);
void compare_ask_intel(uint32_t core, struct compare_answer *answer);

/* The next of a fixed sequence of numbers in which all bits vary */
uint64_t compare_random(uint64_t *state);

#endif
