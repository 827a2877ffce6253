/* SPDX-License-Identifier: BSD-3-Clause */
/* See named.h. */
#define _GNU_SOURCE /* qsort_r() */

#include "named.h"

#include <stdlib.h>
#include <string.h>

int precis_named_add(struct precis_data_types *types, const struct named *named)
{
	if (types->names >= UINT32_MAX || !precis_data_types_grow(types, &types->named, &types->name_room,
							      types->names, sizeof(*types->named)))
		return 0;
	types->named[types->names++] = *named;
	return 1;
}

/* A signature leads to a definition, and that to its declaration: only circles are longer */
#define DECLARATIONS 4u

/* --- orders ------------------------------------------------------------------------------ */

static int by_address(const void *a, const void *b)
{
	const uintptr_t left = (uintptr_t)((const struct named *)a)->address;
	const uintptr_t right = (uintptr_t)((const struct named *)b)->address;

	return (left > right) - (left < right);
}

/* Equal names in the order of their units: the same one is the first each time */
static int by_name(const void *a, const void *b, void *data)
{
	const struct precis_data_types *types = data;
	const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	const int order = strcmp(types->named[left].name, types->named[right].name);

	if (order)
		return order;
	if (types->named[left].unit != types->named[right].unit)
		return types->named[left].unit < types->named[right].unit ? -1 : 1;
	return (left > right) - (left < right);
}

const struct named *precis_named_find(const struct precis_data_types *types, const void *address)
{
	const struct named key = { .address = (void *)(uintptr_t)address };

	return types->names ? bsearch(&key, types->named, types->names, sizeof(key), by_address) : NULL;
}

/* Of "struct a::b { … }" outside of a: that of its declaration, which may have one itself */
static void take_scope(struct precis_data_types *types, struct named *named)
{
	const struct named *at = named;

	for (unsigned int n = 0; n < DECLARATIONS && at && at->declaration; n++) {
		at = precis_named_find(types, at->declaration);
		if (at)
			named->scope = at->scope;
	}
}

void precis_named_sort(struct precis_data_types *types)
{
	if (!types->names)
		return;
	types->named_by_name = budget_alloc(&types->budget, types->names * sizeof(*types->named_by_name));
	if (!types->named_by_name) {
		types_lack(types, PRECIS_DATA_TYPE_TOO_MANY);
		types->names = 0;
		return;
	}
	qsort(types->named, types->names, sizeof(*types->named), by_address);
	for (size_t n = 0; n < types->names; n++)
		take_scope(types, &types->named[n]);
	for (size_t n = 0; n < types->names; n++)
		types->named_by_name[n] = (uint32_t)n;
	qsort_r(types->named_by_name, types->names, sizeof(*types->named_by_name), by_name, types);
}

static int compare_text(const char *name, const char *text, size_t length)
{
	const int order = strncmp(name, text, length);

	return order ? order : name[length] != '\0';
}

/* The first whose name is not less, or with 'is_past' greater */
static size_t bound(const struct precis_data_types *types, const char *name, size_t length, int is_past)
{
	size_t low = 0, high = types->names;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const char *found = types->named[types->named_by_name[middle]].name;

		if (compare_text(found, name, length) < is_past)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t precis_named_range(const struct precis_data_types *types, const char *name, size_t length,
			  size_t *first)
{
	*first = bound(types, name, length, 0);
	return bound(types, name, length, 1) - *first;
}

/* --- scopes ------------------------------------------------------------------------------ */

/* The next one that is written: functions are not */
static uint32_t written(const struct precis_data_types *types, uint32_t scope)
{
	while (scope && (types->scope[scope].is_function || types->scope[scope].is_block))
		scope = types->scope[scope].parent;
	return scope;
}

static int same_scope(const struct precis_data_types *types, uint32_t a, uint32_t b)
{
	for (a = written(types, a), b = written(types, b); a && b;
	     a = written(types, types->scope[a].parent), b = written(types, types->scope[b].parent)) {
		if (strcmp(types->scope[a].name, types->scope[b].name) != 0)
			return 0;
	}
	return a == b;
}

int precis_named_same(const struct precis_data_types *types, const struct named *a, const struct named *b)
{
	return strcmp(a->name, b->name) == 0 && same_scope(types, a->scope, b->scope);
}

/* Is 'name' what the text ends in? Its length without that. */
static int take_last(const char *text, size_t *length, const char *name)
{
	const size_t bytes = strlen(name);

	if (bytes > *length || memcmp(text + *length - bytes, name, bytes) != 0)
		return 0;
	*length -= bytes;
	return 1;
}

int precis_named_is(const struct precis_data_types *types, const struct named *named, const char *text,
		    size_t length)
{
	uint32_t scope = written(types, named->scope);

	if (!take_last(text, &length, named->name))
		return 0;
	for (; scope; scope = written(types, types->scope[scope].parent)) {
		if (!take_last(text, &length, "::") || !take_last(text, &length, types->scope[scope].name))
			return 0;
	}
	return length == 0;
}

const char *precis_named_last(const char *text, size_t length)
{
	const char *last = text;
	int depth = 0;

	for (size_t n = 0; n + 1 < length; n++) {
		if (strchr("<({[", text[n]))
			depth++;
		else if (strchr(">)}]", text[n]))
			depth--;
		else if (depth == 0 && text[n] == ':' && text[n + 1] == ':')
			last = text + n + 2;
	}
	return last;
}

int precis_named_fits(unsigned int tag, unsigned int wanted)
{
	if (tag == DW_TAG_class_type || tag == DW_TAG_interface_type)
		tag = DW_TAG_structure_type;
	if (wanted == DW_TAG_class_type || wanted == DW_TAG_interface_type)
		wanted = DW_TAG_structure_type;
	return tag == wanted;
}

/* The chain leads outwards, and is written from its end */
size_t precis_scope_text(const struct precis_data_types *types, uint32_t scope, char *text, size_t room)
{
	uint32_t chain[TYPES_DEPTH];
	size_t count = 0, used = 0;

	for (scope = written(types, scope); scope && count < TYPES_DEPTH;
	     scope = written(types, types->scope[scope].parent))
		chain[count++] = scope;
	while (count-- > 0) {
		const char *name = types->scope[chain[count]].name;
		const size_t bytes = strlen(name);

		if (bytes + 3 > room - used)
			break;
		memcpy(text + used, name, bytes);
		memcpy(text + used + bytes, "::", 3);
		used += bytes + 2;
	}
	if (room)
		text[used] = '\0';
	return used;
}

const char *precis_scope_function(const struct precis_data_types *types, uint32_t scope)
{
	for (; scope; scope = types->scope[scope].parent) {
		if (types->scope[scope].is_function || types->scope[scope].is_block)
			return types->scope[scope].name;
	}
	return NULL;
}
