/* SPDX-License-Identifier: BSD-3-Clause */
/* See budget.h. */
#include "budget.h"

uint64_t budget_switches_ns(const struct budget *budget)
{
	return budget->closed * budget->closed_ns + budget->off * budget->off_ns +
	       budget->armed * budget->armed_ns;
}

uint64_t budget_watching_ns(const struct budget *budget)
{
	return budget->hits * budget->hit_ns + budget->arming_ns + budget_switches_ns(budget);
}

uint64_t budget_experiments_ns(const struct budget *budget)
{
	return budget->hits * budget->hit_ns + budget->arming_ns + budget->armed * budget->armed_ns;
}

void budget_made_one(struct budget *budget, uint64_t before)
{
	const uint64_t cost = budget_experiments_ns(budget) - before;

	if (cost > budget->dearest_ns)
		budget->dearest_ns = cost;
}

double budget_spared_share(const struct budget *budget)
{
	return budget->bare_ns
		       ? (double)(budget->bare * budget->closed_ns) / (double)budget->bare_ns
		       : 0;
}

static double next_ns(const struct budget *budget)
{
	if (!budget->experiments)
		return (double)budget->first_ns;
	return ((double)budget_experiments_ns(budget) / (double)budget->experiments +
		(double)budget->dearest_ns) /
	       2;
}

int budget_affords(const struct budget *budget, uint64_t now, uint64_t other_ns)
{
	if (!budget->experiments &&
	    (!budget->bare_ns || budget_spared_share(budget) > budget->most / 2))
		return 0;
	return (double)budget_watching_ns(budget) + (double)other_ns + next_ns(budget) <=
	       budget->most * (double)(now - budget->begun);
}

int budget_wants_closed(const struct budget *budget, uint64_t switches, uint64_t ns)
{
	const uint64_t more =
		budget->off_ns > budget->closed_ns ? budget->off_ns - budget->closed_ns : 0;

	return (double)(switches * more) > budget->most / 2 * (double)ns;
}

uint64_t budget_pause_ns(uint64_t last)
{
	const uint64_t next = 2 * last;

	if (next < BUDGET_LEAST_PAUSE_NS)
		return BUDGET_LEAST_PAUSE_NS;
	return next < BUDGET_LONGEST_PAUSE_NS ? next : BUDGET_LONGEST_PAUSE_NS;
}
