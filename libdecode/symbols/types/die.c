/* SPDX-License-Identifier: BSD-3-Clause */
/* See die.h. */
#include "die.h"

#include <string.h>

/* A specification of an instance of a specification …: two are usual */
#define CHAIN 16

static const struct debug_file *file_of(const struct precis_data_types *types, const Dwarf_Die *die)
{
	const struct unit *unit = precis_die_unit(types, die);

	return unit ? unit->file : NULL;
}

/* Would libdw look for a supplementary file by itself? It is to be opened by nobody but us. */
static int is_out_of_reach(const struct precis_data_types *types, const Dwarf_Die *die, unsigned int form)
{
	const struct debug_file *file;

	switch (form) {
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_strp_sup:
		file = file_of(types, die);
		return !file || !file->has_supplement;
	default:
		return 0;
	}
}

int precis_die_has(Dwarf_Die *die, unsigned int name)
{
	return dwarf_hasattr(die, name);
}

int precis_die_unsigned(Dwarf_Die *die, unsigned int name, uint64_t *value)
{
	Dwarf_Attribute attribute;
	Dwarf_Word word;

	if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &word))
		return 0;
	*value = word;
	return 1;
}

int precis_die_signed(Dwarf_Die *die, unsigned int name, int64_t *value)
{
	Dwarf_Attribute attribute;
	Dwarf_Sword word;
	uint64_t number;

	if (!dwarf_attr(die, name, &attribute))
		return 0;
	if (attribute.form != DW_FORM_sdata && attribute.form != DW_FORM_implicit_const) {
		if (!precis_die_unsigned(die, name, &number))
			return 0;
		*value = (int64_t)number;
		return 1;
	}
	if (dwarf_formsdata(&attribute, &word))
		return 0;
	*value = word;
	return 1;
}

int precis_die_flag(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	bool flag;

	return dwarf_attr(die, name, &attribute) && dwarf_formflag(&attribute, &flag) == 0 && flag;
}

/* Does a text of that file end in its section? libdw hands out some that do not. */
static int is_ended(const struct debug_file *file, const char *text)
{
	const uint8_t *from = (const uint8_t *)text;

	for (uint32_t n = 0; n < DEBUG_TEXTS; n++) {
		const struct line_bytes *section = &file->texts[n];

		if (section->at && from >= section->at && from < section->at + section->bytes)
			return memchr(from, 0, section->bytes - (size_t)(from - section->at)) != NULL;
	}
	return 1; /* of a supplementary file */
}

const char *precis_die_text(const struct precis_data_types *types, Dwarf_Die *die, unsigned int name)
{
	const struct debug_file *own = file_of(types, die), *file = own ? own : types->files;
	Dwarf_Attribute attribute;
	const char *text;

	if (!dwarf_attr(die, name, &attribute) || is_out_of_reach(types, die, attribute.form))
		return NULL;
	text = dwarf_formstring(&attribute);
	/* while units are read nobody knows whose is which */
	for (; text && file; file = own ? NULL : file->next) {
		if (!is_ended(file, text))
			return NULL;
	}
	return text;
}

int precis_die_block(Dwarf_Die *die, unsigned int name, struct line_bytes *block)
{
	Dwarf_Attribute attribute;
	Dwarf_Block found;

	if (!dwarf_attr(die, name, &attribute) || dwarf_formblock(&attribute, &found))
		return 0;
	*block = (struct line_bytes){ found.data, found.length };
	return 1;
}

int precis_die_reference(struct precis_data_types *types, Dwarf_Die *die, unsigned int name, Dwarf_Die *to)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr(die, name, &attribute))
		return 0;
	if (is_out_of_reach(types, die, attribute.form)) {
		types_lack(types, PRECIS_DATA_TYPE_NO_SUPPLEMENT);
		return -1;
	}
	if (dwarf_formref_die(&attribute, to))
		return 1;
	types_lack(types, PRECIS_DATA_TYPE_MALFORMED);
	return -1;
}

int precis_die_holder(struct precis_data_types *types, const Dwarf_Die *die, unsigned int name,
		      Dwarf_Die *holder)
{
	Dwarf_Die at = *die, next;

	for (int n = 0; n < CHAIN; n++) {
		if (precis_die_has(&at, name)) {
			*holder = at;
			return 1;
		}
		if (precis_die_reference(types, &at, DW_AT_specification, &next) <= 0 &&
		    precis_die_reference(types, &at, DW_AT_abstract_origin, &next) <= 0 &&
		    precis_die_reference(types, &at, DW_AT_signature, &next) <= 0)
			return 0;
		at = next;
	}
	return 0;
}

const char *precis_die_name(struct precis_data_types *types, const Dwarf_Die *die)
{
	Dwarf_Die holder;

	return precis_die_holder(types, die, DW_AT_name, &holder)
		       ? precis_die_text(types, &holder, DW_AT_name) : NULL;
}

int precis_die_child(Dwarf_Die *die, Dwarf_Die *child)
{
	const char *parent = die->addr;
	const int result = dwarf_child(die, child);

	if (result)
		return result > 0 ? 0 : -1;
	return (const char *)child->addr > parent ? 1 : -1;
}

int precis_die_next(Dwarf_Die *die, Dwarf_Die *next)
{
	const char *before = die->addr;
	const int result = dwarf_siblingof(die, next);

	if (result)
		return result > 0 ? 0 : -1;
	return (const char *)next->addr > before ? 1 : -1;
}

void precis_die_at(const struct precis_data_types *types, uint32_t unit, void *address, Dwarf_Die *die)
{
	*die = (Dwarf_Die){ .addr = address, .cu = types->unit[unit].root.cu };
}

const struct unit *precis_die_unit(const struct precis_data_types *types, const Dwarf_Die *die)
{
	size_t low = 0, high = types->unit_by_cu ? types->units : 0;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct unit *unit = &types->unit[types->unit_by_cu[middle]];

		if (unit->root.cu == die->cu)
			return unit;
		if ((uintptr_t)unit->root.cu < (uintptr_t)die->cu)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
