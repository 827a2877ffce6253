/* SPDX-License-Identifier: BSD-3-Clause */
/* See type_keys.h. */
#include "type_keys.h"

#include <stdlib.h>

#include "block_keys.h"
#include "memory_keys.h"

#define NO_VARIABLE "no variable"
#define INSTRUCTION "instruction"
#define STACK "on the stack, whose variables only instructions tell"

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
		      int counts, struct typed *typed)
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
	if (counts)
		by->side_files.evidence[typed->name ? evidence % PROGRAM_EVIDENCE : 0]++;
	return failed;
}

/* By the memory that it is in. 'counts': evidence is counted. 0: of that kind of memory none is known */
static int by_memory(struct by *by, enum by_key key, const struct by_memory *memory, uint32_t width,
		     int counts)
{
	const struct program_place place = { by->model.symbols, by->about->symbols };
	struct typed *typed = &by->typed;

	if (memory->life.kind == LIFETIME_NAMED)
		by->failed |= named_part(by, &place, memory, width, part_of(key), typed) < 0;
	else if (memory->life.kind == LIFETIME_BLOCK)
		by->failed |=
			block_part(by, &place, memory, width, part_of(key), counts, typed) < 0;
	else if (memory->is.kind == PRECIS_MEMORY_PROGRAM)
		by->failed |= program_types_at(&by->types, &place, &memory->is, width, part_of(key),
					       typed) < 0;
	else
		return 0;
	return 1;
}

/* What the instruction says of what it accesses; it never tells an element */
static void find_operand(struct by *by, const struct by_place *place,
			 struct program_operand *operand)
{
	const struct program_place files = { by->model.symbols, by->about->symbols };
	const struct name *object = place ? names_get(&by->names, place->object) : NULL;
	struct program_instruction instruction = { .file = NULL };

	*operand = (struct program_operand){
		.untold = "it is not known to be the one that accessed the data"
	};
	if (!place)
		return;
	operand->untold = "nothing known is mapped where the instruction is";
	if (!object || !object->object)
		return;
	operand->untold = "code of a guest or of a hypervisor";
	if (object->cpumode != PRECIS_CPUMODE_USER && object->cpumode != PRECIS_CPUMODE_KERNEL)
		return;
	instruction.file = object->object;
	instruction.offset = place->offset;
	instruction.cpumode = object->cpumode;
	by->failed |= program_types_operand(&by->types, &files, &instruction, operand) < 0;
}

/* The name of what the operand is; 0: it has none */
static uint32_t name_operand(struct by *by, enum by_key key, const struct program_operand *operand,
			     uint32_t width, struct typed *typed)
{
	*typed = (struct typed){ .name = NULL };
	if (!operand->type || key == BY_ELEMENT)
		return 0;
	by->failed |= program_types_of_operand(&by->types, operand, width, part_of(key), typed) < 0;
	return by_name_of(by, typed->name);
}

static const char *text_of(const struct by *by, uint32_t name)
{
	const struct name *is = names_get(&by->names, name);

	return is ? is->text : NULL;
}

/* Both have told something: 'of_memory' is its name, by->typed what it is. */
static void compare_both(struct by *by, enum by_key key, uint32_t of_memory,
			 const struct program_operand *operand, uint32_t width)
{
	const struct type_place address = { by->typed.type, by->typed.offset };
	const struct type_place is = { operand->type, operand->offset };
	struct type_told *told = &by->told;
	struct typed typed;
	int agreement;

	agreement = type_agreement(&by->agreements, &address, &is, width, key == BY_MEMBER,
				   by->types.paths);
	by->failed |= agreement < 0;
	told->has_both = 1;
	told->agreement = (enum type_agreement)agreement;
	if (agreement != TYPES_DIFFER)
		return;
	told->by_instruction = text_of(by, name_operand(by, key, operand, width, &typed));
	told->by_address = text_of(by, of_memory);
	told->has_both = told->by_instruction != NULL;
}

/* What tells the type of a sample: 'has_memory' as by_memory() says, by->typed is what that found. */
static void tell_methods(struct by *by, enum by_key key, uint32_t of_memory,
			 const struct program_operand *operand, uint32_t width)
{
	by->told = (struct type_told){ .is_asked = 1, .untold = operand->untold };
	if (of_memory) {
		by->told.type = precis_data_type_name(by->typed.type);
		by->told.evidence = by->typed.evidence;
		by->told.place = (struct type_place){ by->typed.type, by->typed.offset };
		by->told.file = by->typed.file;
	} else if (operand->type) {
		by->told.type = precis_data_type_name(operand->type);
		by->told.evidence = operand->evidence;
		by->told.place = (struct type_place){ operand->type, operand->offset };
		by->told.file = operand->file;
	}
	if (of_memory && operand->type)
		compare_both(by, key, of_memory, operand, width);
}

/* Comparisons and pages have no tables of it. */
static int counts_methods(const struct by *by)
{
	return !by->request->annotated.is_asked && !by->request->runs;
}

void by_types_choose(struct by *by)
{
	const struct by_request *request = by->request;

	by->told_at = request->key_count;
	for (uint32_t n = request->key_count; n-- > 0;) {
		const enum by_key key = request->keys[n].key;

		if (key != BY_TYPE && key != BY_MEMBER && key != BY_ELEMENT)
			continue;
		/* members say most, elements have no second source */
		if (by->told_at < request->key_count &&
		    (key == BY_ELEMENT || by->told_key == BY_MEMBER))
			continue;
		by->told_at = n;
		by->told_key = key;
	}
}

/* Why the memory tells no type; 0: in such memory there is no variable. 'has_memory' as by_memory() says */
static uint32_t why_not(struct by *by, const struct by_memory *memory, int has_memory,
			uint32_t absent)
{
	if (has_memory)
		return by_name_of(by, precis_data_type_absent_text(absent));
	return by_memory_kind(memory) == PRECIS_MEMORY_STACK ? by_name_of(by, STACK) : 0;
}

struct by_value by_type_value(struct by *by, uint32_t n, const struct by_memory *memory,
			      uint32_t width, const struct by_place *instruction)
{
	const enum by_key key = by->request->keys[n].key;
	const int counts = n == by->told_at && key != BY_ELEMENT && counts_methods(by);
	const int has_memory = by_memory(by, key, memory, width, n == by->told_at);
	const uint32_t absent = by->typed.absent;
	const uint32_t of_memory = has_memory ? by_name_of(by, by->typed.name) : 0;
	struct program_operand operand;
	struct typed typed;
	uint32_t name;

	if (of_memory && !counts)
		return (struct by_value){ of_memory, 0 };
	find_operand(by, instruction, &operand);
	if (counts)
		tell_methods(by, key, of_memory, &operand, width);
	if (of_memory)
		return (struct by_value){ of_memory, 0 };
	name = name_operand(by, key, &operand, width, &typed);
	if (name) {
		by->typed = typed;
		return (struct by_value){ name, by_name_of(by, INSTRUCTION) };
	}
	return (struct by_value){ 0, why_not(by, memory, has_memory, absent) };
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
