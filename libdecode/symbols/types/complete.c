/* SPDX-License-Identifier: BSD-3-Clause */
/* A definition in another unit counts where all that have its name are laid out alike. */
#include "complete.h"

#include <string.h>

#include <precis/error.h>

#include "die.h"
#include "named.h"
#include "units.h"

/* Definitions of one name that are compared: a header's have one in each unit that has it */
#define COMPARED 100000u

int precis_data_type_is_declaration(const struct precis_data_type *type)
{
	switch (precis_data_type_tag(type)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return precis_die_flag(type_die(type), DW_AT_declaration) ||
		       precis_die_has(type_die(type), DW_AT_signature);
	default:
		return 0;
	}
}

/* --- are two laid out alike? ------------------------------------------------------------- */

static int same_number(Dwarf_Die *a, Dwarf_Die *b, unsigned int attribute)
{
	uint64_t left = 0, right = 0;

	return precis_die_unsigned(a, attribute, &left) == precis_die_unsigned(b, attribute, &right) &&
	       left == right;
}

static int same_text(struct precis_data_types *types, Dwarf_Die *a, Dwarf_Die *b)
{
	const char *left = precis_die_text(types, a, DW_AT_name),
		   *right = precis_die_text(types, b, DW_AT_name);

	return left == right || (left && right && strcmp(left, right) == 0);
}

/* Pass over what takes no room. @return 0 at the end */
static int to_member(int found, Dwarf_Die *die)
{
	for (; found > 0; found = precis_die_next(die, die)) {
		switch (dwarf_tag(die)) {
		case DW_TAG_member:
		case DW_TAG_inheritance:
		case DW_TAG_enumerator:
		case DW_TAG_variant_part:
			return 1;
		default:
			break;
		}
	}
	return 0;
}

static int alike(struct precis_data_types *types, Dwarf_Die *a, Dwarf_Die *b)
{
	Dwarf_Die left, right;
	int has_left, has_right;

	if (!same_number(a, b, DW_AT_byte_size))
		return 0;
	has_left = to_member(precis_die_child(a, &left), &left);
	has_right = to_member(precis_die_child(b, &right), &right);
	while (has_left && has_right) {
		if (dwarf_tag(&left) != dwarf_tag(&right) || !same_text(types, &left, &right) ||
		    !same_number(&left, &right, DW_AT_data_member_location) ||
		    !same_number(&left, &right, DW_AT_data_bit_offset) ||
		    !same_number(&left, &right, DW_AT_bit_offset) ||
		    !same_number(&left, &right, DW_AT_bit_size))
			return 0;
		has_left = to_member(precis_die_next(&left, &left), &left);
		has_right = to_member(precis_die_next(&right, &right), &right);
	}
	return has_left == has_right;
}

static int alike_named(struct precis_data_types *types, const struct named *a, const struct named *b)
{
	Dwarf_Die left, right;

	precis_die_at(types, a->unit, a->address, &left);
	precis_die_at(types, b->unit, b->address, &right);
	return alike(types, &left, &right);
}

/* --- declarations ------------------------------------------------------------------------ */

static const struct named *entry(const struct precis_data_types *types, size_t n)
{
	return &types->named[types->named_by_name[n]];
}

/* The definition of a name; NULL: 'absent' is set */
static const struct named *define(struct precis_data_types *types, const struct named *name,
				  enum precis_data_type_absent *absent)
{
	const struct named *found = NULL;
	size_t first, count = precis_named_range(types, name->name, strlen(name->name), &first);

	*absent = PRECIS_DATA_TYPE_INCOMPLETE;
	if (count > COMPARED) {
		*absent = PRECIS_DATA_TYPE_TOO_MANY;
		return NULL;
	}
	for (size_t n = first; n < first + count; n++) {
		const struct named *named = entry(types, n);

		if (named->is_declaration || !precis_named_fits(named->tag, name->tag) ||
		    !precis_named_same(types, named, name))
			continue;
		if (found && !alike_named(types, found, named)) {
			*absent = PRECIS_DATA_TYPE_AMBIGUOUS;
			return NULL;
		}
		found = found ? found : named;
	}
	return found;
}

