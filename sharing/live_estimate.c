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

double live_estimate_each(const struct live_result *result)
{
	return result->most_represented > result->heaviest ? result->most_represented
							   : result->heaviest;
}

double live_estimate_hurried(const struct live_result *result)
{
	double all = 0, hurried = 0;

	for (uint32_t n = 0; n < LIVE_LINES_MOST; n++) {
		const struct live_line *line = &result->lines[n];
		const double transfers = line->met + line->apart;

		all += transfers;
		if (line->stores * (double)result->hit_ns > result->seconds * 1e9)
			hurried += transfers;
	}
	return all > 0 ? hurried / all : 0;
}

static struct live_flow estimate(const struct live_result *result, const struct live_flow *found)
{
	const double by = live_estimate_scale(result);

	return (struct live_flow){ poisson_sum_scaled(&found->all, by),
				   poisson_sum_scaled(&found->met, by),
				   poisson_sum_scaled(&found->apart, by) };
}

struct live_flow live_estimate(const struct live_result *result, uint32_t from, uint32_t to)
{
	return estimate(result, &result->flows[from * WATCH_THREADS_MOST + to]);
}

struct live_flow live_estimate_sent(const struct live_result *result, uint32_t from)
{
	return estimate(result, &result->threads[from].sent);
}
