/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples told apart, saved and loaded. */
#ifndef ANALYSIS_BY_SAVED_H
#define ANALYSIS_BY_SAVED_H

struct saving;

/*
 * struct analysis: saves. Of one recording that was not compared; keys and columns are those it was
 * counted by
 */
void by_saves(struct saving *saving, void *state);

#endif
