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
#include "elf_data.h"
#include "elf_lines.h"
#include "places.h"
#include "symbol_table.h"

enum object_kind {
	OBJECT_NAMED, /* no more than a name */
	OBJECT_FILE,
	OBJECT_VDSO,
	OBJECT_PERF_MAP, /* code made at run time; offsets are addresses */
	OBJECT_KERNEL, /* the kernel itself or one of its modules: offsets from the start of it */
	OBJECT_KSYMBOL /* a function that the kernel made at run time: it is its own symbol */
};

struct object {
	const char *name;
	uint32_t is_kernels; /* in the kernel's address space */
	enum object_kind kind;
	struct build_id build_id; /* as recorded */
	int is_contradicted; /* several build ids were recorded: which one is mapped is not known */
	uint64_t start; /* OBJECT_KERNEL: where it was mapped */
	int is_read; /* or the attempt was made */
	enum precis_symbol_absent absent; /* why the table has nothing */
	struct symbol_table table;
	int lines_are_read; /* or the attempt was made, and they were not given back */
	enum precis_symbol_absent lines_absent; /* why 'lines' is NULL */
	struct elf_lines *lines;
	struct object *next_with_lines;
	int data_are_read; /* or the attempt was made */
	enum precis_symbol_absent data_absent; /* why 'data' is NULL */
	struct elf_data *data;
};

/** What memory of that name is: PRECIS_MEMORY_FILE if it is none that perf has for memory without a file. */
enum precis_memory_kind precis_memory_kind_of(const char *name);

/** Is that the name of memory that is no file's, in which a program may make code? */
int precis_memory_may_have_code(const char *name);

#define OBJECT_CACHE 64u /* a power of 2 */

struct objects {
	void *tree; /* of tsearch(3): a name's hash cannot be made to collide */
	struct object *cache[OBJECT_CACHE]; /* by the name's address */
};

/**
 * The object of that name, made if need be.
 * @param length      of the name that counts
 * @param is_kernels  in the kernel's address space
 * @return NULL if memory is short
 */
struct object *precis_objects_get(struct objects *objects, const char *name, size_t length,
				  int is_kernels, struct budget *budget);

/** The object of that name, or NULL. */
struct object *precis_objects_find(struct objects *objects, const char *name, int is_kernels);

/** Take in the object's build id, if it is known. */
void precis_object_learn_id(struct object *object, const struct build_id *id);

/**
 * The symbol at an offset of an object of user space, or NULL: 'absent' is set to the reason.
 */
const struct symbol *precis_object_symbol(const struct places *places, struct object *object,
					  uint64_t offset, enum precis_symbol_absent *absent);

/** What memory an object takes, and its variables; NULL: 'data_absent' says why. */
const struct elf_data *precis_object_data(const struct places *places, struct object *object);

void precis_objects_free(struct objects *objects);

#endif
