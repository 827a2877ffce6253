/* SPDX-License-Identifier: BSD-3-Clause */
/* See memory_keys.h. */
#include "memory_keys.h"

#include <stdlib.h>

#include "analysis/model/absences.h"
#include "analysis/model/rows.h"

void by_find_memory(struct by *by, const struct sample_batch *batch, uint32_t row,
		    struct precis_memory *memory)
{
	const uint32_t pid = (uint32_t)batch->column[PRECIS_FIELD_PID][row];
	uint32_t epoch;

	*memory = (struct precis_memory){ .size = sizeof(*memory) };
	if (!by->model.symbols)
		return;
	epoch = row_epoch(&by->model, batch, row, pid);
	precis_symbols_memory(by->model.symbols, pid, model_time(&by->model.processes, pid, epoch),
			      batch->column[PRECIS_FIELD_ADDR][row], memory);
}

/*
 * The name of memory: its kind as a letter, and what it is. A file may be mapped as a program and as
 * something else, too. Where recordings are compared files of two builds, in whatever directory, are one by
 * their name.
 */
#define LETTER 'A'

static uint32_t memory_name(struct by *by, const struct precis_memory *memory)
{
	const char *is = memory->object ? memory->object : "";
	char *text = memory->kind == PRECIS_MEMORY_UNKNOWN ? NULL :
		     name_printed("%c%s", (char)(LETTER + memory->kind),
				  by->request->runs ? model_file_of(is) : is);
	const uint32_t number = by_name_of(by, text);

	by->failed |= !text && memory->kind != PRECIS_MEMORY_UNKNOWN;
	free(text);
	if (number && memory->kind == PRECIS_MEMORY_PROGRAM && memory->absent != PRECIS_SYMBOL_PRESENT) {
		by->names.list[number - 1].object = memory->object;
		by->names.list[number - 1].absent = memory->absent;
	}
	return number;
}

static uint32_t memory_kind(const struct name *memory)
{
	return memory ? (uint32_t)(memory->text[0] - LETTER) : PRECIS_MEMORY_UNKNOWN;
}

/* NULL: it has none, as what is not known and the kernel's */
static const char *memory_text(const struct name *memory)
{
	return memory && memory->text[1] ? memory->text + 1 : NULL;
}

static uint32_t variable_name(struct by *by, const struct precis_memory *memory)
{
	char *readable = memory->variable && by->about->demangle ? by->about->demangle(memory->variable) :
								   NULL;
	uint32_t number = by_name_of(by, readable ? readable : memory->variable);

	free(readable);
	return number;
}

struct by_value by_object_value(struct by *by, const struct precis_memory *memory)
{
	return (struct by_value){ variable_name(by, memory), memory_name(by, memory) };
}

struct by_value by_memory_value(struct by *by, const struct precis_memory *memory)
{
	return (struct by_value){ memory->kind == PRECIS_MEMORY_UNKNOWN ? 0 :
				  by_name_of(by, precis_memory_kind_name(memory->kind)), 0 };
}

char *by_object_text(const struct by *by, const struct by_value *value)
{
	const struct name *variable = names_get(&by->names, value->a);
	const struct name *memory = names_get(&by->names, value->b);
	const char *name = memory_text(memory), *file = name ? model_file_of(name) : "";

	switch (memory_kind(memory)) {
	case PRECIS_MEMORY_UNKNOWN:
		return name_printed("nothing known is mapped there");
	case PRECIS_MEMORY_PROGRAM:
		return name_printed("%s (%s)", variable ? variable->text : "no variable", file);
	case PRECIS_MEMORY_FILE:
		return name_printed("%s (mapped file)", file);
	case PRECIS_MEMORY_KERNEL:
		return name_printed("memory of the kernel");
	case PRECIS_MEMORY_ANONYMOUS:
		return name_printed("anonymous memory");
	case PRECIS_MEMORY_SHARED:
		return name_printed("%s (shared)", name);
	default:
		return name_printed("%s", name);
	}
}

void by_object_cells(struct document *document, const struct by *by, const struct by_value *value)
{
	const struct name *variable = names_get(&by->names, value->a);
	const struct name *memory = names_get(&by->names, value->b);

	by_cell(document, variable ? variable->text : NULL);
	by_cell(document, memory_text(memory));
	by_cell(document, precis_memory_kind_name(memory_kind(memory)));
}
