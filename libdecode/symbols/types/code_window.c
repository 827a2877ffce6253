/* SPDX-License-Identifier: BSD-3-Clause */
/* See code_window.h. */
#include "code_window.h"

#include <stdlib.h>

#define LONGEST 15u /* instruction, in bytes */

/* The file that ran: it stays open, as many pieces of its code may be asked for. NULL: it cannot be had */
static const struct elf_search *code_of(struct precis_data_types *types)
{
	if (types->code || types->has_no_code)
		return types->code;
	types->code = malloc(sizeof(*types->code));
	if (types->code &&
	    precis_elf_search_begin(types->code, &types->places, types->path, &types->build_id)) {
		free(types->code);
		types->code = NULL;
	}
	types->has_no_code = !types->code;
	return types->code;
}

static int read_code(struct precis_data_types *types, struct code_window *code, uint64_t address)
{
	const struct elf_search *file = code_of(types);
	uint64_t offset;

	code->bytes.room = code->room;
	code->bytes.most = sizeof(code->room);
	code->bytes.count = 0;
	return file && precis_elf_offset_of(&types->segments, address, &offset) &&
	       precis_elf_bytes_from(file, offset, &code->bytes) == PRECIS_SYMBOL_PRESENT &&
	       code->bytes.bits == 64 && code->bytes.address == address;
}

int precis_code_read(struct precis_data_types *types, struct code_window *code, uint64_t at,
		     struct operation *operation)
{
	uint64_t into = at - code->bytes.address;

	if (into >= code->bytes.count || code->bytes.count - into < LONGEST) {
		if (!code->reads || !read_code(types, code, at))
			return 0;
		code->reads--;
		into = 0;
	}
	return precis_operation_read(code->room + into, code->bytes.count - into, operation);
}

int precis_code_steps_on(struct precis_data_types *types, uint64_t at, unsigned int number)
{
	struct code_window code = { .reads = 1 };
	struct operation operation;

	while (precis_code_read(types, &code, at, &operation)) {
		const int is_other = operation.effect == EFFECT_RETURNS ||
				     (operation.effect == EFFECT_POPS && operation.reg == number);

		if (operation.effect == EFFECT_ADDS && operation.rm == number && operation.constant)
			return 1;
		if (is_other)
			return 0;
		at += operation.length;
	}
	return 0;
}

void precis_code_close(struct precis_data_types *types)
{
	if (types->code)
		precis_elf_search_end(types->code);
	free(types->code);
	types->code = NULL;
}
