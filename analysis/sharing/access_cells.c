/* SPDX-License-Identifier: BSD-3-Clause */
/* See access_cells.h. */
#include "access_cells.h"

#include <inttypes.h>

#include "analysis/model/absences.h"
#include "memory_cells.h"

const char *sharing_access_word(int loads, int stores, int is_locked)
{
	static const char *const words[4][2] = {
		{ NULL, NULL },
		{ "load", "locked load" },
		{ "store", "locked store" },
		{ "load and store", "locked load and store" },
	};

	return words[(loads != 0) + 2 * (stores != 0)][is_locked != 0];
}

static void cell_count_if(struct document *document, int is_known, uint64_t count)
{
	if (is_known)
		cell_count(document, count);
	else
		cell_absent(document);
}

void sharing_cells_cpu(struct document *document, const struct nodes *nodes, uint32_t cpu,
		       uint32_t count)
{
	const uint32_t node = count ? nodes_of_cpu(nodes, cpu) : NODE_UNKNOWN;

	cell_count_if(document, count != 0, cpu);
	cell_count_if(document, node != NODE_UNKNOWN, node);
	cell_count_if(document, count != 0, count);
}

void sharing_cell_ip(struct document *document, uint64_t ip)
{
	if (ip)
		cell_address(document, ip);
	else
		cell_absent(document);
}

void sharing_cells_place(struct document *document, const struct sharing *sharing,
			 const struct sharing_place *place, int has_offset)
{
	sharing_cell_name(document, sharing, place->symbol);
	cell_count_if(document, place->symbol && has_offset, place->symbol_offset);
	if (place->file)
		cell_text(document, "%s:%" PRIu32, model_file_of(place->file), place->line);
	else
		cell_absent(document);
	if (place->object)
		cell_text(document, "%s", model_file_of(place->object));
	else
		cell_absent(document);
}
