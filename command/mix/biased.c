/* SPDX-License-Identifier: BSD-3-Clause */
/* See biased.h. */
#include "biased.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/mix/bias.h"

int biased_find(struct biased *biased, const struct mix_sightings *sightings)
{
	const struct mix_observations *seen = mix_sightings_seen(sightings);
	const uint32_t places = mix_sightings_places(sightings);
	double worst = 0;

	*biased = (struct biased){ .place = NULL };
	for (uint32_t n = 0; n < places; n++)
		biased->count += (uint32_t)mix_branch_is_biased(seen, n);
	biased->place = malloc((biased->count + 1) * sizeof(*biased->place));
	if (!biased->place)
		return -1;
	biased->count = 0;
	for (uint32_t n = 0; n < places; n++) {
		const double excess = mix_branch_excess(seen, n);
		struct mix_place *next = &biased->place[biased->count];

		if (!mix_branch_is_biased(seen, n))
			continue;
		biased->count++;
		*next = mix_sightings_place(sightings, n);
		if (excess > worst) {
			const struct mix_place first = biased->place[0];

			worst = excess;
			biased->place[0] = *next;
			*next = first;
		}
	}
	return 0;
}

void biased_free(struct biased *biased)
{
	free(biased->place);
	memset(biased, 0, sizeof(*biased));
}

int biased_between(const struct biased *biased, const struct code_text *text, uint64_t start,
		   uint64_t end)
{
	for (uint32_t n = 0; n < biased->count; n++) {
		const struct mix_place *place = &biased->place[n];

		if (place->text == text && place->offset >= start && place->offset < end)
			return 1;
	}
	return 0;
}
