/* SPDX-License-Identifier: BSD-3-Clause */
/* Instruction fetches: how they ended, what they missed, and the instruction TLB. */
#include "definitions.h"
#include "figures.h"
#include "analyses.h"
#include "merge.h"
#include "saving/fields.h"
#include "tlb.h"
#include "topics.h"

enum fetch_outcome { FETCH_COMPLETED, FETCH_GIVEN_UP, FETCH_KILLED, FETCH_UNKNOWN, FETCH_OUTCOMES };

enum { MISS_OPCACHE, MISS_ICACHE, MISS_L2, MISS_L3, FETCH_MISSES };

struct fetch {
	struct weighted samples;
	struct weighted outcome[FETCH_OUTCOMES];
	struct latencies *latency[FETCH_OUTCOMES];
	struct flag missed[FETCH_MISSES];
	struct tlb itlb;
};

static const uint32_t miss_fields[FETCH_MISSES] = {
	[MISS_OPCACHE] = PRECIS_FIELD_OPCACHE_MISS,
	[MISS_ICACHE] = PRECIS_FIELD_ICACHE_MISS,
	[MISS_L2] = PRECIS_FIELD_FETCH_L2_MISS,
	[MISS_L3] = PRECIS_FIELD_FETCH_L3_MISS,
};

static const struct tlb_of itlb = {
	.level = PRECIS_FIELD_ITLB_LEVEL,
	.page = PRECIS_FIELD_FETCH_PAGE_SIZE,
	.refill = PRECIS_FIELD_ITLB_REFILL_LATENCY,
	.name = "itlb",
	.title = "Instruction TLB; cycles that a fetch waited for a refill",
	.all = "all fetches",
	.missed = "fetches that miss the L1 ITLB",
	.walked = "fetches that walk page tables",
	.of = "fetches",
	.topics = TOPIC_FETCHES,
};

static const uint8_t decided[] = {
	PRECIS_FIELD_FETCH_COMPLETED, PRECIS_FIELD_ICACHE_MISS, PRECIS_FIELD_OPCACHE_MISS,
	PRECIS_FIELD_FETCH_L2_MISS,   PRECIS_FIELD_FETCH_L3_MISS, PRECIS_FIELD_ITLB_LEVEL,
	PRECIS_FIELD_FETCH_PAGE_SIZE, FIELDS_END,
};
static const uint8_t numbers[] = { PRECIS_FIELD_FETCH_LATENCY, PRECIS_FIELD_ITLB_REFILL_LATENCY,
				   FIELDS_END };
static const uint8_t explained[] = {
	PRECIS_FIELD_FETCH_COMPLETED, PRECIS_FIELD_FETCH_LATENCY, PRECIS_FIELD_ICACHE_MISS,
	PRECIS_FIELD_OPCACHE_MISS,    PRECIS_FIELD_FETCH_L2_MISS, PRECIS_FIELD_FETCH_L3_MISS,
	PRECIS_FIELD_ITLB_LEVEL,      PRECIS_FIELD_FETCH_PAGE_SIZE,
	PRECIS_FIELD_ITLB_REFILL_LATENCY, FIELDS_END,
};

/*
 * A fetch that was killed before it reached cache and TLB has a state of
 * neither, but a latency. One that has no latency either has no status at all.
 */
static enum fetch_outcome outcome_of(const struct precis_sample *sample)
{
	uint64_t completed, value;

	if (!precis_get_fetch_completed(sample, &completed))
		return FETCH_UNKNOWN;
	if (completed)
		return FETCH_COMPLETED;
	if (precis_get_itlb_level(sample, &value))
		return FETCH_GIVEN_UP;
	return precis_get_fetch_latency(sample, &value) ? FETCH_KILLED : FETCH_UNKNOWN;
}

static struct latencies **number(void *state, const struct sample_group *group, uint32_t n)
{
	struct fetch *fetch = state;

	return n == 0 ? &fetch->latency[outcome_of(group->sample)] :
			tlb_refill(&fetch->itlb, &itlb, group->sample);
}

static int settle(void *state, const struct sample_group *group)
{
	struct fetch *fetch = state;

	weighted_add(&fetch->samples, group->weighted);
	weighted_add(&fetch->outcome[outcome_of(group->sample)], group->weighted);
	tlb_add(&fetch->itlb, &itlb, group->sample, group->weighted);
	for (uint32_t n = 0; n < FETCH_MISSES; n++)
		count_flag(&fetch->missed[n], group->sample, miss_fields[n], group->weighted);
	return 0;
}

static int merge(void *state, void *other, const struct analysis_merge *how)
{
	struct fetch *fetch = state, *others = other;

	(void)how; /* no event is told apart */
	weighted_add(&fetch->samples, &others->samples);
	WEIGHTED_MERGE(fetch->outcome, others->outcome);
	WEIGHTED_MERGE(fetch->missed, others->missed);
	return LATENCIES_MERGE(fetch->latency, others->latency) < 0 ||
			       tlb_merge(&fetch->itlb, &others->itlb) < 0 ? -1 : 0;
}

static void free_state(void *state)
{
	struct fetch *fetch = state;

	latencies_free_all(fetch->latency, FETCH_OUTCOMES);
	tlb_free(&fetch->itlb);
}

