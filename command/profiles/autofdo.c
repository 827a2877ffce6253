/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts by function, line and discriminator, as LLVM's sample profiles have them. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

#include <precis/data_types.h>

#include "nests.h"

#define LINES_MOST 0xffffu /* lines are told apart by their lowest 16 bits */
#define NESTS_MOST 64u

/* Debug information of a file */
struct debug {
	int is_sought;
	struct precis_data_types *types; /* NULL: there is none */
};

struct writing {
	const struct profile *profile;
	struct nests *nests;
	struct debug *debug; /* by the text's number */
	uint32_t debug_count;
	int failed; /* memory is short */
};

/* --- discriminators: three numbers in one (LLVM, DILocation: encodeDiscriminator()) --- */

static uint32_t first_number(uint32_t discriminator)
{
	if (discriminator & 1)
		return 0;
	discriminator >>= 1;
	if (discriminator & 0x20)
		return (discriminator >> 1 & 0xfe0) | (discriminator & 0x1f);
	return discriminator & 0x1f;
}

static uint32_t behind_first(uint32_t discriminator)
{
	if (discriminator & 1)
		return discriminator >> 1;
	return discriminator >> (discriminator & 0x40 ? 14 : 7);
}

/* How many copies of the code the compiler made (unrolling, vectors): what each stands for */
static uint32_t copies_of(uint32_t discriminator)
{
	const uint32_t copies = first_number(behind_first(discriminator));

	return copies ? copies : 1;
}

/* --- where an instruction is --- */

static struct precis_data_types *types_of(struct writing *writing, const struct code_text *text)
{
	const uint32_t number = code_text_number(text);
	const struct precis_location location = {
		.size = sizeof(location), .cpumode = PRECIS_CPUMODE_USER, .object = code_text_name(text)
	};
	struct precis_bytes id = { 0 };
	struct debug *debug;

	if (number >= writing->debug_count) {
		const uint32_t count = 2 * number + 16;
		struct debug *more = realloc(writing->debug, count * sizeof(*more));

		if (!more) {
			writing->failed = 1;
			return NULL;
		}
		memset(more + writing->debug_count, 0, (count - writing->debug_count) * sizeof(*more));
		writing->debug = more;
		writing->debug_count = count;
	}
	debug = &writing->debug[number];
	if (!debug->is_sought && profile_is_file(text)) {
		precis_symbols_build_id(writing->profile->symbols, &location, &id);
		if (precis_data_types_open(writing->profile->options, location.object, id, &debug->types,
					   NULL) < 0)
			writing->failed = 1;
	}
	debug->is_sought = 1;
	return debug->types;
}

/* The functions of an instruction from the inside out. @return how many */
static uint32_t functions_at(struct writing *writing, const struct code_text *text, uint64_t offset,
			     struct precis_code_function functions[NESTS_MOST])
{
	struct precis_data_types *types = types_of(writing, text);
	uint32_t count = 0;

	while (types && count < NESTS_MOST) {
		functions[count].size = sizeof(functions[count]);
		if (precis_data_types_function(types, code_text_address(text, offset), count,
					       &functions[count]) <= 0)
			break;
		/* Without it no line can be told */
		if (!functions[count].declared)
			return 0;
		count++;
	}
	return count;
}

static struct nest_place place_of(uint32_t line, uint32_t discriminator, uint32_t declared)
{
	return (struct nest_place){ (line - declared) & LINES_MOST, first_number(discriminator) };
}

struct instruction {
	uint32_t nest; /* NEST_NONE: of no function that is known */
	int is_placed; /* it is of a line */
	struct nest_place place;
	uint32_t copies;
};

static void find(struct writing *writing, const struct code_text *text, uint64_t offset,
		 struct instruction *instruction)
{
	const struct precis_location location = {
		.size = sizeof(location), .cpumode = PRECIS_CPUMODE_USER,
		.object = code_text_name(text), .offset = offset
	};
	struct precis_code_function functions[NESTS_MOST];
	struct precis_line line = { .size = sizeof(line) };
	struct nest_place call = { 0, 0 };
	uint32_t nest = NEST_NONE;

	*instruction = (struct instruction){ .nest = NEST_NONE };
	if (!profile_is_file(text))
		return;
	precis_symbols_line(writing->profile->symbols, &location, &line);
	for (uint32_t count = functions_at(writing, text, offset, functions), n = count; n-- > 0;) {
		const struct precis_code_function *function = &functions[n];

		nest = nests_find(writing->nests, nest, call, function->name);
		writing->failed |= nest == NEST_NONE;
		call = n ? place_of(functions[n - 1].call_line, functions[n - 1].call_discriminator,
				    function->declared)
			 : place_of(line.number, line.discriminator, function->declared);
	}
	*instruction = (struct instruction){ nest, line.number > 0, call, copies_of(line.discriminator) };
}

