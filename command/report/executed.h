/* SPDX-License-Identifier: BSD-3-Clause */
/* How often the instructions of a recording ran, for precis annotate: read once more, as precis mix reads. */
#ifndef REPORT_EXECUTED_H
#define REPORT_EXECUTED_H

#include "analysis/mix/executions.h"
#include "command/mix/mixed.h"
#include "reading.h"

#define EXECUTED_WHY 384u

/* It stays where it is until what was annotated is printed. Zeroed memory: nothing was asked for */
struct executed {
	struct mix_arguments arguments;
	struct mix_reading reading;
	struct mixed mixed;
	struct mix_executions *executions; /* NULL: 'why' */
	int is_read;
	char why[EXECUTED_WHY];
};

/*
 * Of the same processes, CPUs and times, and of all events that tell. Nothing is printed: what is wrong
 * with the recording has been said.
 * @param first  that of one recording
 * @param can_be_read_again  it can
 */
void executed_find(struct executed *executed, const struct report_arguments *arguments,
		   const struct reading *first, int can_be_read_again);
void executed_free(struct executed *executed);

#endif
