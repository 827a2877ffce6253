/* SPDX-License-Identifier: BSD-3-Clause */
/* How many miss buffers were in use when a miss was answered, and whose it was. */
#include "figures.h"
#include "sections.h"

static void allocation_row(struct document *document, const char *name, uint64_t samples,
			   uint64_t total)
{
	row_begin(document, "%s", name);
	cell_count(document, samples);
	cell_share_by(document, PRECIS_FIELD_MISS_BUFFER_ALLOCATED, samples, total);
}

static void table_allocation(struct document *document, const struct collection *collection)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },
		{ "share", "share [95% CI]", 0 },
	};
	const struct flag *own = &collection->op.own_buffer;

	table_begin(document, "miss_buffer_allocation", "Whose miss buffer a miss used", "buffer",
		    columns, 2);
	table_about(document, VALIDITY_OPS, TABLE_OF_ALL);
	allocation_row(document, "its own", own->yes, own->known);
	allocation_row(document, "another miss's", own->known - own->yes, own->known);
	row_begin(document, "all misses");
	row_is_sum(document);
	cell_count(document, own->known);
	reasons_tell(&collection->reasons, PRECIS_FIELD_MISS_BUFFER_ALLOCATED, POPULATION_MEMORY,
		     document);
}

static uint64_t largest_count(const struct histogram *histogram)
{
	uint64_t largest = 0;
	uint32_t value;

	for (value = histogram_next(histogram, 0); value < HISTOGRAM_VALUES;
	     value = histogram_next(histogram, value + 1)) {
		uint64_t count = histogram_count(histogram, (uint16_t)value);

		largest = count > largest ? count : largest;
	}
	return largest;
}

static void table_occupancy(struct document *document, const struct collection *collection)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },
		{ "share", "share [95% CI]", 0 },
		{ NULL, "", COLUMN_LEFT },
	};
	const struct histogram *buffers = collection->op.buffers;
	struct histogram_summary summary = { 0 };
	uint64_t largest = 0;
	uint32_t value;

	table_begin(document, "miss_buffers", "Miss buffers open when the miss's own was freed",
		    "buffers", columns, 3);
	table_about(document, VALIDITY_OPS, TABLE_OF_ALL);
	if (buffers) {
		histogram_summarize(buffers, &summary);
		largest = largest_count(buffers);
		for (value = histogram_next(buffers, 0); value < HISTOGRAM_VALUES;
		     value = histogram_next(buffers, value + 1)) {
			uint64_t count = histogram_count(buffers, (uint16_t)value);

			row_begin(document, "%u", value);
			cell_count(document, count);
			cell_share_by(document, PRECIS_FIELD_MISS_BUFFERS_OPEN, count,
				      summary.count);
			cell_bar(document, (double)count / (double)largest);
		}
	}
	row_begin(document, "all counted");
	row_is_sum(document);
	cell_count(document, summary.count);
	reasons_tell(&collection->reasons, PRECIS_FIELD_MISS_BUFFERS_OPEN, POPULATION_MEMORY,
		     document);
}

void section_miss_buffers(struct document *document, const struct collection *collection)
{
	if (!tlb_total(&collection->op.tlb))
		return;
	table_occupancy(document, collection);
	table_allocation(document, collection);
}
