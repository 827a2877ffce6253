/* SPDX-License-Identifier: BSD-3-Clause */
/* See precis_overflow.h. */
#include "precis_overflow.h"

#include <string.h>

#include "extras.h"
#include "libdecode/sample/abi.h"
#include "precis_change.h"
#include "precis_errors.h"
#include "precis_reading.h"
#include "precis_vector.h"
#include "threads.h"

static __thread const struct precis_sample *current;

int precis_papi_current_sample(struct precis_sample *sample)
{
	if (!sample || sample->size < ABI_SAMPLE_LEAST || sample->size > ABI_MOST_BYTES)
		return PAPI_EINVAL;
	if (!current)
		return PAPI_ENOTRUN;
	precis_abi_write_sample(sample, current);
	return PAPI_OK;
}

/* Behind the header of a record, if the event records it at all; here it always does */
#define IP_OFFSET 8

static uint64_t bit(const struct precis_counter *counter)
{
	return UINT64_C(1) << counter->position;
}

/*
 * PAPI's own dispatcher looks a profiled event up among those of PAPI_overflow,
 * where a component that profiles by itself has none.
 */
static void deliver_profiling(EventSetInfo_t *event_set, const struct precis_counter *counter,
			      uint64_t address, void *context)
{
	const EventSetProfileInfo_t *profile = &event_set->profile;

	for (int n = 0; n < profile->event_counter; n++) {
		if (event_set->EventInfoArray[profile->EventIndex[n]].pos[0] ==
		    (int)counter->position) {
			_papi_hwi_dispatch_profile(event_set, (vptr_t)(uintptr_t)address, 0, n);
			return;
		}
	}
	if (event_set->overflow.handler)
		event_set->overflow.handler(event_set->EventSetIndex, (void *)(uintptr_t)address,
					    (long long)bit(counter), context);
}

static void take(struct precis_counter *counter, const struct precis_record *record, uint64_t period,
		 void *context)
{
	ThreadInfo_t *thread = _papi_hwi_lookup_thread(0);
	_papi_hwi_context_t papi_context = { .si = NULL, .ucontext = context };
	const struct precis_sample *outer = current;
	EventSetInfo_t *event_set;
	uint64_t address = 0;

	(void)period;
	if (!thread)
		return;
	/* where the sample has no precise address, the interrupt's */
	if (!precis_get_ip(&counter->memory->sample, &address) && record->size >= IP_OFFSET + 8)
		memcpy(&address, record->data + IP_OFFSET, sizeof(address));
	current = &counter->memory->sample;
	event_set = thread->running_eventset[_precis_vector.cmp_info.CmpIdx];
	if (event_set && event_set->master == thread && event_set->state & PAPI_PROFILING)
		deliver_profiling(event_set, counter, address, context);
	else
		_papi_hwi_dispatch_overflow_signal(&papi_context, (vptr_t)(uintptr_t)address, NULL,
						   (long long)bit(counter), 0, &thread,
						   _precis_vector.cmp_info.CmpIdx);
	current = outer;
}

static const struct precis_sink overflow_sink = {
	.take = take,
	.wants_context = 1,
	.takes_any_level = 1, /* PAPI_overflow has no say in it */
};

static struct precis_counter *counter_of(EventSetInfo_t *event_set, int index)
{
	struct precis_eventset *set = precis_eventset_of(event_set->ctl_state);
	int position = event_set->EventInfoArray[index].pos[0];

	return set && position >= 0 && (uint32_t)position < set->counters ? set->counter[position]
									  : NULL;
}

int precis_overflow_threshold(EventSetInfo_t *event_set, int index, int threshold)
{
	struct precis_counter *counter = counter_of(event_set, index);
	struct precis_eventset *set = precis_eventset_of(event_set->ctl_state);
	const struct precis_sink *wanted = threshold ? &overflow_sink : NULL;
	struct precis_papi_sampling sampling = { .size = sizeof(sampling), .delivery = PRECIS_PAPI_SAMPLE };
	int error;

	if (!counter)
		return PAPI_EINVAL;
	set->common.event_set = event_set->EventSetIndex;
	error = precis_eventset_settle(set);
	if (error)
		return error;
	if (counter->sink && counter->sink != &overflow_sink)
		return precis_fail(PAPI_ECNFLCT, "%s: precis_papi_set_sampling has the event",
				   counter->request.event->name);
	if (threshold) {
		sampling.period = precis_encode_period(&counter->request, (uint64_t)threshold, 0);
		if (!sampling.period)
			return PAPI_EINVAL;
		error = precis_reading_take_signal();
		if (error)
			return error;
	}
	if (counter->sink == wanted && counter->sampling.period == sampling.period && counter->fd >= 0)
		return PAPI_OK; /* PAPI repeats itself at each PAPI_start */
	precis_counter_choose(counter, wanted, &sampling);
	error = precis_eventset_reopen(set, counter);
	if (error) {
		precis_counter_choose(counter, NULL, NULL);
		precis_eventset_reopen(set, counter);
	}
	return error;
}

int precis_overflow_profile(EventSetInfo_t *event_set, int index, int threshold)
{
	if (threshold && event_set->profile.flags & (PAPI_PROFIL_DATA_EAR | PAPI_PROFIL_INST_EAR))
		return precis_fail(PAPI_ENOSUPP, "PAPI_profil: event address registers are "
						 "Itanium's; a callback gets the data address");
	/* PAPI has taken the event from its list already */
	if (!threshold && !event_set->profile.event_counter && !event_set->overflow.event_counter) {
		event_set->state &= ~PAPI_OVERFLOWING;
		event_set->overflow.flags &= ~PAPI_OVERFLOW_HARDWARE;
	}
	return precis_overflow_threshold(event_set, index, threshold);
}

int precis_overflow_stop_profiling(ThreadInfo_t *thread, EventSetInfo_t *event_set)
{
	(void)thread;
	(void)event_set;
	return PAPI_OK; /* what waited has been delivered by the signal that PAPI_stop sends */
}
