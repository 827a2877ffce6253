/* SPDX-License-Identifier: BSD-3-Clause */
/* Asking for variables: by number, by address; what each is called, and where it is declared. */
#include <string.h>

#include <precis/error.h>

#include "die.h"
#include "libdecode/sample/abi.h"
#include "named.h"
#include "type.h"
#include "units.h"

/* --- names ----------------------------------------------------------------------------------- */

/* The entry that says what it is in: of a static member that in the class */
static uint32_t scope_of(struct precis_data_types *types, const struct variable *variable, Dwarf_Die *die)
{
	const struct named *named;
	Dwarf_Die holder;

	if (!precis_die_holder(types, die, DW_AT_name, &holder) || holder.addr == die->addr)
		return variable->scope;
	named = precis_named_find(types, holder.addr);
	return named ? named->scope : variable->scope;
}

/* Without the version of "stdout@GLIBC_2.2.5" */
static const char *symbol_name(struct precis_data_types *types, const char *symbol)
{
	const size_t length = symbol ? strcspn(symbol, "@") : 0;
	char text[2048];
	const char *name = NULL;

	if (symbol && symbol[length] && length < sizeof(text)) {
		memcpy(text, symbol, length);
		text[length] = '\0';
		name = precis_names_keep(&types->texts, text, &types->budget);
	}
	return name ? name : symbol ? symbol : "";
}

static void set_name(struct precis_data_types *types, const struct variable *from,
		     struct precis_variable *variable)
{
	char text[2048];
	Dwarf_Die die;
	const char *name;
	uint32_t scope;
	size_t length;

	variable->name = symbol_name(types, from->symbol);
	if (!from->die || from->is_declared)
		return;
	precis_die_at(types, from->unit, from->die, &die);
	name = precis_die_name(types, &die);
	if (!name)
		return;
	scope = scope_of(types, from, &die);
	length = precis_scope_text(types, scope, text, sizeof(text));
	variable->name = name;
	variable->scope = from->is_block ? NULL : precis_scope_function(types, scope);
	if (!length || strlen(name) >= sizeof(text) - length)
		return;
	memcpy(text + length, name, strlen(name) + 1);
	name = precis_names_keep(&types->texts, text, &types->budget);
	if (name)
		variable->name = name;
}

/* --- where it is declared ---------------------------------------------------------------------- */

static void set_declaration(struct precis_data_types *types, const struct variable *from,
			    struct precis_variable *variable)
{
	Dwarf_Die die, holder;
	uint64_t file, line;
	const struct unit *unit;

	if (!from->die)
		return;
	precis_die_at(types, from->unit, from->die, &die);
	if (precis_die_holder(types, &die, DW_AT_decl_line, &holder) &&
	    precis_die_unsigned(&holder, DW_AT_decl_line, &line) && line <= UINT32_MAX)
		variable->line = (uint32_t)line;
	if (!precis_die_holder(types, &die, DW_AT_decl_file, &holder) ||
	    !precis_die_unsigned(&holder, DW_AT_decl_file, &file))
		return;
	unit = precis_die_unit(types, &holder);
	if (unit)
		variable->file = precis_unit_file_name(types, unit, file);
}

/* --- all of it ---------------------------------------------------------------------------------- */

static void set_type(struct precis_data_types *types, const struct variable *from,
		     struct precis_variable *variable)
{
	Dwarf_Die die;

	variable->absent = types->lack ? types->lack : PRECIS_DATA_TYPE_NOT_DESCRIBED;
	if (!from->die)
		return;
	precis_die_at(types, from->unit, from->die, &die);
	variable->type = precis_die_type(types, &die);
	if (variable->type)
		variable->absent = PRECIS_DATA_TYPE_PRESENT;
}

static void fill(struct precis_data_types *types, const struct variable *from,
		 struct precis_variable *variable)
{
	*variable = (struct precis_variable){
		.size = variable->size, .address = from->address, .bytes = from->bytes,
		.flags = (from->is_thread ? PRECIS_VARIABLE_THREAD : 0u) |
			 (from->is_external ? PRECIS_VARIABLE_EXTERNAL : 0u) |
			 (from->is_block ? PRECIS_VARIABLE_COMMON : 0u),
	};
	set_name(types, from, variable);
	set_declaration(types, from, variable);
	set_type(types, from, variable);
}

uint64_t precis_data_types_variables(const struct precis_data_types *types)
{
	return types ? types->variables : 0;
}

int precis_data_types_variable(struct precis_data_types *types, uint64_t n, struct precis_variable *variable)
{
	ABI_OUT(struct precis_variable, variable, precis_data_types_variable(types, n, &abi));
	if (!types)
		return PRECIS_E_ARGUMENT;
	if (n >= types->variables)
		return 0;
	fill(types, &types->variable[n], variable);
	return 1;
}

/* One of unknown length has its first byte */
static int holds(const struct variable *variable, uint64_t address)
{
	return address >= variable->address &&
	       address - variable->address < (variable->bytes ? variable->bytes : 1);
}

/* The last one that begins there or before, and what is around it. @return NULL if none */
static const struct variable *find(const struct precis_data_types *types, int is_thread, uint64_t address)
{
	const size_t plain = types->variables - types->threads;
	size_t low = is_thread ? plain : 0, high = is_thread ? types->variables : plain;
	const size_t first = low;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (types->variable[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == first)
		return NULL;
	for (uint32_t at = (uint32_t)low; at; at = types->variable[at - 1].around) {
		if (holds(&types->variable[at - 1], address))
			return &types->variable[at - 1];
	}
	return NULL;
}

int precis_data_types_variable_at(struct precis_data_types *types, uint32_t flags, uint64_t address,
			     struct precis_variable *variable)
{
	const struct variable *found;

	ABI_OUT(struct precis_variable, variable, precis_data_types_variable_at(types, flags, address, &abi));
	if (!types || flags & ~(uint32_t)(PRECIS_VARIABLE_THREAD | PRECIS_VARIABLE_POINTER))
		return PRECIS_E_ARGUMENT;
	if (flags & PRECIS_VARIABLE_POINTER)
		address += types->segments.thread_bytes;
	found = find(types, flags != 0, address);
	if (found) {
		fill(types, found, variable);
		if (flags & PRECIS_VARIABLE_POINTER)
			variable->address -= types->segments.thread_bytes;
		return 1;
	}
	*variable = (struct precis_variable){ .size = variable->size,
					      .absent = PRECIS_DATA_TYPE_NO_VARIABLE };
	return 0;
}
