/* SPDX-License-Identifier: BSD-3-Clause */
/* Jumps inside a function, as lines from the one to the other instruction; and its loops. */
#ifndef ANALYSIS_ANNOTATE_JUMPS_H
#define ANALYSIS_ANNOTATE_JUMPS_H

#include "code.h"

#define JUMP_LANES 8u
#define JUMP_TEXT (JUMP_LANES + 2u)

/* Zeroed memory draws none. */
struct jumps {
	char (*text)[JUMP_TEXT]; /* by instruction */
	uint32_t lanes; /* that are used; every text is as long and one more */
};

/*
 * Lines of the shown instructions, and how many loops there are around each one of the list.
 * 0, or -1 if memory is short; to be freed in any case.
 */
int jumps_open(struct jumps *jumps, struct annotated_code *code);
void jumps_free(struct jumps *jumps);

/* Of the n-th instruction: behind its last lane is what has no room for a line, 'v' or '^' */
const char *jumps_text(const struct jumps *jumps, uint32_t n);

/* Where it goes: "back", "forward", "out"; NULL: it is no jump, or does not say */
const char *jump_way(const struct annotated_code *code,
		     const struct annotated_instruction *instruction);

#endif
