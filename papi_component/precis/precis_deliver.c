/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples from rings to whoever asked for them. Runs in signal handlers: no
 * memory is allocated, no lock taken, nothing printed.
 */
#include <sys/ioctl.h>

#include <precis/kernel_records.h>

#include "precis_component.h"

/* Of many samples at once, one callback in so many is measured. */
#define MEASURED_IN 16u

/* The set whose callbacks the thread calls, and the stack's frame that does */
static __thread struct {
	const struct precis_set *set;
	uintptr_t frame;
} delivering;

static int is_on(const stack_t *stack, uintptr_t at)
{
	return !(stack->ss_flags & SS_DISABLE) && at - (uintptr_t)stack->ss_sp < stack->ss_size;
}

/*
 * Has longjmp(3) left the callback? Stacks grow downward: whoever is called by a
 * callback stands below. A signal's own stack is not left for another otherwise.
 */
static int is_left(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	stack_t alternate = { .ss_flags = SS_DISABLE };
	int was_on;

	sigaltstack(NULL, &alternate);
	was_on = is_on(&alternate, delivering.frame);
	return was_on == is_on(&alternate, here) ? here > delivering.frame : was_on;
}

int precis_delivering(const struct precis_set *set)
{
	return delivering.set == set && !is_left();
}

void precis_left(const struct precis_set *set)
{
	if (delivering.set == set)
		delivering.set = NULL;
}

/* One walk through a ring */
struct walk {
	struct precis_counter *counter;
	void *context;
	uint64_t samples; /* delivered */
	uint64_t measured, measured_ns; /* those whose callback was measured, and what they took */
};

static void call_back(struct walk *walk, uint64_t period)
{
	struct precis_counter *counter = walk->counter;
	const struct precis_papi_sampling *sampling = &counter->sampling;
	const struct precis_papi_arrival arrival = {
		.size = sizeof(arrival),
		.event_set = counter->set->event_set,
		.event_code = counter->papi_code,
		.position = counter->position,
		.period = period,
		.lost_before = counter->lost_since,
		.parts = sampling->parts ? &counter->memory->parts : NULL,
		.context = walk->context,
	};
	int measured = sampling->delivery == PRECIS_PAPI_SAMPLE || walk->samples % MEASURED_IN == 0;
	uint64_t before = measured ? precis_now() : 0;

	sampling->callback(&counter->memory->sample, &arrival, sampling->user);
	if (measured) {
		walk->measured++;
		walk->measured_ns += precis_now() - before;
	}
}

/* What the callbacks of all samples took, if the others took as long as those that were measured */
static uint64_t callback_ns(const struct walk *walk)
{
	return walk->measured ? walk->measured_ns * walk->samples / walk->measured : 0;
}

/* Of the record that was read last, if it does not say itself: it may be from before a change */
static uint64_t period_of(const struct precis_counter *counter)
{
	return counter->period_from && counter->ring.at <= counter->period_from
		       ? counter->period_before
		       : counter->period;
}

/* Not inlined: the deeper its frame, the surer is_left() */
__attribute__((noinline)) static void take_sample(struct walk *walk,
						  const struct precis_record *record)
{
	struct precis_counter *counter = walk->counter;
	struct precis_memory *memory = counter->memory;
	/* Linux writes the first period into samples of its clocks for ever: it is not asked for */
	uint64_t period = period_of(counter);

	memory->decoder.fixed_period = period;
	if (precis_decoder_sample(&memory->decoder, record, counter->fields,
				  counter->sampling.parts ? &memory->parts : NULL,
				  &memory->sample) ||
	    memory->sample.payload_error)
		counter->statistics.truncated++;
	counter->statistics.samples++;
	delivering.frame = (uintptr_t)__builtin_frame_address(0);
	if (counter->sink == PRECIS_SINK_OVERFLOW)
		precis_overflow_deliver(counter, record, walk->context);
	else
		call_back(walk, period);
	walk->samples++;
	counter->lost_since = 0;
}

static void take_lost(struct precis_counter *counter, uint64_t lost)
{
	counter->statistics.lost += lost;
	counter->lost_since += lost;
}

static void take_throttle(struct precis_counter *counter, const struct precis_record *record)
{
	struct precis_throttle throttle = { .size = sizeof(throttle) };

	if (precis_throttle_parse(record, &throttle))
		return;
	if (record->type == PRECIS_RECORD_THROTTLE) {
		counter->statistics.throttled++;
		counter->throttled_at = throttle.time;
	} else if (counter->throttled_at && throttle.time > counter->throttled_at) {
		counter->statistics.throttled_ns += throttle.time - counter->throttled_at;
		counter->throttled_at = 0;
	}
}

