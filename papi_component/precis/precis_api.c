/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_api.c
 * @brief <precis/papi.h>: PAPI's numbers to sets and counters, and the arguments checked.
 */
#include <string.h>

#include "libdecode/sample/abi.h"
#include "precis_change.h"
#include "precis_deliver.h"
#include "precis_errors.h"
#include "precis_kernel_cost.h"
#include "precis_overflow.h"
#include "precis_reading.h"
#include "precis_vector.h"

/* @return PAPI_OK, or an error, noted */
static int find_set(int event_set, EventSetInfo_t **info, struct precis_eventset **set)
{
	*info = _papi_hwi_lookup_EventSet(event_set);
	if (!*info)
		return precis_fail(PAPI_ENOEVST, "no EventSet %d", event_set);
	if ((*info)->CmpIdx != _precis_vector.cmp_info.CmpIdx)
		return precis_fail(PAPI_ENOCMP, "EventSet %d has no events of the component precis",
				   event_set);
	*set = precis_eventset_of((*info)->ctl_state);
	if (!*set)
		return precis_fail(PAPI_ENOEVNT, "EventSet %d is empty", event_set);
	if (precis_eventset_is_gone(*set))
		return precis_fail(PAPI_EINVAL, "EventSet %d is the parent process's", event_set);
	if ((*set)->common.event_set != event_set) /* the helper thread may be reading it */
		(*set)->common.event_set = event_set;
	return PAPI_OK;
}

static int find_counter(int event_set, int event_code, EventSetInfo_t **info,
			struct precis_eventset **found, struct precis_counter **counter)
{
	int error = find_set(event_set, info, found), index, position;

	if (error)
		return error;
	index = _papi_hwi_lookup_EventCodeIndex(*info, (unsigned int)event_code);
	position = index < 0 ? -1 : (*info)->EventInfoArray[index].pos[0];
	*counter = precis_eventset_at(*found, position);
	if (!*counter)
		return precis_fail(PAPI_ENOEVNT, "event 0x%x is not in EventSet %d",
				   (unsigned int)event_code, event_set);
	return PAPI_OK;
}

#define KERNEL_NS_MOST 1e12

/* @return the first member with a value that it cannot have; NULL: there is none */
static const char *bad_member(const struct precis_papi_sampling *sampling)
{
	if (sampling->delivery > PRECIS_PAPI_SAMPLE)
		return "delivery";
	if (sampling->full > PRECIS_PAPI_OVERWRITE)
		return "full";
	if (sampling->precise < PRECIS_PAPI_NOT_PRECISE || sampling->precise > 3)
		return "precise";
	if (!(sampling->max_overhead >= 0) || sampling->max_overhead >= 1)
		return "max_overhead";
	if (!(sampling->kernel_ns >= 0) || sampling->kernel_ns > KERNEL_NS_MOST)
		return "kernel_ns";
	return NULL;
}

/*
 * The caller's struct, whose header may be older than this one, or newer: then what is not known
 * here must at least not be asked for.
 */
static int read_sampling(struct precis_papi_sampling *copy,
			 const struct precis_papi_sampling *sampling)
{
	const unsigned char *bytes = (const unsigned char *)sampling;

	if (!abi_read(copy, sampling, sizeof(*copy)))
		return precis_fail(PAPI_EINVAL,
				   "struct precis_papi_sampling: size is %u, that of this libpapi "
				   "%zu",
				   sampling->size, sizeof(*sampling));
	for (uint32_t n = sizeof(*sampling); n < sampling->size; n++) {
		if (bytes[n])
			return precis_fail(PAPI_EINVAL,
					   "struct precis_papi_sampling: there is something at "
					   "byte %u, but this libpapi knows %zu",
					   n, sizeof(*sampling));
	}
	return PAPI_OK;
}

