/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading entries (DIE) with suspicion: a reference leads to no file that was not opened on purpose, a
 * chain of them ends, and a walk never goes back.
 */
#ifndef PRECIS_SYMBOLS_TYPES_DIE_H
#define PRECIS_SYMBOLS_TYPES_DIE_H

#include "model.h"

/** An attribute of the entry itself. */
int precis_die_has(Dwarf_Die *die, unsigned int name);

/** Its number, where that is a constant. @return 0 if it has none */
int precis_die_unsigned(Dwarf_Die *die, unsigned int name, uint64_t *value);

/** Likewise one that may be negative; without a sign of its own it is not. */
int precis_die_signed(Dwarf_Die *die, unsigned int name, int64_t *value);


int precis_die_flag(Dwarf_Die *die, unsigned int name);

/** A string. @return NULL if it has none */
const char *precis_die_text(const struct precis_data_types *types, Dwarf_Die *die, unsigned int name);

/** An expression or block. @return 0 if it has none */
int precis_die_block(Dwarf_Die *die, unsigned int name, struct line_bytes *block);

/**
 * The entry that an attribute leads to.
 * @return 1; 0 if there is no such attribute; -1 if it leads nowhere: the reason is noted
 */
int precis_die_reference(struct precis_data_types *types, Dwarf_Die *die, unsigned int name, Dwarf_Die *to);

/** The entry that has the attribute: it, or what it specifies or is an instance of. @return 0: none */
int precis_die_holder(struct precis_data_types *types, const Dwarf_Die *die, unsigned int name,
		      Dwarf_Die *holder);

/** The name of it or of what it specifies. @return NULL if it has none */
const char *precis_die_name(struct precis_data_types *types, const Dwarf_Die *die);

/** @return 1 with the first child, 0 if there is none, -1 if it is malformed */
int precis_die_child(Dwarf_Die *die, Dwarf_Die *child);

/** Likewise the next one; 'die' and 'next' may be the same. */
int precis_die_next(Dwarf_Die *die, Dwarf_Die *next);

/** An entry by its address and unit. */
void precis_die_at(const struct precis_data_types *types, uint32_t unit, void *address, Dwarf_Die *die);

/** The unit of an entry; NULL if it is not known. */
const struct unit *precis_die_unit(const struct precis_data_types *types, const Dwarf_Die *die);

#endif