/* --- counts --- */

static void count_instruction(struct writing *writing, const struct code_text *text,
			      const struct instruction *instruction, uint64_t count,
			      struct profile_result *result)
{
	double *written = &result->written;

	if (instruction->nest == NEST_NONE)
		written = profile_is_file(text) ? &result->no_functions : &result->other_objects;
	else if (instruction->is_placed)
		writing->failed |= nests_count(writing->nests, instruction->nest, instruction->place, count,
					       instruction->copies) < 0;
	else
		nests_count_unplaced(writing->nests, instruction->nest, count);
	*written += (double)count;
}

static void count_block(struct writing *writing, const struct code_block *block, uint64_t count,
			struct profile_result *result)
{
	const uint32_t *steps = code_blocks_steps(writing->profile->blocks, block);
	uint64_t offset = block->offset;

	for (uint32_t n = 0; n < block->count && !writing->failed; n++) {
		struct instruction instruction;

		find(writing, block->text, offset, &instruction);
		if (writing->failed)
			return;
		count_instruction(writing, block->text, &instruction, count, result);
		offset += CODE_STEP_LENGTH(steps[n]);
	}
}

/*
 * The function that begins at a block, if control comes there from another place than its own code.
 * @return its name; NULL: it is not known, or none is entered
 */
static const char *entered(struct writing *writing, const struct code_block *from,
			   const struct code_block *into)
{
	const int is_call = from->branch == CODE_BRANCH_CALL || from->branch == CODE_BRANCH_INDIRECT_CALL;
	struct precis_code_function functions[NESTS_MOST];
	uint64_t start, end;
	uint32_t count;

	if (code_text_function(into->text, into->offset, &start, &end) <= 0 || start != into->offset)
		return NULL;
	/* A jump may be that of a loop */
	if (!is_call && from->text == into->text && from->offset >= start && from->offset < end)
		return NULL;
	count = functions_at(writing, into->text, into->offset, functions);
	return count ? functions[count - 1].name : NULL;
}

static void count_edge(struct writing *writing, const struct profile_edge *edge)
{
	const struct code_block *from = code_blocks_get(writing->profile->blocks, edge->from);
	const struct code_block *into = code_blocks_get(writing->profile->blocks, edge->to);
	const uint64_t count = profile_rounded(edge->count);
	struct instruction instruction;
	const char *name;
	uint32_t nest;

	if (!count || !edge->is_taken || !from || !into || !from->count || !into->count)
		return;
	name = entered(writing, from, into);
	if (!name)
		return;
	nest = nests_find(writing->nests, NEST_NONE, (struct nest_place){ 0, 0 }, name);
	if (nest == NEST_NONE) {
		writing->failed = 1;
		return;
	}
	nests_enter(writing->nests, nest, count);
	find(writing, from->text, from->offset + from->bytes - from->last_bytes, &instruction);
	if (instruction.nest != NEST_NONE && instruction.is_placed)
		writing->failed |=
			nests_call(writing->nests, instruction.nest, instruction.place, name, count) < 0;
}

static void count_all(struct writing *writing, struct profile_result *result)
{
	const struct profile *profile = writing->profile;

	for (uint32_t n = 0; n < code_blocks_count(profile->blocks) && !writing->failed; n++) {
		const uint64_t count = profile_rounded(profile->counts[n]);

		if (count)
			count_block(writing, code_blocks_get(profile->blocks, n), count, result);
	}
	for (size_t n = 0; n < profile->edge_count && !writing->failed; n++)
		count_edge(writing, &profile->edges[n]);
}

int profile_write_autofdo(FILE *to, const struct profile *profile, struct profile_result *result)
{
	struct writing writing = { .profile = profile, .nests = nests_new() };

	*result = (struct profile_result){ NULL, 0, 0, 0 };
	writing.failed = !writing.nests;
	if (!writing.failed)
		count_all(&writing, result);
	if (!writing.failed)
		writing.failed = nests_write(writing.nests, to) < 0;
	nests_free(writing.nests);
	for (uint32_t n = 0; n < writing.debug_count; n++)
		precis_data_types_free(writing.debug[n].types);
	free(writing.debug);
	return writing.failed ? -1 : 0;
}