static void take(struct walk *walk, const struct precis_record *record)
{
	struct precis_counter *counter = walk->counter;
	struct precis_lost lost = { .size = sizeof(lost) };
	struct precis_lost_samples samples = { .size = sizeof(samples) };

	switch (record->type) {
	case PRECIS_RECORD_SAMPLE:
		if (counter->set->cancelled)
			counter->statistics.discarded++;
		else
			take_sample(walk, record);
		break;
	case PRECIS_RECORD_LOST:
		if (!precis_lost_parse(record, &lost))
			take_lost(counter, lost.lost);
		break;
	case PRECIS_RECORD_LOST_SAMPLES:
		if (!precis_lost_samples_parse(record, &samples))
			counter->statistics.lost_pmu += samples.lost;
		break;
	case PRECIS_RECORD_THROTTLE:
	case PRECIS_RECORD_UNTHROTTLE:
		take_throttle(counter, record);
		break;
	}
}

/* What waits, as a queue or, with the output paused, of a ring that is overwritten */
static int look(struct precis_counter *counter)
{
	if (counter->sampling.full != PRECIS_PAPI_OVERWRITE)
		return precis_ring_look(&counter->ring) != 0;
	ioctl(counter->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
	precis_ring_freeze(&counter->ring, counter->starts, counter->start_count);
	return 1;
}

static void let_go(struct precis_counter *counter)
{
	if (counter->sampling.full != PRECIS_PAPI_OVERWRITE) {
		precis_ring_release(&counter->ring);
		return;
	}
	counter->statistics.overwritten_bytes = counter->ring.overwritten_bytes;
	ioctl(counter->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
}

void precis_counter_skip(struct precis_counter *counter)
{
	struct precis_record record;

	if (!counter->mapping || !look(counter))
		return;
	while (precis_ring_next(&counter->ring, &record))
		;
	let_go(counter);
}

/* A callback may fork: in the child there is no ring. */
static int is_gone(const struct precis_counter *counter)
{
	return counter->set->generation != precis_generation;
}

static uint64_t drain(struct precis_counter *counter, void *context)
{
	struct walk walk = { .counter = counter, .context = context };
	struct precis_record record;
	uint64_t began, spent, in_callbacks;
	int got;

	if (is_gone(counter) || !counter->mapping || !look(counter))
		return 0;
	began = precis_now();
	while ((got = precis_ring_next(&counter->ring, &record))) {
		if (got < 0) {
			counter->statistics.truncated++;
			continue;
		}
		take(&walk, &record);
		if (is_gone(counter))
			return walk.samples;
		/* callbacks may take their time: the kernel has the room of each sample at once */
		if (counter->sampling.full != PRECIS_PAPI_OVERWRITE)
			precis_ring_release(&counter->ring);
	}
	let_go(counter);
	spent = precis_now() - began;
	in_callbacks = callback_ns(&walk);
	counter->statistics.callback_ns += in_callbacks;
	counter->statistics.component_ns += spent > in_callbacks ? spent - in_callbacks : 0;
	if (counter->sampling.max_overhead > 0)
		precis_budget_check(counter, began + spent);
	return walk.samples;
}

static int is_wanted(const struct precis_counter *counter, enum precis_which which, int in_handler)
{
	if (counter->sink == PRECIS_SINK_NONE)
		return 0;
	if (which == PRECIS_OF_POLLER)
		return precis_counter_is_polled(counter);
	if (counter->sink == PRECIS_SINK_OVERFLOW) /* the user wants the interrupted context */
		return in_handler;
	if (which == PRECIS_OF_SIGNALS)
		return precis_counter_by_signal(counter);
	return !precis_counter_is_polled(counter);
}

static uint64_t drain_all(struct precis_set *set, enum precis_which which, void *context)
{
	const struct precis_set *outer = delivering.set;
	uintptr_t outer_frame = delivering.frame;
	uint64_t samples = 0;

	delivering.set = set;
	for (struct precis_counter *part = precis_first_part(set); part;
	     part = precis_next_part(part)) {
		if (is_wanted(part, which, context != NULL))
			samples += drain(part, context);
	}
	delivering.set = outer;
	delivering.frame = outer_frame;
	return samples;
}

uint64_t precis_deliver(struct precis_set *set, enum precis_which which, void *context)
{
	uint64_t samples = 0;
	int missed = 0;

	if (which == PRECIS_OF_POLLER)
		return drain_all(set, which, context);
	if (precis_signals_elsewhere(set)) /* that thread's handler may be at it */
		return 0;
	if (set->busy) { /* a signal of the same thread, or a callback that reads */
		set->pending = 1;
		return 0;
	}
	for (;;) {
		set->busy = 1;
		set->pending = 0;
		samples += drain_all(set, which, context);
		set->busy = 0;
		if (!set->pending || set->cancelled)
			break;
		missed = 1;
	}
	if (missed && !context)
		precis_overflow_raise(set);
	return samples;
}
