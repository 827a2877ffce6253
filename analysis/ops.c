/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sampled ops do. */
#include "figures.h"
#include "analyses.h"
#include "merge.h"
#include "saving/fields.h"
#include "topics.h"

struct ops {
	struct weighted all;
	struct weighted kind[OP_KINDS];
};

static const uint8_t fields[] = { PRECIS_FIELD_OP, FIELDS_END };

static int settle(void *state, const struct sample_group *group)
{
	struct ops *ops = state;

	weighted_add(&ops->all, group->weighted);
	weighted_add(&ops->kind[kind_of(group->sample)], group->weighted);
	return 0;
}

static int merge(void *state, void *other, const struct analysis_merge *how)
{
	struct ops *ops = state, *others = other;

	(void)how; /* no event is told apart */
	weighted_add(&ops->all, &others->all);
	WEIGHTED_MERGE(ops->kind, others->kind);
	return 0;
}

static void tables(struct document *document, const void *state, const struct reasons *reasons)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },
		{ "share", "share [95% CI]", 0 },
	};
	const struct ops *ops = state;

	if (!ops->all.samples)
		return;
	table_begin(document, "ops", "Ops by kind (micro-ops, not instructions)", "op", columns, 2);
	table_about(document, TOPIC_OPS, TABLE_OF_ALL);
	for (uint32_t kind = PRECIS_OP_LOAD; kind <= OP_KINDS; kind++) {
		uint32_t at = kind % OP_KINDS; /* "other" is the last */

		if (!ops->kind[at].samples)
			continue;
		row_begin(document, "%s", name_of_kind(at));
		if (at == OP_UNTOLD)
			row_is_untold(document);
		cell_count(document, ops->kind[at].samples);
		cell_share_by(document, PRECIS_FIELD_OP, &ops->kind[at], &ops->all);
	}
	row_begin(document, "all ops");
	row_is_sum(document);
	cell_count(document, ops->all.samples);
	if (ops->kind[OP_UNTOLD].samples)
		reasons_tell(reasons, PRECIS_FIELD_OP, POPULATION_OPS, document);
}

static const struct saved_field saved[] = {
	SAVED_WEIGHTED(struct ops, all),
	SAVED_WEIGHTED(struct ops, kind),
	SAVED_END,
};

const struct analysis analysis_ops = {
	.name = "ops",
	.of = ANALYSIS_OF_OPS,
	.state_bytes = sizeof(struct ops),
	.decided = fields,
	.explained = fields,
	.settle = settle,
	.merge = merge,
	.saved = saved,
	.tables = tables,
};
