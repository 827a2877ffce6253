/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_estimate.h. */
#include "live_estimate.h"

static int is_hurried(const struct live_result *result, const struct live_line *line)
{
	return line->stores * (double)result->hit_ns > result->seconds * 1e9;
}

static int is_stored_unseen(const struct live_result *result, const struct live_line *line)
{
	(void)result;
	return line->unseen_store_samples > 0;
}

/* Of all transfers */
static double share_of(const struct live_result *result,
		       int (*is_one)(const struct live_result *, const struct live_line *))
{
	double all = 0, some = 0;

	for (uint32_t n = 0; n < LIVE_LINES_MOST; n++) {
		const struct live_line *line = &result->lines[n];
		const double transfers = line->met + line->apart;

		all += transfers;
		if (is_one(result, line))
			some += transfers;
	}
	return all > 0 ? some / all : 0;
}

double live_estimate_hurried(const struct live_result *result)
{
	return share_of(result, is_hurried);
}

double live_estimate_beside_unseen(const struct live_result *result)
{
	return share_of(result, is_stored_unseen);
}

/* One transfer more might be told by an experiment that stands for so many stores, or by a sample. */
static struct live_flow with_most(const struct live_flow *flow, double most)
{
	return (struct live_flow){ poisson_sum_with_most(&flow->all, most),
				   poisson_sum_with_most(&flow->met, most),
				   poisson_sum_with_most(&flow->apart, most) };
}

static double most_of(const struct live_flow *sent, const struct live_result *result)
{
	return sent->all.most > result->heaviest ? sent->all.most : result->heaviest;
}

struct live_flow live_estimate(const struct live_result *result, uint32_t from, uint32_t to)
{
	return with_most(&result->flows[from * WATCH_THREADS_MOST + to],
			 most_of(&result->threads[from].sent, result));
}

struct live_flow live_estimate_sent(const struct live_result *result, uint32_t from)
{
	const struct live_flow *sent = &result->threads[from].sent;

	return with_most(sent, most_of(sent, result));
}

struct live_flow live_estimate_total(const struct live_result *result)
{
	return with_most(&result->total, most_of(&result->total, result));
}
