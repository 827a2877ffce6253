/* SPDX-License-Identifier: BSD-3-Clause */
/* See budget.h. */
#include "budget.h"

uint64_t budget_switches_ns(const struct budget *budget)
{
	return budget->off * budget->off_ns + budget->armed * budget->armed_ns;
}

uint64_t budget_watching_ns(const struct budget *budget)
{
	return budget->hits * budget->hit_ns + budget->arming_ns + budget_switches_ns(budget);
}

int budget_affords(const struct budget *budget, uint64_t now, uint64_t other_ns)
{
	const double watching = (double)budget_watching_ns(budget);
	const double next = budget->experiments ? watching / (double)budget->experiments
						: (double)budget->first_ns;

	return watching + (double)other_ns + next <= budget->most * (double)(now - budget->begun);
}

int budget_wants_closed(const struct budget *budget, uint64_t switches, uint64_t ns)
{
	return (double)(switches * budget->off_ns) > budget->most / 2 * (double)ns;
}
