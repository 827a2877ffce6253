/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_overflow.c
 * @see precis_overflow.h
 */
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
	abi_write_sample(sample, current);
	return PAPI_OK;
}

/* Behind the header of a record, if the event records it at all; here it always does */
#define IP_OFFSET 8

static uint64_t bit(const struct precis_counter *counter)
{
	return UINT64_C(1) << counter->position;
}

/* What the handler of the signal is to call for a sample */
struct call {
	ThreadInfo_t *thread;
	EventSetInfo_t *event_set; /* that is profiled; NULL: none */
	int profiled; /* number of its events; -1: none of them */
	vptr_t address;
	long long vector;
	const struct precis_sample *sample;
};

static __thread struct call wanted;

/* -1: none */
static int profiled_event(const EventSetInfo_t *event_set, const struct precis_counter *counter)
{
	const EventSetProfileInfo_t *profile = &event_set->profile;

	for (int n = 0; n < profile->event_counter; n++) {
		if (profile->EventCode[n] == counter->papi_code)
			return n;
	}
	return -1;
}

static void take(struct precis_counter *counter, const struct precis_record *record, uint64_t period,
		 void *context)
{
	ThreadInfo_t *thread = _papi_hwi_lookup_thread(0);
	EventSetInfo_t *event_set;
	uint64_t address = 0;

	(void)period;
	(void)context;
	/* where the sample has no precise address, the interrupt's */
	if (!precis_get_ip(&counter->memory->sample, &address) && record->size >= IP_OFFSET + 8)
		memcpy(&address, record->data + IP_OFFSET, sizeof(address));
	wanted = (struct call){
		.thread = thread,
		.address = (vptr_t)(uintptr_t)address,
		.vector = (long long)bit(counter),
		.sample = &counter->memory->sample,
	};
	event_set = thread ? thread->running_eventset[_precis_vector.cmp_info.CmpIdx] : NULL;
	if (event_set && event_set->master == thread && event_set->state & PAPI_PROFILING) {
		wanted.event_set = event_set;
		wanted.profiled = profiled_event(event_set, counter);
	}
}

/*
 * No more functions stand between the signal and the program's handler than in PAPI's perf_event: tools
 * that unwind leave out so many frames. PAPI's own dispatcher looks a profiled event up among those of
 * PAPI_overflow, where a component that profiles by itself has none.
 */
void precis_overflow_signal(int number, siginfo_t *info, void *context)
{
	_papi_hwi_context_t papi_context = { .si = NULL, .ucontext = context };
	struct precis_turn turn = { .number = number, .context = context };

	(void)info;
	while (precis_signals_turn(&turn)) {
		const struct precis_sample *outer = current;
		struct call call = wanted;

		current = call.sample;
		if (call.event_set && call.profiled >= 0)
			_papi_hwi_dispatch_profile(call.event_set, call.address, 0, call.profiled);
		else if (call.event_set && call.event_set->overflow.handler)
			call.event_set->overflow.handler(call.event_set->EventSetIndex, call.address,
							 call.vector, context);
		else if (call.thread && !call.event_set)
			_papi_hwi_dispatch_overflow_signal(&papi_context, call.address, NULL,
							   call.vector, 0, &call.thread,
							   _precis_vector.cmp_info.CmpIdx);
		current = outer;
	}
}

static const struct precis_sink overflow_sink = {
	.take = take,
	.wants_context = 1,
	.takes_any_level = 1, /* PAPI_overflow has no say in it */
};

static struct precis_counter *counter_of(EventSetInfo_t *event_set, int index)
{
	struct precis_eventset *set = precis_eventset_of(event_set->ctl_state);

	return set ? precis_eventset_at(set, event_set->EventInfoArray[index].pos[0]) : NULL;
}

static int set_threshold(EventSetInfo_t *event_set, int index, int threshold)
{
	struct precis_counter *counter = counter_of(event_set, index);
	struct precis_eventset *set = precis_eventset_of(event_set->ctl_state);
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
	if (!threshold)
		return counter->sink ? precis_eventset_only_count(set, counter) : PAPI_OK;
	sampling.period = precis_encode_period(&counter->request, (uint64_t)threshold, 0);
	if (!sampling.period)
		return PAPI_EINVAL;
	error = precis_reading_take_signal(precis_overflow_signal);
	if (error)
		return error;
	if (counter->sink && counter->sampling.period == sampling.period && counter->fd >= 0)
		return PAPI_OK; /* PAPI repeats itself at each PAPI_start */
	precis_counter_choose(counter, &overflow_sink, &sampling);
	error = precis_eventset_reopen(set, counter);
	if (error)
		precis_eventset_only_count(set, counter);
	return error;
}

/*
 * PAPI keeps the indices that events had before another one was removed, and repeats itself with them: by
 * their codes all are told that it has noted.
 */
int precis_overflow_threshold(EventSetInfo_t *event_set, int index, int threshold)
{
	EventSetOverflowInfo_t *overflow = &event_set->overflow;
	int error = PAPI_OK;

	if (!threshold)
		return set_threshold(event_set, index, 0);
	for (int n = 0; n < overflow->event_counter && !error; n++) {
		index = _papi_hwi_lookup_EventCodeIndex(event_set, (unsigned int)overflow->EventCode[n]);
		if (index < 0)
			continue; /* it is not in the EventSet any more */
		overflow->EventIndex[n] = index;
		error = set_threshold(event_set, index, overflow->threshold[n]);
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
	return set_threshold(event_set, index, threshold);
}

int precis_overflow_stop_profiling(ThreadInfo_t *thread, EventSetInfo_t *event_set)
{
	(void)thread;
	(void)event_set;
	return PAPI_OK; /* what waited has been delivered by the signal that PAPI_stop sends */
}
