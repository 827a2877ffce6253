/* SPDX-License-Identifier: BSD-3-Clause */
/* What several threads saw, each a part of all, becomes what one would have seen. */
#ifndef ANALYSIS_MIX_JOINING_H
#define ANALYSIS_MIX_JOINING_H

#include "seer.h"

/**
 * @param seers  '*count' of them, of which only the first is left, to be settled. Events' streams are counted
 *               up by what all had
 * @return 0, or -1: memory is short
 */
int joining_of(struct mix_locating *locating, struct mix_seer *seers, uint32_t *count);

#endif
