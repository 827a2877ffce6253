/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the run's batch that wait for the analyses. */
#ifndef ANALYSIS_BATCHING_H
#define ANALYSIS_BATCHING_H

#include "run_state.h"

/* They go to the analyses, before whatever else these are told. */
void batching_flush(struct analysis_run *run);

/* Has one of the analyses found that records come too late? Sets run->starts_over. */
void batching_ask_to_start_over(struct analysis_run *run);

#endif
