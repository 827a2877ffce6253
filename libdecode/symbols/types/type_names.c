/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A type's name as C or C++ writes it: what is pointed to, and around a declarator the stars, brackets and
 * parentheses, from the outside in.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "measure.h"
#include "named.h"
#include "type.h"
#include "units.h"

#define NAME_BYTES 2048u
/* Parameters that are functions with parameters that are … */
#define PARAMETERS_DEPTH 4u

struct naming {
	char declarator[NAME_BYTES]; /* so far */
	uint32_t depth;
	int is_pointer; /* the declarator begins with one: brackets behind it want parentheses */
};

static void spell(const struct precis_data_type *type, uint32_t depth, char *name, size_t room);

/* Put text before the declarator, and behind it. What does not fit is left out */
__attribute__((format(printf, 2, 3))) static void wrap(struct naming *naming, const char *format, ...)
{
	char wrapped[NAME_BYTES];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(wrapped, sizeof(wrapped), format, arguments);
	va_end(arguments);
	memcpy(naming->declarator, wrapped, sizeof(wrapped));
}

static void parenthesize(struct naming *naming)
{
	if (naming->is_pointer)
		wrap(naming, "(%.2000s)", naming->declarator);
	naming->is_pointer = 0;
}

static const char *star(unsigned int tag)
{
	return tag == DW_TAG_reference_type ? "&" : tag == DW_TAG_rvalue_reference_type ? "&&" : "*";
}

static const char *qualifier(unsigned int tag)
{
	switch (tag) {
	case DW_TAG_const_type:
		return "const";
	case DW_TAG_volatile_type:
		return "volatile";
	case DW_TAG_restrict_type:
		return "restrict";
	case DW_TAG_atomic_type:
		return "_Atomic";
	default:
		return NULL;
	}
}

static void write_pointer(struct naming *naming, const char *sign, const char *qualifiers)
{
	const char *space = qualifiers[0] && naming->declarator[0] && naming->declarator[0] != '[' ? " " : "";

	wrap(naming, "%s%s%s%s", sign, qualifiers, space, naming->declarator);
	naming->is_pointer = 1;
}

/* --- arrays and functions ------------------------------------------------------------------- */

static void write_dimension(char *text, size_t room, size_t *used, const struct dimension *dimension,
			    const struct array *array, uint32_t n)
{
	const int64_t upper = (int64_t)((uint64_t)dimension->lower + dimension->count - 1);
	int bytes;

	if (!array->by_columns && dimension->count == UINT64_MAX)
		bytes = snprintf(text + *used, room - *used, array->is_empty ? "[0]" : "[]");
	else if (!array->by_columns)
		bytes = snprintf(text + *used, room - *used, "[%" PRIu64 "]", dimension->count);
	else if (dimension->count == UINT64_MAX)
		bytes = snprintf(text + *used, room - *used, "%s*", n ? "," : "(");
	else if (dimension->lower == 1)
		bytes = snprintf(text + *used, room - *used, "%s%" PRId64, n ? "," : "(", upper);
	else
		bytes = snprintf(text + *used, room - *used, "%s%" PRId64 ":%" PRId64, n ? "," : "(",
				 dimension->lower, upper);
	if (bytes > 0 && (size_t)bytes < room - *used)
		*used += (size_t)bytes;
}

static void write_array(struct naming *naming, const struct precis_data_type *type)
{
	char text[ARRAY_DIMENSIONS * 48] = "";
	struct array array;
	size_t used = 0;
	const enum precis_data_type_absent absent = precis_data_type_array(type, &array);

	parenthesize(naming);
	if (absent) {
		wrap(naming, "%.2000s%s", naming->declarator,
		     precis_language_is_fortran(type->language) ? "(:)" : "[]");
		return;
	}
	for (uint32_t n = 0; n < array.dimensions; n++)
		write_dimension(text, sizeof(text), &used, &array.dimension[n], &array, n);
	wrap(naming, "%.1200s%s%s", naming->declarator, text, array.by_columns ? ")" : "");
}

static void write_parameters(const struct precis_data_type *type, uint32_t depth, char *text, size_t room)
{
	const struct precis_data_type *parameter;
	Dwarf_Die child, target;
	size_t used = 0;
	int found = precis_die_child(type_die(type), &child);

	text[0] = '\0';
	for (; found > 0 && used + 16 < room; found = precis_die_next(&child, &child)) {
		const int tag = dwarf_tag(&child);
		const char *comma = used ? ", " : "";

		if (tag == DW_TAG_unspecified_parameters) {
			used += (size_t)snprintf(text + used, room - used, "%s...", comma);
			continue;
		}
		if (tag != DW_TAG_formal_parameter)
			continue;
		used += (size_t)snprintf(text + used, room - used, "%s", comma);
		if (precis_die_reference(type->types, &child, DW_AT_type, &target) <= 0)
			continue;
		parameter = precis_data_type_of(type->types, &target, type->language);
		spell(parameter, depth + 1, text + used, room - used);
		used += strlen(text + used);
	}
}

