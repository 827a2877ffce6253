/* SPDX-License-Identifier: BSD-3-Clause */
/* Where accesses got their data from, and how long that took. */
#include "definitions.h"
#include "figures.h"
#include "analyses.h"
#include "findings/sources.h"
#include "merge.h"
#include "saving/fields.h"
#include "topics.h"

struct memory {
	struct weighted ops, stores;
	struct weighted level[ACCESS_COUNT][LEVELS][REMOTES];
	struct latencies *miss_latency[LEVELS][REMOTES]; /* loads have one */
	struct flag dcache_miss[ACCESS_COUNT];
};

static const uint8_t decided[] = { PRECIS_FIELD_OP, PRECIS_FIELD_MEM_LEVEL, PRECIS_FIELD_MEM_REMOTE,
				   PRECIS_FIELD_DCACHE_MISS, FIELDS_END };
static const uint8_t numbers[] = { PRECIS_FIELD_DCACHE_MISS_LATENCY, FIELDS_END };
static const uint8_t explained[] = { PRECIS_FIELD_MEM_LEVEL, PRECIS_FIELD_MEM_REMOTE,
				     PRECIS_FIELD_DCACHE_MISS_LATENCY, FIELDS_END };

static struct latencies **number(void *state, const struct sample_group *group, uint32_t n)
{
	struct memory *memory = state;

	(void)n; /* there is one */
	return &memory->miss_latency[level_of(group->sample)][remote_of(group->sample)];
}

static int settle(void *state, const struct sample_group *group)
{
	uint32_t kind = kind_of(group->sample);
	enum access access = access_of(kind);
	struct memory *memory = state;

	weighted_add(&memory->ops, group->weighted);
	if (kind == PRECIS_OP_STORE)
		weighted_add(&memory->stores, group->weighted);
	if (access == ACCESS_COUNT)
		return 0;
	weighted_add(&memory->level[access][level_of(group->sample)][remote_of(group->sample)],
		     group->weighted);
	count_flag(&memory->dcache_miss[access], group->sample, PRECIS_FIELD_DCACHE_MISS,
		   group->weighted);
	return 0;
}

static int merge(void *state, void *other, const struct analysis_merge *how)
{
	struct memory *memory = state, *others = other;

	(void)how; /* no event is told apart */
	weighted_add(&memory->ops, &others->ops);
	weighted_add(&memory->stores, &others->stores);
	WEIGHTED_MERGE(memory->level, others->level);
	WEIGHTED_MERGE(memory->dcache_miss, others->dcache_miss);
	return LATENCIES_MERGE(memory->miss_latency, others->miss_latency);
}

static void free_state(void *state)
{
	struct memory *memory = state;

	latencies_free_all(&memory->miss_latency[0][0], LEVELS * REMOTES);
}

/* All samples of one kind of access from one level, of any node */
static struct weighted access_at(const struct memory *memory, enum access access, uint32_t level)
{
	struct weighted samples = { 0 };

	for (uint32_t remote = 0; remote < REMOTES; remote++)
		weighted_add(&samples, &memory->level[access][level][remote]);
	return samples;
}

static struct weighted access_total(const struct memory *memory, enum access access)
{
	struct weighted samples = { 0 };

	for (uint32_t level = 0; level < LEVELS; level++) {
		const struct weighted at = access_at(memory, access, level);

		weighted_add(&samples, &at);
	}
	return samples;
}

/* --- key figures --- */

static const char *const of_misses = "loads that miss the L1";
static const char *const of_levels[LEVELS] = { /* NULL: no key figure */
	[PRECIS_MEM_LEVEL_L2] = "loads from the L2",
	[PRECIS_MEM_LEVEL_LFB] = "loads from an outstanding miss",
	[PRECIS_MEM_LEVEL_L3] = "loads from the L3",
	[PRECIS_MEM_LEVEL_LOCAL_CACHE] = "loads from a cache of the node",
	[PRECIS_MEM_LEVEL_NEAR_CACHE] = "loads from another core complex",
	[PRECIS_MEM_LEVEL_FAR_CACHE] = "loads from a far node's cache",
	[PRECIS_MEM_LEVEL_DRAM] = "loads from DRAM",
	[PRECIS_MEM_LEVEL_PMEM] = "loads from persistent memory",
	[PRECIS_MEM_LEVEL_CXL] = "loads from extension memory",
	[PRECIS_MEM_LEVEL_IO] = "loads from MMIO",
};

static uint32_t key_shares(struct document *document, const void *state)
{
	const struct memory *memory = state;
	const struct flag *missed = &memory->dcache_miss[ACCESS_LOAD];
	const struct weighted loads = access_total(memory, ACCESS_LOAD);

	if (!memory->ops.samples)
		return 0;
	row_figure(document, "loads", PRECIS_FIELD_OP, "ops", &loads, &memory->ops);
	if (loads.samples)
		row_figure(document, of_misses, PRECIS_FIELD_DCACHE_MISS, "loads", &missed->yes,
			   &missed->known);
	for (uint32_t level = 1; level < LEVELS; level++) {
		const struct weighted samples = access_at(memory, ACCESS_LOAD, level);

		if (samples.samples && of_levels[level])
			row_figure(document, of_levels[level], PRECIS_FIELD_MEM_LEVEL, "loads",
				   &samples, &loads);
	}
	row_figure(document, "stores", PRECIS_FIELD_OP, "ops", &memory->stores, &memory->ops);
	return TOPIC_OPS;
}

