/* SPDX-License-Identifier: BSD-3-Clause */
/* What loads and stores of ibs_op have to wait for besides caches and TLBs: findings alone. */
#include "analyses.h"
#include "findings/findings.h"
#include "merge.h"
#include "saving/fields.h"

enum { LOCKED, MISALIGNED, FORWARDING_FAILED, CONDITIONS };

struct accesses {
	struct flag condition[CONDITIONS];
};

static const struct {
	enum precis_field field;
	enum finding_id finding;
	const char *of;
} conditions[CONDITIONS] = {
	[LOCKED] = { PRECIS_FIELD_LOCKED, FINDING_ID_locked, "loads and stores" },
	[MISALIGNED] = { PRECIS_FIELD_MISALIGNED, FINDING_ID_misaligned, "loads and stores" },
	[FORWARDING_FAILED] = { PRECIS_FIELD_STORE_FORWARD_CANCELLED, FINDING_ID_forwarding_failed,
				"loads" },
};

static const uint8_t decided[] = { PRECIS_FIELD_OP, PRECIS_FIELD_LOCKED, PRECIS_FIELD_MISALIGNED,
				   PRECIS_FIELD_STORE_FORWARD_CANCELLED, FIELDS_END };

static int settle(void *state, const struct sample_group *group)
{
	const enum access access = access_of(kind_of(group->sample));
	struct accesses *accesses = state;

	if (access != ACCESS_LOAD && access != ACCESS_STORE)
		return 0;
	for (uint32_t n = 0; n < CONDITIONS; n++)
		count_flag(&accesses->condition[n], group->sample, conditions[n].field,
			   group->weighted);
	return 0;
}

static int merge(void *state, void *other, const struct analysis_merge *how)
{
	struct accesses *accesses = state, *others = other;

	(void)how; /* no event is told apart */
	WEIGHTED_MERGE(accesses->condition, others->condition);
	return 0;
}

static void findings(struct findings *findings, const void *state)
{
	const struct accesses *accesses = state;

	for (uint32_t n = 0; n < CONDITIONS; n++)
		findings_share(findings, conditions[n].finding, conditions[n].field,
			       &accesses->condition[n].yes, &accesses->condition[n].known,
			       conditions[n].of, NULL);
}

static const struct saved_field saved[] = {
	SAVED_WEIGHTED(struct accesses, condition),
	SAVED_END,
};

const struct analysis analysis_accesses = {
	.name = "accesses",
	.of = ANALYSIS_OF_OPS,
	.state_bytes = sizeof(struct accesses),
	.decided = decided,
	.settle = settle,
	.merge = merge,
	.saved = saved,
	.findings = findings,
};
