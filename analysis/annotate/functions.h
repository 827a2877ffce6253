/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of an event that what was asked for may mean, those with the most samples first. */
#ifndef ANALYSIS_ANNOTATE_FUNCTIONS_H
#define ANALYSIS_ANNOTATE_FUNCTIONS_H

#include "analysis/by/state.h"

struct annotated_function {
	const struct by_row *row; /* all of its samples */
	struct weighted samples;  /* those that were asked for: of a source line its own */
	const char *name;         /* NULL: what has no symbol in 'object' */
	const struct name *object;
	const struct by_row **rows; /* its instructions that have samples, by their offsets */
	uint32_t count;
};

struct annotated_functions {
	struct annotated_function *list;
	uint32_t count;
	uint32_t without_rows; /* further ones, whose instructions all had to go: there were too many */
	const struct by_row **rows; /* of all */
};

/* 0, or -1 if memory is short; to be freed in any case */
int functions_open(struct annotated_functions *functions, const struct by *by,
		   const struct by_event *event);
void functions_free(struct annotated_functions *functions);

/* Is the instruction of the source line that was asked for? 1 if none was */
int function_has_line(const struct by *by, const struct name *object, uint64_t offset);

#endif
