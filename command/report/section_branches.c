/* SPDX-License-Identifier: BSD-3-Clause */
/* Retired branches and their mispredictions. */
#include "command/validity/validity.h"
#include "sections.h"

void section_branches(struct document *document, const struct collection *collection)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },
		{ "share", "share [95% CI]", 0 },
		{ "mispredicted_samples", "mispredicted", 0 },
		{ "mispredicted", "share of the row's", 0 },
	};
	static const char *const names[BRANCH_GROUPS] = {
		[BRANCH_ALL] = "all branches",   [BRANCH_TAKEN] = "taken",
		[BRANCH_NOT_TAKEN] = "not taken", [BRANCH_RETURN] = "returns",
		[BRANCH_FUSED] = "fused with a compare",
	};
	const struct op_counts *op = &collection->op;

	if (!op->samples)
		return;
	table_begin(document, "branches", "Retired branches (groups overlap)", "branches", columns,
		    4);
	table_about(document, VALIDITY_OPS, TABLE_OF_ALL);
	for (uint32_t i = 1; i <= BRANCH_GROUPS; i++) {
		uint32_t group = i % BRANCH_GROUPS; /* all of them last */
		const struct flag *missed = &op->mispredicted[group];

		if (!op->branches[group] && group != BRANCH_ALL)
			continue;
		row_begin(document, "%s", names[group]);
		cell_count(document, op->branches[group]);
		if (group == BRANCH_ALL)
			row_is_sum(document);
		if (group == BRANCH_ALL)
			cell_absent(document);
		else
			cell_share_by(document, PRECIS_FIELD_BRANCH_TAKEN, op->branches[group],
				      op->branches[BRANCH_ALL]);
		if (missed->known)
			cell_count(document, missed->yes);
		else
			cell_absent(document);
		cell_share_by(document, PRECIS_FIELD_BRANCH_MISPREDICTED, missed->yes,
			      missed->known);
	}
	reasons_tell(&collection->reasons, PRECIS_FIELD_BRANCH_TAKEN, POPULATION_OPS, document);
	reasons_tell(&collection->reasons, PRECIS_FIELD_FUSED_BRANCH, POPULATION_OPS, document);
}
