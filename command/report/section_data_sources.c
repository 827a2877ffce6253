/* SPDX-License-Identifier: BSD-3-Clause */
/* Where accesses got their data from, and how long that took. */
#include "figures.h"
#include "sections.h"

static const struct column columns[] = {
	{ "samples", "samples", 0 },
	{ "share", "share [95% CI]", 0 },
	LATENCY_COLUMNS,
};

static const struct {
	const char *name, *title, *all;
	size_t column_count; /* latencies are of loads alone */
	uint32_t populations;
} tables[ACCESS_COUNT] = {
	[ACCESS_LOAD] = { "load_sources",
			  "Where loads got their data; cycles from miss to data (load, load_store)",
			  "all loads", sizeof(columns) / sizeof(columns[0]), POPULATION_LOADS },
	[ACCESS_STORE] = { "store_sources", "Where stores found their line", "all stores", 2,
			   POPULATION_STORES },
	[ACCESS_PREFETCH] = { "prefetch_sources", "Where software prefetches found their line",
			      "all prefetches", 2, POPULATION_PREFETCHES },
};

static void add_table(struct document *document, const struct collection *collection,
		      enum access access)
{
	const struct op_counts *op = &collection->op;
	uint64_t total = access_total(op, access);
	struct histogram sum;

	table_begin(document, tables[access].name, tables[access].title, "level/node", columns,
		    tables[access].column_count);
	table_about(document, VALIDITY_OPS, TABLE_OF_ALL);
	for (uint32_t i = 1; i <= LEVELS; i++) {
		uint32_t level = i % LEVELS; /* "not reported" is the last */

		for (uint32_t remote = 0; remote < REMOTES; remote++) {
			uint64_t samples = op->level[access][level][remote];

			if (!samples)
				continue;
			row_level(document, "", level, remote);
			cell_count(document, samples);
			cell_share_by(document, PRECIS_FIELD_MEM_LEVEL, samples, total);
			if (access == ACCESS_LOAD)
				cells_latency(document, op->miss_latency[level][remote]);
		}
	}
	row_begin(document, "%s", tables[access].all);
	row_is_sum(document);
	cell_count(document, total);
	cell_absent(document);
	if (access == ACCESS_LOAD) {
		sum_of_histograms(document, &sum, &op->miss_latency[0][0], LEVELS * REMOTES);
		cells_latency(document, &sum);
		histogram_free(&sum);
	}
	reasons_tell(&collection->reasons, PRECIS_FIELD_MEM_LEVEL, tables[access].populations,
		     document);
	if (access != ACCESS_LOAD)
		return;
	reasons_tell(&collection->reasons, PRECIS_FIELD_MEM_REMOTE, POPULATION_LOADS, document);
	reasons_tell(&collection->reasons, PRECIS_FIELD_DCACHE_MISS_LATENCY, POPULATION_LOADS,
		     document);
}

void section_data_sources(struct document *document, const struct collection *collection)
{
	for (uint32_t access = 0; access < ACCESS_COUNT; access++) {
		if (access_total(&collection->op, access))
			add_table(document, collection, access);
	}
}
