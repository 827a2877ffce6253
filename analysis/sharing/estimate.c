/* SPDX-License-Identifier: BSD-3-Clause */
/* See estimate.h. */
#include "estimate.h"

#include <stdlib.h>
#include <string.h>

#include "parties.h"

/* What one party does to the same bytes of a line, whichever instructions do it */
struct sharing_use {
	uint32_t party;
	struct sharing_span span;
	int is_transfer, is_store;
	uint64_t samples;
	double weight, squares, most;
};

/* --- bytes --- */

static uint32_t end_of(struct sharing_span span)
{
	return (uint32_t)span.offset + (span.bytes ? span.bytes : SHARING_LINE_BYTES);
}

enum sharing_meeting sharing_meeting_of(struct sharing_span a, struct sharing_span b)
{
	const struct sharing_span lower = a.offset <= b.offset ? a : b,
				  upper = a.offset <= b.offset ? b : a;

	if (lower.offset == upper.offset)
		return SHARING_MEET;
	if (end_of(lower) <= upper.offset)
		return SHARING_APART;
	return lower.bytes ? SHARING_MEET : SHARING_OPEN;
}

/* --- one line --- */

static int in_order(const void *a, const void *b)
{
	const struct sharing_use *left = a, *right = b;

	if (left->party != right->party)
		return left->party < right->party ? -1 : 1;
	if (left->span.offset != right->span.offset)
		return left->span.offset < right->span.offset ? -1 : 1;
	if (left->span.bytes != right->span.bytes)
		return left->span.bytes < right->span.bytes ? -1 : 1;
	if (left->is_transfer != right->is_transfer)
		return left->is_transfer < right->is_transfer ? -1 : 1;
	return (left->is_store > right->is_store) - (left->is_store < right->is_store);
}

static int have_room(struct sharing_scratch *scratch, uint32_t count)
{
	uint32_t room = scratch->room ? scratch->room : 64;
	struct sharing_use *more;

	while (room < count)
		room *= 2;
	if (room == scratch->room)
		return 0;
	more = realloc(scratch->uses, room * sizeof(*more));
	if (!more)
		return -1;
	scratch->uses = more;
	scratch->room = room;
	return 0;
}

void sharing_scratch_free(struct sharing_scratch *scratch)
{
	free(scratch->uses);
	memset(scratch, 0, sizeof(*scratch));
}

static void add_use(struct sharing_use *to, const struct sharing_use *more)
{
	to->samples += more->samples;
	to->weight += more->weight;
	to->squares += more->squares;
	to->most = more->most > to->most ? more->most : to->most;
}

/* Alike ones become one. How many are left */
static uint32_t join_uses(struct sharing_use *uses, uint32_t count)
{
	uint32_t kept = 0;

	qsort(uses, count, sizeof(*uses), in_order);
	for (uint32_t n = 0; n < count; n++) {
		if (kept && in_order(&uses[kept - 1], &uses[n]) == 0)
			add_use(&uses[kept - 1], &uses[n]);
		else
			uses[kept++] = uses[n];
	}
	return kept;
}

/* All uses of a line, by party. How many, or -1 if memory is short */
static int64_t find_uses(const struct sharing_lines *lines, const struct sharing_line *line,
			 struct sharing_scratch *scratch)
{
	uint32_t count = 0;

	for (const struct sharing_way *way = NULL; (way = sharing_way_next(lines, line, way));) {
		if (have_room(scratch, count + 1) < 0)
			return -1;
		scratch->uses[count++] = (struct sharing_use){
			.party = way->party,
			.span = way->span,
			.samples = way->samples,
			.is_transfer = (way->flags & SHARING_TRANSFER) != 0,
			.is_store = (way->flags & SHARING_STORE) != 0,
			.weight = way->weight,
			.squares = way->squares,
			.most = way->most,
		};
	}
	return count ? join_uses(scratch->uses, count) : 0;
}

/* What each party does to a line */
struct totals {
	double stores[SHARING_PARTIES_MOST], accesses[SHARING_PARTIES_MOST];
	uint64_t store_samples[SHARING_PARTIES_MOST];
	double all_stores, all_accesses;
	uint64_t all_store_samples;
};

