/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_estimate.h. */
#include "live_estimate.h"

/*
 * Experiments stand for all stores from which one was chosen; there are more, from which none was. How many
 * of them are the writer's is known, too: where most experiments find something, the mean of what they find
 * times these is surer than their sum. Where few do, it is not, and too high as long as few are made.
 */
static double scale(const struct live_result *result, const struct live_thread *writer)
{
	const struct poisson_sum *sent = &writer->sent.all;
	const double mean = writer->represented > 0 ? sent->sum / writer->represented : 0;
	const double around =
		sent->variance - 2 * mean * writer->cross + mean * mean * writer->squares;

	if (around < sent->variance)
		return writer->store_weight / writer->represented;
	return result->represented > 0 ? result->considered / result->represented : 0;
}

static struct poisson_sum scaled(const struct poisson_sum *sum, double by)
{
	return (struct poisson_sum){ sum->sum * by, sum->variance * by * by, sum->most * by };
}

static struct live_flow estimate(const struct live_result *result, uint32_t from,
				 const struct live_flow *found)
{
	const double by = scale(result, &result->threads[from]);

	return (struct live_flow){ scaled(&found->all, by), scaled(&found->met, by),
				   scaled(&found->apart, by) };
}

struct live_flow live_estimate(const struct live_result *result, uint32_t from, uint32_t to)
{
	return estimate(result, from, &result->flows[from * WATCH_THREADS_MOST + to]);
}

struct live_flow live_estimate_sent(const struct live_result *result, uint32_t from)
{
	return estimate(result, from, &result->threads[from].sent);
}
