/* SPDX-License-Identifier: BSD-3-Clause */
/* See precis_budget.h. */
#include "precis_budget.h"

#include "precis_clock.h"
#include "precis_kernel_cost.h"
#include "precis_periods.h"

/* How long is looked at before anything is decided */
#define INTERVAL_NS 10000000u
#define PERIOD_MOST ((uint64_t)1 << 40)

static uint64_t spent(const struct precis_counter *counter)
{
	const struct precis_papi_statistics *statistics = &counter->tally.statistics;

	return statistics->component_ns + statistics->callback_ns +
	       precis_kernel_cost_of(counter, statistics);
}

void precis_budget_start(struct precis_counter *counter)
{
	counter->budget_since = precis_now();
	counter->budget_spent = spent(counter);
}

void precis_budget_check(struct precis_counter *counter, uint64_t now)
{
	uint64_t elapsed = now - counter->budget_since, before = counter->periods.now, after;
	double share;

	if (elapsed < INTERVAL_NS || !before)
		return;
	share = (double)(spent(counter) - counter->budget_spent) / (double)elapsed;
	counter->budget_since = now;
	counter->budget_spent = spent(counter);
	if (share <= counter->sampling.max_overhead)
		return;
	after = (uint64_t)((double)before * share / counter->sampling.max_overhead) + 1;
	if (after > PERIOD_MOST)
		after = PERIOD_MOST;
	after += after % 16 ? 16 - after % 16 : 0; /* IBS takes no others */
	if (after <= before || precis_period_change(counter, after))
		return;
	counter->tally.statistics.period_changes++;
	if (counter->sampling.period_changed)
		counter->sampling.period_changed(counter->common->event_set, counter->papi_code,
						 before, after, counter->sampling.user);
}
