/* SPDX-License-Identifier: BSD-3-Clause */
/* The combination of groups that a sample is of (groups.h), and making those that are new. */
#ifndef ANALYSIS_COMBINING_H
#define ANALYSIS_COMBINING_H

#include "run_state.h"

/* What is known of where a sample comes from, beside itself */
struct origin {
	struct precis_input *input;
	uint32_t place, is_exact;
	uint32_t row; /* of the input's run, from 1; 0: it was handed out by itself */
	uint32_t weight; /* of weights.h */
};

static inline uint32_t origin_part(const struct origin *origin)
{
	return origin->place << 1 | origin->is_exact;
}

static inline struct recent *recent_set(const struct analysis_run *run, const struct group_key *key)
{
	return &run->recent[RECENT_WAYS * group_home(key, RECENT_SETS_LOG2)];
}

/* The combination of samples with these bits, if it was looked for not long ago; NULL */
static inline struct combination *combination_recent(const struct analysis_run *run,
						     const struct group_key *bits)
{
	const struct recent *recent = recent_set(run, bits);

	for (uint32_t n = 0; n < RECENT_WAYS; n++) {
		if (group_keys_equal(&recent[n].key, bits) &&
		    recent[n].generation == run->generation)
			return &run->combinations[recent[n].combination];
	}
	return NULL;
}

/*
 * The same, however long that is ago; a new one has no samples yet. 'sample' was decoded for what is
 * wanted of each; NULL: it is one of a run, and the caller remembers it (seen.h). Rows that wait may be
 * told to the analyses before.
 */
struct combination *combination_find(struct analysis_run *run, const struct group_key *bits,
				     const struct origin *origin, const struct precis_sample *sample);

/*
 * If samples of that weight are the first that do not weigh what all weighed so far: from here on numbers are
 * weighed. Rows that wait may be told to the analyses before.
 */
void combining_heed_weight(struct analysis_run *run, uint32_t weight);

/* What came so far goes to the analyses; run->starts_over may be set by it. */
void combining_settle(struct analysis_run *run);

#endif
