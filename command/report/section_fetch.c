/* SPDX-License-Identifier: BSD-3-Clause */
/* Instruction fetches: how they ended, what they missed, and the instruction TLB. */
#include "figures.h"
#include "sections.h"

static void table_outcomes(struct document *document, const struct collection *collection)
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
	const struct fetch_counts *fetch = &collection->fetch;
	struct histogram sum;

	table_begin(document, "fetch",
		    "How fetches ended; cycles from start to data or to being given up", "fetches",
		    columns, sizeof(columns) / sizeof(columns[0]));
	table_about(document, VALIDITY_FETCHES, TABLE_OF_ALL);
	for (uint32_t outcome = 0; outcome < FETCH_OUTCOMES; outcome++) {
		if (outcome == FETCH_UNKNOWN && !fetch->outcome[outcome])
			continue;
		row_begin(document, "%s", names[outcome]);
		cell_count(document, fetch->outcome[outcome]);
		cell_share_by(document, PRECIS_FIELD_FETCH_COMPLETED, fetch->outcome[outcome],
			      fetch->samples);
		cells_latency(document, fetch->latency[outcome]);
	}
	row_begin(document, "all fetches");
	row_is_sum(document);
	cell_count(document, fetch->samples);
	cell_absent(document);
	sum_of_histograms(document, &sum, fetch->latency, FETCH_OUTCOMES);
	cells_latency(document, &sum);
	histogram_free(&sum);
	table_note(document, "killed: before the fetch reached instruction cache and TLB");
	reasons_tell(&collection->reasons, PRECIS_FIELD_FETCH_COMPLETED,
		     POPULATION(POPULATION_FETCH), document);
	reasons_tell(&collection->reasons, PRECIS_FIELD_FETCH_LATENCY, POPULATION(POPULATION_FETCH),
		     document);
}

static void table_misses(struct document *document, const struct collection *collection)
{
	static const struct column columns[] = {
		{ "samples", "missed", 0 },
		{ "share", "share [95% CI]", 0 },
		{ "of", "of fetches", COLUMN_OF },
	};
	const struct fetch_counts *fetch = &collection->fetch;
	const struct {
		uint32_t field;
		const struct flag *flag;
	} misses[] = {
		{ PRECIS_FIELD_OPCACHE_MISS, &fetch->opcache_miss },
		{ PRECIS_FIELD_ICACHE_MISS, &fetch->icache_miss },
		{ PRECIS_FIELD_FETCH_L2_MISS, &fetch->l2_miss },
		{ PRECIS_FIELD_FETCH_L3_MISS, &fetch->l3_miss },
	};

	table_begin(document, "fetch_misses", "What fetches missed", "miss", columns, 3);
	table_about(document, VALIDITY_FETCHES, TABLE_OF_ALL);
	for (size_t i = 0; i < sizeof(misses) / sizeof(misses[0]); i++) {
		const struct flag *flag = misses[i].flag;

		row_begin(document, "%s", precis_field_name(misses[i].field));
		if (flag->known)
			cell_count(document, flag->yes);
		else
			cell_absent(document);
		cell_share_by(document, misses[i].field, flag->yes, flag->known);
		cell_count(document, flag->known);
		reasons_tell(&collection->reasons, misses[i].field, POPULATION(POPULATION_FETCH),
			     document);
	}
}

static void table_itlb(struct document *document, const struct collection *collection)
{
	static const uint32_t fields[] = { PRECIS_FIELD_ITLB_LEVEL, PRECIS_FIELD_FETCH_PAGE_SIZE,
					   PRECIS_FIELD_ITLB_REFILL_LATENCY };

	table_tlb(document, "itlb", "Instruction TLB; cycles that a fetch waited for a refill",
		  "all fetches", &collection->fetch.tlb, VALIDITY_FETCHES);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		reasons_tell(&collection->reasons, fields[i], POPULATION(POPULATION_FETCH),
			     document);
}

void section_fetch(struct document *document, const struct collection *collection)
{
	if (!collection->fetch.samples)
		return;
	table_outcomes(document, collection);
	table_misses(document, collection);
	table_itlb(document, collection);
}
