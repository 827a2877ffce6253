/* SPDX-License-Identifier: BSD-3-Clause */
/* PAPI_overflow and PAPI_profil, and the sample that a handler may ask for. */
#include <sys/syscall.h>
#include <unistd.h>

#include "precis_component.h"

#include "extras.h"
#include "libdecode/sample/abi.h"

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

void precis_overflow_deliver(struct precis_counter *counter, const struct precis_record *record,
			     void *context)
{
	ThreadInfo_t *thread = _papi_hwi_lookup_thread(0);
	_papi_hwi_context_t papi_context = { .si = NULL, .ucontext = context };
	const struct precis_sample *outer = current;
	EventSetInfo_t *event_set;
	uint64_t address = 0;

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

void precis_overflow_raise(struct precis_set *set)
{
	for (uint32_t n = 0; n < set->counters && set->generation == precis_generation; n++) {
		if (set->counter[n]->sink == PRECIS_SINK_OVERFLOW &&
		    precis_ring_look(&set->counter[n]->ring)) {
			precis_signals_tell((pid_t)syscall(SYS_gettid));
			return;
		}
	}
}

static struct precis_counter *counter_of(EventSetInfo_t *event_set, int index)
{
	struct precis_set *set = precis_set_of(event_set->ctl_state);
	int position = event_set->EventInfoArray[index].pos[0];

	return set && position >= 0 && (uint32_t)position < set->counters ? set->counter[position]
									  : NULL;
}

int precis_set_overflow(EventSetInfo_t *event_set, int index, int threshold)
{
	struct precis_counter *counter = counter_of(event_set, index);
	const enum precis_sink wanted = threshold ? PRECIS_SINK_OVERFLOW : PRECIS_SINK_NONE;
	uint64_t period = 0;
	int error;

	if (!counter)
		return PAPI_EINVAL;
	counter->set->event_set = event_set->EventSetIndex;
	error = precis_set_settle(counter->set);
	if (error)
		return error;
	if (counter->sink == PRECIS_SINK_CALLBACK)
		return precis_fail(PAPI_ECNFLCT, "%s: precis_papi_set_sampling has the event",
				   counter->request.event->name);
	if (threshold) {
		period = precis_encode_period(&counter->request, (uint64_t)threshold, 0);
		if (!period)
			return PAPI_EINVAL;
		error = precis_signals_take();
		if (error)
			return error;
	}
	if (counter->sink == wanted && counter->sampling.period == period && counter->fd >= 0)
		return PAPI_OK; /* PAPI repeats itself at each PAPI_start */
	memset(&counter->sampling, 0, sizeof(counter->sampling));
	counter->sampling.size = sizeof(counter->sampling);
	counter->sampling.delivery = PRECIS_PAPI_SAMPLE;
	counter->sampling.period = period;
	counter->sink = wanted;
	precis_counter_choose_fields(counter);
	error = precis_set_reopen(counter->set, counter);
	if (error) {
		counter->sink = PRECIS_SINK_NONE;
		precis_set_reopen(counter->set, counter);
	}
	return error;
}

int precis_set_profile(EventSetInfo_t *event_set, int index, int threshold)
{
	if (threshold && event_set->profile.flags & (PAPI_PROFIL_DATA_EAR | PAPI_PROFIL_INST_EAR))
		return precis_fail(PAPI_ENOSUPP, "PAPI_profil: event address registers are "
						 "Itanium's; a callback gets the data address");
	/* PAPI has taken the event from its list already */
	if (!threshold && !event_set->profile.event_counter && !event_set->overflow.event_counter) {
		event_set->state &= ~PAPI_OVERFLOWING;
		event_set->overflow.flags &= ~PAPI_OVERFLOW_HARDWARE;
	}
	return precis_set_overflow(event_set, index, threshold);
}

int precis_stop_profiling(ThreadInfo_t *thread, EventSetInfo_t *event_set)
{
	(void)thread;
	(void)event_set;
	return PAPI_OK; /* what waited has been delivered by the signal that PAPI_stop sends */
}
