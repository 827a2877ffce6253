/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What symbols said of lines and of instructions that access them: of runs that were saved, whose recordings
 * and binaries are somewhere else.
 */
#ifndef ANALYSIS_SHARING_TOLD_H
#define ANALYSIS_SHARING_TOLD_H

#include <precis/precis.h>

#include "lines.h"

/* Of an instruction. NULL: it is not known */
struct sharing_place {
	const char *object, *symbol;
	uint64_t symbol_offset;
	const char *file; /* of the source */
	uint32_t line;
};

/* Of lines and ways, by their 'told' - 1. Zeroed memory has none; texts are not its own. */
struct sharing_told {
	struct precis_memory *memories;
	struct sharing_place *places;
	uint32_t memory_count, place_count;
};

/* All that another has, behind; its lines get the numbers that they have here. 0, or -1 if memory is short */
int sharing_told_merge(struct sharing_told *told, const struct sharing_told *others,
		       struct sharing_lines *lines);
void sharing_told_free(struct sharing_told *told);

#endif
