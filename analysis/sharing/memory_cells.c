/* SPDX-License-Identifier: BSD-3-Clause */
/* See memory_cells.h. */
#include "memory_cells.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/model/absences.h"

/* A name as people write it, or as it is; to be freed */
static char *readable(const struct sharing *sharing, const char *name)
{
	char *text = sharing->about->demangle ? sharing->about->demangle(name) : NULL;

	return text ? text : strdup(name);
}

void sharing_cell_name(struct document *document, const struct sharing *sharing, const char *name)
{
	char *text = name ? readable(sharing, name) : NULL;

	if (text)
		cell_text(document, "%s", text);
	else
		cell_absent(document);
	document->failed |= name && !text;
	free(text);
}

void sharing_cells_memory(struct document *document, const struct sharing *sharing,
			  const struct precis_memory *memory)
{
	sharing_cell_name(document, sharing, memory->variable);
	if (memory->variable)
		cell_count(document, memory->variable_offset);
	else
		cell_absent(document);
	if (memory->object)
		cell_text(document, "%s", memory->object);
	else
		cell_absent(document);
	cell_text(document, "%s", precis_memory_kind_name(memory->kind));
}

void sharing_cell_what(struct document *document, const struct sharing *sharing,
		       const struct precis_memory *memory)
{
	char *variable = memory->variable ? readable(sharing, memory->variable) : NULL;
	const char *file = memory->object ? model_file_of(memory->object) : NULL;

	if (variable)
		cell_text(document, "%s+%" PRIu64 " (%s)", variable, memory->variable_offset,
			  file ? file : "");
	else if (file)
		cell_text(document, "%s", file);
	else
		cell_text(document, "%s", precis_memory_kind_name(memory->kind));
	free(variable);
}

void sharing_cell_member(struct document *document, const struct sharing_datum *datum)
{
	if (datum->is_address)
		cell_absent(document);
	else
		cell_text(document, "%s", datum->name);
}
