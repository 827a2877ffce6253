/* SPDX-License-Identifier: BSD-3-Clause */
/* What the callchain of a sample says: who called, and through which calls it came there. */
#ifndef ANALYSIS_BY_STACKS_H
#define ANALYSIS_BY_STACKS_H

#include "state.h"

/* Why one has no caller although it has a callchain */
#define BY_OUTERMOST 0xfdu

/* Of the sample that the input handed out last. The model has to know what is mapped where. */
void by_stacks_read(struct by *by, struct precis_input *input, const struct precis_sample *sample,
		    struct by_chained *chained);

/*
 * Functions, as names of symbol and object, the innermost first: told from the outermost inwards, separated
 * by ';', those without a symbol as [FILE]. To be freed. NULL: memory is short
 */
char *by_stack_text(const struct by *by, const struct by_value *frames, uint32_t count,
		    int is_deeper);

#endif
