/* SPDX-License-Identifier: BSD-3-Clause */
/* What an answer says of all together, and of who shares with whom. */
#include "tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/event_places.h"
#include "analysis/in_step.h"
#include "analysis/topics.h"
#include "answer.h"
#include "cells.h"
#include "line_tables.h"
#include "pair_tables.h"
#include "transfers.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* --- all together --- */

static void add_sum(struct document *document, const struct sharing_answer *answer,
		    const char *name, const struct poisson_sum *sum,
		    const struct poisson_sum *unknown)
{
	const struct sharing *sharing = answer->sharing;

	row_begin(document, "%s", name);
	sharing_cell_sum(document, sharing, sum, unknown);
	sharing_cell_percent(document, sum->sum, sharing_transfers_of(answer));
	sharing_cells_rate(document, sharing, sum, unknown);
}

/* Nothing can be told of lines: what is missing in the recording */
static void note_nothing(struct document *document, const struct sharing *sharing)
{
	const uint64_t nowhere =
		sharing->nowhere[SHARING_LOADS].samples + sharing->nowhere[SHARING_STORES].samples;

	if (sharing->accesses[SHARING_LOADS].samples || sharing->accesses[SHARING_STORES].samples)
		return;
	if (nowhere)
		table_note(document,
			   "none of %" PRIu64
			   " accesses has an address: record with it (perf record -d)",
			   nowhere);
	else if (!sharing->untold)
		table_note(
			document,
			"no sample is of an access to memory: record with precis-record, perf mem record or "
			"perf c2c record");
}

static void note_what_is_missed(struct document *document, const struct sharing_answer *answer)
{
	const struct sharing *sharing = answer->sharing;
	const struct precis_cpu *cpu = precis_input_cpu(sharing->about->input);
	struct sharing_remark remark;

	note_nothing(document, sharing);
	if (sharing_remark(cpu, &remark))
		table_note(document, "%s %s", remark.core, remark.text);
	if (sharing_why_unweighed(sharing) && answer->has_source)
		table_note(
			document,
			"%s: how many transfers there were is not known, shares are those of samples",
			sharing_why_unweighed(sharing));
	if (sharing->lines.dropped)
		table_note(document,
			   "there are more lines than are kept: %" PRIu64
			   " were left out, with at most "
			   "%" PRIu64
			   " samples each, and a %uth of that of lines from another cache",
			   sharing->lines.dropped, sharing->lines.floor, SHARING_TRANSFER_WEIGHT);
	if (sharing->lines.crowded)
		table_note(document,
			   "%" PRIu64
			   " samples of these lines had no room: they count in no figure of "
			   "transfers",
			   sharing->lines.crowded);
	if (sharing->untold)
		table_note(document,
			   "%" PRIu64
			   " samples have an address and do not tell whether they load or "
			   "store",
			   sharing->untold);
	if (sharing->nobodys)
		table_note(document,
			   "of %" PRIu64
			   " accesses it is not known which %s made them, or whose memory "
			   "they are to",
			   sharing->nobodys, sharing_party_word(sharing->request, 0));
	if (sharing->physical && sharing->linear)
		table_note(document,
			   "%" PRIu64 " accesses have a physical address and %" PRIu64
			   " have none: a "
			   "line may be here twice",
			   sharing->physical, sharing->linear);
	else if (sharing->linear)
		table_note(
			document,
			"lines are told apart by process and address: what processes share by "
			"shared memory is not seen without physical addresses (perf record --phys-data)");
	if (sharing->unwide)
		table_note(
			document, "the width of %" PRIu64 " accesses of %" PRIu64 " is %s",
			sharing->unwide, sharing->unwide + sharing->wide,
			sharing->request->access_bytes
				? "taken for what --access-bytes says"
				: "not known: where it decides true or false is not told (--access-bytes)");
}

static void add_summary(struct document *document, const struct sharing_answer *answer)
{
	static const struct column columns[] = {
		SHARING_SUM_COLUMNS("transfers", "transfers [95% CI]"),
		{ "percent", "% of all", 0 },
		SHARING_RATE_COLUMNS,
	};
	const struct sharing_estimate *estimate = &answer->estimate;
	const struct poisson_sum *unknown = &estimate->total_unknown;
	struct poisson_sum all = estimate->total.all;

	table_begin(document, "sharing", "Lines that loads got from another cache (transfers)", "",
		    columns, COUNT_OF(columns));
	table_about(document, TOPIC_OPS | TOPIC_PEBS | TOPIC_ACCESSES, TABLE_OF_ALL);
	if (answer->has_source) {
		poisson_sum_merge(&all, unknown);
		add_sum(document, answer, "all", &all, NULL);
		add_sum(document, answer, "true sharing", &estimate->total.by_meeting[SHARING_MEET],
			unknown);
		add_sum(document, answer, "false sharing",
			&estimate->total.by_meeting[SHARING_APART], unknown);
		add_sum(document, answer, "true or false, not told",
			&estimate->total.by_meeting[SHARING_OPEN], unknown);
		add_sum(document, answer, "of a writer not known", unknown, NULL);
		table_note(
			document,
			"of loads alone: stores get lines, too, and have no source; the writer of a "
			"line is taken from the stores sampled there, as if accesses came in no order that "
			"repeats");
	} else {
		table_note(
			document,
			"no sample tells whether its line came from another cache: below are shared "
			"lines, which several access and some store to, not transfers");
	}
	note_what_is_missed(document, answer);
}

/* Intervals are as wide as the samples of the worst of these events make them. */
static void depend(struct document *document, const struct analysis_about *about)
{
	static const uint32_t kinds[] = { PRECIS_EVENT_IBS_OP, PRECIS_EVENT_PEBS };
	double worst = 1;

	for (size_t n = 0; n < COUNT_OF(kinds); n++) {
		for (uint32_t place = 0; place <= about->events[kinds[n]]->count; place++) {
			in_step_tell(document, about, kinds[n], place);
			/* NAN is worse than any */
			worst = document->dependence > worst || isnan(document->dependence)
					? document->dependence
					: worst;
		}
	}
	document_depend(document, worst);
}

void sharing_tables(struct document *document, const struct sharing *sharing,
		    const struct reasons *reasons)
{
	struct sharing_answer answer;

	depend(document, sharing->about);
	if (sharing_answer_init(&answer, sharing) < 0) {
		document->failed = 1;
	} else {
		add_summary(document, &answer);
		reasons_tell(reasons, PRECIS_FIELD_ADDR, POPULATION_LOADS | POPULATION_STORES,
			     document);
		reasons_tell(reasons, PRECIS_FIELD_MEM_SNOOP, POPULATION_LOADS, document);
		reasons_tell(reasons, PRECIS_FIELD_ACCESS_BYTES,
			     POPULATION_LOADS | POPULATION_STORES, document);
		if (answer.parties && answer.has_source) {
			sharing_add_matrix(document, &answer);
			sharing_add_pairs(document, &answer);
		}
		if (answer.parties)
			sharing_add_parties(document, &answer);
		sharing_add_lines(document, &answer);
		side_files_notes(document, &sharing->side_files, 0);
	}
	sharing_answer_free(&answer);
}
