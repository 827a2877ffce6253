/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What samples weigh: the period of each where it has one (perf record -F, --period), the event's where
 * that is fixed. Of a sample that has none, or of no known event, it is not known.
 */
#ifndef ANALYSIS_WEIGHTS_H
#define ANALYSIS_WEIGHTS_H

#include <precis/precis.h>

/* How samples of an event weigh: 0, or one of the weights that all samples of some events have */
#define WEIGHT_OWN 0u
#define WEIGHTS_MOST 64u
#define WEIGHT_UNSEEN WEIGHTS_MOST /* no sample so far */

/* Zeroed memory has none. */
struct weights {
	uint64_t fixed[WEIGHTS_MOST + 1]; /* 0: not known */
	uint32_t count; /* of these from 1 on */
	uint64_t own; /* that all samples with a period of their own have had so far; 0: none had one */
	int own_differ;
	uint8_t *of_event; /* by number in the recording; 0: not asked so far, else one more */
	uint32_t known;
};

/*
 * Of the event's samples, NULL being none. Beyond WEIGHTS_MOST different weights they are not known.
 * Where memory is short it is asked anew for each sample.
 */
uint32_t weights_of_event(struct weights *weights, const struct precis_event *event);

/*
 * Of samples that come next and have these periods of their own: as long as all have had the same, they
 * weigh alike, which costs less. UINT64_MAX: a sample lacks it
 */
uint32_t weights_of_own(struct weights *weights, const uint64_t *periods, uint32_t count);

/* Has each sample of the event a period of its own? */
int weights_are_own(const struct precis_event *event);

void weights_free(struct weights *weights);

/* May samples of the recording have weights of their own? Events of a pipe are not known beforehand. */
int weights_may_vary(const struct precis_input *input);

#endif