static uint32_t key_shares(struct document *document, const void *state)
{
	const struct fetch *fetch = state;

	if (!fetch->samples.samples)
		return 0;
	row_figure(document, "fetches completed", PRECIS_FIELD_FETCH_COMPLETED, "fetches",
		   &fetch->outcome[FETCH_COMPLETED], &fetch->samples);
	row_figure(document, "fetches that miss the op cache", PRECIS_FIELD_OPCACHE_MISS, "fetches",
		   &fetch->missed[MISS_OPCACHE].yes, &fetch->missed[MISS_OPCACHE].known);
	row_figure(document, "fetches that miss the L1I", PRECIS_FIELD_ICACHE_MISS, "fetches",
		   &fetch->missed[MISS_ICACHE].yes, &fetch->missed[MISS_ICACHE].known);
	tlb_key_shares(document, &fetch->itlb, &itlb);
	return TOPIC_FETCHES;
}

static void key_latencies(struct document *document, const void *state)
{
	const struct fetch *fetch = state;

	key_latencies_begin(document, PRECIS_FIELD_FETCH_LATENCY);
	row_key_latency(document, "all fetches", fetch->latency, FETCH_OUTCOMES);
	table_drop_empty(document);
	tlb_key_latencies(document, &fetch->itlb, &itlb);
}

static void findings(struct findings *findings, const void *state)
{
	const struct fetch *fetch = state;
	const struct flag *missed = &fetch->missed[MISS_ICACHE];

	findings_share(findings, FINDING_ID_icache_misses, PRECIS_FIELD_ICACHE_MISS, &missed->yes,
		       &missed->known, "fetches", NULL);
	tlb_findings(findings, FINDING_ID_itlb_walks, &fetch->itlb, &itlb);
}

static void table_outcomes(struct document *document, const struct fetch *fetch,
			   const struct reasons *reasons)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },
		{ "share", "share [95% CI]", 0 },
		LATENCY_COLUMNS,
	};
	static const char *const names[FETCH_OUTCOMES] = {
		[FETCH_COMPLETED] = "completed",
		[FETCH_GIVEN_UP] = "given up",
		[FETCH_KILLED] = "killed",
		[FETCH_UNKNOWN] = "without status",
	};

	table_begin(document, "fetch",
		    "How fetches ended; cycles from start to data or to being given up", "fetches",
		    columns, sizeof(columns) / sizeof(columns[0]));
	table_about(document, TOPIC_FETCHES, TABLE_OF_ALL);
	for (uint32_t outcome = 0; outcome < FETCH_OUTCOMES; outcome++) {
		if (outcome == FETCH_UNKNOWN && !fetch->outcome[outcome].samples)
			continue;
		row_begin(document, "%s", names[outcome]);
		cell_count(document, fetch->outcome[outcome].samples);
		cell_share_by(document, PRECIS_FIELD_FETCH_COMPLETED, &fetch->outcome[outcome],
			      &fetch->samples);
		cells_latency(document, fetch->latency[outcome]);
	}
	row_begin(document, "all fetches");
	row_is_sum(document);
	cell_count(document, fetch->samples.samples);
	cell_absent(document);
	cells_latency_of_all(document, fetch->latency, FETCH_OUTCOMES);
	table_note(document, "killed: before the fetch reached instruction cache and TLB");
	reasons_tell(reasons, PRECIS_FIELD_FETCH_COMPLETED, POPULATION(POPULATION_FETCH), document);
	reasons_tell(reasons, PRECIS_FIELD_FETCH_LATENCY, POPULATION(POPULATION_FETCH), document);
}

static void table_misses(struct document *document, const struct fetch *fetch,
			 const struct reasons *reasons)
{
	static const struct column columns[] = {
		{ "samples", "missed", 0 },
		{ "share", "share [95% CI]", 0 },
		{ "of", "of fetches", COLUMN_OF },
	};

	table_begin(document, "fetch_misses", "What fetches missed", "miss", columns, 3);
	table_about(document, TOPIC_FETCHES, TABLE_OF_ALL);
	for (uint32_t n = 0; n < FETCH_MISSES; n++) {
		const struct flag *flag = &fetch->missed[n];

		row_begin(document, "%s", precis_field_name(miss_fields[n]));
		if (flag->known.samples)
			cell_count(document, flag->yes.samples);
		else
			cell_absent(document);
		cell_share_by(document, miss_fields[n], &flag->yes, &flag->known);
		cell_count(document, flag->known.samples);
		reasons_tell(reasons, miss_fields[n], POPULATION(POPULATION_FETCH), document);
	}
}

static void tables(struct document *document, const void *state, const struct reasons *reasons)
{
	const struct fetch *fetch = state;

	if (!fetch->samples.samples)
		return;
	table_outcomes(document, fetch, reasons);
	table_misses(document, fetch, reasons);
	tlb_table(document, &fetch->itlb, &itlb, reasons, POPULATION(POPULATION_FETCH));
}

static const struct saved_field saved[] = {
	SAVED_WEIGHTED(struct fetch, samples),
	SAVED_WEIGHTED(struct fetch, outcome),
	SAVED_LATENCIES(struct fetch, latency),
	SAVED_WEIGHTED(struct fetch, missed),
	SAVED_WEIGHTED(struct fetch, itlb.samples),
	SAVED_LATENCIES(struct fetch, itlb.refill),
	SAVED_END,
};

const struct analysis analysis_fetch = {
	.name = "fetch",
	.of = ANALYSIS_OF_FETCHES,
	.state_bytes = sizeof(struct fetch),
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
