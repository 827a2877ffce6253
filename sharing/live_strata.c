/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_strata.h. */
#include "live_strata.h"

/* With fewer since others were settled, stores since then are taken to be as those before. */
#define EXPERIMENTS_LEAST 64u

/* Where sums of lines go */
struct line_sums {
	struct live *live;
	int is_settled;
};

static void add_to_line(void *of, uint64_t address, double met, double apart)
{
	const struct line_sums *sums = of;
	struct live_line *line = live_line_of(sums->live, address);

	if (!line)
		return;
	*(sums->is_settled ? &line->settled_met : &line->met) += met;
	*(sums->is_settled ? &line->settled_apart : &line->apart) += apart;
}

static void settle(struct live *live)
{
	struct live_settled *settled = &live->settled;
	struct line_sums lines = { live, 1 };
	const struct strata_sums sums = { settled->flows, settled->sent, &settled->total,
					  add_to_line, &lines };

	strata_estimate(&live->strata, &sums);
	settled->stores += live->strata.stores;
	strata_clear(&live->strata);
}

void live_strata_experiment(struct live *live)
{
	const struct candidate *chosen = &live->candidates.chosen;

	if (!strata_has_room(&live->strata))
		settle(live);
	strata_experiment(&live->strata, chosen->access.address, chosen->writer,
			  chosen->access.weight / chosen->chance, live->candidates.count);
}

static struct live_flow scaled(const struct live_flow *flow, double by)
{
	return (struct live_flow){ poisson_sum_scaled(&flow->all, by),
				   poisson_sum_scaled(&flow->met, by),
				   poisson_sum_scaled(&flow->apart, by) };
}

static void begin_with_settled(struct live *live, double by)
{
	const struct live_settled *settled = &live->settled;
	struct live_result *result = live->result;

	for (uint32_t from = 0; from < result->thread_count; from++) {
		const size_t first = (size_t)from * WATCH_THREADS_MOST;

		live->sent[from] = scaled(&settled->sent[from], by);
		for (size_t n = first; n < first + result->thread_count; n++)
			result->flows[n] = scaled(&settled->flows[n], by);
	}
	result->total = scaled(&settled->total, by);
	for (uint32_t n = 0; n < LIVE_LINES_MOST; n++) {
		result->lines[n].met = by * result->lines[n].settled_met;
		result->lines[n].apart = by * result->lines[n].settled_apart;
	}
}

void live_strata_tell(struct live *live)
{
	const double settled = live->settled.stores, since = live->strata.stores;
	const int is_enough = !(settled > 0) || live->strata.experiment_count >= EXPERIMENTS_LEAST;
	struct live_result *result = live->result;
	struct line_sums lines = { live, 0 };
	const struct strata_sums sums = { result->flows, live->sent, &result->total, add_to_line,
					  &lines };

	begin_with_settled(live, is_enough ? 1 : 1 + since / settled);
	if (is_enough)
		strata_estimate(&live->strata, &sums);
	for (uint32_t n = 0; n < result->thread_count; n++)
		result->threads[n].sent = live->sent[n];
}
