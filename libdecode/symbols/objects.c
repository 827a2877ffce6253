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

struct object *precis_objects_find(const struct objects *objects, const char *name)
{
	const struct object key = { .name = name };
	struct object **found = tfind(&key, &objects->tree, by_name);

	return found ? *found : NULL;
}

void precis_object_learn_id(struct object *object, const struct build_id *id)
{
	if (id->bytes == 0)
		return;
	if (object->build_id.bytes == 0)
		object->build_id = *id;
	/* One record may have the length of a short id and the other zeros behind it */
	else if (!precis_build_id_matches(&object->build_id, id->data, id->bytes) &&
		 !precis_build_id_matches(id, object->build_id.data, object->build_id.bytes))
		object->is_contradicted = 1;
}

static enum precis_symbol_absent read_symbols(const struct objects *objects, struct object *object)
{
	static const struct build_id any;
	size_t bytes = strlen(objects->symfs) + strlen(object->name) + 1;
	enum precis_symbol_absent absent;
	char *path;

	/* Only what has a path can be a file */
	if (object->name[0] != '/' || object->name[1] == '/')
		return PRECIS_SYMBOL_NOT_A_FILE;
	if (object->is_contradicted && !objects->any_build_id)
		return PRECIS_SYMBOL_OTHER_BUILD_ID;
	path = malloc(bytes);
	if (!path)
		return PRECIS_SYMBOL_NO_FILE;
	snprintf(path, bytes, "%s%s", objects->symfs, object->name);
	absent = precis_elf_symbols_read(objects->symfs, path,
					 objects->any_build_id ? &any : &object->build_id,
					 &object->table);
	free(path);
	return absent;
}

const struct symbol *precis_object_symbol(const struct objects *objects, struct object *object,
					  uint64_t offset, enum precis_symbol_absent *absent)
{
	const struct symbol *symbol;

	if (!object->is_read) {
		object->is_read = 1;
		object->absent = read_symbols(objects, object);
	}
	symbol = precis_symbol_table_find(&object->table, offset);
	*absent = symbol || object->absent ? object->absent : PRECIS_SYMBOL_NONE_THERE;
	return symbol;
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
