/* SPDX-License-Identifier: BSD-3-Clause */
/* What the memory of a line is, as cells of a table. */
#ifndef ANALYSIS_SHARING_MEMORY_CELLS_H
#define ANALYSIS_SHARING_MEMORY_CELLS_H

#include "state.h"
#include "statistics/table.h"

/* As people write it; absent if it is NULL */
void sharing_cell_name(struct document *document, const struct sharing *sharing, const char *name);

/* Columns for programs: variable, offset in it, what it is in, kind of memory */
#define SHARING_MEMORY_COLUMNS                                                                     \
	{ "variable", NULL, 0 }, { "variable_offset", NULL, 0 }, { "object", NULL, 0 },            \
	{                                                                                          \
		"memory", NULL, 0                                                                  \
	}
void sharing_cells_memory(struct document *document, const struct sharing *sharing,
			  const struct precis_memory *memory);

/* For text: "counters+64 (program)", "[heap]" */
void sharing_cell_what(struct document *document, const struct sharing *sharing,
		       const struct precis_memory *memory);

/* Of what it is, where that has a name: an address alone tells no more than the offset in a line. */
void sharing_cell_member(struct document *document, const struct sharing_datum *datum);

#endif
