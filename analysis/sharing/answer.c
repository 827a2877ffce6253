/* SPDX-License-Identifier: BSD-3-Clause */
/* See answer.h. */
#include "answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- lines --- */

static int by_rank(const void *a, const void *b)
{
	const struct sharing_ranked_line *left = a, *right = b;

	if (left->rank > right->rank || left->rank < right->rank)
		return left->rank > right->rank ? -1 : 1;
	return left->line < right->line ? -1 : left->line > right->line;
}

/* Where it is told by transfers, else by what meets */
static double rank_of(const struct sharing_answer *answer, const struct sharing_line_flow *flow)
{
	return answer->has_source ? flow->flow.all.sum + flow->unknown.sum : flow->contention;
}

static int find_lines(struct sharing_answer *answer)
{
	const struct sharing_lines *lines = &answer->sharing->lines;
	struct sharing_line_flow flow;

	answer->lines = malloc((lines->line_count + 1) * sizeof(*answer->lines));
	if (!answer->lines)
		return -1;
	for (uint32_t n = 0; n < lines->line_count; n++) {
		if (sharing_estimate_line(&answer->estimate, lines, &lines->lines[n],
					  &answer->scratch, &flow) < 0)
			return -1;
		if (flow.transfers || flow.contention > 0)
			answer->lines[answer->line_count++] =
				(struct sharing_ranked_line){ rank_of(answer, &flow), n };
	}
	qsort(answer->lines, answer->line_count, sizeof(*answer->lines), by_rank);
	return 0;
}

/* --- who --- */

/* By what parties are sorted: those of the matrix first, in the order of recordings, nodes and CPUs */
struct seat {
	uint32_t number, recording, node, cpu;
	uint64_t id;
	double flow;
	int is_in_matrix;
};