static void sum_up(const struct sharing_use *uses, uint32_t count, struct totals *totals,
		   struct sharing_line_flow *flow)
{
	memset(totals, 0, sizeof(*totals));
	for (uint32_t n = 0; n < count; n++) {
		const struct sharing_use *use = &uses[n];

		totals->accesses[use->party] += use->weight;
		totals->all_accesses += use->weight;
		flow->transfers += use->is_transfer ? use->samples : 0;
		flow->parties += !n || uses[n - 1].party != use->party;
		if (!use->is_store) {
			flow->loads += use->weight;
			flow->load_samples += use->samples;
			continue;
		}
		flow->writers += !totals->store_samples[use->party];
		totals->stores[use->party] += use->weight;
		totals->store_samples[use->party] += use->samples;
		totals->all_stores += use->weight;
		totals->all_store_samples += use->samples;
	}
	flow->stores = totals->all_stores;
	flow->store_samples = totals->all_store_samples;
}

static void contend(const struct sharing_use *uses, uint32_t count, const struct totals *totals,
		    struct sharing_line_flow *flow)
{
	for (uint32_t n = 0; n < count; n++) {
		for (uint32_t at = 0; uses[n].is_store && at < count; at++) {
			const double met = uses[n].weight * uses[at].weight / totals->all_accesses;

			if (uses[at].party == uses[n].party)
				continue;
			flow->contention += met;
			flow->contention_by[sharing_meeting_of(uses[n].span, uses[at].span)] += met;
		}
	}
}

/* --- transfers --- */

/* Loads that stand for 'weight' accesses, of which a share is from that writer */
static void add_loads(struct poisson_sum *sum, const struct sharing_use *loads, double share)
{
	sum->sum += loads->weight * share;
	sum->variance += loads->squares * share * share;
	sum->most = loads->most * share > sum->most ? loads->most * share : sum->most;
}

/* The share of stores that k of n samples tell is so uncertain. */
static double share_variance(double share, uint64_t samples)
{
	const double n = (double)samples, mean = (share * n + 1) / (n + 2);

	return mean * (1 - mean) / (n + 3);
}

/* One writer's part of what one reader got of a line */
struct part {
	uint32_t writer;
	struct sharing_flow flow;
	double share; /* of others' stores */
	double by_meeting[SHARING_MEETINGS]; /* loads times shares */
};

/* A reader's loads of a line */
struct loads {
	const struct sharing_use *first;
	uint32_t count;
	double weight; /* of those that are transfers */
};

/* Transfers of the reader's from whoever of these stores to the line, the reader not among them */
static void find_part(const struct loads *loads, const struct sharing_use *writes, uint32_t count,
		      double others, struct part *part)
{
	for (uint32_t n = 0; n < loads->count; n++) {
		const struct sharing_use *load = &loads->first[n];
		double shares[SHARING_MEETINGS] = { 0 }, all = 0;

		if (!load->is_transfer)
			continue;
		for (uint32_t at = 0; at < count; at++) {
			if (!writes[at].is_store || writes[at].party == load->party)
				continue;
			shares[sharing_meeting_of(load->span, writes[at].span)] +=
				writes[at].weight / others;
			all += writes[at].weight / others;
		}
		add_loads(&part->flow.all, load, all);
		for (uint32_t is = 0; is < SHARING_MEETINGS; is++) {
			add_loads(&part->flow.by_meeting[is], load, shares[is]);
			part->by_meeting[is] += load->weight * shares[is];
		}
		part->share = all;
	}
}

/* What is not known of the shares themselves; that all of it is from others is known. */
static void doubt_part(const struct loads *loads, uint64_t samples, int is_of_all,
		       struct part *part)
{
	const double squared = loads->weight * loads->weight;

	if (!is_of_all)
		part->flow.all.variance += squared * share_variance(part->share, samples);
	for (uint32_t is = 0; is < SHARING_MEETINGS; is++) {
		if (part->by_meeting[is] > 0)
			part->flow.by_meeting[is].variance +=
				squared *
				share_variance(part->by_meeting[is] / loads->weight, samples);
	}
}

void sharing_flow_add(struct sharing_flow *to, const struct sharing_flow *more)
{
	poisson_sum_merge(&to->all, &more->all);
	for (uint32_t is = 0; is < SHARING_MEETINGS; is++)
		poisson_sum_merge(&to->by_meeting[is], &more->by_meeting[is]);
}

