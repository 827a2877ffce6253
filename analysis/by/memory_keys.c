/* SPDX-License-Identifier: BSD-3-Clause */
/* See memory_keys.h. */
#include "memory_keys.h"

#include <stdlib.h>

#include "analysis/model/absences.h"
#include "analysis/model/rows.h"
#include "block_keys.h"
#include "thread_data.h"

void by_find_memory(struct by *by, const struct sample_batch *batch, uint32_t row,
		    struct by_memory *memory)
{
	const uint64_t address = batch->column[PRECIS_FIELD_ADDR][row];
	const uint32_t pid = (uint32_t)batch->column[PRECIS_FIELD_PID][row];

	*memory = (struct by_memory){ .is.size = sizeof(memory->is), .pid = pid };
	if (!by->model.symbols)
		return;
	memory->epoch = row_epoch(&by->model, batch, row, pid);
	precis_symbols_memory(by->model.symbols, pid,
			      model_time(&by->model.processes, pid, memory->epoch), address,
			      &memory->is);
	/* Of a variable that is where its file was linked to have it; user space has none with more bits. */
	memory->data = memory->is.address;
	if (memory->is.kind != PRECIS_MEMORY_KERNEL)
		memory->data = address & UINT64_MAX >> 8;
	if (by->wants_objects && memory->is.kind != PRECIS_MEMORY_KERNEL &&
	    lifetimes_find(&by->lifetimes, pid, row_time(&by->model, batch, row), memory->data,
			   &memory->life) < 0)
		by->failed = 1;
	if (by->wants_objects && by_thread_may_have(memory))
		by_thread_find(by, row_time(&by->model, batch, row), memory);
}

static int may_be_heap(const struct by_memory *memory)
{
	return memory->is.kind == PRECIS_MEMORY_HEAP ||
	       memory->is.kind == PRECIS_MEMORY_ANONYMOUS ||
	       memory->is.kind == PRECIS_MEMORY_UNKNOWN;
}

struct by_block by_block_of(const struct by_memory *memory)
{
	const struct lifetime *life = &memory->life;

	if (life->kind == LIFETIME_BLOCK && life->probability < 1)
		return (struct by_block){ 1, life->block, life->probability };
	if (life->is_thinned && life->absent == LIFETIME_NOT_RECORDED && may_be_heap(memory))
		return (struct by_block){ 1, ROW_BLOCK_UNRECORDED, 1 };
	return (struct by_block){ .is_of_heap = 0 };
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
	return memory && memory->text[0] && memory->text[1] ? memory->text + 1 : NULL;
}

static uint32_t variable_name(struct by *by, const struct precis_memory *memory)
{
	char *readable = memory->variable && by->about->demangle ? by->about->demangle(memory->variable) :
								   NULL;
	uint32_t number = by_name_of(by, readable ? readable : memory->variable);

	free(readable);
	return number;
}

uint32_t by_memory_kind(const struct by_memory *memory)
{
	const uint32_t kind = memory->is.kind;

	if (kind != PRECIS_MEMORY_ANONYMOUS && kind != PRECIS_MEMORY_UNKNOWN)
		return kind;
	return memory->life.kind == LIFETIME_BLOCK || memory->life.kind == LIFETIME_NAMED
		       ? PRECIS_MEMORY_HEAP
	       : memory->life.kind == LIFETIME_STACK ? PRECIS_MEMORY_STACK
						     : kind;
}

/*
 * Of one block there are to be no two rows, wherever malloc() has it from, nor of a variable of threads, of
 * which the first may have its own in other memory.
 */
static uint32_t block_memory_name(struct by *by, const struct by_memory *memory)
{
	struct precis_memory is = memory->is;

	if (memory->life.kind == LIFETIME_TLS) {
		is.kind = PRECIS_MEMORY_ANONYMOUS;
		is.object = "//anon";
		return memory_name(by, &is);
	}
	is.kind = by_memory_kind(memory);
	if (is.kind != memory->is.kind)
		is.object = is.kind == PRECIS_MEMORY_HEAP ? "[heap]" : "[stack]";
	return memory_name(by, &is);
}

struct by_value by_object_value(struct by *by, const struct by_memory *memory)
{
	const enum lifetime_absent absent = memory->life.absent;
	const int is_told =
		(absent == LIFETIME_LEFT_OUT || absent == LIFETIME_LOST) && may_be_heap(memory);
	const uint32_t block =
		is_told ? by_name_of(by, lifetime_absent_text(absent)) : by_block_name(by, memory);

	return block ? (struct by_value){ block, block_memory_name(by, memory) }
		     : (struct by_value){ variable_name(by, &memory->is),
					  memory_name(by, &memory->is) };
}

struct by_value by_memory_value(struct by *by, const struct by_memory *memory)
{
	const uint32_t kind = by_memory_kind(memory);

	return (struct by_value){
		kind == PRECIS_MEMORY_UNKNOWN ? 0 : by_name_of(by, precis_memory_kind_name(kind)), 0
	};
}

char *by_object_text(const struct by *by, const struct by_value *value)
{
	const struct name *variable = names_get(&by->names, value->a);
	const struct name *memory = names_get(&by->names, value->b);
	const char *name = memory_text(memory), *file = name ? model_file_of(name) : "";

	if (variable && memory_kind(memory) != PRECIS_MEMORY_PROGRAM)
		return name_printed("%s", variable->text);
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
