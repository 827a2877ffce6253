/* SPDX-License-Identifier: BSD-3-Clause */
/* Places of a run, saved and loaded. */
#ifndef ANALYSIS_TOP_SAVED_H
#define ANALYSIS_TOP_SAVED_H

struct saving;

/* struct analysis: saves */
void top_saves(struct saving *saving, void *state);

#endif