/* What would be silently less precise than the event's reader takes it for */
static int check_precise(const struct precis_papi_sampling *sampling,
			 const struct precis_request *request)
{
	enum precis_family family = precis_event_row(request->event->id)->family;

	if (sampling->precise > 0 &&
	    (family == PRECIS_FAMILY_SOFTWARE || family == PRECIS_FAMILY_BREAKPOINT))
		return precis_fail(PAPI_ENOSUPP,
				   "%s: precise=%d: it has no levels: its samples are where the "
				   "kernel interrupts",
				   request->event->name, sampling->precise);
	if (sampling->precise == PRECIS_PAPI_NOT_PRECISE && family == PRECIS_FAMILY_INTEL_MEMORY)
		return precis_fail(PAPI_EINVAL,
				   "%s: PRECIS_PAPI_NOT_PRECISE: only precise samples of it have "
				   "addresses, latencies and data sources",
				   request->event->name);
	return PAPI_OK;
}

/* Parts that need an attr's member which there is no option for */
#define PARTS_WITHOUT_OPTION                                                                       \
	(PRECIS_SAMPLE_BRANCH_STACK | PRECIS_SAMPLE_STACK_USER | PRECIS_SAMPLE_AUX)
#define PARTS_OF_REGISTERS (PRECIS_SAMPLE_REGS_INTR | PRECIS_SAMPLE_REGS_USER)

static int check_parts(const struct precis_papi_sampling *sampling, const char *name)
{
	uint64_t known = PRECIS_SAMPLE_KNOWN_BITS & ~PARTS_WITHOUT_OPTION;

	if (sampling->parts & ~known)
		return precis_fail(PAPI_EINVAL, "%s: parts 0x%llx cannot be recorded", name,
				   (unsigned long long)(sampling->parts & ~known));
	if (!(sampling->parts & PARTS_OF_REGISTERS) != !sampling->registers)
		return precis_fail(PAPI_EINVAL,
				   "%s: registers says which ones parts has: one without the "
				   "other is nothing",
				   name);
	return PAPI_OK;
}

static int check_watermark(const struct precis_papi_sampling *sampling, const char *name)
{
	int has_one = sampling->delivery == PRECIS_PAPI_WATERMARK ||
		      sampling->delivery == PRECIS_PAPI_THREAD;

	if ((sampling->watermark_samples || sampling->watermark_bytes) && !has_one)
		return precis_fail(PAPI_EINVAL, "%s: a watermark is for WATERMARK and THREAD only",
				   name);
	if (sampling->watermark_samples && sampling->watermark_bytes)
		return precis_fail(PAPI_EINVAL,
				   "%s: a watermark is in samples or in bytes, not both", name);
	return PAPI_OK;
}

static int check(const struct precis_papi_sampling *sampling, const struct precis_counter *counter)
{
	const struct precis_target *target = &counter->common->target;
	const char *name = counter->request.event->name;
	int error;

	if (!sampling->callback)
		return precis_fail(PAPI_EINVAL, "%s: no callback", name);
	if (bad_member(sampling))
		return precis_fail(PAPI_EINVAL, "%s: %s has a value that it cannot have", name,
				   bad_member(sampling));
	if (!sampling->period == !sampling->frequency)
		return precis_fail(PAPI_EINVAL, "%s: either a period or a frequency is needed",
				   name);
	if (sampling->full == PRECIS_PAPI_OVERWRITE && sampling->delivery != PRECIS_PAPI_BATCH)
		return precis_fail(PAPI_EINVAL, "%s: only a batch can be of the newest samples",
				   name);
	error = check_parts(sampling, name);
	if (!error)
		error = check_watermark(sampling, name);
	if (!error)
		error = check_precise(sampling, &counter->request);
	if (error)
		return error;
	if (sampling->max_overhead > 0 && sampling->frequency)
		return precis_fail(PAPI_EINVAL,
				   "%s: max_overhead raises a period: a frequency has "
				   "none of its own",
				   name);
	if ((target->tid || target->cpu >= 0) && (sampling->delivery == PRECIS_PAPI_SAMPLE ||
						  sampling->delivery == PRECIS_PAPI_WATERMARK))
		return precis_fail(PAPI_EINVAL,
				   "%s: a signal interrupts the thread that is "
				   "sampled: with attached EventSets use BATCH or THREAD",
				   name);
	return PAPI_OK;
}

