/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of an EventSet: what PAPI's functions on EventSets come down to. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "precis_component.h"

struct precis_set *precis_set_of(hwd_control_state_t *control)
{
	return ((struct precis_control *)control)->set;
}

int precis_set_init(hwd_control_state_t *control)
{
	struct precis_control *ours = control;

	ours->target = (struct precis_target){ .cpu = -1, .domain = PAPI_DOM_USER };
	ours->set = NULL;
	return PAPI_OK;
}

/* --- opening and closing ------------------------------------------------------ */

static void free_counter(struct precis_counter *counter)
{
	precis_gather(counter);
	if (counter->set->generation == precis_generation)
		precis_counter_close(counter);
	else
		precis_counter_abandon(counter);
	free(counter);
}

static void free_set(struct precis_control *control)
{
	struct precis_set *set = control->set;

	if (!set)
		return;
	precis_signals_remove(set);
	precis_poller_remove(set);
	for (uint32_t n = 0; n < set->counters; n++)
		free_counter(set->counter[n]);
	free(set);
	control->set = NULL;
}

static int encode(struct precis_counter *counter)
{
	struct precis_target target = counter->set->target;

	if (precis_is_spread(counter))
		target.cpu = counter->cpu;
	return precis_encode(precis_event_of_code((unsigned int)counter->code), &target,
			     &counter->request);
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
	return precis_counter_open(counter);
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
	if (counter->sink != PRECIS_SINK_CALLBACK)
		return precis_counter_open(counter);
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

	if (!counter->set->target.inherit)
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

static int open_counter(struct precis_counter *counter)
{
	int error = check_inherited(counter);

	if (error)
		return error;
	return precis_is_spread(counter) ? precis_spread(counter, open_part) : open_part(counter);
}

int precis_set_settle(struct precis_set *set)
{
	if (set->generation != precis_generation)
		return precis_fail(PAPI_EINVAL, "EventSet %d is the parent process's",
				   set->event_set);
	if (precis_delivering(set))
		return precis_fail(PAPI_EISRUN,
				   "an EventSet cannot be changed in a callback of its "
				   "own");
	precis_signals_remove(set);
	precis_poller_remove(set);
	return PAPI_OK;
}

int precis_set_reopen(struct precis_set *set, struct precis_counter *counter)
{
	int error = precis_set_settle(set), failed;

	if (error)
		return error;
	for (uint32_t n = 0; n < set->counters; n++) {
		if (counter && set->counter[n] != counter)
			continue;
		precis_gather(set->counter[n]);
		precis_counter_close(set->counter[n]);
		failed = open_counter(set->counter[n]);
		if (failed)
			error = failed;
	}
	return error;
}

static struct precis_counter *counter_by_code(struct precis_set *set, int code)
{
	for (uint32_t n = 0; n < set->counters; n++) {
		if (set->counter[n] && set->counter[n]->code == code)
			return set->counter[n];
	}
	return NULL;
}

static struct precis_counter *new_counter(struct precis_set *set, const NativeInfo_t *native)
{
	struct precis_counter *counter = calloc(1, sizeof(*counter));

	if (!counter)
		return NULL;
	counter->set = set;
	counter->code = native->ni_event;
	counter->papi_code = native->ni_papi_code;
	counter->fd = counter->leader_fd = -1;
	return counter;
}

/* The counters that PAPI wants now, those that are there kept as they are. */
static int arrange(struct precis_set *set, NativeInfo_t *native, uint32_t count)
{
	struct precis_counter *wanted[PRECIS_COUNTERS_MOST] = { NULL };
	int error = PAPI_OK;

	for (uint32_t n = 0; n < count && !error; n++) {
		struct precis_counter *counter = counter_by_code(set, native[n].ni_event);

		if (!counter) {
			counter = new_counter(set, &native[n]);
			error = counter ? open_counter(counter) : PAPI_ENOMEM;
			if (error) {
				free(counter);
				break;
			}
		}
		wanted[n] = counter;
	}
	for (uint32_t n = 0; n < set->counters; n++) {
		int stays = 0;

		for (uint32_t i = 0; i < count; i++)
			stays |= wanted[i] == set->counter[n];
		if (!stays && !error)
			free_counter(set->counter[n]);
	}
	if (error) { /* as it was: those that are new go */
		for (uint32_t n = 0; n < count && wanted[n]; n++) {
			if (counter_by_code(set, wanted[n]->code) != wanted[n])
				free_counter(wanted[n]);
		}
		return error;
	}
	memcpy(set->counter, wanted, sizeof(wanted));
	set->counters = count;
	for (uint32_t n = 0; n < count; n++) {
		native[n].ni_position = (int)n;
		for (struct precis_counter *part = set->counter[n]; part; part = part->next) {
			part->position = n;
			if (part->memory)
				part->memory->decoder.index = n;
		}
	}
	return PAPI_OK;
}

int precis_set_update(hwd_control_state_t *control, NativeInfo_t *native, int count,
		      hwd_context_t *context)
{
	struct precis_control *ours = control;
	struct precis_set *set = ours->set;
	int error;

	(void)context;
	if (set && set->generation != precis_generation) {
		free_set(ours);
		set = NULL;
	}
	error = set ? precis_set_settle(set) : PAPI_OK;
	if (error)
		return error;
	if (!count) {
		free_set(ours);
		return PAPI_OK;
	}
	if (count > PRECIS_COUNTERS_MOST)
		return PAPI_ECOUNT;
	if (!native) /* only the target has changed */
		return set ? precis_set_reopen(set, NULL) : PAPI_OK;
	if (!set) {
		set = calloc(1, sizeof(*set));
		if (!set)
			return PAPI_ENOMEM;
		set->target = ours->target;
		set->generation = precis_generation;
		set->event_set = PAPI_NULL;
		ours->set = set;
	}
	return arrange(set, native, (uint32_t)count);
}

/* PAPI asks this before it forgets what the EventSet has in it. */
int precis_set_cleanup(hwd_control_state_t *control)
{
	struct precis_set *set = precis_set_of(control);

	return set && set->generation == precis_generation ? precis_set_settle(set) : PAPI_OK;
}

/* --- running ------------------------------------------------------------------ */

static int any(const struct precis_set *set, int (*is_so)(const struct precis_counter *counter))
{
	for (uint32_t n = 0; n < set->counters; n++) {
		if (is_so(set->counter[n]))
			return 1;
	}
	return 0;
}

/* Statistics are of one run. */
static int prepare(struct precis_counter *counter)
{
	uint32_t ring_bytes = counter->statistics.ring_bytes;
	uint64_t lost;
	int error = precis_counter_read(counter, &counter->base, &lost);

	precis_counter_skip(counter);
	memset(&counter->statistics, 0, sizeof(counter->statistics));
	counter->statistics.size = sizeof(counter->statistics);
	counter->statistics.ring_bytes = ring_bytes;
	counter->lost_at_start = lost;
	counter->is_hung = 0;
	counter->throttled_at = 0;
	counter->lost_since = 0;
	if (counter->sampling.max_overhead > 0)
		precis_budget_start(counter);
	return error;
}

static int state_of(const struct precis_set *set)
{
	return __atomic_load_n(&set->state, __ATOMIC_SEQ_CST);
}

static int disable_all(struct precis_set *set)
{
	int error = PAPI_OK;

	for (struct precis_counter *part = precis_first_part(set); part;
	     part = precis_next_part(part)) {
		int failed = precis_counter_disable(part);

		error = failed ? failed : error;
	}
	return error;
}

/* A callback may stop the set while its events begin one after the other. */
static int enable_all(struct precis_set *set)
{
	int error = PAPI_OK;

	for (struct precis_counter *part = precis_first_part(set);
	     part && !error && state_of(set) == PRECIS_RUNNING; part = precis_next_part(part))
		error = precis_counter_enable(part);
	if (state_of(set) != PRECIS_RUNNING)
		disable_all(set);
	return error;
}

int precis_set_start(hwd_context_t *context, hwd_control_state_t *control)
{
	struct precis_set *set = precis_set_of(control);
	int error = PAPI_OK;

	(void)context;
	if (!set)
		return PAPI_EINVAL;
	if (set->generation != precis_generation)
		return precis_fail(PAPI_EINVAL,
				   "the EventSet is the parent process's: make one after "
				   "fork");
	precis_signals_remove(set);
	precis_poller_remove(set);
	set->busy = set->pending = set->cancelled = 0;
	/* an event whose CPU has been offline since stays dead, and Linux says nothing of it */
	if (set->target.cpu >= 0)
		error = precis_set_reopen(set, NULL);
	if (error)
		return error;
	for (struct precis_counter *part = precis_first_part(set); part && !error;
	     part = precis_next_part(part))
		error = prepare(part);
	if (!error && any(set, precis_counter_by_signal))
		error = precis_signals_add(set);
	set->starter = (pid_t)syscall(SYS_gettid);
	if (!error &&
	    (any(set, precis_counter_is_polled) || any(set, precis_counter_is_watermarked)))
		error = precis_poller_add(set);
	__atomic_store_n(&set->state, PRECIS_RUNNING, __ATOMIC_SEQ_CST);
	if (!error)
		error = enable_all(set);
	if (error)
		precis_set_stop(context, control);
	return error;
}

/* What no callback will see: one has stopped the set or was left, or the signal is blocked */
static void discard(struct precis_set *set)
{
	set->cancelled = 1;
	precis_deliver(set, PRECIS_OF_SIGNALS, set);
}

int precis_set_stop(hwd_context_t *context, hwd_control_state_t *control)
{
	struct precis_set *set = precis_set_of(control);
	int error;

	(void)context;
	if (!set || set->generation != precis_generation)
		return PAPI_OK; /* a child's copy counts nothing */
	if (precis_delivering(set))
		set->cancelled = 1; /* the walk that has called the callback counts the rest */
	/* PAPI turns its own state over with each PAPI_stop that succeeds: one of two must not */
	if (__atomic_exchange_n(&set->state, PRECIS_STOPPED, __ATOMIC_SEQ_CST) == PRECIS_STOPPED)
		return PAPI_ENOTRUN;
	error = disable_all(set);
	if (precis_delivering(set)) {
		precis_signals_remove(set);
		precis_poller_remove(set);
		return error;
	}
	if (set->starter != (pid_t)syscall(SYS_gettid))
		precis_signals_remove(set);
	precis_poller_remove(set);
	if (set->busy) { /* still: longjmp has left a callback */
		set->cancelled = 1;
		precis_left(set);
		set->busy = 0;
	}
	precis_deliver(set, PRECIS_OF_THREAD, NULL);
	precis_deliver(set, PRECIS_OF_POLLER, NULL);
	precis_overflow_raise(set);
	precis_signals_remove(set);
	discard(set);
	return error;
}

/* --- counting ----------------------------------------------------------------- */

int precis_set_read(hwd_context_t *context, hwd_control_state_t *control, long long **values,
		    int flags)
{
	struct precis_set *set = precis_set_of(control);
	uint64_t count, lost;
	int error;

	(void)context;
	(void)flags;
	if (!set)
		return PAPI_EINVAL;
	*values = set->count;
	if (set->generation != precis_generation)
		return PAPI_OK; /* of a child: what the parent had last read */
	/* first: PAPI_accum loses what is counted between this and the reset that follows it */
	if (state_of(set) == PRECIS_RUNNING && !precis_delivering(set))
		precis_deliver(set, PRECIS_OF_THREAD, NULL);
	memset(set->count, 0, sizeof(set->count));
	for (struct precis_counter *part = precis_first_part(set); part;
	     part = precis_next_part(part)) {
		error = precis_counter_read(part, &count, &lost);
		if (error)
			return error;
		set->count[part->position] += (long long)(count - part->base);
	}
	return PAPI_OK;
}

/* Only the zero moves: periods and rings go on. */
int precis_set_reset(hwd_context_t *context, hwd_control_state_t *control)
{
	long long zeros[PRECIS_COUNTERS_MOST] = { 0 };

	return precis_set_write(context, control, zeros);
}

int precis_set_write(hwd_context_t *context, hwd_control_state_t *control, long long *values)
{
	struct precis_set *set = precis_set_of(control);
	uint64_t count, lost;
	int error;

	(void)context;
	if (!set)
		return PAPI_EINVAL;
	if (set->generation != precis_generation)
		return PAPI_OK;
	for (struct precis_counter *part = precis_first_part(set); part;
	     part = precis_next_part(part)) {
		int is_first = part == set->counter[part->position];

		error = precis_counter_read(part, &count, &lost);
		if (error)
			return error;
		part->base = count - (is_first ? (uint64_t)values[part->position] : 0);
	}
	return PAPI_OK;
}

/* --- options -------------------------------------------------------------------- */

/* Try another target; if the kernel refuses, the old one stays. */
static int retarget(struct precis_control *control, const struct precis_target *target)
{
	struct precis_target old = control->target;
	int error;

	control->target = *target;
	if (!control->set)
		return PAPI_OK;
	control->set->target = *target;
	error = precis_set_reopen(control->set, NULL);
	if (error) {
		control->target = control->set->target = old;
		precis_set_reopen(control->set, NULL);
	}
	return error;
}

int precis_set_domain(hwd_control_state_t *control, int domain)
{
	struct precis_control *ours = control;
	struct precis_target target = ours->target;

	target.domain = domain;
	return retarget(ours, &target);
}

static int set_granularity(struct precis_control *control, int granularity)
{
	struct precis_target target = control->target;

	if (granularity != PAPI_GRN_THR && granularity != PAPI_GRN_SYS)
		return PAPI_ECMP;
	target.tid = granularity == PAPI_GRN_SYS ? -1 : 0;
	target.cpu = granularity == PAPI_GRN_SYS ? (int)sched_getcpu() : -1;
	return retarget(control, &target);
}

int precis_set_ctl(hwd_context_t *context, int code, _papi_int_option_t *option)
{
	struct precis_control *control;
	struct precis_target target;

	(void)context;
	switch (code) {
	case PAPI_ATTACH:
	case PAPI_DETACH:
		control = option->attach.ESI->ctl_state;
		target = control->target;
		target.tid = code == PAPI_ATTACH ? (pid_t)option->attach.tid : 0;
		return retarget(control, &target);
	case PAPI_CPU_ATTACH:
		control = option->cpu.ESI->ctl_state;
		target = control->target;
		target.tid = -1;
		target.cpu = (int)option->cpu.cpu_num;
		return retarget(control, &target);
	case PAPI_DOMAIN:
		return precis_set_domain(option->domain.ESI->ctl_state, option->domain.domain);
	case PAPI_INHERIT:
		control = option->inherit.ESI->ctl_state;
		target = control->target;
		target.inherit = option->inherit.inherit != 0;
		return retarget(control, &target);
	case PAPI_GRANUL:
		return set_granularity(option->granularity.ESI->ctl_state,
				       option->granularity.granularity);
	case PAPI_MULTIPLEX:
		return precis_fail(PAPI_ENOSUPP,
				   "precise samples cannot be multiplexed: a sample "
				   "stands for its period only while its event runs all the time");
	case PAPI_DEF_ITIMER:
	case PAPI_DEF_ITIMER_NS:
		return PAPI_OK; /* for emulated overflows, which there are none of */
	default:
		return PAPI_ENOSUPP;
	}
}
