/* SPDX-License-Identifier: BSD-3-Clause */
/* Which data an access to a line is of: a variable's member, a block's, or what the instruction says. */
#ifndef ANALYSIS_SHARING_DATA_H
#define ANALYSIS_SHARING_DATA_H

#include "analysis/objects/program_types.h"
#include "state.h"

#define SHARING_DATUM_TEXT (TYPED_NAME_BYTES + 64u)

/* Who finds it. The rest zeroed, to be freed */
struct sharing_data {
	const struct sharing *sharing;
	struct program_types types;
	char name[SHARING_DATUM_TEXT];
	int failed; /* memory was short */
};

/* Texts live until the next call, or as long as the symbols. */
void sharing_datum_of(struct sharing_data *data, const struct sharing_line *line,
		      const struct sharing_way *way, struct sharing_datum *datum);
void sharing_data_free(struct sharing_data *data);

/* The same of a process that runs, by what it has there now. 'ip': of the access; 0: not known */
void sharing_datum_now(struct sharing_data *data, uint32_t pid, uint64_t ip, uint64_t address,
		       uint32_t bytes, struct sharing_datum *datum);

/*
 * Once a recording is read: of ways to access blocks of the heap, which side files tell by the time. 0, or -1
 * if memory is short
 */
int sharing_data_settle(struct sharing *sharing);

#endif
