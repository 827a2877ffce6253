/* SPDX-License-Identifier: BSD-3-Clause */
/* See biased.h. */
#include "biased.h"

#include "analysis/mix/bias.h"

uint32_t biased_branches(const struct mix_sightings *sightings, struct mix_place *most)
{
	const struct mix_observations *seen = mix_sightings_seen(sightings);
	double excess = 0;
	uint32_t count = 0;

	for (uint32_t n = 0; n < mix_sightings_places(sightings); n++) {
		if (!mix_branch_is_biased(seen, n))
			continue;
		count++;
		if (mix_branch_excess(seen, n) > excess) {
			excess = mix_branch_excess(seen, n);
			*most = mix_sightings_place(sightings, n);
		}
	}
	return count;
}

int biased_between(const struct mix_sightings *sightings, const struct code_text *text,
		   uint64_t start, uint64_t end)
{
	const struct mix_observations *seen = mix_sightings_seen(sightings);

	for (uint32_t n = 0; n < mix_sightings_places(sightings); n++) {
		const struct mix_place place = mix_sightings_place(sightings, n);

		if (place.text == text && place.offset >= start && place.offset < end &&
		    mix_branch_is_biased(seen, n))
			return 1;
	}
	return 0;
}
