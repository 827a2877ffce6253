/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is mapped: files, and what has only a name ("[heap]", "//anon"). One
 * object for each name, whoever maps it; its symbols are read when first asked for.
 */
#ifndef PRECIS_SYMBOLS_OBJECTS_H
#define PRECIS_SYMBOLS_OBJECTS_H

#include <precis/symbols.h>

#include "budget.h"
#include "build_id.h"
#include "symbol_table.h"

struct object {
	const char *name;
	struct build_id build_id; /* as recorded */
	int is_contradicted; /* several build ids were recorded: which one is mapped is not known */
	int is_read; /* or the attempt was made */
	enum precis_symbol_absent absent; /* why the table has nothing */
	struct symbol_table table;
};

struct objects {
	void *tree; /* of tsearch(3): a name's hash cannot be made to collide */
	const char *symfs;
	int any_build_id;
};

/**
 * The object of that name, made if need be.
 * @param length  of the name that counts
 * @return NULL if memory is short
 */
struct object *precis_objects_get(struct objects *objects, const char *name, size_t length,
				  struct budget *budget);

/** The object of that name, or NULL. */
struct object *precis_objects_find(const struct objects *objects, const char *name);

/** Take in the object's build id, if it is known. */
void precis_object_learn_id(struct object *object, const struct build_id *id);

/** The object's symbol at an offset, or NULL: 'absent' is set to the reason. */
const struct symbol *precis_object_symbol(const struct objects *objects, struct object *object,
					  uint64_t offset, enum precis_symbol_absent *absent);

void precis_objects_free(struct objects *objects);

#endif
