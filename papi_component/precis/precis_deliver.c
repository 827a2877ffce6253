/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_deliver.c
 * @see precis_deliver.h
 *
 * Runs in signal handlers: no memory is allocated, no lock taken, nothing
 * printed.
 */
#include "precis_deliver.h"

#include <string.h>

#include "papi.h"
#include "precis_budget.h"
#include "precis_clock.h"
#include "precis_inside.h"
#include "precis_periods.h"

#include <precis/kernel_records.h>

/* One walk through a ring */
struct walk {
	struct precis_counter *counter;
	void *context;
	uint64_t samples; /* delivered */
	uint64_t in_callbacks; /* ticks */
};

static void call_back(struct precis_counter *counter, const struct precis_record *record,
		      uint64_t period, void *context)
{
	const struct precis_papi_sampling *sampling = &counter->sampling;
	const struct precis_papi_arrival arrival = {
		.size = sizeof(arrival),
		.event_set = counter->common->event_set,
		.event_code = counter->papi_code,
		.position = counter->position,
		.period = period,
		.is_irregular = counter->periods.is_irregular,
		.lost_before = counter->tally.lost_since,
		.parts = sampling->parts ? &counter->memory->parts : NULL,
		.context = context,
	};

	(void)record;
	sampling->callback(&counter->memory->sample, &arrival, sampling->user);
}

const struct precis_sink precis_callback_sink = { .take = call_back };

static void give(struct walk *walk, const struct precis_record *record, uint64_t period)
{
	struct precis_counter *counter = walk->counter;
	uint64_t before = precis_ticks();

	counter->sink->take(counter, record, period, walk->context);
	walk->in_callbacks += precis_ticks() - before;
}

/* Not inlined: the deeper its frame, the surer it is seen that it was left. */
__attribute__((noinline)) static void take_sample(struct walk *walk, const struct precis_record *record,
						  uint64_t period)
{
	struct precis_counter *counter = walk->counter;
	struct precis_memory *memory = counter->memory;
	struct precis_tally *tally = &counter->tally;
	struct precis_marked marked;
	struct precis_mark mark;

	memory->decoder.fixed_period = period;
	if (precis_decoder_sample(&memory->decoder, record, counter->fields,
				  counter->sampling.parts ? &memory->parts : NULL,
				  &memory->sample) ||
	    memory->sample.payload_error)
		tally->statistics.truncated++;
	tally->statistics.samples++;
	marked = precis_mark_begin(&mark);
	precis_inside_calls(&marked);
	give(walk, record, period);
	precis_inside_calls(NULL);
	precis_mark_end(&mark);
	walk->samples++;
	tally->lost_since = 0;
}

static void take_lost(struct precis_tally *tally, uint64_t lost)
{
	tally->statistics.lost += lost;
	tally->lost_since += lost;
}

static void take_throttle(struct precis_tally *tally, const struct precis_record *record)
{
	struct precis_throttle throttle = { .size = sizeof(throttle) };

	if (precis_throttle_parse(record, &throttle))
		return;
	if (record->type == PRECIS_RECORD_THROTTLE) {
		tally->statistics.throttled++;
		tally->throttled_at = throttle.time;
	} else if (tally->throttled_at && throttle.time > tally->throttled_at) {
		tally->statistics.throttled_ns += throttle.time - tally->throttled_at;
		tally->throttled_at = 0;
	}
}

static void take(struct walk *walk, const struct precis_record *record)
{
	struct precis_counter *counter = walk->counter;
	struct precis_tally *tally = &counter->tally;
	struct precis_lost lost = { .size = sizeof(lost) };
	struct precis_lost_samples samples = { .size = sizeof(samples) };
	uint64_t period;

	switch (record->type) {
	case PRECIS_RECORD_SAMPLE:
		period = precis_period_of(counter, record);
		if (counter->common->cancelled)
			tally->statistics.discarded++;
		else
			take_sample(walk, record, period);
		break;
	case PRECIS_RECORD_LOST:
		if (!precis_lost_parse(record, &lost))
			take_lost(tally, lost.lost);
		break;
	case PRECIS_RECORD_LOST_SAMPLES:
		if (!precis_lost_samples_parse(record, &samples))
			tally->statistics.lost_pmu += samples.lost;
		break;
	case PRECIS_RECORD_THROTTLE:
	case PRECIS_RECORD_UNTHROTTLE:
		take_throttle(tally, record);
		break;
	}
}

