/* SPDX-License-Identifier: BSD-3-Clause */
/* See strata.h: strata are put together, and averaged. */
#include <stdlib.h>
#include <string.h>

#include "strata.h"

/* With fewer experiments than that to be expected a stratum has no mean of its own, … */
#define EXPECTED_LEAST 5.0
/* … nor with fewer that were made: one says nothing of how far they differ */
#define MADE_LEAST 2u
/* The first group: of all that have none of their own */
#define POOL 0u
/* Of n that say the same: 3 / n^2 */
#define ALL_THE_SAME 3.0

/* --- which strata have one mean --- */

static int by_line(const void *a, const void *b)
{
	const struct stratum *left = *(const struct stratum *const *)a;
	const struct stratum *right = *(const struct stratum *const *)b;

	if (left->line != right->line)
		return left->line < right->line ? -1 : 1;
	return (left->writer > right->writer) - (left->writer < right->writer);
}

/* All are, and 'rest' is not. */
static uint32_t list_by_line(struct strata *strata)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < STRATA_MOST; n++) {
		if (strata->strata[n].line)
			strata->by_line[count++] = &strata->strata[n];
	}
	qsort(strata->by_line, count, sizeof(struct stratum *), by_line);
	return count;
}

static double expected_of(const struct strata *strata, uint64_t candidates)
{
	return strata->candidates ? (double)strata->experiment_count * (double)candidates /
					    (double)strata->candidates
				  : 0;
}

static int has_mean(const struct strata *strata, uint64_t candidates, uint32_t experiments)
{
	return experiments >= MADE_LEAST && expected_of(strata, candidates) >= EXPECTED_LEAST;
}

static uint32_t new_group(struct strata *strata)
{
	strata->groups[strata->group_count] = (struct strata_group){ .experiments = 0 };
	return strata->group_count++;
}

/* Those of a line: each that can has a group of its own, the others have one together, if they can. */
static void group_line(struct strata *strata, struct stratum *const *of_line, uint32_t count)
{
	uint64_t candidates = 0;
	uint32_t experiments = 0, group = POOL;

	for (uint32_t n = 0; n < count; n++) {
		if (has_mean(strata, of_line[n]->candidates, of_line[n]->experiments))
			continue;
		candidates += of_line[n]->candidates;
		experiments += of_line[n]->experiments;
	}
	if (has_mean(strata, candidates, experiments))
		group = new_group(strata);
	for (uint32_t n = 0; n < count; n++)
		of_line[n]->group =
			has_mean(strata, of_line[n]->candidates, of_line[n]->experiments)
				? new_group(strata)
				: group;
}

/* Stores of a writer that may not be watched are not known. */
static double watched_share(const struct strata *strata, uint32_t writer)
{
	const double made = (double)strata->made_of[writer];
	const double unwatched = (double)strata->unwatched_of[writer];

	return unwatched > 0 ? made / (made + unwatched) : 1;
}

static void add_stratum(struct strata *strata, const struct stratum *stratum, double share)
{
	struct strata_group *group = &strata->groups[stratum->group];

	group->experiments += stratum->experiments;
	group->stores += share * stratum->stores;
	group->squares += share * stratum->squares;
}

/* No stores are left without an experiment: the group with fewest is with them. */
static void fill_pool(struct strata *strata, uint32_t count)
{
	struct strata_group *pool = &strata->groups[POOL];
	uint32_t fewest = POOL;

	if (pool->experiments || !(pool->stores > 0))
		return;
	for (uint32_t n = 1; n < strata->group_count; n++) {
		if (fewest == POOL ||
		    strata->groups[n].experiments < strata->groups[fewest].experiments)
			fewest = n;
	}
	if (fewest == POOL)
		return;
	pool->experiments += strata->groups[fewest].experiments;
	pool->stores += strata->groups[fewest].stores;
	pool->squares += strata->groups[fewest].squares;
	strata->groups[fewest] = (struct strata_group){ .experiments = 0 };
	for (uint32_t n = 0; n < count; n++) {
		if (strata->by_line[n]->group == fewest)
			strata->by_line[n]->group = POOL;
	}
}

