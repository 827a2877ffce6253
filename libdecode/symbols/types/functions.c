/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that an instruction belongs to: DWARF 5, section 3.3.8 (inlined calls). */
#include <stdlib.h>

#include <precis/error.h>

#include "die.h"
#include "libdecode/sample/abi.h"
#include "scopes.h"
#include "units.h"

/* Also what GNU wrote before version 5 */
#define CALL_DISCRIMINATOR 0x2136u /* DW_AT_GNU_discriminator */

/* Without its split unit a skeleton has names at most, and no lines */
static int is_skeleton(const struct precis_data_types *types, const struct scopes *scopes)
{
	const struct unit *unit = scopes->count ? precis_die_unit(types, &scopes->scope[0]) : NULL;

	return unit && unit->is_skeleton;
}

/* The scopes of an address: those of the last one, if it is in the same function. @return NULL: memory */
static const struct scopes *scopes_at(struct precis_data_types *types, uint64_t address)
{
	if (types->at && types->at_address == address)
		return types->at;
	if (!types->at)
		types->at = calloc(1, sizeof(*types->at));
	if (!types->at)
		return NULL;
	types->at_address = address;
	precis_scopes_move(types->at, address);
	if (!types->at->count)
		precis_scopes_find(types, address, types->at);
	if (is_skeleton(types, types->at))
		types->at->count = 0;
	return types->at;
}

static uint32_t number_of(struct precis_data_types *types, const Dwarf_Die *die, unsigned int attribute)
{
	Dwarf_Die holder;
	uint64_t number;

	if (!precis_die_holder(types, die, attribute, &holder) ||
	    !precis_die_unsigned(&holder, attribute, &number) || number > UINT32_MAX)
		return 0;
	return (uint32_t)number;
}

static const char *name_of(struct precis_data_types *types, const Dwarf_Die *die)
{
	static const unsigned int attributes[] = { DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name };
	const char *name = NULL;
	Dwarf_Die holder;

	for (size_t n = 0; !name && n < sizeof(attributes) / sizeof(attributes[0]); n++) {
		if (precis_die_holder(types, die, attributes[n], &holder))
			name = precis_die_text(types, &holder, attributes[n]);
	}
	return name;
}

static const char *call_file(struct precis_data_types *types, Dwarf_Die *die)
{
	const struct unit *unit = precis_die_unit(types, die);
	uint64_t file;

	if (!unit || !precis_die_unsigned(die, DW_AT_call_file, &file))
		return NULL;
	return precis_unit_file_name(types, unit, file);
}

static void fill(struct precis_data_types *types, Dwarf_Die *die, const char *name,
		 struct precis_code_function *function)
{
	uint64_t line, discriminator;

	function->name = name;
	function->declared = number_of(types, die, DW_AT_decl_line);
	if (dwarf_tag(die) != DW_TAG_inlined_subroutine)
		return;
	if (precis_die_unsigned(die, DW_AT_call_line, &line) && line <= UINT32_MAX)
		function->call_line = (uint32_t)line;
	if (precis_die_unsigned(die, CALL_DISCRIMINATOR, &discriminator) && discriminator <= UINT32_MAX)
		function->call_discriminator = (uint32_t)discriminator;
	function->call_file = call_file(types, die);
}

int precis_data_types_function(struct precis_data_types *types, uint64_t address, uint32_t n,
			       struct precis_code_function *function)
{
	const struct scopes *scopes;

	ABI_OUT(struct precis_code_function, function, precis_data_types_function(types, address, n, &abi));
	if (!types)
		return PRECIS_E_ARGUMENT;
	*function = (struct precis_code_function){ .size = function->size };
	scopes = scopes_at(types, address);
	if (!scopes)
		return PRECIS_E_NO_MEMORY;
	for (uint32_t scope = scopes->count; scope-- > 0;) {
		Dwarf_Die die = scopes->scope[scope];
		const int tag = dwarf_tag(&die);
		const char *name;

		if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
			continue;
		if (n-- > 0)
			continue;
		name = name_of(types, &die);
		if (name)
			fill(types, &die, name, function);
		return name != NULL;
	}
	return 0;
}
