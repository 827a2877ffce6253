/* SPDX-License-Identifier: BSD-3-Clause */
/* What an access does, from where, and by which instruction, as cells of a table. */
#ifndef ANALYSIS_SHARING_ACCESS_CELLS_H
#define ANALYSIS_SHARING_ACCESS_CELLS_H

#include "state.h"
#include "statistics/table.h"

/* "locked load and store"; NULL: neither a load nor a store */
const char *sharing_access_word(int loads, int stores, int is_locked);

/* CPU, its node, how many CPUs there are; 'count' 0: none is known */
void sharing_cells_cpu(struct document *document, const struct nodes *nodes, uint32_t cpu,
		       uint32_t count);

/* Address of an instruction; absent if it is 0 */
void sharing_cell_ip(struct document *document, uint64_t ip);

/* Function, offset in it, source, file. @param has_offset  0: it is only known that it is in there */
void sharing_cells_place(struct document *document, const struct sharing *sharing,
			 const struct sharing_place *place, int has_offset);

#endif
