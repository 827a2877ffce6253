/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_open.c
 * @see precis_open.h
 */
#include "precis_open.h"

#include "papi.h"
#include "precis_errors.h"
#include "precis_events.h"
#include "precis_periods.h"
#include "precis_signals.h"
#include "precis_spread.h"

static int encode(struct precis_counter *counter)
{
	struct precis_target target = counter->common->target;

	if (precis_is_spread(counter))
		target.cpu = counter->cpu;
	return precis_encode(precis_event_of_code((unsigned int)counter->code), &target,
			     &counter->request);
}

static int open_event(struct precis_counter *counter)
{
	int error = precis_counter_open(counter, precis_signal_number());

	precis_periods_begin(counter);
	return error;
}

/* At this level, which only events that have levels are told of */
static int open_at(struct precis_counter *counter, int level)
{
	struct precis_request *request = &counter->request;
	int error = encode(counter);

	if (error)
		return error;
	if (request->precise_most)
		request->attr.precise_ip = (unsigned int)level & 3;
	/* what the kernel writes for an event that is not precise is no PEBS record */
	if (request->kind == PRECIS_EVENT_PEBS && !level)
		request->kind = PRECIS_EVENT_OTHER;
	return open_event(counter);
}

/* Does the kernel refuse what the event is, rather than whoever asks for it now? */
static int is_refused(int error)
{
	return error == PAPI_ENOSUPP || error == PAPI_EINVAL;
}

static int open_part(struct precis_counter *counter)
{
	int wanted = counter->sampling.precise, error = encode(counter), level, least;

	if (error)
		return error;
	if (!counter->sink || counter->sink->takes_any_level)
		return open_event(counter);
	if (wanted != PRECIS_PAPI_MOST_PRECISE)
		return open_at(counter, wanted == PRECIS_PAPI_NOT_PRECISE ? 0 : wanted);
	level = (int)counter->request.precise_most;
	least = (int)counter->request.precise_least;
	do
		error = open_at(counter, level);
	while (is_refused(error) && level-- > least);
	return error;
}

/* What cannot be of several threads at once */
static int check_inherited(const struct precis_counter *counter)
{
	const char *name = precis_event_of_code((unsigned int)counter->code)->name;

	if (!counter->common->target.inherit)
		return PAPI_OK;
	if (precis_counter_by_signal(counter))
		return precis_fail(PAPI_ENOSUPP,
				   "%s: a signal interrupts one thread: an event that threads "
				   "inherit has BATCH and THREAD only",
				   name);
	if (counter->sampling.max_overhead > 0)
		return precis_fail(PAPI_ENOSUPP,
				   "%s: max_overhead is a share of one thread's time: not of an "
				   "event that threads inherit",
				   name);
	return PAPI_OK;
}

static int check_multiplexed(const struct precis_counter *counter)
{
	const struct precis_named_event *event = precis_event_of_code((unsigned int)counter->code);
	enum precis_family family = precis_event_row(event->id)->family;

	if (!counter->common->target.multiplexed || !counter->sink || family == PRECIS_FAMILY_SOFTWARE ||
	    family == PRECIS_FAMILY_BREAKPOINT) /* which always have a counter */
		return PAPI_OK;
	return precis_fail(PAPI_ENOSUPP,
			   "%s: it is counted in an EventSet that is multiplexed, but not sampled: a sample "
			   "stands for its period only while its event runs all the time",
			   event->name);
}

int precis_open(struct precis_counter *counter)
{
	int error = check_inherited(counter);

	if (!error)
		error = check_multiplexed(counter);
	if (error)
		return error;
	return precis_is_spread(counter) ? precis_spread(counter, open_part) : open_part(counter);
}

void precis_close(struct precis_counter *counter)
{
	precis_gather(counter);
	precis_counter_close(counter);
}
