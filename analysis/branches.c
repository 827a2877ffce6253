/* SPDX-License-Identifier: BSD-3-Clause */
/* Retired branches and their mispredictions. */
#include "figures.h"
#include "analyses.h"
#include "findings/findings.h"
#include "merge.h"
#include "saving/fields.h"
#include "topics.h"

/* Groups that overlap */
enum branch_group {
	BRANCH_ALL,
	BRANCH_TAKEN,
	BRANCH_NOT_TAKEN,
	BRANCH_RETURN,
	BRANCH_FUSED,
	BRANCH_GROUPS
};

struct branches {
	struct weighted ops, ops_from_words; /* perf's words do not tell branches */
	struct weighted samples[BRANCH_GROUPS];
	struct flag mispredicted[BRANCH_GROUPS];
};

static const uint8_t decided[] = { PRECIS_FIELD_OP, PRECIS_FIELD_BRANCH_TAKEN,
				   PRECIS_FIELD_BRANCH_MISPREDICTED, PRECIS_FIELD_BRANCH_RETURN,
				   PRECIS_FIELD_FUSED_BRANCH, FIELDS_END };
static const uint8_t explained[] = { PRECIS_FIELD_BRANCH_TAKEN, PRECIS_FIELD_FUSED_BRANCH,
				     FIELDS_END };

static int is_true(const struct precis_sample *sample, enum precis_field field)
{
	uint64_t value;

	return precis_get(sample, field, &value) && value;
}

static int settle(void *state, const struct sample_group *group)
{
	const struct precis_sample *sample = group->sample;
	struct branches *branches = state;
	int is_in[BRANCH_GROUPS] = { 1 };
	uint64_t taken;

	weighted_add(&branches->ops, group->weighted);
	if (sample->source == PRECIS_SOURCE_PERF_WORDS)
		weighted_add(&branches->ops_from_words, group->weighted);
	if (!precis_get_branch_taken(sample, &taken))
		return 0;
	is_in[BRANCH_TAKEN] = taken != 0;
	is_in[BRANCH_NOT_TAKEN] = taken == 0;
	is_in[BRANCH_RETURN] = is_true(sample, PRECIS_FIELD_BRANCH_RETURN);
	is_in[BRANCH_FUSED] = is_true(sample, PRECIS_FIELD_FUSED_BRANCH);
	for (uint32_t n = 0; n < BRANCH_GROUPS; n++) {
		if (!is_in[n])
			continue;
		weighted_add(&branches->samples[n], group->weighted);
		count_flag(&branches->mispredicted[n], sample, PRECIS_FIELD_BRANCH_MISPREDICTED,
			   group->weighted);
	}
	return 0;
}

static int merge(void *state, void *other, const struct analysis_merge *how)
{
	struct branches *branches = state, *others = other;

	(void)how; /* no event is told apart */
	weighted_add(&branches->ops, &others->ops);
	weighted_add(&branches->ops_from_words, &others->ops_from_words);
	WEIGHTED_MERGE(branches->samples, others->samples);
	WEIGHTED_MERGE(branches->mispredicted, others->mispredicted);
	return 0;
}

static uint32_t key_shares(struct document *document, const void *state)
{
	const struct branches *branches = state;
	const struct flag *missed = &branches->mispredicted[BRANCH_ALL];
	const struct weighted told = weighted_rest(&branches->ops, &branches->ops_from_words);

	if (!branches->ops.samples)
		return 0;
	row_figure(document, "retired branches", PRECIS_FIELD_OP, "ops",
		   &branches->samples[BRANCH_ALL], &told);
	row_figure(document, "branches mispredicted", PRECIS_FIELD_BRANCH_MISPREDICTED, "branches",
		   &missed->yes, &missed->known);
	return TOPIC_OPS;
}

static void findings(struct findings *findings, const void *state)
{
	const struct flag *missed = &((const struct branches *)state)->mispredicted[BRANCH_ALL];

	findings_share(findings, FINDING_ID_mispredicted, PRECIS_FIELD_BRANCH_MISPREDICTED, &missed->yes,
		       &missed->known, "branches", NULL);
}

static void row(struct document *document, const struct branches *branches, enum branch_group group)
{
	static const char *const names[BRANCH_GROUPS] = {
		[BRANCH_ALL] = "all branches",   [BRANCH_TAKEN] = "taken",
		[BRANCH_NOT_TAKEN] = "not taken", [BRANCH_RETURN] = "returns",
		[BRANCH_FUSED] = "fused with a compare",
	};
	const struct flag *missed = &branches->mispredicted[group];

	row_begin(document, "%s", names[group]);
	cell_count(document, branches->samples[group].samples);
	if (group == BRANCH_ALL) {
		row_is_sum(document);
		cell_absent(document);
	} else {
		cell_share_by(document, PRECIS_FIELD_BRANCH_TAKEN, &branches->samples[group],
			      &branches->samples[BRANCH_ALL]);
	}
	if (missed->known.samples)
		cell_count(document, missed->yes.samples);
	else
		cell_absent(document);
	cell_share_by(document, PRECIS_FIELD_BRANCH_MISPREDICTED, &missed->yes, &missed->known);
}

static void tables(struct document *document, const void *state, const struct reasons *reasons)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },
		{ "share", "share [95% CI]", 0 },
		{ "mispredicted_samples", "mispredicted", 0 },
		{ "mispredicted", "share of the row's", 0 },
	};
	const struct branches *branches = state;

	if (!branches->ops.samples)
		return;
	table_begin(document, "branches", "Retired branches (groups overlap)", "branches", columns,
		    4);
	table_about(document, TOPIC_OPS, TABLE_OF_ALL);
	for (uint32_t i = 1; i <= BRANCH_GROUPS; i++) {
		uint32_t group = i % BRANCH_GROUPS; /* all of them last */

		if (branches->samples[group].samples || group == BRANCH_ALL)
			row(document, branches, group);
	}
	reasons_tell(reasons, PRECIS_FIELD_BRANCH_TAKEN, POPULATION_OPS, document);
	reasons_tell(reasons, PRECIS_FIELD_FUSED_BRANCH, POPULATION_OPS, document);
}

static const struct saved_field saved[] = {
	SAVED_WEIGHTED(struct branches, ops),
	SAVED_WEIGHTED(struct branches, ops_from_words),
	SAVED_WEIGHTED(struct branches, samples),
	SAVED_WEIGHTED(struct branches, mispredicted),
	SAVED_END,
};

const struct analysis analysis_branches = {
	.name = "branches",
	.of = ANALYSIS_OF_OPS,
	.state_bytes = sizeof(struct branches),
	.decided = decided,
	.explained = explained,
	.settle = settle,
	.merge = merge,
	.saved = saved,
	.key_shares = key_shares,
	.findings = findings,
	.tables = tables,
};