static uint32_t group_of(const struct strata *strata, const struct strata_experiment *experiment)
{
	return experiment->stratum < STRATA_MOST ? strata->strata[experiment->stratum].group : POOL;
}

static void make_groups(struct strata *strata)
{
	const uint32_t count = list_by_line(strata);

	strata->group_count = 0;
	new_group(strata);
	for (uint32_t at = 0, next; at < count; at = next) {
		for (next = at;
		     next < count && strata->by_line[next]->line == strata->by_line[at]->line;)
			next++;
		group_line(strata, strata->by_line + at, next - at);
	}
	strata->rest.group = POOL;
	add_stratum(strata, &strata->rest, 1);
	for (uint32_t n = 0; n < count; n++)
		add_stratum(strata, strata->by_line[n],
			    watched_share(strata, strata->by_line[n]->writer));
	fill_pool(strata, count);
}

/* How many stores each experiment stands for: those of its group, by its weight among these */
static void weigh(struct strata *strata)
{
	for (uint32_t n = 0; n < strata->experiment_count; n++) {
		struct strata_experiment *is = &strata->experiments[n];
		struct strata_group *group = &strata->groups[group_of(strata, is)];

		is->stores = is->weight * is->late;
		group->weights += is->stores;
		if (is->stores > group->heaviest)
			group->heaviest = is->stores;
	}
	for (uint32_t n = 0; n < strata->experiment_count; n++) {
		struct strata_experiment *is = &strata->experiments[n];
		struct strata_group *group = &strata->groups[group_of(strata, is)];

		is->stores *= group->stores / group->weights;
		group->squared += is->stores * is->stores;
	}
}

/* --- sums --- */

enum kind { ALL, MET, APART, KINDS };

/* Of what experiments of one group found: stores that they stand for, f, and what each found, y */
struct moments {
	double fy, ffy, ffyy, unsure;
};

static void add_moments(struct moments moments[KINDS], double stores,
			const struct live_amount *amount)
{
	const double found[KINDS] = { amount->met + amount->apart, amount->met, amount->apart };
	const double unsure[KINDS] = { amount->unsure, amount->unsure_met, amount->unsure_apart };

	for (int kind = 0; kind < KINDS; kind++) {
		const double fy = stores * found[kind];

		moments[kind].fy += fy;
		moments[kind].ffy += stores * fy;
		moments[kind].ffyy += fy * fy;
		moments[kind].unsure += stores * unsure[kind];
	}
}

static double variance_of(const struct strata_group *group, const struct moments *moments)
{
	const double n = group->experiments, mean = moments->fy / group->stores;
	const double differ =
		moments->ffyy - 2 * mean * moments->ffy + mean * mean * group->squared;
	const double share =
		group->squared / (group->stores * group->stores); /* 1 / n, if all are alike */

	return (n > 1 && differ > 0 ? differ * n / (n - 1) : 0) +
	       mean * mean * (ALL_THE_SAME * group->squared * share + group->squares);
}

static void add_sum(struct poisson_sum *sum, const struct strata_group *group,
		    const struct moments *moments)
{
	if (!(moments->fy > 0))
		return;
	sum->sum += moments->fy;
	sum->variance += variance_of(group, moments);
	sum->unsure += moments->unsure;
}

static void add_flow(struct live_flow *flow, const struct strata_group *group,
		     const struct moments moments[KINDS])
{
	add_sum(&flow->all, group, &moments[ALL]);
	add_sum(&flow->met, group, &moments[MET]);
	add_sum(&flow->apart, group, &moments[APART]);
}

static int by_numbers(const void *a, const void *b)
{
	const struct strata_order *left = a, *right = b;

	if (left->group != right->group)
		return left->group < right->group ? -1 : 1;
	if (left->writer != right->writer)
		return left->writer < right->writer ? -1 : 1;
	if (left->reader != right->reader)
		return left->reader < right->reader ? -1 : 1;
	return (left->number > right->number) - (left->number < right->number);
}

