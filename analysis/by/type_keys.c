/* SPDX-License-Identifier: BSD-3-Clause */
/* See type_keys.h. */
#include "type_keys.h"

#include <stdlib.h>

#include "block_keys.h"

#define NO_VARIABLE "no variable"
#define INSTRUCTION "instruction"

static enum typed_part part_of(enum by_key key)
{
	return key == BY_TYPE ? TYPED_WHOLE : key == BY_MEMBER ? TYPED_MEMBER : TYPED_ELEMENT;
}

/* Of an object that the program has named, and said the type of */
static int named_part(struct by *by, const struct program_place *place,
		      const struct by_memory *memory, uint32_t width, enum typed_part wanted,
		      struct typed *typed)
{
	const struct lifetime *life = &memory->life;
	const struct program_object object = {
		.file = life->executable,
		.name = life->name ? life->name : life->type,
		.type = life->type,
		.offset = memory->is.address - life->start,
		.stride = life->stride,
	};

	return program_types_of(&by->types, place, &object, width, wanted, typed);
}

/* Of a block of the heap, by debug information of the calls that asked for it */
static int block_part(struct by *by, const struct program_place *place,
		      const struct by_memory *memory, uint32_t width, enum typed_part wanted,
		      struct typed *typed)
{
	const struct lifetime *life = &memory->life;
	struct by_calls calls;
	uint32_t evidence;
	char *name = NULL;
	int failed;

	*typed = (struct typed){ .absent = PRECIS_DATA_TYPE_NO_FILE };
	by_calls_of(by, memory, &calls);
	if (!calls.file)
		return 0;
	if (wanted == TYPED_ELEMENT && !(name = by_block_text(by, memory)))
		return -1;
	failed = program_types_of_block(&by->types, place,
					&(struct program_block){
						.key = life->stack,
						.file = calls.file,
						.offsets = calls.offsets,
						.count = calls.count,
						.bytes = life->bytes,
						.offset = memory->is.address - life->start,
						.name = name,
					},
					width, wanted, typed, &evidence);
	free(name);
	by->side_files.evidence[typed->name ? evidence % SIDE_FILES_EVIDENCE : 0]++;
	return failed;
}

/* By the memory that it is in. 0: of that kind of memory none is known */
static int by_memory(struct by *by, enum by_key key, const struct by_memory *memory, uint32_t width)
{
	const struct program_place place = { by->model.symbols, by->about->symbols };
	struct typed *typed = &by->typed;

	if (memory->life.kind == LIFETIME_NAMED)
		by->failed |= named_part(by, &place, memory, width, part_of(key), typed) < 0;
	else if (memory->life.kind == LIFETIME_BLOCK)
		by->failed |= block_part(by, &place, memory, width, part_of(key), typed) < 0;
	else if (memory->is.kind == PRECIS_MEMORY_PROGRAM)
		by->failed |= program_types_at(&by->types, &place, &memory->is, width, part_of(key),
					       typed) < 0;
	else
		return 0;
	return 1;
}

/* 1: it has told one */
static int by_instruction(struct by *by, enum by_key key, uint32_t width, const struct by_place *place)
{
	const struct program_place files = { by->model.symbols, by->about->symbols };
	const struct name *object = place ? names_get(&by->names, place->object) : NULL;
	struct program_instruction instruction = { .file = NULL };
	struct typed typed;

	if (!object || !object->object || object->cpumode != PRECIS_CPUMODE_USER)
		return 0;
	instruction.file = object->object;
	instruction.offset = place->offset;
	instruction.cpumode = object->cpumode;
	by->failed |= program_types_by_instruction(&by->types, &files, &instruction, width, part_of(key),
						   &typed) < 0;
	if (!typed.name)
		return 0;
	by->typed = typed;
	return 1;
}

struct by_value by_type_value(struct by *by, enum by_key key, const struct by_memory *memory,
			      uint32_t width, const struct by_place *instruction)
{
	const int has_memory = by_memory(by, key, memory, width);

	if (has_memory && by->typed.name)
		return (struct by_value){ by_name_of(by, by->typed.name), 0 };
	if (by_instruction(by, key, width, instruction))
		return (struct by_value){ by_name_of(by, by->typed.name), by_name_of(by, INSTRUCTION) };
	return (struct by_value){
		0, has_memory ? by_name_of(by, precis_data_type_absent_text(by->typed.absent)) : 0,
	};
}

char *by_type_text(const struct by *by, const struct by_asked_key *key,
		   const struct by_value *value)
{
	const struct name *name = names_get(&by->names, value->a),
			  *why = names_get(&by->names, value->b);

	if (name)
		return why ? name_printed("%s (by %s)", name->text, why->text)
			   : name_printed("%s", name->text);
	return name_printed("no %s: %s", key->name, why ? why->text : NO_VARIABLE);
}

void by_type_cells(struct document *document, const struct by *by, const struct by_value *value)
{
	const struct name *name = names_get(&by->names, value->a),
			  *why = names_get(&by->names, value->b);

	by_cell(document, name ? name->text : NULL);
	by_cell(document, name ? NULL : why ? why->text : NO_VARIABLE);
	by_cell(document, !name ? NULL : why ? why->text : "address");
}