static void key_latencies(struct document *document, const void *state)
{
	const struct memory *memory = state;

	key_latencies_begin(document, PRECIS_FIELD_DCACHE_MISS_LATENCY);
	row_key_latency(document, of_misses, &memory->miss_latency[0][0], LEVELS * REMOTES);
	for (uint32_t level = 1; level < LEVELS; level++) {
		if (of_levels[level])
			row_key_latency(document, of_levels[level], memory->miss_latency[level],
					REMOTES);
	}
	table_drop_empty(document);
}

static void findings(struct findings *findings, const void *state)
{
	findings_sources(findings, ((const struct memory *)state)->level[ACCESS_LOAD],
			 findings->is_l3_miss_only ? "loads that missed the L3" : "loads");
}

/* --- tables --- */

static const struct column columns[] = {
	{ "samples", "samples", 0 },
	{ "share", "share [95% CI]", 0 },
	LATENCY_COLUMNS,
};

static const struct {
	const char *name, *title, *all;
	size_t column_count; /* latencies are of loads alone */
	uint32_t populations;
} tables_of[ACCESS_COUNT] = {
	[ACCESS_LOAD] = { "load_sources",
			  "Where loads got their data; cycles from miss to data (load, load_store)",
			  "all loads", sizeof(columns) / sizeof(columns[0]), POPULATION_LOADS },
	[ACCESS_STORE] = { "store_sources", "Where stores found their line", "all stores", 2,
			   POPULATION_STORES },
	[ACCESS_PREFETCH] = { "prefetch_sources", "Where software prefetches found their line",
			      "all prefetches", 2, POPULATION_PREFETCHES },
};

static void rows_levels(struct document *document, const struct memory *memory, enum access access,
			const struct weighted *total)
{
	for (uint32_t i = 1; i <= LEVELS; i++) {
		uint32_t level = i % LEVELS; /* "not reported" is the last */

		for (uint32_t remote = 0; remote < REMOTES; remote++) {
			const struct weighted *samples = &memory->level[access][level][remote];

			if (!samples->samples)
				continue;
			row_level(document, "", level, remote);
			cell_count(document, samples->samples);
			cell_share_by(document, PRECIS_FIELD_MEM_LEVEL, samples, total);
			if (access == ACCESS_LOAD)
				cells_latency(document, memory->miss_latency[level][remote]);
		}
	}
}

static void table_of(struct document *document, const struct memory *memory, enum access access,
		     const struct reasons *reasons)
{
	const struct weighted total = access_total(memory, access);

	table_begin(document, tables_of[access].name, tables_of[access].title, "level/node", columns,
		    tables_of[access].column_count);
	table_about(document, TOPIC_OPS, TABLE_OF_ALL);
	rows_levels(document, memory, access, &total);
	row_begin(document, "%s", tables_of[access].all);
	row_is_sum(document);
	cell_count(document, total.samples);
	cell_absent(document);
	if (access == ACCESS_LOAD)
		cells_latency_of_all(document, &memory->miss_latency[0][0], LEVELS * REMOTES);
	reasons_tell(reasons, PRECIS_FIELD_MEM_LEVEL, tables_of[access].populations, document);
	if (access != ACCESS_LOAD)
		return;
	reasons_tell(reasons, PRECIS_FIELD_MEM_REMOTE, POPULATION_LOADS, document);
	reasons_tell(reasons, PRECIS_FIELD_DCACHE_MISS_LATENCY, POPULATION_LOADS, document);
}

static void tables(struct document *document, const void *state, const struct reasons *reasons)
{
	for (uint32_t access = 0; access < ACCESS_COUNT; access++) {
		if (access_total(state, access).samples)
			table_of(document, state, access, reasons);
	}
}

static const struct saved_field saved[] = {
	SAVED_WEIGHTED(struct memory, ops),
	SAVED_WEIGHTED(struct memory, stores),
	SAVED_WEIGHTED(struct memory, level),
	SAVED_LATENCIES(struct memory, miss_latency),
	SAVED_WEIGHTED(struct memory, dcache_miss),
	SAVED_END,
};

const struct analysis analysis_memory = {
	.name = "memory",
	.of = ANALYSIS_OF_OPS,
	.state_bytes = sizeof(struct memory),
	.decided = decided,
	.numbers = numbers,
	.explained = explained,
	.number = number,
	.settle = settle,
	.merge = merge,
	.saved = saved,
	.free = free_state,
	.key_shares = key_shares,
	.key_latencies = key_latencies,
	.findings = findings,
	.tables = tables,
};
