/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_change.c
 * @see precis_change.h
 */
#include "precis_change.h"

#include <sched.h>

#include "precis_errors.h"
#include "precis_open.h"
#include "precis_reading.h"
#include "precis_vector.h"

int precis_eventset_init(hwd_control_state_t *control)
{
	struct precis_control *ours = control;

	ours->target = (struct precis_target){
		.cpu = -1,
		.domain = _precis_vector.cmp_info.default_domain,
	};
	ours->set = NULL;
	return PAPI_OK;
}

int precis_eventset_settle(struct precis_eventset *set)
{
	if (precis_eventset_is_gone(set))
		return precis_fail(PAPI_EINVAL, "EventSet %d is the parent process's",
				   set->common.event_set);
	if (precis_reading_inside(set))
		return precis_fail(PAPI_EISRUN,
				   "an EventSet cannot be changed in a callback of its "
				   "own");
	precis_reading_end(set);
	return PAPI_OK;
}

int precis_eventset_reopen(struct precis_eventset *set, struct precis_counter *counter)
{
	int error = precis_eventset_settle(set), failed;

	if (error)
		return error;
	PRECIS_EACH_COUNTER(each, set) {
		if (counter && each != counter)
			continue;
		precis_close(each);
		failed = precis_open(each);
		if (failed)
			error = failed;
	}
	return error;
}

int precis_eventset_only_count(struct precis_eventset *set, struct precis_counter *counter)
{
	int error = precis_eventset_settle(set);

	if (error)
		return error;
	precis_counter_choose(counter, NULL, NULL);
	precis_eventset_reopen(set, counter);
	return PAPI_OK;
}

int precis_eventset_open(struct precis_eventset *set)
{
	int error = PAPI_OK;

	PRECIS_EACH_COUNTER(counter, set) {
		if (!error && counter->fd < 0)
			error = precis_open(counter);
	}
	return error;
}

static void take_apart(struct precis_control *control)
{
	struct precis_eventset *set = control->set;

	control->set = NULL;
	if (!set)
		return;
	precis_reading_end(set);
	precis_eventset_free(set);
}

int precis_eventset_update(hwd_control_state_t *control, NativeInfo_t *native, int count,
			   hwd_context_t *context)
{
	struct precis_control *ours = control;
	int error;

	(void)context;
	if (ours->set && precis_eventset_is_gone(ours->set))
		take_apart(ours);
	error = ours->set ? precis_eventset_settle(ours->set) : PAPI_OK;
	if (error)
		return error;
	if (!count) {
		take_apart(ours);
		return PAPI_OK;
	}
	if (count > PRECIS_COUNTERS_MOST)
		return PAPI_ECOUNT;
	if (!native) /* only the target has changed */
		return ours->set ? precis_eventset_reopen(ours->set, NULL) : PAPI_OK;
	if (!ours->set)
		ours->set = precis_eventset_new(&ours->target);
	return ours->set ? precis_eventset_arrange(ours->set, native, (uint32_t)count) : PAPI_ENOMEM;
}

/* PAPI asks this before it forgets what the EventSet has in it. */
int precis_eventset_cleanup(hwd_control_state_t *control)
{
	struct precis_eventset *set = precis_eventset_of(control);

	return set && !precis_eventset_is_gone(set) ? precis_eventset_settle(set) : PAPI_OK;
}

/* --- whom it counts ----------------------------------------------------------- */

/* Try another target; if the kernel refuses, the old one stays. */
static int retarget(struct precis_control *control, const struct precis_target *target)
{
	struct precis_target old = control->target;
	int error;

	control->target = *target;
	if (!control->set)
		return PAPI_OK;
	control->set->common.target = *target;
	error = precis_eventset_reopen(control->set, NULL);
	if (error) {
		control->target = control->set->common.target = old;
		precis_eventset_reopen(control->set, NULL);
	}
	return error;
}

int precis_eventset_domain(hwd_control_state_t *control, int domain)
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

int precis_eventset_ctl(hwd_context_t *context, int code, _papi_int_option_t *option)
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
		return precis_eventset_domain(option->domain.ESI->ctl_state, option->domain.domain);
	case PAPI_INHERIT:
		control = option->inherit.ESI->ctl_state;
		target = control->target;
		target.inherit = option->inherit.inherit != 0;
		return retarget(control, &target);
	case PAPI_GRANUL:
		return set_granularity(option->granularity.ESI->ctl_state,
				       option->granularity.granularity);
	case PAPI_MULTIPLEX:
		control = option->multiplex.ESI->ctl_state;
		target = control->target;
		target.multiplexed = 1;
		return retarget(control, &target);
	case PAPI_DEF_ITIMER:
	case PAPI_DEF_ITIMER_NS:
		return PAPI_OK; /* for emulated overflows, which there are none of */
	default:
		return PAPI_ENOSUPP;
	}
}
