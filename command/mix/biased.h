/* SPDX-License-Identifier: BSD-3-Clause */
/* Single branches that windows of branch stacks prefer: which, and in which blocks. */
#ifndef COMMAND_MIX_BIASED_H
#define COMMAND_MIX_BIASED_H

#include "mixed.h"

/** How many branches are the oldest of a stack too often. @param most  where that is worst, if any is */
uint32_t biased_branches(const struct mix_sightings *sightings, struct mix_place *most);

/** Is one in [start, end) of a text? */
int biased_between(const struct mix_sightings *sightings, const struct code_text *text,
		   uint64_t start, uint64_t end);

#endif
