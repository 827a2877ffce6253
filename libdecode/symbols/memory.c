/* SPDX-License-Identifier: BSD-3-Clause */
/* What an address of data is in: memory of which kind, and which variable. */

#include <precis/error.h>

#include "libdecode/sample/abi.h"
#include "model.h"

/*
 * Bits of an address of user space that a processor may ignore: x86's LAM (62:57) and UAI (63:57), Arm's TBI
 * (63:56). The kernel's addresses have all of them set.
 */
#define TAG_BITS (UINT64_C(0xff) << 56)
#define KERNEL_BITS (UINT64_C(0x81) << 56)

#define SHIFT_MOST (INT64_C(64) << 20)

static const char *const kinds[] = {
	[PRECIS_MEMORY_UNKNOWN] = "unknown",
	[PRECIS_MEMORY_PROGRAM] = "program",
	[PRECIS_MEMORY_FILE] = "mapped file",
	[PRECIS_MEMORY_ANONYMOUS] = "anonymous",
	[PRECIS_MEMORY_HEAP] = "heap",
	[PRECIS_MEMORY_STACK] = "stack",
	[PRECIS_MEMORY_SHARED] = "shared",
	[PRECIS_MEMORY_SPECIAL] = "special",
	[PRECIS_MEMORY_KERNEL] = "kernel",
};

const char *precis_memory_kind_name(uint32_t kind)
{
	return kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[kind] : NULL;
}

/* Where the file was linked to have it, if what is mapped is that file's code. @return 0 if it is not */
static int linked_address(const struct elf_data *data, const struct range *range, uint64_t address,
			  uint64_t *linked)
{
	for (uint32_t n = 0; n < data->count; n++) {
		const uint64_t into = range->offset - data->code[n].offset;

		/* Pages of a mapping begin before the segment that they are for */
		if (range->offset < data->code[n].offset ?
			    data->code[n].offset - range->offset >= range->end - range->start :
			    into >= data->code[n].bytes)
			continue;
		*linked = address - range->start + data->code[n].address + into;
		return *linked >= data->low && *linked < data->high;
	}
	return 0;
}

/* The variable, or why there is none */
static void find_variable(const struct elf_data *data, struct precis_memory *memory)
{
	const struct symbol *symbol = precis_symbol_table_find(&data->variables, memory->address);

	memory->absent = symbol ? PRECIS_SYMBOL_PRESENT : PRECIS_SYMBOL_NONE_THERE;
	if (!symbol)
		return;
	memory->variable = symbol->name;
	memory->variable_offset = memory->address - symbol->start;
	memory->variable_bytes = symbol->end - symbol->start;
}

/* What code a process has mapped at a time */
struct code {
	const struct ranges *ranges; /* NULL: nothing is known of any */
	uint64_t time;
};

/* Is the address in the file whose code is mapped there? */
static int find_in_program(struct precis_symbols *symbols, const struct range *code, uint64_t address,
			   struct precis_memory *memory)
{
	const struct elf_data *data = code ? precis_object_data(&symbols->places, code->object) : NULL;

	if (!data || !linked_address(data, code, address, &memory->address))
		return 0;
	memory->kind = PRECIS_MEMORY_PROGRAM;
	memory->object = code->object->name;
	find_variable(data, memory);
	return 1;
}

/* The code below an address, and above it, at a time */
static const struct range *code_below(const struct code *code, uint64_t address)
{
	const struct range *below =
		code->ranges ? precis_ranges_below(code->ranges, address) : NULL;

	return below ? precis_past_find(below, below->end - 1, code->time) : NULL;
}

static const struct range *code_above(const struct code *code, uint64_t address)
{
	const struct range *above =
		code->ranges ? precis_ranges_above(code->ranges, address) : NULL;

	return above ? precis_past_find(above, above->start, code->time) : NULL;
}

/*
 * A program's segments are one behind the other, whatever is recorded of them: beside its code, mostly above,
 * are its data, and .bss, which is no mapping of the file.
 */
static int find_program(struct precis_symbols *symbols, const struct code *code, uint64_t address,
			struct precis_memory *memory)
{
	return find_in_program(symbols, code_below(code, address), address, memory) ||
	       find_in_program(symbols, code_above(code, address), address, memory);
}

/*
 * Is the mapping of the same file, loaded at the same time? Then its segments are as far from each other in
 * memory as in the file, but for what alignment and pages without bytes add.
 */
static int is_loaded_with(const struct range *code, const struct range *range)
{
	const int64_t shift = code ? (int64_t)((code->start - code->offset) -
					       (range->start - range->offset)) : 0;

	return code && code->object == range->object && shift < SHIFT_MOST && shift > -SHIFT_MOST;
}

/* A program of which no build was found is one, if its code is beside. */
static int is_program(const struct code *code, const struct range *range)
{
	return is_loaded_with(code_below(code, range->start), range) ||
	       is_loaded_with(code_above(code, range->start), range);
}

static void find_mapping(struct precis_symbols *symbols, const struct code *code,
			 const struct range *range, struct precis_memory *memory)
{
	memory->object = range->object->name;
	memory->kind = precis_memory_kind_of(range->object->name);
	memory->absent = PRECIS_SYMBOL_NOT_A_FILE;
	if (memory->kind != PRECIS_MEMORY_FILE || !is_program(code, range))
		return;
	memory->kind = PRECIS_MEMORY_PROGRAM;
	precis_object_data(&symbols->places, range->object);
	memory->absent = range->object->data_absent ? range->object->data_absent : PRECIS_SYMBOL_NONE_THERE;
}

/* Has a file been mapped where a program's data were? Of what is unmapped there are no records. */
static int is_another_file(const struct range *range, const struct precis_memory *memory)
{
	return range && range->object->name != memory->object &&
	       precis_memory_kind_of(range->object->name) == PRECIS_MEMORY_FILE;
}

int precis_symbols_memory(struct precis_symbols *symbols, uint32_t pid, uint64_t time, uint64_t address,
			  struct precis_memory *memory)
{
	const struct process *process;
	const struct ranges *mapped;
	const struct range *range;
	struct code code;
	struct precis_memory found;

	ABI_OUT(struct precis_memory, memory, precis_symbols_memory(symbols, pid, time, address, &abi));
	if (!symbols)
		return PRECIS_E_ARGUMENT;
	*memory = (struct precis_memory){
		.size = memory->size, .address = address, .absent = PRECIS_SYMBOL_NOT_MAPPED,
	};
	if ((address & KERNEL_BITS) == KERNEL_BITS) {
		memory->kind = PRECIS_MEMORY_KERNEL;
		return 1;
	}
	memory->address = address &= ~TAG_BITS;
	process = precis_process_find(symbols, pid);
	if (!process)
		return 0;
	code = (struct code){ precis_images_at(&process->images, time), time };
	mapped = precis_images_at(&process->memory, time);
	range = mapped ? precis_ranges_find(mapped, address) : NULL;
	if (!range && code.ranges)
		range = precis_ranges_find(code.ranges, address);
	found = *memory;
	if (find_program(symbols, &code, address, &found) && !is_another_file(range, &found))
		*memory = found;
	else if (range)
		find_mapping(symbols, &code, range, memory);
	return memory->kind != PRECIS_MEMORY_UNKNOWN;
}
