/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See precis_periods.h. A sample does not always say itself: Linux writes the first period into those
 * of its clocks for ever, and of an event that it counts by itself PERF_SAMPLE_PERIOD would make a
 * sample each time.
 */
#include "precis_periods.h"

#include <sys/ioctl.h>

void precis_periods_begin(struct precis_counter *counter)
{
	const struct precis_papi_sampling *sampling = &counter->sampling;

	counter->periods = (struct precis_periods){
		.now = sampling->frequency ? 0 : sampling->period,
	};
}

uint64_t precis_period_of(const struct precis_counter *counter)
{
	const struct precis_periods *periods = &counter->periods;

	return periods->from && counter->buffer.ring.at <= periods->from ? periods->before
									 : periods->now;
}

int precis_period_change(struct precis_counter *counter, uint64_t period)
{
	struct precis_periods *periods = &counter->periods;

	if (ioctl(counter->fd, PERF_EVENT_IOC_PERIOD, &period))
		return -1;
	/* of a ring that is overwritten all has just been read */
	if (!counter->buffer.is_overwritten) {
		periods->before = periods->now;
		periods->from = counter->buffer.ring.at + precis_ring_look(&counter->buffer.ring);
	}
	periods->now = period;
	return 0;
}
