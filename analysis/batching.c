/* SPDX-License-Identifier: BSD-3-Clause */
/* See batching.h. */
#include "batching.h"

void batching_ask_to_start_over(struct analysis_run *run)
{
	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		run->starts_over |= running->is->starts_over &&
				    running->is->starts_over(running->state);
	}
}

void batching_flush(struct analysis_run *run)
{
	struct sample_batch *batch = &run->batch;

	if (!batch->rows)
		return;
	for (uint32_t n = 0; n < run->count; n++) {
		batch->which = run->running[n].noted;
		if (run->running[n].is->batch &&
		    run->running[n].is->batch(run->running[n].state, batch) < 0)
			run->failed = 1;
	}
	batch->rows = 0;
	batching_ask_to_start_over(run);
}
