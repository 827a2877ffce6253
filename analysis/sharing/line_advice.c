/* SPDX-License-Identifier: BSD-3-Clause */
/* See line_advice.h. */
#include "line_advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "data.h"
#include "neighbours.h"
#include "pair_tables.h"

/* Uses of a line that are looked at; lines with more get no advice */
#define LINE_USES_MOST 1024u

/* --- neighbours --- */

struct line_neighbours {
	struct sharing_own_use *uses; /* 'which': the way of most samples, from 1 */
	struct sharing_neighbours *pairs;
	uint32_t pair_count;
};

static int by_span(const void *a, const void *b)
{
	const struct sharing_own_use *left = a, *right = b;

	if (left->span.offset != right->span.offset)
		return left->span.offset < right->span.offset ? -1 : 1;
	if (left->span.bytes != right->span.bytes)
		return left->span.bytes < right->span.bytes ? -1 : 1;
	if (left->party != right->party)
		return left->party < right->party ? -1 : 1;
	return (left->which > right->which) - (left->which < right->which);
}

static int is_alike(const struct sharing_own_use *a, const struct sharing_own_use *b)
{
	return a->party == b->party && a->span.offset == b->span.offset &&
	       a->span.bytes == b->span.bytes;
}

/* Ways that differ by their instruction alone become one use. How many are left */
static uint32_t join(const struct sharing_lines *lines, struct sharing_own_use *uses,
		     uint32_t count)
{
	uint32_t kept = 0;

	qsort(uses, count, sizeof(*uses), by_span);
	for (uint32_t n = 0; n < count; n++) {
		struct sharing_own_use *last = kept ? &uses[kept - 1] : NULL;

		if (!last || !is_alike(last, &uses[n])) {
			uses[kept++] = uses[n];
			continue;
		}
		last->loads += uses[n].loads;
		last->stores += uses[n].stores;
		if (lines->ways[uses[n].which - 1].samples > lines->ways[last->which - 1].samples)
			last->which = uses[n].which;
	}
	return kept;
}

static void neighbours_free(struct line_neighbours *found)
{
	free(found->uses);
	free(found->pairs);
	*found = (struct line_neighbours){ .uses = NULL };
}

/* 0, or -1 if memory is short; to be freed in any case */
static int find_neighbours(const struct sharing_lines *lines, const struct sharing_line *line,
			   struct line_neighbours *found)
{
	uint32_t count = 0, at = 0;

	for (const struct sharing_way *way = NULL; (way = sharing_way_next(lines, line, way));)
		count++;
	*found = (struct line_neighbours){
		.uses = malloc((count + 1) * sizeof(*found->uses)),
		.pairs = malloc((count + 1) * sizeof(*found->pairs)),
	};
	if (!found->uses || !found->pairs) {
		neighbours_free(found);
		return -1;
	}
	for (const struct sharing_way *way = NULL; (way = sharing_way_next(lines, line, way));)
		found->uses[at++] = (struct sharing_own_use){
			.party = way->party,
			.span = way->span,
			.loads = way->flags & SHARING_LOAD ? way->samples : 0,
			.stores = way->flags & SHARING_STORE ? way->samples : 0,
			.which = (uint32_t)(way - lines->ways) + 1,
		};
	count = join(lines, found->uses, count);
	if (count <= LINE_USES_MOST)
		found->pair_count = sharing_neighbours_find(found->uses, count, found->pairs);
	return 0;
}

/* --- advice --- */

/* Of the line that is advised on */
struct naming {
	struct sharing_data data;
	const struct sharing_line *line;
};

static void name_use(void *named, const struct sharing_own_use *use, struct sharing_datum *datum)
{
	struct naming *naming = named;

	sharing_datum_of(&naming->data, naming->line,
			 &naming->data.sharing->lines.ways[use->which - 1], datum);
}

/* What of a line is false sharing: transfers, or without a source what is contended */
static double apart_of(const struct sharing_answer *answer, const struct sharing_line_flow *flow)
{
	return answer->has_source ? flow->flow.by_meeting[SHARING_APART].sum
				  : flow->contention_by[SHARING_APART];
}

static double whole_of(const struct sharing_answer *answer, const struct sharing_line_flow *flow)
{
	return answer->has_source ? flow->flow.all.sum + flow->unknown.sum : flow->contention;
}

static int is_false(const struct sharing_answer *answer, const struct sharing_line_flow *flow)
{
	const double whole = whole_of(answer, flow);
	const uint64_t seen =
		answer->has_source ? flow->transfers : flow->load_samples + flow->store_samples;

	return whole > 0 &&
	       sharing_is_mostly_false((uint64_t)(apart_of(answer, flow) / whole * (double)seen),
				       seen);
}

static void advise(struct sharing_advice *advice, struct sharing_answer *answer, uint32_t number,
		   double all)
{
	const struct sharing_lines *lines = &answer->sharing->lines;
	struct naming *naming = advice->named;
	struct line_neighbours found;
	struct sharing_line_flow flow;

	naming->line = &lines->lines[answer->lines[number].line];
	if (sharing_estimate_line(NULL, lines, naming->line, &answer->scratch, &flow) < 0) {
		advice->document->failed = 1;
		return;
	}
	if (!is_false(answer, &flow))
		return;
	if (find_neighbours(lines, naming->line, &found) < 0) {
		advice->document->failed = 1;
		return;
	}
	for (uint32_t n = 0; n < found.pair_count; n++)
		sharing_advise(advice, number + 1, apart_of(answer, &flow), all,
			       &found.uses[found.pairs[n].lower],
			       &found.uses[found.pairs[n].upper]);
	neighbours_free(&found);
}

/* Without a source it is not known how much there is of all lines. */
static double all_of(const struct sharing_answer *answer)
{
	return answer->has_source ? sharing_transfers_of(answer) : NAN;
}

void sharing_add_advice(struct document *document, struct sharing_answer *answer, uint32_t lines)
{
	struct naming naming = { .data.sharing = answer->sharing };
	struct sharing_advice advice = {
		.document = document,
		.answer = answer,
		.name = name_use,
		.named = &naming,
	};

	sharing_advice_begin(&advice);
	for (uint32_t n = 0; n < lines; n++)
		advise(&advice, answer, n, all_of(answer));
	sharing_advice_end(&advice);
	document->failed |= naming.data.failed;
	sharing_data_free(&naming.data);
}
