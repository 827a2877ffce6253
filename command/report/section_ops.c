/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sampled ops do. */
#include "figures.h"
#include "sections.h"

void section_ops(struct document *document, const struct collection *collection)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },
		{ "share", "share [95% CI]", 0 },
	};
	const struct op_counts *op = &collection->op;

	if (!op->samples)
		return;
	table_begin(document, "ops", "Ops by kind (micro-ops, not instructions)", "op", columns, 2);
	table_about(document, VALIDITY_OPS, TABLE_OF_ALL);
	for (uint32_t kind = PRECIS_OP_LOAD; kind <= OP_KINDS; kind++) {
		uint32_t at = kind % OP_KINDS; /* "other" is the last */

		if (!op->kind[at])
			continue;
		row_begin(document, "%s", name_of_kind(at));
		if (at == OP_UNTOLD)
			row_is_untold(document);
		cell_count(document, op->kind[at]);
		cell_share_by(document, PRECIS_FIELD_OP, op->kind[at], op->samples);
	}
	row_begin(document, "all ops");
	row_is_sum(document);
	cell_count(document, op->samples);
	if (op->kind[OP_UNTOLD])
		reasons_tell(&collection->reasons, PRECIS_FIELD_OP, POPULATION_OPS, document);
}
