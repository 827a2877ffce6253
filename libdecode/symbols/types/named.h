/* SPDX-License-Identifier: BSD-3-Clause */
/* Types and declarations with names: by name, and what each is in. */
#ifndef PRECIS_SYMBOLS_TYPES_NAMED_H
#define PRECIS_SYMBOLS_TYPES_NAMED_H

#include "model.h"

/** @return 0 if memory is short */
int precis_named_add(struct precis_data_types *types, const struct named *named);

/** Once all are in. */
void precis_named_sort(struct precis_data_types *types);

/** By the address of the entry. @return NULL if it has no name */
const struct named *precis_named_find(const struct precis_data_types *types, const void *address);

/** The numbers in 'named_by_name' of those with that name, whatever they are in. @return how many */
size_t precis_named_range(const struct precis_data_types *types, const char *name, size_t length,
			  size_t *first);

/** Are both the same name in the same namespaces and classes? Functions do not count. */
int precis_named_same(const struct precis_data_types *types, const struct named *a, const struct named *b);

/** Is that its name, as "a::b::name"? */
int precis_named_is(const struct precis_data_types *types, const struct named *named, const char *text,
		    size_t length);

/** The last name of "a::b<c::d>::e", where it begins. */
const char *precis_named_last(const char *text, size_t length);

/** Is that tag one of a structure, class or union, or an enumeration: what is written before its name? */
int precis_named_fits(unsigned int tag, unsigned int wanted);

/** The namespaces and classes of a scope, from the outermost, each with "::". @return its length, cut off */
size_t precis_scope_text(const struct precis_data_types *types, uint32_t scope, char *text, size_t room);

/** The function or COMMON block that a scope is in. @return NULL if it is in none */
const char *precis_scope_function(const struct precis_data_types *types, uint32_t scope);

#endif
