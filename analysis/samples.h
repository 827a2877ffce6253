/* SPDX-License-Identifier: BSD-3-Clause */
/* Which samples there are: how many of what, when, of which periods, and what is wrong with some. */
#ifndef ANALYSIS_SAMPLES_H
#define ANALYSIS_SAMPLES_H

#include "analyses.h"

#define PERIOD_UNITS (PRECIS_PERIOD_UNIT_FETCHES + 2) /* the last: not reported */

/* Those of one IBS unit that could be decoded */
struct unit_samples {
	uint64_t count;
	uint32_t cores; /* that they can be of; 0: no sample tells */
	struct flag l3_miss_only;
};

struct samples {
	int has_periods; /* samples have periods of their own */
	uint64_t all;
	struct unit_samples ops, fetches;
	uint64_t ops_from_words; /* of the ops: no registers, but what the kernel made of them */
	uint64_t period_unit[PERIOD_UNITS]; /* of ops */
	uint64_t pebs;
	uint64_t pebs_unmatched; /* of these: out of the AUX area, of no known event */
	uint64_t others; /* of events that carry nothing precise */
	struct reasons undecodable; /* why samples of IBS events are none of the above */
	uint64_t first_time, last_time; /* ns; first > last: no sample has a time */
	uint64_t least_period, most_period; /* least > most: not known */
};

#endif
