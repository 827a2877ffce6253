/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of events (events.h). */
#include "events.h"

#include <math.h>
#include <string.h>

#include <linux/hw_breakpoint.h>

#include "pebs_events.h"

/* Numbers that IBS starts from when it counts ops: 0 to 127, each as likely */
#define IBS_RANDOM 128

/* Ops of an instruction, in the mean of a kernel, where that is not known: more than there are */
#define OPS_MOST 4

#define MODE_USER_AND_KERNEL (MODE_USER | MODE_KERNEL)

static const struct bench_event events[] = {
#define EVENT(name, family, where, bits, code, quantity, subset, modes, expected, place, word, period,  \
	      kernels, summary)                                                                    \
	{ #name, summary, EVENT_##family, where, bits, subset, kernels, code, QUANTITY_##quantity, \
	  MODE_##modes, MODE_##expected, PLACE_##place, word, period },
#include "events.def"
#undef EVENT
};

const struct bench_event *event_at(size_t n)
{
	return n < sizeof(events) / sizeof(events[0]) ? &events[n] : NULL;
}

const struct bench_event *event_named(const char *name, size_t length)
{
	const struct bench_event *event;

	for (size_t n = 0; (event = event_at(n)); n++) {
		if (strncmp(event->name, name, length) == 0 && !event->name[length])
			return event;
	}
	return NULL;
}

const char *event_family_name(enum event_family family)
{
	static const char *const names[] = {
		[EVENT_SOFTWARE] = "software", [EVENT_TRACEPOINT] = "tracepoint",
		[EVENT_BREAKPOINT] = "breakpoint", [EVENT_IBS] = "IBS", [EVENT_PEBS] = "PEBS",
		[EVENT_SET] = "set",
	};

	return names[family];
}

/* Does it count ops, which IBS does at random? */
static int is_random(const struct bench_event *event)
{
	return event->family == EVENT_IBS && event->bits && strcmp(event->bits, "cnt_ctl") == 0;
}

/* The mean of that power of what is left of the period, which is one event at the least */
static double mean_power(uint64_t period, double power)
{
	double sum = 0;

	for (uint64_t start = 0; start < IBS_RANDOM; start++)
		sum += pow(period > start ? (double)(period - start) : 1, power);
	return sum / IBS_RANDOM;
}

double event_mean_period(const struct bench_event *event, uint64_t period)
{
	return is_random(event) ? mean_power(period, 1) : (double)period;
}

double event_period_deviation(const struct bench_event *event, uint64_t period)
{
	double mean;

	if (!is_random(event))
		return 0;
	mean = mean_power(period, 1);
	return sqrt(mean_power(period, 2) - mean * mean);
}

static double each_outer(const struct kernel *kernel, enum quantity quantity, uint64_t inner)
{
	return (double)(kernel_truth(kernel, quantity, 2, inner) - kernel_truth(kernel, quantity, 1, inner));
}

double event_made_each(const struct bench_event *event, const struct kernel *kernel, uint64_t inner)
{
	return kernel_knows(kernel, event->quantity) ? each_outer(kernel, event->quantity, inner) : 0;
}

double event_counted_each(const struct bench_event *event, const struct kernel *kernel, uint64_t inner)
{
	if (!event->subset)
		return event_made_each(event, kernel, inner);
	return kernel_knows(kernel, QUANTITY_OPS) ?
		       each_outer(kernel, QUANTITY_OPS, inner) :
		       OPS_MOST * each_outer(kernel, QUANTITY_INSTRUCTIONS, inner);
}

size_t event_members(const struct bench_event *event, const struct bench_event *members[EVENTS_MOST])
{
	const char *at = event->where;
	size_t count = 0;

	if (event->family != EVENT_SET) {
		members[0] = event;
		return 1;
	}
	while (*at && count < EVENTS_MOST) {
		const size_t length = strcspn(at, ",");

		members[count] = event_named(at, length);
		if (!members[count])
			return 0;
		count++;
		at += length + (at[length] == ',');
	}
	return count;
}
