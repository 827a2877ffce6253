/* SPDX-License-Identifier: BSD-3-Clause */
/* See objects.h. */
#define _GNU_SOURCE /* tdestroy() */

#include "objects.h"

#include <search.h>
#include <string.h>

#include "elf_symbols.h"
#include "text_lines.h"

static int by_name(const void *a, const void *b)
{
	const struct object *left = a, *right = b;

	if (left->is_kernels != right->is_kernels)
		return left->is_kernels < right->is_kernels ? -1 : 1;
	return strcmp(left->name, right->name);
}

static int begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/*
 * What perf calls memory that has no file: names by the start, the first that fits. To perf some are such in
 * which a program may make code (map__new()).
 */
static const struct memory_name {
	const char *start;
	enum precis_memory_kind kind;
	int may_have_code;
} names[] = {
	{ "[heap]", PRECIS_MEMORY_HEAP, 1 },
	{ "[stack", PRECIS_MEMORY_STACK, 1 },
	{ "//anon", PRECIS_MEMORY_ANONYMOUS, 1 },
	{ "[anon", PRECIS_MEMORY_ANONYMOUS, 0 }, /* that has been given a name by prctl(2) */
	{ "/anon_hugepage", PRECIS_MEMORY_ANONYMOUS, 1 },
	{ "/dev/zero", PRECIS_MEMORY_SHARED, 1 },
	{ "/SYSV", PRECIS_MEMORY_SHARED, 1 },
	{ "/memfd:", PRECIS_MEMORY_SHARED, 0 },
	{ "[", PRECIS_MEMORY_SPECIAL, 0 },
};

/* NULL: a file's */
static const struct memory_name *find_name(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (begins(name, names[i].start))
			return &names[i];
	}
	return NULL;
}

int precis_memory_may_have_code(const char *name)
{
	const struct memory_name *found = find_name(name);

	return found && found->may_have_code;
}

enum precis_memory_kind precis_memory_kind_of(const char *name)
{
	const struct memory_name *found = find_name(name);

	return found ? found->kind : PRECIS_MEMORY_FILE;
}

static int ends(const char *name, const char *with)
{
	size_t length = strlen(name), needed = strlen(with);

	return length >= needed && strcmp(name + length - needed, with) == 0;
}

static enum object_kind kind_of(const char *name, int is_kernels)
{
	if (is_kernels)
		return OBJECT_KERNEL;
	if (strcmp(name, VDSO_NAME) == 0)
		return OBJECT_VDSO;
	if (begins(name, "/tmp/perf-") && ends(name, ".map"))
		return OBJECT_PERF_MAP;
	/* Only what has a path can be a file */
	return name[0] == '/' && name[1] != '/' ? OBJECT_FILE : OBJECT_NAMED;
}

struct object *precis_objects_get(struct objects *objects, const char *name, size_t length,
				  int is_kernels, struct budget *budget)
{
	size_t bytes = sizeof(struct object) + length + 1;
	struct object *object;
	struct object **found;
	char *text;

	/* One block for both: the name behind the object */
	object = budget_alloc_found(budget, bytes);
	if (!object)
		return NULL;
	text = (char *)(object + 1);
	memcpy(text, name, length);
	object->name = text;
	object->is_kernels = is_kernels != 0;
	object->kind = kind_of(text, is_kernels);
	found = tsearch(object, &objects->tree, by_name);
	if (!found || *found != object)
		budget_free_found(budget, object, bytes);
	return found ? *found : NULL;
}

struct object *precis_objects_find(struct objects *objects, const char *name, int is_kernels)
{
	const struct object key = { .name = name, .is_kernels = is_kernels != 0 };
	struct object **cached = &objects->cache[(uintptr_t)name / 16 % OBJECT_CACHE];
	struct object **found;

	if (*cached && (*cached)->name == name && (*cached)->is_kernels == key.is_kernels)
		return *cached;
	found = tfind(&key, &objects->tree, by_name);
	if (!found)
		return NULL;
	/* The caller may have a copy of the name, whose place means nothing */
	if ((*found)->name == name)
		*cached = *found;
	return *found;
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

static enum precis_symbol_absent read_perf_map(const struct places *places, struct object *object)
{
	char path[PLACE_PATH];

	if (!precis_places_join(path, places->symfs, object->name, NULL))
		return PRECIS_SYMBOL_NO_PERF_MAP;
	return precis_perf_map_read(places->symfs, path, &object->table);
}

static enum precis_symbol_absent read_symbols(const struct places *places, struct object *object)
{
	switch (object->kind) {
	case OBJECT_FILE:
	case OBJECT_VDSO:
		if (object->is_contradicted && !places->any_build_id)
			return PRECIS_SYMBOL_OTHER_BUILD_ID;
		return precis_elf_symbols_read(places, object->name, &object->build_id,
					       &object->table);
	case OBJECT_PERF_MAP:
		return read_perf_map(places, object);
	default:
		return PRECIS_SYMBOL_NOT_A_FILE;
	}
}

const struct symbol *precis_object_symbol(const struct places *places, struct object *object,
					  uint64_t offset, enum precis_symbol_absent *absent)
{
	const struct symbol *symbol;

	if (!object->is_read) {
		object->is_read = 1;
		object->absent = read_symbols(places, object);
	}
	symbol = precis_symbol_table_find(&object->table, offset);
	*absent = symbol || object->absent ? object->absent : PRECIS_SYMBOL_NONE_THERE;
	return symbol;
}

const struct elf_data *precis_object_data(const struct places *places, struct object *object)
{
	if (object->data_are_read)
		return object->data;
	object->data_are_read = 1;
	if (object->kind != OBJECT_FILE) {
		object->data_absent = PRECIS_SYMBOL_NOT_A_FILE;
		return NULL;
	}
	if (object->is_contradicted && !places->any_build_id) {
		object->data_absent = PRECIS_SYMBOL_OTHER_BUILD_ID;
		return NULL;
	}
	object->data = calloc(1, sizeof(*object->data));
	object->data_absent = object->data ? precis_elf_data_read(places, object->name, &object->build_id,
								  object->data) :
					     PRECIS_SYMBOL_NO_FILE;
	if (object->data_absent) {
		free(object->data);
		object->data = NULL;
	}
	return object->data;
}

static void free_object(void *node)
{
	struct object *object = node;

	precis_symbol_table_free(&object->table);
	precis_elf_lines_free(object->lines);
	if (object->data)
		precis_symbol_table_free(&object->data->variables);
	free(object->data);
	free(object);
}

void precis_objects_free(struct objects *objects)
{
	tdestroy(objects->tree, free_object);
	objects->tree = NULL;
}
