/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared lines, saved and loaded. */
#ifndef ANALYSIS_SHARING_SAVED_H
#define ANALYSIS_SHARING_SAVED_H

#include "analysis/saving/fields.h"

/* struct analysis: saved, saves. Of one recording */
extern const struct saved_field sharing_saved[];
void sharing_saves(struct saving *saving, void *state);

#endif
