/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* tdestroy() */

#include "objects.h"

#include <search.h>
#include <stdio.h>
#include <string.h>

#include "elf_symbols.h"

static int by_name(const void *a, const void *b)
{
	const struct object *left = a, *right = b;

	return strcmp(left->name, right->name);
}

struct object *precis_objects_get(struct objects *objects, const char *name, size_t length,
				  struct budget *budget)
{
	size_t bytes = sizeof(struct object) + length + 1;
	struct object *object;
	struct object **found;
	char *text;

	/* One block for both: the name behind the object */
	object = budget_alloc(budget, bytes);
	if (!object)
		return NULL;
	text = (char *)(object + 1);
	memcpy(text, name, length);
	object->name = text;
	found = tsearch(object, &objects->tree, by_name);
	if (!found || *found != object)
		budget_free(budget, object, bytes);
	return found ? *found : NULL;
}

static void read_symbols(const struct objects *objects, struct object *object)
{
	size_t bytes = strlen(objects->symfs) + strlen(object->name) + 1;
	char *path;

	object->is_read = 1;
	/* Only what has a path can be a file */
	if (object->name[0] != '/')
		return;
	path = malloc(bytes);
	if (!path)
		return;
	snprintf(path, bytes, "%s%s", objects->symfs, object->name);
	precis_elf_symbols_read(objects->symfs, path, &object->table);
	free(path);
}

const struct symbol *precis_object_symbol(const struct objects *objects, struct object *object,
					  uint64_t offset)
{
	if (!object->is_read)
		read_symbols(objects, object);
	return precis_symbol_table_find(&object->table, offset);
}

static void free_object(void *node)
{
	struct object *object = node;

	precis_symbol_table_free(&object->table);
	free(object);
}

void precis_objects_free(struct objects *objects)
{
	tdestroy(objects->tree, free_object);
	objects->tree = NULL;
}
