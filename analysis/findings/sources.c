/* SPDX-License-Identifier: BSD-3-Clause */
/* See sources.h. */
#include "sources.h"

static struct weighted from_level(const struct weighted levels[LEVELS][REMOTES], uint32_t level)
{
	struct weighted samples = { 0 };

	for (uint32_t remote = 0; remote < REMOTES; remote++)
		weighted_add(&samples, &levels[level][remote]);
	return samples;
}

void findings_sources(struct findings *findings, const struct weighted levels[LEVELS][REMOTES],
		      const char *of)
{
	const struct weighted *nodes = levels[PRECIS_MEM_LEVEL_DRAM];
	const struct weighted remote =
		weighted_sum_of(&nodes[PRECIS_MEM_REMOTE_NODE], &nodes[PRECIS_MEM_REMOTE_SOCKET]);
	const struct weighted dram = from_level(levels, PRECIS_MEM_LEVEL_DRAM);
	const struct weighted lfb = from_level(levels, PRECIS_MEM_LEVEL_LFB);
	const struct weighted near = from_level(levels, PRECIS_MEM_LEVEL_NEAR_CACHE);
	const struct weighted far = from_level(levels, PRECIS_MEM_LEVEL_FAR_CACHE);
	const struct weighted others = weighted_sum_of(&near, &far);
	struct weighted loads = { 0 };

	for (uint32_t level = 0; level < LEVELS; level++) {
		const struct weighted at = from_level(levels, level);

		weighted_add(&loads, &at);
	}
	findings_share(findings, FINDING_ID_remote_dram, PRECIS_FIELD_MEM_REMOTE, &remote, &loads, of,
		       NULL);
	if (!findings->is_l3_miss_only) /* then it is in the nature of things */
		findings_share(findings, FINDING_ID_dram, PRECIS_FIELD_MEM_LEVEL, &dram, &loads, of,
			       NULL);
	findings_share(findings, FINDING_ID_hidden_sources, PRECIS_FIELD_MEM_LEVEL, &lfb, &loads, of,
		       NULL);
	findings_share(findings, FINDING_ID_other_caches, PRECIS_FIELD_MEM_LEVEL, &others, &loads, of,
		       NULL);
}