int precis_deliver_begin(struct precis_counter *counter)
{
	struct precis_tally *tally = &counter->tally;
	struct precis_record record;
	int error, got;

	memset(tally, 0, sizeof(*tally));
	error = precis_counter_read(counter, &counter->base, &tally->lost_at_start);
	if (precis_buffer_begin(&counter->buffer)) {
		while ((got = precis_buffer_next(&counter->buffer, &record))) {
			if (got > 0 && record.type == PRECIS_RECORD_SAMPLE)
				precis_period_of(counter, &record);
		}
		precis_buffer_end(&counter->buffer);
	}
	if (counter->sampling.max_overhead > 0)
		precis_budget_start(counter);
	return error;
}

/* What a walk through a ring took; of ticks, that is known of the walk alone how long they are. */
static void account(const struct walk *walk, uint64_t ns, uint64_t ticks)
{
	struct precis_papi_statistics *statistics = &walk->counter->tally.statistics;
	double share = ticks ? (double)walk->in_callbacks / (double)ticks : 0;
	uint64_t in_callbacks = share < 1 ? (uint64_t)(share * (double)ns) : ns;

	statistics->callback_ns += in_callbacks;
	statistics->component_ns += ns - in_callbacks;
}

static uint64_t drain(struct precis_counter *counter, void *context)
{
	struct walk walk = { .counter = counter, .context = context };
	struct precis_record record;
	uint64_t began, began_ticks, ticks, spent;
	int got;

	if (precis_counter_is_gone(counter) || !precis_buffer_begin(&counter->buffer))
		return 0;
	began = precis_now();
	began_ticks = precis_ticks();
	while ((got = precis_buffer_next(&counter->buffer, &record))) {
		if (got < 0) {
			counter->tally.statistics.truncated++;
			continue;
		}
		take(&walk, &record);
		if (precis_counter_is_gone(counter)) /* a callback may fork: in the child there is no ring */
			return walk.samples;
		/* callbacks may take their time: the kernel has the room of each sample at once */
		precis_buffer_release(&counter->buffer);
		if (counter->sink->wants_context && walk.samples)
			break;
	}
	precis_buffer_end(&counter->buffer);
	if (counter->buffer.is_overwritten)
		counter->tally.statistics.overwritten_bytes = counter->buffer.ring.overwritten_bytes;
	/* within what the clock saw, as they began: the kernel may take the CPU between the two */
	ticks = precis_ticks() - began_ticks;
	spent = precis_now() - began;
	account(&walk, spent, ticks);
	if (counter->sampling.max_overhead > 0)
		precis_budget_check(counter, began + spent);
	return walk.samples;
}

uint64_t precis_deliver(struct precis_counter *counter, const void *whose, void *context)
{
	struct precis_inside outer = precis_inside_begin(whose);
	uint64_t samples = drain(counter, context);

	precis_inside_end(&outer);
	return samples;
}

void precis_deliver_called(struct precis_counter *counter, uint64_t ns)
{
	counter->tally.statistics.callback_ns += ns;
}

void precis_deliver_woken(struct precis_counter *counter)
{
	counter->tally.statistics.wakeups++;
}

void precis_statistics_of(const struct precis_counter *counter, struct precis_papi_statistics *statistics)
{
	*statistics = counter->tally.statistics;
	statistics->size = sizeof(*statistics);
	statistics->ring_bytes = counter->buffer.bytes;
	statistics->period = counter->periods.now;
}
