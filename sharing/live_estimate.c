/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_estimate.h. */
#include "live_estimate.h"

/*
 * An experiment stands for all stores from which its own was chosen. There are some more, from which none
 * was: the last ones, and those of experiments that say nothing. That all stores of a writer are known would
 * tell more of one whose experiments are alike; but those with lines that are tried seldom stand for many
 * stores and find nothing, so that the mean of few experiments is too high: 1.2 times, of three accesses in
 * ten to one line.
 */
double live_estimate_scale(const struct live_result *result)
{
	return result->represented > 0 ? result->considered / result->represented : 0;
}

static struct poisson_sum scaled(const struct poisson_sum *sum, double by)
{
	return (struct poisson_sum){ sum->sum * by, sum->variance * by * by, sum->most * by };
}

static struct live_flow estimate(const struct live_result *result, const struct live_flow *found)
{
	const double by = live_estimate_scale(result);

	return (struct live_flow){ scaled(&found->all, by), scaled(&found->met, by),
				   scaled(&found->apart, by) };
}

struct live_flow live_estimate(const struct live_result *result, uint32_t from, uint32_t to)
{
	return estimate(result, &result->flows[from * WATCH_THREADS_MOST + to]);
}

struct live_flow live_estimate_sent(const struct live_result *result, uint32_t from)
{
	return estimate(result, &result->threads[from].sent);
}
