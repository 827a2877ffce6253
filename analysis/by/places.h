/* SPDX-License-Identifier: BSD-3-Clause */
/* Where an address of code is: its file, function and line, found once and kept for a while. */
#ifndef ANALYSIS_BY_PLACES_H
#define ANALYSIS_BY_PLACES_H

#include "state.h"

/*
 * @param owner  a process, or MODEL_KERNEL
 * @param epoch  which program it ran, see model_epoch()
 */
struct by_place by_place_at(struct by *by, uint32_t owner, uint32_t epoch, uint32_t mode,
			    uint64_t address);

/* That of a sample's instruction, which has fields of BY_SYMBOL */
struct by_place by_place_of(struct by *by, const struct sample_batch *batch, uint32_t row);

#endif
