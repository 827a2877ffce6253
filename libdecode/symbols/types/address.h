/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a variable lies, by its DWARF expression: a fixed address, or a place in the thread's storage. */
#ifndef PRECIS_SYMBOLS_TYPES_ADDRESS_H
#define PRECIS_SYMBOLS_TYPES_ADDRESS_H

#include "model.h"

/**
 * @param variable  'address' and 'is_thread' are set
 * @return 0 if it has none, or one that is worked out by the program
 */
int precis_address_of(struct precis_data_types *types, const struct unit *unit, Dwarf_Die *die,
		      struct variable *variable);

/** The constant that an expression adds to what it is given, as DW_OP_plus_uconst. @return 0: it does more */
int precis_address_offset(struct line_bytes expression, uint64_t *offset);

#endif