/* By group, writer, and reader */
static void add_flows(struct strata *strata, const struct strata_sums *sums)
{
	const uint32_t count = strata->seen_count;
	struct strata_order *order = strata->order;

	for (uint32_t n = 0; n < count; n++) {
		const struct strata_experiment *is =
			&strata->experiments[strata->seen[n].experiment];

		order[n] = (struct strata_order){ group_of(strata, is), is->writer,
						  strata->seen[n].reader, n };
	}
	qsort(order, count, sizeof(*order), by_numbers);
	for (uint32_t at = 0, next; at < count; at = next) {
		struct moments moments[KINDS] = { { 0 } };

		for (next = at; next < count && order[next].group == order[at].group &&
				order[next].writer == order[at].writer &&
				order[next].reader == order[at].reader;
		     next++) {
			const struct strata_seen *seen = &strata->seen[order[next].number];

			add_moments(moments, strata->experiments[seen->experiment].stores,
				    &seen->amount);
		}
		add_flow(&sums->flows[order[at].writer * WATCH_THREADS_MOST + order[at].reader],
			 &strata->groups[order[at].group], moments);
	}
}

/* To all, by writer and of all: of one that several got the amounts are no independent events */
static void add_sent(struct strata *strata, const struct strata_sums *sums)
{
	const uint32_t count = strata->experiment_count;
	struct strata_order *order = strata->order;

	for (uint32_t n = 0; n < count; n++)
		order[n] = (struct strata_order){ group_of(strata, &strata->experiments[n]),
						  strata->experiments[n].writer, 0, n };
	qsort(order, count, sizeof(*order), by_numbers);
	for (uint32_t at = 0, next; at < count; at = next) {
		const struct strata_group *group = &strata->groups[order[at].group];
		struct moments all[KINDS] = { { 0 } };

		for (next = at; next < count && order[next].group == order[at].group;) {
			struct moments sent[KINDS] = { { 0 } };
			const uint32_t writer = order[next].writer;

			for (; next < count && order[next].group == order[at].group &&
			       order[next].writer == writer;
			     next++) {
				const struct strata_experiment *is =
					&strata->experiments[order[next].number];

				add_moments(sent, is->stores, &is->sent);
				add_moments(all, is->stores, &is->sent);
			}
			add_flow(&sums->sent[writer], group, sent);
		}
		add_flow(sums->total, group, all);
	}
}

static void most_of(struct live_flow *flow, double most)
{
	if (most > flow->all.most)
		flow->all.most = flow->met.most = flow->apart.most = most;
}

/* Of what was seen in none of a group's experiments there may be as much as one stands for. */
static void add_most(struct strata *strata, const struct strata_sums *sums)
{
	for (uint32_t n = 0; n < STRATA_MOST; n++) {
		const struct stratum *stratum = &strata->strata[n];
		const struct strata_group *group = &strata->groups[stratum->group];

		if (!stratum->line || !(group->weights > 0))
			continue;
		most_of(&sums->sent[stratum->writer],
			group->stores * group->heaviest / group->weights);
		most_of(sums->total, sums->sent[stratum->writer].all.most);
	}
}

static void add_lines(struct strata *strata, const struct strata_sums *sums)
{
	for (uint32_t n = 0; n < strata->experiment_count; n++) {
		const struct strata_experiment *is = &strata->experiments[n];

		if (is->count)
			sums->line(sums->of, is->line, is->stores * is->sent.met,
				   is->stores * is->sent.apart);
	}
}

void strata_estimate(struct strata *strata, const struct strata_sums *sums)
{
	if (!strata->experiment_count)
		return;
	make_groups(strata);
	weigh(strata);
	add_flows(strata, sums);
	add_sent(strata, sums);
	add_most(strata, sums);
	add_lines(strata, sums);
}
