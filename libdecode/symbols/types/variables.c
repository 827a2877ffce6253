/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Symbols know how long something is, DWARF what it is. One address may have both, several symbols (aliases),
 * and a COMMON block around the first variable in it.
 */
#include "variables.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "measure.h"
#include "named.h"
#include "type.h"

/* --- what DWARF says ------------------------------------------------------------------------- */

/* The length that the type has; 0: not known */
static uint64_t type_bytes(struct precis_data_types *types, const struct variable *variable)
{
	const struct precis_data_type *type;
	uint64_t bytes = 0;
	Dwarf_Die die;

	precis_die_at(types, variable->unit, variable->die, &die);
	type = precis_die_type(types, &die);
	return type && !precis_data_type_measure(type, &bytes) ? bytes : 0;
}

static const char *linkage_name(struct precis_data_types *types, const struct variable *variable)
{
	Dwarf_Die die, holder;

	precis_die_at(types, variable->unit, variable->die, &die);
	if (precis_die_holder(types, &die, DW_AT_linkage_name, &holder))
		return precis_die_text(types, &holder, DW_AT_linkage_name);
	if (precis_die_holder(types, &die, DW_AT_MIPS_linkage_name, &holder))
		return precis_die_text(types, &holder, DW_AT_MIPS_linkage_name);
	return precis_die_name(types, &die);
}

/* --- order ----------------------------------------------------------------------------------- */

/* By address; the longer before what lies in it; what DWARF has before a symbol that is as long */
static int by_place(const void *a, const void *b)
{
	const struct variable *left = a, *right = b;

	if (left->is_thread != right->is_thread)
		return left->is_thread - right->is_thread;
	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	if (left->bytes != right->bytes)
		return left->bytes > right->bytes ? -1 : 1;
	if ((left->die != NULL) != (right->die != NULL))
		return left->die ? -1 : 1;
	if (left->is_block != right->is_block)
		return left->is_block - right->is_block;
	if (left->preference != right->preference)
		return right->preference - left->preference;
	if (left->die != right->die)
		return (uintptr_t)left->die < (uintptr_t)right->die ? -1 : 1;
	return left->symbol && right->symbol ? strcmp(left->symbol, right->symbol) : 0;
}

static int same_place(const struct variable *a, const struct variable *b)
{
	return a->address == b->address && a->is_thread == b->is_thread;
}

/* --- joining --------------------------------------------------------------------------------- */

/* Linkers give what they threw away an address that nothing has */
static int is_loaded(const struct precis_data_types *types, const struct variable *variable)
{
	if (variable->is_thread)
		return 1;
	for (size_t n = 0; n < types->segments.count; n++) {
		const GElf_Phdr *segment = &types->segments.segment[n];

		if (variable->address >= segment->p_vaddr &&
		    variable->address - segment->p_vaddr < segment->p_memsz)
			return 1;
	}
	return 0;
}

static void take_symbol(struct variable *variable, const struct variable *symbol)
{
	variable->symbol = symbol->symbol;
	variable->bytes = symbol->bytes;
	variable->is_external = symbol->is_external;
	variable->preference = symbol->preference;
}

/* Is that the symbol of the variable? A static one's is its name, or that with a number behind a dot */
static int is_its_symbol(const char *name, const char *symbol)
{
	const size_t bytes = name ? strlen(name) : 0;

	return name && strncmp(symbol, name, bytes) == 0 && (!symbol[bytes] || symbol[bytes] == '.');
}

/* The symbol of a variable among those of its address, the first of which is 'first' */
static const struct variable *symbol_of(struct precis_data_types *types, const struct variable *variable,
					const struct variable *first, const struct variable *end)
{
	const char *name = linkage_name(types, variable);
	const struct variable *as_long = NULL;

	for (const struct variable *symbol = first; symbol < end; symbol++) {
		if (symbol->die)
			continue;
		if (is_its_symbol(name, symbol->symbol))
			return symbol;
		if (!as_long && (symbol->bytes == variable->bytes || !variable->bytes))
			as_long = symbol;
	}
	return as_long;
}