static int by_flow(const void *a, const void *b)
{
	const struct seat *left = a, *right = b;

	if (left->flow > right->flow || left->flow < right->flow)
		return left->flow > right->flow ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

static int by_seat(const void *a, const void *b)
{
	const struct seat *left = a, *right = b;

	if (left->is_in_matrix != right->is_in_matrix)
		return left->is_in_matrix ? -1 : 1;
	if (left->recording != right->recording)
		return left->recording < right->recording ? -1 : 1;
	if (left->node != right->node)
		return left->node < right->node ? -1 : 1;
	if (left->cpu != right->cpu)
		return left->cpu < right->cpu ? -1 : 1;
	if (left->id != right->id)
		return left->id < right->id ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

static int order_parties(struct sharing_answer *answer)
{
	const struct sharing *sharing = answer->sharing;
	struct seat *seats = calloc(answer->parties + 1, sizeof(*seats));

	answer->order = malloc((answer->parties + 1) * sizeof(*answer->order));
	answer->seated = malloc((answer->parties + 1) * sizeof(*answer->seated));
	if (!seats || !answer->order || !answer->seated) {
		free(seats);
		return -1;
	}
	for (uint32_t n = 0; n < answer->parties; n++) {
		const struct sharing_party *party = &sharing->parties.list[n];
		const uint32_t cpu = sharing_party_cpu(party);

		seats[n] = (struct seat){
			.number = n,
			.recording = party->recording,
			.id = party->id,
			.cpu = cpu,
			.node = cpu == UINT32_MAX ? NODE_UNKNOWN
						  : nodes_of_cpu(&sharing->nodes, cpu),
			.flow = answer->estimate.sent[n].all.sum + answer->estimate.got[n].all.sum +
				answer->estimate.unknown[n].sum,
		};
	}
	qsort(seats, answer->parties, sizeof(*seats), by_flow);
	answer->in_matrix =
		answer->parties < SHARING_MATRIX_MOST ? answer->parties : SHARING_MATRIX_MOST;
	for (uint32_t n = 0; n < answer->in_matrix; n++)
		seats[n].is_in_matrix = 1;
	qsort(seats, answer->parties, sizeof(*seats), by_seat);
	for (uint32_t n = 0; n < answer->parties; n++) {
		answer->order[n] = seats[n].number;
		seats[n].number = n;
		seats[n].is_in_matrix = 0;
	}
	qsort(seats, answer->parties, sizeof(*seats), by_seat);
	for (uint32_t n = 0; n < answer->parties; n++)
		answer->seated[n] = seats[n].number;
	free(seats);
	return 0;
}

const struct sharing_flow *sharing_answer_flow(const struct sharing_answer *answer, uint32_t writer,
					       uint32_t reader)
{
	return &answer->estimate.flows[(size_t)answer->order[writer] * answer->estimate.parties +
				       answer->order[reader]];
}

/* --- pairs --- */

struct weighed_pair {
	double sum;
	struct sharing_pair pair;
};

static int by_sum(const void *a, const void *b)
{
	const struct weighed_pair *left = a, *right = b;

	if (left->sum > right->sum || left->sum < right->sum)
		return left->sum > right->sum ? -1 : 1;
	if (left->pair.writer != right->pair.writer)
		return left->pair.writer < right->pair.writer ? -1 : 1;
	return left->pair.reader < right->pair.reader ? -1 : left->pair.reader > right->pair.reader;
}

static int find_pairs(struct sharing_answer *answer)
{
	const size_t most = (size_t)answer->parties * answer->parties + 1;
	struct weighed_pair *pairs = malloc(most * sizeof(*pairs));

	answer->pairs = malloc(most * sizeof(*answer->pairs));
	if (!pairs || !answer->pairs) {
		free(pairs);
		return -1;
	}
	for (uint32_t writer = 0; writer < answer->parties; writer++) {
		for (uint32_t reader = 0; reader < answer->parties; reader++) {
			const double sum = sharing_answer_flow(answer, writer, reader)->all.sum;

			if (sum > 0)
				pairs[answer->pair_count++] =
					(struct weighed_pair){ sum, { writer, reader } };
		}
	}
	qsort(pairs, answer->pair_count, sizeof(*pairs), by_sum);
	for (uint32_t n = 0; n < answer->pair_count; n++)
		answer->pairs[n] = pairs[n].pair;
	free(pairs);
	return 0;
}

/* --- all --- */

int sharing_answer_init(struct sharing_answer *answer, const struct sharing *sharing)
{
	memset(answer, 0, sizeof(*answer));
	answer->sharing = sharing;
	answer->parties = sharing->parties.count;
	answer->has_source = sharing->told.samples > 0;
	if (sharing_estimate_init(&answer->estimate, answer->parties) < 0 ||
	    find_lines(answer) < 0 || order_parties(answer) < 0)
		return -1;
	return find_pairs(answer);
}

int sharing_answer_of(struct sharing_answer *answer, const struct sharing *sharing,
		      struct sharing_estimate *estimate)
{
	memset(answer, 0, sizeof(*answer));
	answer->sharing = sharing;
	answer->parties = estimate->parties;
	answer->has_source = 1;
	answer->estimate = *estimate;
	memset(estimate, 0, sizeof(*estimate));
	return order_parties(answer) < 0 ? -1 : find_pairs(answer);
}

void sharing_answer_free(struct sharing_answer *answer)
{
	sharing_estimate_free(&answer->estimate);
	sharing_scratch_free(&answer->scratch);
	free(answer->order);
	free(answer->seated);
	free(answer->lines);
	free(answer->pairs);
	memset(answer, 0, sizeof(*answer));
}

uint32_t sharing_answer_place(const struct sharing_answer *answer, uint32_t party)
{
	uint32_t place = 0;

	while (answer->order[place] != party)
		place++;
	return place;
}

void sharing_answer_text(const struct sharing_answer *answer, uint32_t place,
			 char text[SHARING_PARTY_TEXT])
{
	const struct sharing *sharing = answer->sharing;
	const struct sharing_party *party = sharing_answer_party(answer, place);
	size_t used = 0;

	if (sharing->recordings)
		used = (size_t)snprintf(text, SHARING_PARTY_TEXT, "recording %u, ",
					(unsigned int)party->recording + 1);
	sharing_party_text(party, sharing->request->by, text + used, SHARING_PARTY_TEXT - used);
}

const char *const sharing_by_words[] = {
	[SHARING_BY_THREAD] = "thread", [SHARING_BY_PROCESS] = "process",
	[SHARING_BY_CPU] = "cpu",       [SHARING_BY_CORE] = "core",
	[SHARING_BY_NODE] = "node",     [SHARING_BY_NODE + 1] = NULL,
};

const char *sharing_party_word(const struct sharing_request *request, int is_plural)
{
	static const char *const words[][2] = {
		[SHARING_BY_THREAD] = { "thread", "threads" },
		[SHARING_BY_PROCESS] = { "process", "processes" },
		[SHARING_BY_CPU] = { "CPU", "CPUs" },
		[SHARING_BY_CORE] = { "core", "cores" },
		[SHARING_BY_NODE] = { "node", "nodes" },
	};

	return words[request->by][is_plural != 0];
}
