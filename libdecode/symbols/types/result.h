/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the pointer goes that a call returns: what DWARF says of that variable, member or parameter. */
#ifndef PRECIS_SYMBOLS_TYPES_RESULT_H
#define PRECIS_SYMBOLS_TYPES_RESULT_H

#include "scopes.h"

/** Is that what a block may be? 'data' is the asker's. */
typedef int fits_block(const struct precis_data_type *type, uint32_t evidence, void *data);

/** What becomes of the pointer at last */
struct result_end {
	int is_returned; /* the function was seen to return it; 0 says nothing */
	uint64_t moved; /* behind so many bytes that it keeps for itself */
};

/**
 * Follow the code from a return address on, as far as the instructions are known.
 *
 * @param scopes  of the call; moved
 * @param fits    is asked of each type that is found, until it says yes
 * @param end  filled
 * @return 1 if it said yes
 */
int precis_result_follow(struct scopes *scopes, uint64_t return_address, fits_block *fits,
			 void *data, struct result_end *end);

/** The file whose code was followed is closed. */
void precis_result_close(struct precis_data_types *types);

#endif
