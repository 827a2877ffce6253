/* SPDX-License-Identifier: BSD-3-Clause */
/* See definitions.h. */
#include "definitions.h"

#include <stdlib.h>

#include "varint.h"

static int take_stack(struct precis_object_file *file, const uint8_t **at, const uint8_t *end,
		      uint32_t id, int *bad)
{
	struct object_definitions *all = &file->definitions;
	struct object_stack stack = { .id = id, .at = all->address_count };
	uint64_t address = 0, difference;

	*bad = !take_number(at, end, &stack.flags) || !take_number(at, end, &stack.count) ||
	       stack.count > OBJECTS_DEPTH_MOST;
	if (*bad)
		return 0;
	if (objects_room(file, &all->addresses, &all->address_room, all->address_count + stack.count,
			 sizeof(*all->addresses)) ||
	    objects_room(file, &all->stacks, &all->stack_room, all->stack_count + 1, sizeof(*all->stacks)))
		return PRECIS_E_NO_MEMORY;
	for (uint32_t n = 0; n < stack.count && !*bad; n++) {
		*bad = !take_varint(at, end, &difference);
		address += (uint64_t)objects_unzigzag(difference);
		all->addresses[stack.at + n] = address;
	}
	if (*bad)
		return 0;
	all->address_count += stack.count;
	all->stacks[all->stack_count++] = stack;
	return 0;
}

static int take_string(struct precis_object_file *file, const uint8_t **at, const uint8_t *end,
		       uint32_t id, int *bad)
{
	struct object_definitions *all = &file->definitions;
	uint32_t length;

	*bad = !take_number(at, end, &length) || length > OBJECTS_STRING_MOST ||
	       length > (size_t)(end - *at) || memchr(*at, 0, length);
	if (*bad)
		return 0;
	if (objects_room(file, &all->texts, &all->text_room, all->text_bytes + length + 1, 1) ||
	    objects_room(file, &all->strings, &all->string_room, all->string_count + 1,
			 sizeof(*all->strings)))
		return PRECIS_E_NO_MEMORY;
	memcpy(all->texts + all->text_bytes, *at, length);
	all->texts[all->text_bytes + length] = '\0';
	all->strings[all->string_count++] = (struct object_string){ id, all->text_bytes };
	all->text_bytes += length + 1;
	*at += length;
	return 0;
}

int definitions_take(struct precis_object_file *file, const uint8_t *payload, size_t bytes, int *bad)
{
	const uint8_t *at = payload, *end = payload + bytes;
	uint32_t kind, id;
	int error = 0;

	*bad = 0;
	while (at < end && !error && !*bad) {
		*bad = !take_number(&at, end, &kind) || !take_number(&at, end, &id);
		if (*bad)
			break;
		if (kind == OBJECTS_STACK)
			error = take_stack(file, &at, end, id, bad);
		else if (kind == OBJECTS_STRING)
			error = take_string(file, &at, end, id, bad);
		else
			*bad = 1;
	}
	return error;
}

static int compare_stacks(const void *one, const void *other)
{
	const struct object_stack *a = one, *b = other;

	return a->id != b->id ? (a->id < b->id ? -1 : 1) : (a->at > b->at) - (a->at < b->at);
}

static int compare_strings(const void *one, const void *other)
{
	const struct object_string *a = one, *b = other;

	return a->id != b->id ? (a->id < b->id ? -1 : 1) : (a->at > b->at) - (a->at < b->at);
}

void definitions_settle(struct object_definitions *all)
{
	if (all->stack_count)
		qsort(all->stacks, all->stack_count, sizeof(*all->stacks), compare_stacks);
	if (all->string_count)
		qsort(all->strings, all->string_count, sizeof(*all->strings), compare_strings);
}

void definitions_free(struct object_definitions *all)
{
	free(all->stacks);
	free(all->strings);
	free(all->addresses);
	free(all->texts);
}

/* Ids are dense but where something was lost: the first of that id is at this place, or before. */
#define FIND(rows, count, wanted, found)                                                           \
	do {                                                                                       \
		size_t low = 0, high = (count);                                                    \
		while (low < high) {                                                               \
			size_t middle = low + (high - low) / 2;                                    \
			if ((rows)[middle].id < (wanted))                                          \
				low = middle + 1;                                                  \
			else                                                                       \
				high = middle;                                                     \
		}                                                                                  \
		(found) = low < (count) && (rows)[low].id == (wanted) ? &(rows)[low] : NULL;       \
	} while (0)

uint32_t precis_object_file_stack(const struct precis_object_file *file, uint32_t id,
				  const uint64_t **addresses, uint32_t *is_cut)
{
	const struct object_stack *found;

	if (is_cut)
		*is_cut = 0;
	if (!file || !addresses)
		return 0;
	*addresses = NULL;
	FIND(file->definitions.stacks, file->definitions.stack_count, id, found);
	if (!found || !found->count || !id)
		return 0;
	if (is_cut)
		*is_cut = found->flags & OBJECTS_STACK_CUT;
	*addresses = file->definitions.addresses + found->at;
	return found->count;
}

const char *precis_object_file_string(const struct precis_object_file *file, uint32_t id)
{
	const struct object_string *found;

	if (!file || !id)
		return NULL;
	FIND(file->definitions.strings, file->definitions.string_count, id, found);
	return found ? file->definitions.texts + found->at : NULL;
}
