/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * max_overhead: what the component and the callbacks cost of the time that passes,
 * as the component measures it, and what the kernel does for each sample, as far as that
 * is known; beyond the limit the period is raised. Each
 * sample carries the period that was in force, so that estimates stay unbiased.
 */
#include <sys/ioctl.h>

#include "precis_component.h"

/* How long is looked at before anything is decided */
#define INTERVAL_NS 10000000u
#define PERIOD_MOST ((uint64_t)1 << 40)

uint64_t precis_budget_kernel_ns(const struct precis_counter *counter,
				 const struct precis_papi_statistics *statistics)
{
	/* each of these was an interrupt, whether its record found room or a reader or not */
	uint64_t samples = statistics->samples + statistics->lost + statistics->discarded;

	return (uint64_t)(counter->kernel_ns * (double)samples);
}

static uint64_t spent(const struct precis_counter *counter)
{
	return counter->statistics.component_ns + counter->statistics.callback_ns +
	       precis_budget_kernel_ns(counter, &counter->statistics);
}

void precis_budget_start(struct precis_counter *counter)
{
	counter->budget_since = precis_now();
	counter->budget_spent = spent(counter);
}

void precis_budget_check(struct precis_counter *counter, uint64_t now)
{
	uint64_t elapsed = now - counter->budget_since, before = counter->period, after;
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
	if (after <= before || ioctl(counter->fd, PERF_EVENT_IOC_PERIOD, &after))
		return;
	/* of a ring that is overwritten all has just been read */
	if (counter->sampling.full != PRECIS_PAPI_OVERWRITE) {
		counter->period_before = before;
		counter->period_from = counter->ring.at + precis_ring_look(&counter->ring);
	}
	counter->period = after;
	counter->statistics.period_changes++;
	if (counter->sampling.period_changed)
		counter->sampling.period_changed(counter->set->event_set, counter->papi_code,
						 before, after, counter->sampling.user);
}
