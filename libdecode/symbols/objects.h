/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is mapped: files, and what has only a name ("[heap]", "//anon"). One
 * object for each name, whoever maps it; its symbols are read when first asked for.
 */
#ifndef PRECIS_SYMBOLS_OBJECTS_H
#define PRECIS_SYMBOLS_OBJECTS_H

#include "budget.h"
#include "symbol_table.h"

struct object {
	const char *name;
	int is_read; /* or the attempt was made */
	struct symbol_table table;
};

struct objects {
	void *tree; /* of tsearch(3): a name's hash cannot be made to collide */
	const char *symfs;
};

/**
 * The object of that name, made if need be.
 * @param length  of the name that counts
 * @return NULL if memory is short
 */
struct object *precis_objects_get(struct objects *objects, const char *name, size_t length,
				  struct budget *budget);

/** The object's symbol at an offset, or NULL. */
const struct symbol *precis_object_symbol(const struct objects *objects, struct object *object,
					  uint64_t offset);

void precis_objects_free(struct objects *objects);

#endif
