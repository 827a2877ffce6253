/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precis info --compare: what each generation's samples measure of a memory access, stage by
 * stage. The library is asked: it decodes made-up samples of each core, and says why what is
 * absent is absent.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include <precis/precis.h>

#include "document/output.h"

#define COMPARE_ROWS_MOST 32
#define COMPARE_GENERATIONS_MOST 64
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

struct compare_generation {
	const char *technique; /* "IBS", "PEBS" */
	const char *vendor, *name, *models, *uncertain;
	uint32_t alike; /* the first of its vendor's generations whose cells are the same */
	uint32_t label; /* of that one: 1, 2, … among its vendor's */
	struct compare_cell cells[COMPARE_ROWS_MOST];
};

/* A field, under the stage of an access that it is of */
struct compare_row {
	const char *stage;
	uint32_t field; /* enum precis_field */
};

struct compare {
	uint32_t row_count, generation_count;
	const struct compare_row *rows;
	struct compare_generation generations[COMPARE_GENERATIONS_MOST];
};

void compare_gather(struct compare *compare);

/* @param core  enum precis_amd_core; enum precis_intel_core */
void compare_ask_amd(uint32_t core, struct compare_answer *answer);
void compare_ask_intel(uint32_t core, struct compare_answer *answer);

/* The next of a fixed sequence of numbers in which all bits vary */
uint64_t compare_random(uint64_t *state);

void compare_print_text(const struct compare *compare, struct output *output);
void compare_print_csv(const struct compare *compare, struct output *output);
void compare_print_json(const struct compare *compare, struct output *output);

#endif
