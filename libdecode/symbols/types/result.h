/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the pointer goes that a call gives: what DWARF says of that variable, member or parameter. */
#ifndef PRECIS_SYMBOLS_TYPES_RESULT_H
#define PRECIS_SYMBOLS_TYPES_RESULT_H

#include "followed.h"
#include "scopes.h"

/** Is that what a block may be? 'data' is the asker's. */
typedef int fits_block(const struct precis_data_type *type, uint32_t evidence, enum block_part part,
		       void *data);

/** How a call gives a block: as what it returns, or by argument n, from 0, which points to where it is put */
#define GIVEN_RETURNED UINT32_MAX
#define GIVEN_ARGUMENTS 6u /* so many are in registers */

/**
 * Follow the code from a return address on, as far as the instructions are known.
 *
 * @param scopes  of the call; moved
 * @param given   GIVEN_RETURNED, or the number of an argument of the call
 * @param fits    is asked of each type that is found, until it says yes
 * @param end  filled
 * @return 1 if it said yes
 */
int precis_result_follow(struct scopes *scopes, uint64_t return_address, uint32_t given,
			 fits_block *fits, void *data, struct result_end *end);

#endif
