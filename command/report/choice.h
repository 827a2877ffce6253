/* SPDX-License-Identifier: BSD-3-Clause */
/* Which sections of a report are printed: --sections, --all, or those that fit two screens. */
#ifndef REPORT_CHOICE_H
#define REPORT_CHOICE_H

#include <stdint.h>

#include "statistics/table.h"

/* Zeroed: the usual ones */
struct choice {
	int is_all;
	uint64_t sections; /* bits by their numbers in the table of sections; 0: none are named */
};

/* --sections. EXIT_OK, or EXIT_USAGE after the error has been printed */
int choice_take(struct choice *choice, const char *command, const char *value);

/* --sections help. An exit code */
int choice_help(const char *command);

/* Tables of other sections go. Which of the report's they are the last line tells if 'is_told'. */
void choice_apply(const struct choice *choice, struct document *document, int is_told);

#endif
