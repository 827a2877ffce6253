/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What of a variable the data of a sample is, by debug information: keys of which a value is a type, or a
 * part of it.
 */
#ifndef ANALYSIS_BY_TYPE_KEYS_H
#define ANALYSIS_BY_TYPE_KEYS_H

#include "state.h"

/* Which of the keys counts what tells types: one does, so that each sample counts once. */
void by_types_choose(struct by *by);

/*
 * All samples have been read: do those of a second reading tell more, by votes? That is so once at most, and
 * of what can be read again.
 */
int by_types_elect(struct by *by);

/*
 * The variable's type, a member of that, or an element of the variable; where the memory has no type that is
 * known, what votes or the instruction say. a: the name, or 0; b: then that of the reason, or 0: there is no
 * variable; with a name that of what told it, or 0: the address.
 * @param n            the number of a key, BY_TYPE, BY_MEMBER or BY_ELEMENT; that which counts sets 'told'
 * @param width        of the access in bytes; 0: not known
 * @param instruction  the very one that accessed it; NULL: it is not known
 */
struct by_value by_type_value(struct by *by, uint32_t n, const struct by_memory *memory,
			      uint32_t width, const struct by_place *instruction);

/* For a person, to be freed; and the cells of two columns */
char *by_type_text(const struct by *by, const struct by_asked_key *key,
		   const struct by_value *value);
void by_type_cells(struct document *document, const struct by *by, const struct by_value *value);

#endif