static void add_unknown(struct sharing_estimate *estimate, const struct loads *loads,
			uint32_t reader, struct sharing_line_flow *flow)
{
	struct poisson_sum sum = { 0 };

	for (uint32_t n = 0; n < loads->count; n++) {
		if (loads->first[n].is_transfer)
			add_loads(&sum, &loads->first[n], 1);
	}
	poisson_sum_merge(&flow->unknown, &sum);
	if (estimate) {
		poisson_sum_merge(&estimate->unknown[reader], &sum);
		poisson_sum_merge(&estimate->total_unknown, &sum);
	}
}

/* Uses of one party: from 'from' on. Where the next party's begin */
static uint32_t next_party(const struct sharing_use *uses, uint32_t count, uint32_t from)
{
	uint32_t at = from;

	while (at < count && uses[at].party == uses[from].party)
		at++;
	return at;
}

static void attribute(struct sharing_estimate *estimate, const struct sharing_use *uses,
		      uint32_t count, const struct loads *loads, const struct totals *totals,
		      struct sharing_line_flow *flow)
{
	const uint32_t reader = loads->first->party;
	const double others = totals->all_stores - totals->stores[reader];
	const uint64_t samples = totals->all_store_samples - totals->store_samples[reader];
	struct part all = { .writer = reader };

	if (!samples) {
		add_unknown(estimate, loads, reader, flow);
		return;
	}
	for (uint32_t at = 0, next; at < count; at = next) {
		struct part part = { .writer = uses[at].party };

		next = next_party(uses, count, at);
		if (!estimate || part.writer == reader || !totals->store_samples[part.writer])
			continue;
		find_part(loads, uses + at, next - at, others, &part);
		doubt_part(loads, samples, 0, &part);
		sharing_flow_add(&estimate->flows[(size_t)part.writer * estimate->parties + reader],
				 &part.flow);
		sharing_flow_add(&estimate->sent[part.writer], &part.flow);
	}
	find_part(loads, uses, count, others, &all);
	doubt_part(loads, samples, 1, &all);
	sharing_flow_add(&flow->flow, &all.flow);
	if (estimate) {
		sharing_flow_add(&estimate->got[reader], &all.flow);
		sharing_flow_add(&estimate->total, &all.flow);
	}
}

int sharing_estimate_line(struct sharing_estimate *estimate, const struct sharing_lines *lines,
			  const struct sharing_line *line, struct sharing_scratch *scratch,
			  struct sharing_line_flow *flow)
{
	const int64_t found = find_uses(lines, line, scratch);
	const struct sharing_use *uses = scratch->uses;
	const uint32_t count = found > 0 ? (uint32_t)found : 0;
	struct totals totals;

	memset(flow, 0, sizeof(*flow));
	if (found < 0)
		return -1;
	sum_up(uses, count, &totals, flow);
	contend(uses, count, &totals, flow);
	for (uint32_t at = 0, next; at < count; at = next) {
		struct loads loads = { .first = uses + at };

		next = next_party(uses, count, at);
		loads.count = next - at;
		for (uint32_t n = 0; n < loads.count; n++)
			loads.weight += loads.first[n].is_transfer ? loads.first[n].weight : 0;
		if (loads.weight > 0)
			attribute(estimate, uses, count, &loads, &totals, flow);
	}
	return 0;
}

/* --- all --- */

struct interval sharing_interval(const struct poisson_sum *sum, const struct poisson_sum *unknown,
				 double most, struct confidence confidence)
{
	struct poisson_sum is = poisson_sum_with_most(sum, most);
	struct interval interval = poisson_sum_interval(&is, confidence), with;

	if (!unknown || isnan(interval.high))
		return interval;
	poisson_sum_merge(&is, unknown);
	with = poisson_sum_interval(&is, confidence);
	interval.high = fmax(interval.high, with.high);
	return interval;
}

int sharing_estimate_init(struct sharing_estimate *estimate, uint32_t parties)
{
	memset(estimate, 0, sizeof(*estimate));
	estimate->parties = parties;
	estimate->flows = calloc((size_t)parties * parties + 1, sizeof(*estimate->flows));
	estimate->sent = calloc(parties + 1, sizeof(*estimate->sent));
	estimate->got = calloc(parties + 1, sizeof(*estimate->got));
	estimate->unknown = calloc(parties + 1, sizeof(*estimate->unknown));
	return estimate->flows && estimate->sent && estimate->got && estimate->unknown ? 0 : -1;
}

void sharing_estimate_free(struct sharing_estimate *estimate)
{
	free(estimate->flows);
	free(estimate->sent);
	free(estimate->got);
	free(estimate->unknown);
	memset(estimate, 0, sizeof(*estimate));
}