static void complete(struct precis_data_type *type)
{
	struct precis_data_types *types = type->types;
	const struct named *named = precis_named_find(types, type->address), *found;
	enum precis_data_type_absent absent = PRECIS_DATA_TYPE_INCOMPLETE;
	Dwarf_Die die;

	type->is_completed = 1;
	found = named ? define(types, named, &absent) : NULL;
	type->definition_absent = (uint8_t)absent;
	if (!found)
		return;
	precis_die_at(types, found->unit, found->address, &die);
	type->definition = precis_data_type_of(types, &die, type->language);
	type->definition_absent = type->definition ? PRECIS_DATA_TYPE_PRESENT : PRECIS_DATA_TYPE_TOO_MANY;
}

enum precis_data_type_absent precis_data_type_complete(const struct precis_data_type *type,
					     const struct precis_data_type **definition)
{
	*definition = NULL;
	if (precis_die_has(type_die(type), DW_AT_signature))
		return precis_data_type_follow(type, DW_AT_signature, definition) ? PRECIS_DATA_TYPE_PRESENT
									    : PRECIS_DATA_TYPE_INCOMPLETE;
	if (!type->is_completed)
		complete((struct precis_data_type *)(uintptr_t)type);
	*definition = type->definition;
	return type->definition_absent;
}

/* --- by name ----------------------------------------------------------------------------- */

static const struct {
	const char *word;
	uint16_t tag;
} words[] = {
	{ "struct ", DW_TAG_structure_type },
	{ "class ", DW_TAG_structure_type },
	{ "union ", DW_TAG_union_type },
	{ "enum ", DW_TAG_enumeration_type },
};

/* What kind is named: 0 for any. 'name' is moved behind the word */
static unsigned int take_word(const char **name)
{
	for (size_t n = 0; n < sizeof(words) / sizeof(words[0]); n++) {
		const size_t bytes = strlen(words[n].word);

		if (strncmp(*name, words[n].word, bytes) == 0) {
			*name += bytes;
			return words[n].tag;
		}
	}
	return 0;
}

/* "type(node)", "class(node)" of Fortran: what is in the brackets. @return its length; 0: it is none such */
static size_t take_brackets(const char **name)
{
	const size_t length = strlen(*name), word = strcspn(*name, "(");

	if (length < word + 3 || (*name)[length - 1] != ')' ||
	    (strncmp(*name, "type", word) != 0 && strncmp(*name, "class", word) != 0) || word < 4)
		return 0;
	*name += word + 1;
	return length - word - 2;
}

/* Where a type of Fortran is used its module is not named. */
static int is_called(const struct precis_data_types *types, const struct named *named,
		     const char *name, size_t length)
{
	return precis_named_is(types, named, name, length) ||
	       (precis_language_is_fortran(types->unit[named->unit].language) &&
		strlen(named->name) == length && memcmp(named->name, name, length) == 0);
}

/* Was one that is laid out alike counted before? */
static int is_repeated(struct precis_data_types *types, size_t first, size_t at, const char *name,
		       size_t length)
{
	for (size_t n = first; n < at; n++) {
		if (!entry(types, n)->is_declaration &&
		    precis_named_fits(entry(types, n)->tag, entry(types, at)->tag) &&
		    is_called(types, entry(types, n), name, length) &&
		    alike_named(types, entry(types, n), entry(types, at)))
			return 1;
	}
	return 0;
}

static int is_meant(struct precis_data_types *types, const struct named *named, unsigned int wanted,
		    const char *name, size_t length)
{
	return !named->is_declaration && named->tag != DW_TAG_variable &&
	       named->tag != DW_TAG_member && (!wanted || precis_named_fits(named->tag, wanted)) &&
	       is_called(types, named, name, length);
}

int precis_data_types_find(struct precis_data_types *types, const char *name, uint32_t n,
			   const struct precis_data_type **type)
{
	const char *last;
	size_t length, first, count;
	unsigned int wanted;
	Dwarf_Die die;

	if (!types || !name || !type)
		return PRECIS_E_ARGUMENT;
	*type = NULL;
	wanted = take_word(&name);
	length = take_brackets(&name);
	if (length)
		wanted = DW_TAG_structure_type;
	else
		length = strlen(name);
	last = precis_named_last(name, length);
	count = precis_named_range(types, last, length - (size_t)(last - name), &first);
	for (size_t at = first; at < first + count; at++) {
		const struct named *named = entry(types, at);

		if (!is_meant(types, named, wanted, name, length) ||
		    is_repeated(types, first, at, name, length) || n-- > 0)
			continue;
		precis_die_at(types, named->unit, named->address, &die);
		*type = precis_data_type_of(types, &die, types->unit[named->unit].language);
		return *type != NULL;
	}
	return 0;
}
