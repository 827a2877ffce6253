/* SPDX-License-Identifier: BSD-3-Clause */
/* See figures.h. */
#include "figures.h"

#include "definitions.h"
#include "kinds.h"

const char *name_of_kind(uint32_t kind)
{
	return kind == OP_UNTOLD ? "not reported" : precis_type_value_name(PRECIS_TYPE_OP, kind);
}

void row_figure(struct document *document, const char *name, enum precis_field field,
		const char *of, const struct weighted *part, const struct weighted *whole)
{
	row_begin(document, "%s", name);
	cell_share_by(document, field, part, whole);
	cell_of(document, whole, of);
}

void row_level(struct document *document, const char *before, uint32_t level, uint32_t remote)
{
	const char *name = precis_type_value_name(PRECIS_TYPE_MEM_LEVEL, level);

	if (!level || !name)
		name = "not reported";
	if (remote == REMOTE_ABSENT)
		row_begin(document, "%s%s", before, name);
	else
		row_begin(document, "%s%s/%s", before, name,
			  precis_type_value_name(PRECIS_TYPE_MEM_REMOTE, remote));
	if (!level && remote == REMOTE_ABSENT)
		row_is_untold(document);
}

void key_latencies_begin(struct document *document, enum precis_field field)
{
	static const struct column columns[] = { KEY_LATENCY_COLUMNS };
	const struct latency_definition *definition = latency_definition(field);

	table_continue(document, definition->summary, definition->heading, columns,
		       sizeof(columns) / sizeof(columns[0]));
	table_about(document, definition->topics, TABLE_OF_ALL);
}

static void sum_up(struct document *document, struct latencies *sum,
		   struct latencies *const *latencies, size_t count)
{
	*sum = (struct latencies){ 0 };
	for (size_t i = 0; i < count; i++) {
		if (latencies[i] && latencies_merge(sum, latencies[i]) < 0)
			document->failed = 1;
	}
}

void row_key_latency(struct document *document, const char *name,
		     struct latencies *const *latencies, size_t count)
{
	struct latencies sum;

	sum_up(document, &sum, latencies, count);
	if (latencies_count(&sum)) {
		row_begin(document, "%s", name);
		cells_latencies_in_short(document, &sum);
	}
	latencies_free(&sum);
}

void cells_latency(struct document *document, const struct latencies *latencies)
{
	static const struct latencies none;

	cells_latencies(document, latencies ? latencies : &none);
}

void cells_latency_of_all(struct document *document, struct latencies *const *latencies,
			  size_t count)
{
	struct latencies sum;

	sum_up(document, &sum, latencies, count);
	cells_latencies(document, &sum);
	latencies_free(&sum);
}
