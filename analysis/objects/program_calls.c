/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a program calls what was inlined into it, by the debug information of its calls. */
#include <stdlib.h>

#include "program_types.h"

#define KNOWN_LOG 10u

struct known_call {
	const struct precis_data_types *types; /* NULL: none is known here */
	uint64_t offset;
	struct program_call is; /* 'file' NULL: the instruction's own line is it */
};

/* NULL: memory is short */
static struct known_call *known_of(struct program_types *types,
				   const struct precis_data_types *file, uint64_t offset)
{
	const uint64_t hash = (((uintptr_t)file >> 4) ^ offset) * UINT64_C(0x9e3779b97f4a7c15);

	if (!types->calls)
		types->calls = calloc(1u << KNOWN_LOG, sizeof(*types->calls));
	return types->calls ? &types->calls[hash >> (64 - KNOWN_LOG)] : NULL;
}

/* From the inside out, as far as functions do nothing else */
static struct program_call find_call(struct precis_data_types *file, uint64_t offset,
				     const struct program_passing *passing)
{
	struct precis_code_function function = { .size = sizeof(function) };
	struct program_call call = { .file = NULL };
	uint64_t address;

	if (precis_data_types_address(file, offset, &address) <= 0)
		return call;
	for (uint32_t n = 0; precis_data_types_function(file, address, n, &function) > 0; n++) {
		if (!passing->passes_on(passing, function.name))
			return call;
		/* the last one is no call: all of it passes on */
		if (!function.call_file)
			break;
		call = (struct program_call){ function.call_file, function.call_line };
	}
	return (struct program_call){ .file = NULL };
}

int program_types_call(struct program_types *types, const struct program_place *place,
		       const char *file, uint64_t offset, const struct program_passing *passing,
		       struct program_call *call)
{
	struct precis_data_types *opened;
	struct known_call *known;

	if (program_types_open(types, place, file, &opened) < 0)
		return -1;
	if (!opened)
		return 0;
	known = known_of(types, opened, offset);
	if (!known)
		return -1;
	if (known->types != opened || known->offset != offset)
		*known = (struct known_call){ opened, offset, find_call(opened, offset, passing) };
	*call = known->is;
	return call->file != NULL;
}