/* One address: each variable of DWARF takes its symbol */
static void join_place(struct precis_data_types *types, struct variable *first, struct variable *end)
{
	for (struct variable *variable = first; variable < end; variable++) {
		const struct variable *symbol;

		if (!variable->die)
			continue;
		variable->bytes = variable->is_block ? 0 : type_bytes(types, variable);
		symbol = symbol_of(types, variable, first, end);
		if (symbol)
			take_symbol(variable, symbol);
	}
}

static void for_each_place(struct precis_data_types *types,
			   void (*join)(struct precis_data_types *types, struct variable *first,
					struct variable *end))
{
	struct variable *first = types->variable, *end, *next;

	if (!first) /* there are none */
		return;
	end = first + types->variables;
	for (; first < end; first = next) {
		for (next = first + 1; next < end && same_place(first, next);)
			next++;
		join(types, first, next);
	}
}

static void sort(struct precis_data_types *types)
{
	if (types->variables)
		qsort(types->variable, types->variables, sizeof(*types->variable), by_place);
}

static void drop(struct precis_data_types *types, int (*is_kept)(const struct precis_data_types *types,
							    const struct variable *variable,
							    const struct variable *last))
{
	size_t kept = 0;

	for (size_t n = 0; n < types->variables; n++) {
		const struct variable *last = kept ? &types->variable[kept - 1] : NULL;

		if (is_kept(types, &types->variable[n], last))
			types->variable[kept++] = types->variable[n];
	}
	types->variables = kept;
}

static int keep_loaded(const struct precis_data_types *types, const struct variable *variable,
		       const struct variable *last)
{
	(void)last;
	return is_loaded(types, variable);
}

/* Of several that take the same bytes the first */
static int keep_first(const struct precis_data_types *types, const struct variable *variable,
		      const struct variable *last)
{
	(void)types;
	return !last || !same_place(last, variable) || last->bytes != variable->bytes;
}

/* --- declared here, defined elsewhere ---------------------------------------------------------- */

/* Of "stdout@GLIBC_2.2.5" what is before the version */
static size_t plain_length(const char *symbol)
{
	return strcspn(symbol, "@");
}

/* A copied variable of a shared library is defined in that: here is the declaration, which has its type */
static void find_declaration(struct precis_data_types *types, struct variable *variable)
{
	size_t first, count, length;

	if (variable->die || !variable->is_external)
		return;
	length = plain_length(variable->symbol);
	count = precis_named_range(types, variable->symbol, length, &first);
	for (size_t n = first; n < first + count; n++) {
		const struct named *named = &types->named[types->named_by_name[n]];

		if (named->tag != DW_TAG_variable || !precis_named_is(types, named, variable->symbol, length))
			continue;
		variable->die = named->address;
		variable->unit = named->unit;
		variable->scope = named->scope;
		variable->is_declared = 1;
		return;
	}
}

/* --- which lies in which ------------------------------------------------------------------------ */

static uint64_t end_of(const struct variable *variable)
{
	return variable->bytes > UINT64_MAX - variable->address ? UINT64_MAX
								 : variable->address + variable->bytes;
}

static void nest(struct precis_data_types *types)
{
	uint32_t around = 0; /* number of the last one, from 1 */

	for (size_t n = 0; n < types->variables; n++) {
		struct variable *variable = &types->variable[n];

		while (around && (types->variable[around - 1].is_thread != variable->is_thread ||
				  end_of(&types->variable[around - 1]) < end_of(variable) ||
				  end_of(&types->variable[around - 1]) <= variable->address))
			around = types->variable[around - 1].around;
		variable->around = around;
		around = (uint32_t)n + 1;
	}
}

void precis_variables_settle(struct precis_data_types *types)
{
	if (types->variables >= UINT32_MAX) {
		types_lack(types, PRECIS_DATA_TYPE_TOO_MANY);
		types->variables = 0;
	}
	drop(types, keep_loaded);
	sort(types);
	for_each_place(types, join_place);
	sort(types);
	drop(types, keep_first);
	for (size_t n = 0; n < types->variables; n++)
		find_declaration(types, &types->variable[n]);
	nest(types);
	for (types->threads = 0; types->threads < types->variables; types->threads++) {
		if (!types->variable[types->variables - 1 - types->threads].is_thread)
			break;
	}
}