static int set_sampling(struct precis_eventset *set, struct precis_counter *counter,
			const struct precis_papi_sampling *asked)
{
	struct precis_papi_sampling sampling;
	int error = read_sampling(&sampling, asked);

	if (!error)
		error = check(&sampling, counter);
	if (!error && sampling.period) {
		sampling.period = precis_encode_period(&counter->request, sampling.period, 1);
		error = sampling.period ? PAPI_OK : PAPI_EINVAL;
	}
	if (!error && (sampling.delivery == PRECIS_PAPI_WATERMARK ||
		       sampling.delivery == PRECIS_PAPI_SAMPLE))
		error = precis_reading_take_signal(precis_overflow_signal);
	if (error)
		return error;
	precis_counter_choose(counter, &precis_callback_sink, &sampling);
	error = precis_eventset_reopen(set, counter);
	if (!error)
		error = precis_kernel_cost(counter);
	if (error)
		precis_counter_choose(counter, NULL, NULL);
	return error;
}

int precis_papi_set_sampling(int event_set, int event_code,
			     const struct precis_papi_sampling *sampling)
{
	struct precis_counter *counter;
	struct precis_eventset *set;
	EventSetInfo_t *info;
	int error = find_counter(event_set, event_code, &info, &set, &counter);

	if (error)
		return error;
	if (!(info->state & PAPI_STOPPED))
		return precis_fail(PAPI_EISRUN, "EventSet %d is running", event_set);
	if (counter->sink && counter->sink != &precis_callback_sink)
		return precis_fail(PAPI_ECNFLCT, "%s: PAPI_overflow has the event",
				   counter->request.event->name);
	if (!sampling)
		return precis_eventset_only_count(set, counter);
	error = precis_eventset_settle(set);
	if (error)
		return error;
	error = set_sampling(set, counter, sampling);
	if (error) /* counted, or sampled, as before */
		precis_eventset_reopen(set, counter);
	return error;
}

int precis_papi_drain(int event_set)
{
	EventSetInfo_t *info;
	struct precis_eventset *set;
	int error = find_set(event_set, &info, &set);

	if (error)
		return error;
	if (precis_reading_inside(set))
		return precis_fail(PAPI_EISRUN, "EventSet %d: not in one of its callbacks",
				   event_set);
	return (int)precis_read(set, PRECIS_OF_THREAD);
}

/* What one part has to tell, put to what others have told */
static void add_statistics(struct precis_papi_statistics *sum, struct precis_eventset *set,
			   struct precis_counter *part)
{
	struct precis_papi_statistics its;
	uint64_t count, lost;

	precis_reading_statistics(set, part, &its);
	/* the kernel's own counter knows of losses that no record has told of yet */
	if (!precis_counter_read(part, &count, &lost) && lost != UINT64_MAX)
		its.lost = lost - part->tally.lost_at_start;
	its.kernel_ns = precis_kernel_cost_of(part, &its);
	if (!sum->size) {
		*sum = its;
		return;
	}
	if (its.ring_bytes < sum->ring_bytes)
		sum->ring_bytes = its.ring_bytes;
	sum->samples += its.samples;
	sum->lost += its.lost;
	sum->lost_pmu += its.lost_pmu;
	sum->truncated += its.truncated;
	sum->discarded += its.discarded;
	sum->overwritten_bytes += its.overwritten_bytes;
	sum->throttled += its.throttled;
	sum->throttled_ns += its.throttled_ns;
	sum->component_ns += its.component_ns;
	sum->callback_ns += its.callback_ns;
	sum->kernel_ns += its.kernel_ns;
}

int precis_papi_get_statistics(int event_set, int event_code,
			       struct precis_papi_statistics *statistics)
{
	struct precis_papi_statistics all = { .size = 0 };
	struct precis_counter *counter;
	struct precis_eventset *set;
	EventSetInfo_t *info;
	int error = find_counter(event_set, event_code, &info, &set, &counter);

	if (error)
		return error;
	if (!abi_is_size(statistics))
		return precis_fail(PAPI_EINVAL, "struct precis_papi_statistics: no size");
	if (!counter->sink)
		return precis_fail(PAPI_EINVAL,
				   "%s is only counted: there are statistics of what "
				   "precis_papi_set_sampling or PAPI_overflow samples",
				   counter->request.event->name);
	for (struct precis_counter *part = counter; part; part = part->next)
		add_statistics(&all, set, part);
	abi_write(statistics, &all, sizeof(all));
	return PAPI_OK;
}
