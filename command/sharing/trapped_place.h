/* SPDX-License-Identifier: BSD-3-Clause */
/* Which instruction of a running program a trap came behind. */
#ifndef SHARING_TRAPPED_PLACE_H
#define SHARING_TRAPPED_PLACE_H

#include <precis/precis.h>

/*
 * Its function is read from its start, out of the file that ran, up to the instruction that ends there.
 *
 * @param next_ip  what would have been executed next
 * @param does     set to ACCESS_*, or 0 where the place is not known
 * @return its address; 0: not known. It jumped there, or accesses no memory, or there is no such function
 */
uint64_t trapped_place(struct precis_symbols *symbols, uint32_t pid, uint64_t next_ip,
		       uint16_t *does);

#endif
