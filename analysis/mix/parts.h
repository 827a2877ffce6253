/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which blocks of a large program are estimated together. One system of all blocks may cost more than in
 * proportion to their number, and a recording can have any number of them. Blocks between which control
 * went most often are together; what connects parts is the rest.
 */
#ifndef ANALYSIS_MIX_PARTS_H
#define ANALYSIS_MIX_PARTS_H

#include "gathered.h"

#define PARTS_FROM 20000u /* blocks; programs of fewer are one part */
#define PARTS_MOST 2048u  /* blocks of one part */

/** @return by block: the number of a block in its part, the same for all of it; NULL: memory is short */
uint32_t *parts_of(const struct gathered *gathered, uint32_t from, uint32_t most);

#endif
