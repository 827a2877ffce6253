/* SPDX-License-Identifier: BSD-3-Clause */
/* How a run of analyses counts samples: numbers one by one, all else by groups (groups.h). */
#ifndef ANALYSIS_COUNTING_H
#define ANALYSIS_COUNTING_H

#include "run_state.h"

/* The sample that the input handed out last, decoded for what was wanted. */
void analysis_run_sample(struct analysis_run *run, struct precis_input *input,
			 const struct precis_item *item, const struct precis_sample *sample);

/*
 * Samples that come next in front of the offset 'until', of which nobody needs to know anything but
 * this run, many at once. 'wanted' is as samples are decoded for otherwise. How many; 0: the next
 * one is to be asked of the input, and to be told by analysis_run_sample().
 */
uint32_t analysis_run_take(struct analysis_run *run, struct precis_input *input,
			   const uint64_t wanted[PRECIS_FIELD_WORDS], uint64_t until);

#endif
