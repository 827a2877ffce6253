/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_periods.c
 * @see precis_periods.h
 *
 * A sample does not always say itself: Linux writes the first period into those
 * of its clocks for ever, and of an event that it counts by itself PERF_SAMPLE_PERIOD would make a
 * sample each time.
 *
 * Of such an event Linux forgets at a change of period what it had counted of the old one, makes a
 * sample of the very next event, and one more after the old period (perf_swevent_set_period() in
 * kernel/events/core.c takes hwc->last_period); or, if its thread does not run, none until the new period
 * is over. So where the period may change their samples have the
 * event's count in them (PERF_SAMPLE_READ): each stands for what has been counted since the one before.
 */
#include "precis_periods.h"

#include <string.h>
#include <sys/ioctl.h>

/* What stands before the count in a sample, eight bytes for each bit (perf_output_sample() there) */
#define BEFORE_COUNT                                                                               \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |             \
	 PERF_SAMPLE_PERIOD)
/* and the record's header */
#define HEADER_BYTES 8u

void precis_periods_begin(struct precis_counter *counter)
{
	const struct precis_papi_sampling *sampling = &counter->sampling;
	const uint64_t times = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	uint64_t type = counter->request.attr.sample_type, format = counter->request.attr.read_format;
	struct precis_periods *periods = &counter->periods;

	*periods = (struct precis_periods){ .now = sampling->frequency ? 0 : sampling->period };
	if (!counter->sink || !(sampling->max_overhead > 0) || !(type & PERF_SAMPLE_READ))
		return;
	periods->count_at = HEADER_BYTES + 8 * (uint32_t)__builtin_popcountll(type & BEFORE_COUNT);
	if (format & PRECIS_FORMAT_LOST)
		periods->lost_at =
			periods->count_at + 8 + 8 * (uint32_t)__builtin_popcountll(format & times);
}

/* By its place in the ring */
static uint64_t in_force(const struct precis_counter *counter)
{
	const struct precis_periods *periods = &counter->periods;

	return periods->from && counter->buffer.ring.at <= periods->from ? periods->before
									 : periods->now;
}

/* By the event's count then, and how many samples the kernel has lost since the one before */
static uint64_t by_count(struct precis_counter *counter, uint64_t count, uint64_t lost, uint64_t regular)
{
	struct precis_periods *periods = &counter->periods;
	uint64_t stood = periods->stood + lost * regular;
	/* two of the same event, where the period was 1: the second one's is owed to those that follow */
	uint64_t period = count > stood ? count - stood : 1;

	periods->lost += lost;
	periods->stood = stood + period;
	/* samples before it have been overwritten: what they stood for is not its own */
	if (counter->buffer.is_overwritten) {
		periods->stood = count;
		period = period < regular ? period : regular;
	}
	return period;
}

/* @return 0, or -1: the record is too short */
static int word_at(const struct precis_record *record, uint32_t at, uint64_t *word)
{
	if (record->size < at + sizeof(*word))
		return -1;
	memcpy(word, record->data + at, sizeof(*word));
	return 0;
}

uint64_t precis_period_of(struct precis_counter *counter, const struct precis_record *record)
{
	struct precis_periods *periods = &counter->periods;
	uint64_t regular = in_force(counter), period = regular, count, lost;

	if (periods->count_at && !word_at(record, periods->count_at, &count)) {
		if (periods->lost_at && !word_at(record, periods->lost_at, &lost))
			lost -= periods->lost;
		else
			lost = counter->tally.lost_since; /* as records before it say */
		period = by_count(counter, count, lost, regular);
	}
	periods->is_irregular = period != regular;
	return period;
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
