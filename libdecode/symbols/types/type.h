/* SPDX-License-Identifier: BSD-3-Clause */
/* One type: which entry it is, and which others its attributes lead to. */
#ifndef PRECIS_SYMBOLS_TYPES_TYPE_H
#define PRECIS_SYMBOLS_TYPES_TYPE_H

#include "model.h"

struct members;

struct precis_data_type {
	const void *address; /* Dwarf_Die.addr, by which it is found */
	struct precis_data_types *types;
	Dwarf_Die die;
	uint32_t language; /* of its unit, or of the one that led to it where that has none */
	uint8_t address_bytes;
	uint8_t is_completed; /* 'definition' has been looked for */
	uint8_t members_absent; /* enum precis_data_type_absent: why 'members' is NULL once asked for */
	uint8_t definition_absent;
	const struct precis_data_type *definition; /* of a declaration */
	const char *name; /* NULL: not made yet */
	struct members *members; /* NULL: not read yet */
};

/** The type that an entry is. @return NULL if memory is short, or it is in no known unit: noted */
struct precis_data_type *precis_data_type_of(struct precis_data_types *types, Dwarf_Die *die,
					     uint32_t language);

/**
 * What an attribute (DW_AT_type …) leads to.
 * @param target  set; NULL: there is no such attribute, which stands for void
 * @return 0 if it leads nowhere
 */
int precis_data_type_follow(const struct precis_data_type *type, unsigned int attribute,
		       const struct precis_data_type **target);

/** Why what is referred to is not there: the supplementary file is not, or the information is damaged. */
enum precis_data_type_absent precis_data_type_nowhere(const struct precis_data_types *types);

/** enum precis_data_type_kind of a tag. */
uint32_t precis_data_type_kind_of(unsigned int tag);

/** DW_TAG_*; 0 for void. */
unsigned int precis_data_type_tag(const struct precis_data_type *type);

static inline Dwarf_Die *type_die(const struct precis_data_type *type)
{
	return (Dwarf_Die *)(uintptr_t)&type->die; /* libdw keeps the abbreviation in it */
}

/* What DW_AT_type of the entry, or of one that it completes, refers to; NULL: it has none */
const struct precis_data_type *precis_die_type(struct precis_data_types *types,
					       const Dwarf_Die *die);

#endif
