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
#include "transfers.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static double transfers_of(const struct sharing_answer *answer)
{
	return answer->estimate.total.all.sum + answer->estimate.total_unknown.sum;
}

/* --- all together --- */

static void add_sum(struct document *document, const struct sharing_answer *answer,
		    const char *name, const struct poisson_sum *sum,
		    const struct poisson_sum *unknown)
{
	const struct sharing *sharing = answer->sharing;
	const double seconds = sharing_why_unweighed(sharing) ? NAN : sharing_seconds(sharing);

	row_begin(document, "%s", name);
	sharing_cell_sum(document, sharing, sum, unknown);
	sharing_cell_percent(document, sum->sum, transfers_of(answer));
	cell_known(document, sum->sum / seconds);
	cell_known(document, sum->sum * SHARING_LINE_BYTES / seconds / 1e6);
	sharing_cell_rounded(document, sum->sum * SHARING_LINE_BYTES,
			     sharing_why_unweighed(sharing));
}

static void note_what_is_missed(struct document *document, const struct sharing_answer *answer)
{
	const struct sharing *sharing = answer->sharing;
	const struct precis_cpu *cpu = precis_input_cpu(sharing->about->input);
	struct sharing_remark remark;

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
		{ "per_second", "per s", 0 },
		{ "megabytes_per_second", "MB/s", 0 },
		{ "bytes", NULL, 0 },
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

/* --- who --- */

static void add_parties(struct document *document, const struct sharing_answer *answer)
{
	static const struct column columns[] = {
		{ "loads", "loads", 0 },
		{ "stores", "stores", 0 },
		SHARING_SUM_COLUMNS("received", "received [95% CI]"),
		SHARING_SUM_COLUMNS("sent", "sent [95% CI]"),
		SHARING_SUM_COLUMNS("writer_unknown", NULL),
		{ "cpu", "CPU", 0 },
		{ "node", "node", 0 },
		{ "recording", NULL, 0 },
		{ "id", NULL, 0 },
		{ "name", "who", COLUMN_LEFT },
	};
	const struct sharing *sharing = answer->sharing;
	char text[SHARING_PARTY_TEXT], title[64];

	snprintf(title, sizeof(title), "Samples and transfers of %s",
		 sharing_party_word(sharing->request, 1));
	table_begin(document, "sharing_parties", "", "", columns, COUNT_OF(columns));
	table_titled(document, "%s", title);
	for (uint32_t n = 0; n < answer->parties; n++) {
		const struct sharing_party *party = sharing_answer_party(answer, n);
		const uint32_t cpu = sharing_party_cpu(party);
		const uint32_t node =
			cpu == UINT32_MAX ? NODE_UNKNOWN : nodes_of_cpu(&sharing->nodes, cpu);

		sharing_answer_text(answer, n, text);
		row_begin(document, "%" PRIu32, n + 1);
		cell_count(document, party->loads.samples);
		cell_count(document, party->stores.samples);
		sharing_cell_sum(document, sharing, &answer->estimate.got[answer->order[n]].all,
				 NULL);
		sharing_cell_sum(document, sharing, &answer->estimate.sent[answer->order[n]].all,
				 &answer->estimate.total_unknown);
		sharing_cell_sum(document, sharing, &answer->estimate.unknown[answer->order[n]],
				 NULL);
		if (cpu == UINT32_MAX)
			cell_absent(document);
		else
			cell_count(document, cpu);
		if (node == NODE_UNKNOWN)
			cell_absent(document);
		else
			cell_count(document, node);
		cell_count(document, party->recording + 1);
		if (sharing->request->by == SHARING_BY_PROCESS)
			cell_count(document, sharing_party_pid(party));
		else
			cell_count(document, sharing->request->by == SHARING_BY_THREAD
						     ? sharing_party_tid(party)
						     : party->id);
		cell_text(document, "%s", text);
	}
	table_note(document, "CPU: where most samples are from; received: from whom is known");
}

#define TO(n)                                                                                      \
	{                                                                                          \
		"to_" #n, "to " #n, 0                                                              \
	}

static void add_matrix(struct document *document, const struct sharing_answer *answer)
{
	static const struct column columns[SHARING_MATRIX_MOST + 1] = {
		{ "name", "from", COLUMN_LEFT },
		TO(1),
		TO(2),
		TO(3),
		TO(4),
		TO(5),
		TO(6),
		TO(7),
		TO(8),
		TO(9),
		TO(10),
		TO(11),
		TO(12),
		TO(13),
		TO(14),
		TO(15),
		TO(16),
	};
	char text[SHARING_PARTY_TEXT];
	double shown = 0;

	table_begin(document, "sharing_matrix",
		    "Who wrote (rows) what who read (columns), % of all transfers", "", columns,
		    answer->in_matrix + 1);
	for (uint32_t from = 0; from < answer->in_matrix; from++) {
		sharing_answer_text(answer, from, text);
		row_begin(document, "%" PRIu32, from + 1);
		cell_text(document, "%s", text);
		for (uint32_t to = 0; to < answer->in_matrix; to++) {
			const double sum = sharing_answer_flow(answer, from, to)->all.sum;

			shown += sum;
			if (to == from)
				cell_absent(document);
			else
				sharing_cell_percent(document, sum, transfers_of(answer));
		}
	}
	if (answer->parties > answer->in_matrix)
		table_note(document,
			   "of %" PRIu32 " %s these %u have most; other pairs have %.1f%% of all "
			   "transfers",
			   answer->parties, sharing_party_word(answer->sharing->request, 1),
			   SHARING_MATRIX_MOST,
			   100 * (answer->estimate.total.all.sum - shown) / transfers_of(answer));
}

static void add_pairs(struct document *document, const struct sharing_answer *answer)
{
	static const struct column columns[] = {
		SHARING_SUM_COLUMNS("transfers", "transfers [95% CI]"),
		{ "percent", "% of all", 0 },
		SHARING_SUM_COLUMNS("true", "true"),
		SHARING_SUM_COLUMNS("false", "false"),
		SHARING_SUM_COLUMNS("open", NULL),
		{ "megabytes_per_second", "MB/s", 0 },
		{ "from", NULL, 0 },
		{ "to", NULL, 0 },
		{ "writer", "from", COLUMN_LEFT },
		{ "reader", "to", COLUMN_LEFT },
	};
	const struct sharing *sharing = answer->sharing;
	const double seconds = sharing_why_unweighed(sharing) ? NAN : sharing_seconds(sharing);
	const uint32_t count =
		answer->pair_count < sharing->about->top ? answer->pair_count : sharing->about->top;
	char writer[SHARING_PARTY_TEXT], reader[SHARING_PARTY_TEXT];

	table_begin(document, "sharing_pairs", "Pairs with most transfers", "", columns,
		    COUNT_OF(columns));
	for (uint32_t n = 0; n < count; n++) {
		const struct sharing_pair *pair = &answer->pairs[n];
		const struct sharing_flow *flow =
			sharing_answer_flow(answer, pair->writer, pair->reader);
		const struct poisson_sum *unknown =
			&answer->estimate.unknown[answer->order[pair->reader]];

		sharing_answer_text(answer, pair->writer, writer);
		sharing_answer_text(answer, pair->reader, reader);
		row_begin(document, "%" PRIu32, n + 1);
		sharing_cell_sum(document, sharing, &flow->all, unknown);
		sharing_cell_percent(document, flow->all.sum, transfers_of(answer));
		sharing_cell_sum(document, sharing, &flow->by_meeting[SHARING_MEET], unknown);
		sharing_cell_sum(document, sharing, &flow->by_meeting[SHARING_APART], unknown);
		sharing_cell_sum(document, sharing, &flow->by_meeting[SHARING_OPEN], unknown);
		cell_known(document, flow->all.sum * SHARING_LINE_BYTES / seconds / 1e6);
		cell_count(document, pair->writer + 1);
		cell_count(document, pair->reader + 1);
		cell_text(document, "%s", writer);
		cell_text(document, "%s", reader);
	}
	table_drop_empty(document);
	if (count && count < answer->pair_count)
		table_note(document, "and %" PRIu32 " pairs with less (--top)",
			   answer->pair_count - count);
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
			add_matrix(document, &answer);
			add_pairs(document, &answer);
		}
		if (answer.parties)
			add_parties(document, &answer);
		sharing_add_lines(document, &answer);
	}
	sharing_answer_free(&answer);
}