static void write_function(struct naming *naming, const struct precis_data_type *type)
{
	char parameters[NAME_BYTES / 2] = "...";

	if (naming->depth < PARAMETERS_DEPTH)
		write_parameters(type, naming->depth, parameters, sizeof(parameters));
	if (!parameters[0])
		strcpy(parameters, precis_language_is_c(type->language) &&
				   precis_die_flag(type_die(type), DW_AT_prototyped) ? "void" : "");
	parenthesize(naming);
	wrap(naming, "%.1000s(%s)", naming->declarator, parameters);
}

static void write_member_pointer(struct naming *naming, const struct precis_data_type *type)
{
	const struct precis_data_type *class;
	char name[NAME_BYTES / 2] = "", sign[NAME_BYTES / 2 + 8];

	if (naming->depth < PARAMETERS_DEPTH && precis_data_type_follow(type, DW_AT_containing_type, &class))
		spell(class, naming->depth + 1, name, sizeof(name));
	snprintf(sign, sizeof(sign), "%s::*", name);
	write_pointer(naming, sign, "");
}

/* --- what has a name of its own ------------------------------------------------------------- */

static const char *word_of(unsigned int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
		return "struct ";
	case DW_TAG_class_type:
		return "class ";
	case DW_TAG_union_type:
		return "union ";
	case DW_TAG_enumeration_type:
		return "enum ";
	default:
		return "";
	}
}

static void write_name(const struct precis_data_type *type, char *name, size_t room)
{
	const unsigned int tag = precis_data_type_tag(type);
	const struct named *named = precis_named_find(type->types, type->address);
	const char *own = precis_die_name(type->types, &type->die), *word = word_of(tag);
	char scope[NAME_BYTES / 2] = "";

	if (named)
		precis_scope_text(type->types, named->scope, scope, sizeof(scope));
	if (own)
		snprintf(name, room, "%s%s%s", precis_language_is_c(type->language) ? word : "", scope, own);
	else if (tag == DW_TAG_string_type)
		snprintf(name, room, "character");
	else
		snprintf(name, room, word[0] ? "%s{...}" : "(anonymous type)%s", word);
}

/* What is left once stars and brackets are off, with its qualifiers before it. */
static void finish(const struct naming *naming, const struct precis_data_type *type, const char *qualifiers,
		   char *name, size_t room)
{
	char own[NAME_BYTES] = "void";
	const int is_near = naming->declarator[0] == '[' || !naming->declarator[0];

	if (type)
		write_name(type, own, sizeof(own));
	snprintf(name, room, "%s%s%s%s%s", qualifiers, qualifiers[0] ? " " : "", own, is_near ? "" : " ",
		 naming->declarator);
}

static void add_qualifier(char *qualifiers, size_t room, const char *word)
{
	const size_t used = strlen(qualifiers);

	/* Compilers write it for an array as for its elements */
	if (!strstr(qualifiers, word) && strlen(word) + 2 < room - used)
		snprintf(qualifiers + used, room - used, "%s%s", used ? " " : "", word);
}

/* One step towards what has a name. @return 0 if this is it */
static int unwrap(struct naming *naming, const struct precis_data_type *type, char *qualifiers, size_t room)
{
	const unsigned int tag = precis_data_type_tag(type);

	switch (tag) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		if (precis_die_has(type_die(type), DW_AT_name)) /* as those of Rust */
			return 0;
		write_pointer(naming, star(tag), qualifiers);
		break;
	case DW_TAG_ptr_to_member_type:
		write_member_pointer(naming, type);
		break;
	case DW_TAG_array_type:
		write_array(naming, type);
		return 1;
	case DW_TAG_subroutine_type:
		write_function(naming, type);
		break;
	default:
		if (!qualifier(tag))
			return 0;
		add_qualifier(qualifiers, room, qualifier(tag));
		return 1;
	}
	qualifiers[0] = '\0';
	return 1;
}

static void spell(const struct precis_data_type *type, uint32_t depth, char *name, size_t room)
{
	struct naming naming = { .depth = depth };
	char qualifiers[64] = "";
	uint32_t n;

	for (n = 0; type && n < TYPES_DEPTH; n++) {
		if (!unwrap(&naming, type, qualifiers, sizeof(qualifiers)))
			break;
		if (!precis_data_type_follow(type, DW_AT_type, &type)) {
			snprintf(name, room, "(unknown type)");
			return;
		}
	}
	if (n == TYPES_DEPTH)
		snprintf(name, room, "(endless type)");
	else
		finish(&naming, type, qualifiers, name, room);
}

const char *precis_data_type_name(const struct precis_data_type *of)
{
	struct precis_data_type *type = (struct precis_data_type *)(uintptr_t)of;
	char name[2 * NAME_BYTES];
	size_t bytes;
	char *kept;

	if (!type)
		return "void";
	if (type->name)
		return type->name;
	spell(type, 0, name, sizeof(name));
	bytes = strlen(name) + 1;
	kept = budget_alloc(&type->types->budget, bytes);
	if (!kept)
		return "(no memory for the name)";
	memcpy(kept, name, bytes);
	type->name = kept;
	return kept;
}
