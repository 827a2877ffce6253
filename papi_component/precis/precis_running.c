/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_running.c
 * @see precis_running.h
 */
#include "precis_running.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "precis_change.h"
#include "precis_deliver.h"
#include "precis_errors.h"
#include "precis_reading.h"

static int state_of(const struct precis_eventset *set)
{
	return __atomic_load_n(&set->state, __ATOMIC_SEQ_CST);
}

static int disable_all(struct precis_eventset *set)
{
	int error = PAPI_OK;

	PRECIS_EACH_PART(part, set) {
		int failed = precis_counter_disable(part);

		error = failed ? failed : error;
	}
	return error;
}

/* A callback may stop the set while its events begin one after the other. */
static int enable_all(struct precis_eventset *set)
{
	int error = PAPI_OK;

	PRECIS_EACH_PART(part, set) {
		if (!error && state_of(set) == PRECIS_RUNNING)
			error = precis_counter_enable(part);
	}
	if (state_of(set) != PRECIS_RUNNING)
		disable_all(set);
	return error;
}

int precis_eventset_start(hwd_context_t *context, hwd_control_state_t *control)
{
	struct precis_eventset *set = precis_eventset_of(control);
	int error;

	if (!set)
		return PAPI_EINVAL;
	if (precis_eventset_is_gone(set))
		return precis_fail(PAPI_EINVAL,
				   "the EventSet is the parent process's: make one after "
				   "fork");
	precis_reading_end(set);
	/* an event whose CPU has been offline since stays dead, and Linux says nothing of it */
	error = set->common.target.cpu >= 0 ? precis_eventset_reopen(set, NULL) : precis_eventset_open(set);
	if (error)
		return error;
	PRECIS_EACH_PART(part, set)
		error = error ? error : precis_deliver_begin(part);
	if (!error)
		error = precis_reading_begin(set);
	__atomic_store_n(&set->state, PRECIS_RUNNING, __ATOMIC_SEQ_CST);
	if (!error)
		error = enable_all(set);
	if (error)
		precis_eventset_stop(context, control);
	return error;
}

int precis_eventset_stop(hwd_context_t *context, hwd_control_state_t *control)
{
	struct precis_eventset *set = precis_eventset_of(control);
	int error;

	(void)context;
	if (!set || precis_eventset_is_gone(set))
		return PAPI_OK; /* a child's copy counts nothing */
	if (precis_reading_inside(set))
		set->common.cancelled = 1; /* the walk that has called the callback counts the rest */
	/* PAPI turns its own state over with each PAPI_stop that succeeds: one of two must not */
	if (__atomic_exchange_n(&set->state, PRECIS_STOPPED, __ATOMIC_SEQ_CST) == PRECIS_STOPPED)
		return PAPI_ENOTRUN;
	error = disable_all(set);
	if (precis_reading_inside(set)) {
		precis_reading_end(set);
		return error;
	}
	if (set->starter != (pid_t)syscall(SYS_gettid))
		precis_reading_end_signals(set);
	precis_reading_end_poller(set);
	precis_reading_left(set);
	precis_read(set, PRECIS_OF_THREAD);
	precis_read(set, PRECIS_OF_POLLER);
	precis_reading_raise(set);
	precis_reading_end_signals(set);
	precis_reading_discard(set);
	return error;
}

/* --- counts ------------------------------------------------------------------- */

int precis_eventset_read(hwd_context_t *context, hwd_control_state_t *control, long long **values,
			 int flags)
{
	struct precis_eventset *set = precis_eventset_of(control);
	uint64_t value;
	int error;

	(void)context;
	(void)flags;
	if (!set)
		return PAPI_EINVAL;
	*values = set->count;
	if (precis_eventset_is_gone(set))
		return PAPI_OK; /* of a child: what the parent had last read */
	/* first: PAPI_accum loses what is counted between this and the reset that follows it */
	if (state_of(set) == PRECIS_RUNNING && !precis_reading_inside(set))
		precis_read(set, PRECIS_OF_THREAD);
	memset(set->count, 0, sizeof(set->count));
	PRECIS_EACH_PART(part, set) {
		error = precis_counter_value(part, &value);
		if (error)
			return error;
		set->count[part->position] += (long long)value;
	}
	return PAPI_OK;
}

/* Only the zero moves: periods and rings go on. */
int precis_eventset_reset(hwd_context_t *context, hwd_control_state_t *control)
{
	long long zeros[PRECIS_COUNTERS_MOST] = { 0 };

	return precis_eventset_write(context, control, zeros);
}

int precis_eventset_write(hwd_context_t *context, hwd_control_state_t *control, long long *values)
{
	struct precis_eventset *set = precis_eventset_of(control);

	(void)context;
	if (!set)
		return PAPI_EINVAL;
	if (precis_eventset_is_gone(set))
		return PAPI_OK;
	PRECIS_EACH_PART(part, set) {
		int is_first = part == set->counter[part->position];
		int error = precis_counter_write(
			part, is_first ? (uint64_t)values[part->position] : 0);

		if (error)
			return error;
	}
	return PAPI_OK;
}
