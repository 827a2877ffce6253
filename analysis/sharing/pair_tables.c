/* SPDX-License-Identifier: BSD-3-Clause */
/* See pair_tables.h. */
#include "pair_tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cells.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

double sharing_transfers_of(const struct sharing_answer *answer)
{
	return answer->estimate.total.all.sum + answer->estimate.total_unknown.sum;
}

void sharing_add_parties(struct document *document, const struct sharing_answer *answer)
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

static void note_others(struct document *document, const struct sharing_answer *answer,
			double shown)
{
	const char *parties = sharing_party_word(answer->sharing->request, 1);
	const double all = sharing_transfers_of(answer);

	if (all > 0)
		table_note(document,
			   "of %" PRIu32
			   " %s these %u have most; other pairs have %.1f%% of all transfers",
			   answer->parties, parties, SHARING_MATRIX_MOST,
			   100 * (answer->estimate.total.all.sum - shown) / all);
	else
		table_note(document, "of %" PRIu32 " %s these are %u", answer->parties, parties,
			   SHARING_MATRIX_MOST);
}

void sharing_add_matrix(struct document *document, const struct sharing_answer *answer)
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
				sharing_cell_percent(document, sum, sharing_transfers_of(answer));
		}
	}
	if (answer->parties > answer->in_matrix)
		note_others(document, answer, shown);
}

void sharing_add_pairs(struct document *document, const struct sharing_answer *answer)
{
	static const struct column columns[] = {
		SHARING_SUM_COLUMNS("transfers", "transfers [95% CI]"),
		{ "percent", "% of all", 0 },
		SHARING_SUM_COLUMNS("true", "true"),
		SHARING_SUM_COLUMNS("false", "false"),
		SHARING_SUM_COLUMNS("open", NULL),
		SHARING_RATE_COLUMNS,
		{ "from", NULL, 0 },
		{ "to", NULL, 0 },
		{ "writer", "from", COLUMN_LEFT },
		{ "reader", "to", COLUMN_LEFT },
	};
	const struct sharing *sharing = answer->sharing;
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
		sharing_cell_percent(document, flow->all.sum, sharing_transfers_of(answer));
		sharing_cell_sum(document, sharing, &flow->by_meeting[SHARING_MEET], unknown);
		sharing_cell_sum(document, sharing, &flow->by_meeting[SHARING_APART], unknown);
		sharing_cell_sum(document, sharing, &flow->by_meeting[SHARING_OPEN], unknown);
		sharing_cells_rate(document, sharing, &flow->all, unknown);
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
