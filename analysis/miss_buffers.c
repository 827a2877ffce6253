/* SPDX-License-Identifier: BSD-3-Clause */
/* How many miss buffers were in use when a miss was answered, and whose it was. */
#include "figures.h"
#include "analyses.h"
#include "merge.h"
#include "saving/fields.h"
#include "topics.h"

struct miss_buffers {
	uint64_t accesses;
	struct flag own; /* of misses */
	struct latencies *open; /* how many */
};

static const uint8_t decided[] = { PRECIS_FIELD_OP, PRECIS_FIELD_MISS_BUFFER_ALLOCATED, FIELDS_END };
static const uint8_t numbers[] = { PRECIS_FIELD_MISS_BUFFERS_OPEN, FIELDS_END };
static const uint8_t explained[] = { PRECIS_FIELD_MISS_BUFFER_ALLOCATED,
				     PRECIS_FIELD_MISS_BUFFERS_OPEN, FIELDS_END };

static struct latencies **number(void *state, const struct sample_group *group, uint32_t n)
{
	(void)group; /* all go to one */
	(void)n;
	return &((struct miss_buffers *)state)->open;
}

static int settle(void *state, const struct sample_group *group)
{
	struct miss_buffers *buffers = state;

	if (access_of(kind_of(group->sample)) == ACCESS_COUNT)
		return 0;
	buffers->accesses += group->weighted->samples;
	count_flag(&buffers->own, group->sample, PRECIS_FIELD_MISS_BUFFER_ALLOCATED,
		   group->weighted);
	return 0;
}

static int merge(void *state, void *other, const struct analysis_merge *how)
{
	struct miss_buffers *buffers = state, *others = other;

	(void)how; /* no event is told apart */
	buffers->accesses += others->accesses;
	weighted_add(&buffers->own.known, &others->own.known);
	weighted_add(&buffers->own.yes, &others->own.yes);
	return LATENCIES_MERGE(buffers->open, others->open);
}

static void free_state(void *state)
{
	latencies_free_all(&((struct miss_buffers *)state)->open, 1);
}

static uint32_t key_shares(struct document *document, const void *state)
{
	const struct flag *own = &((const struct miss_buffers *)state)->own;

	if (own->known.samples)
		row_figure(document, "misses with their own buffer",
			   PRECIS_FIELD_MISS_BUFFER_ALLOCATED, "misses", &own->yes, &own->known);
	return 0;
}

static void allocation_row(struct document *document, const char *name,
			   const struct weighted *samples, const struct weighted *total)
{
	row_begin(document, "%s", name);
	cell_count(document, samples->samples);
	cell_share_by(document, PRECIS_FIELD_MISS_BUFFER_ALLOCATED, samples, total);
}

static void table_allocation(struct document *document, const struct flag *own,
			     const struct reasons *reasons)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },
		{ "share", "share [95% CI]", 0 },
	};
	const struct weighted others = weighted_rest(&own->known, &own->yes);

	table_begin(document, "miss_buffer_allocation", "Whose miss buffer a miss used", "buffer",
		    columns, 2);
	table_about(document, TOPIC_OPS, TABLE_OF_ALL);
	allocation_row(document, "its own", &own->yes, &own->known);
	allocation_row(document, "another miss's", &others, &own->known);
	row_begin(document, "all misses");
	row_is_sum(document);
	cell_count(document, own->known.samples);
	reasons_tell(reasons, PRECIS_FIELD_MISS_BUFFER_ALLOCATED, POPULATION_MEMORY, document);
}

static double largest_share(const struct latencies *open)
{
	const double factor = latencies_factor(open);
	double largest = 0;

	for (uint32_t value = histogram_next(&open->exact, 0); value < HISTOGRAM_VALUES;
	     value = histogram_next(&open->exact, value + 1)) {
		const struct weighted samples = latencies_at(open, (uint16_t)value, factor);
		double share = weighted_share(&samples, &open->all);

		largest = share > largest ? share : largest;
	}
	return largest;
}

static void rows_occupancy(struct document *document, const struct latencies *open)
{
	const double largest = largest_share(open), factor = latencies_factor(open);

	for (uint32_t value = histogram_next(&open->exact, 0); value < HISTOGRAM_VALUES;
	     value = histogram_next(&open->exact, value + 1)) {
		const struct weighted samples = latencies_at(open, (uint16_t)value, factor);

		row_begin(document, "%u", value);
		cell_count(document, samples.samples);
		cell_share_by(document, PRECIS_FIELD_MISS_BUFFERS_OPEN, &samples, &open->all);
		cell_bar(document, weighted_share(&samples, &open->all) / largest);
	}
}

static void table_occupancy(struct document *document, const struct latencies *open,
			    const struct reasons *reasons)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },
		{ "share", "share [95% CI]", 0 },
		{ NULL, "", COLUMN_LEFT },
	};
	uint64_t total = open ? latencies_count(open) : 0;

	table_begin(document, "miss_buffers", "Miss buffers open when the miss's own was freed",
		    "buffers", columns, 3);
	table_about(document, TOPIC_OPS, TABLE_OF_ALL);
	if (open)
		rows_occupancy(document, open);
	row_begin(document, "all counted");
	row_is_sum(document);
	cell_count(document, total);
	reasons_tell(reasons, PRECIS_FIELD_MISS_BUFFERS_OPEN, POPULATION_MEMORY, document);
}

static void tables(struct document *document, const void *state, const struct reasons *reasons)
{
	const struct miss_buffers *buffers = state;

	if (!buffers->accesses)
		return;
	table_occupancy(document, buffers->open, reasons);
	table_allocation(document, &buffers->own, reasons);
}

static const struct saved_field saved[] = {
	SAVED_U64(struct miss_buffers, accesses),
	SAVED_WEIGHTED(struct miss_buffers, own),
	SAVED_LATENCIES(struct miss_buffers, open),
	SAVED_END,
};

const struct analysis analysis_miss_buffers = {
	.name = "miss_buffers",
	.of = ANALYSIS_OF_OPS,
	.state_bytes = sizeof(struct miss_buffers),
	.decided = decided,
	.numbers = numbers,
	.explained = explained,
	.number = number,
	.settle = settle,
	.merge = merge,
	.saved = saved,
	.free = free_state,
	.key_shares = key_shares,
	.tables = tables,
};
