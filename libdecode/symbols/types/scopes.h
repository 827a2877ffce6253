/* SPDX-License-Identifier: BSD-3-Clause */
/* What code is in: the function, and the blocks and inlined calls around an address. */
#ifndef PRECIS_SYMBOLS_TYPES_SCOPES_H
#define PRECIS_SYMBOLS_TYPES_SCOPES_H

#include "model.h"

struct scopes {
	struct precis_data_types *types;
	Dwarf_Die scope[TYPES_DEPTH]; /* the function, and what is in it from the outside in */
	uint32_t count; /* 0: no function is known there */
	uint64_t base; /* what libdw's addresses of them are counted from */
};

/** Is an entry of code that is in a function: a call that was inlined, or a block? */
int precis_scopes_is_inner(Dwarf_Die *die);

/** The scopes of an instruction. */
void precis_scopes_find(struct precis_data_types *types, uint64_t address, struct scopes *scopes);

/** Likewise of another one in the same function; 'count' is 0 if it is not there. */
void precis_scopes_move(struct scopes *scopes, uint64_t address);

/** The entry of the call that returns to an address in these scopes. @return 0 if there is none */
int precis_scopes_call(const struct scopes *scopes, uint64_t return_address, Dwarf_Die *call);

/** The function that such a call calls. @return 0 if that is not known */
int precis_scopes_callee(const struct scopes *scopes, Dwarf_Die *call, Dwarf_Die *callee);

/** A child of a function or of what it specifies or is an instance of, with that tag, from 0. */
int precis_scopes_part(struct precis_data_types *types, const Dwarf_Die *function, unsigned int tag,
		       unsigned int n, Dwarf_Die *part);

/** What a pointer type points to. @return NULL if it is none, or points to nothing that is known */
const struct precis_data_type *precis_scopes_pointed(const struct precis_data_type *type);

#endif
