/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of events (events.h). */
#include "events.h"

#include <math.h>
#include <string.h>

#include <linux/hw_breakpoint.h>

#include <precis/fields.h>

#include "pebs_events.h"

/* Ops of an instruction, in the mean of a kernel, where that is not known: more than there are */
#define OPS_MOST 4

#define MODE_USER_AND_KERNEL (MODE_USER | MODE_KERNEL)

/* Kernels of which a load's time is known */
#define LADDER "ladder16k,ladder256k,ladder8m,ladder64m"

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

/*
 * Numbers that the counter starts from, 0 and those behind it, each as likely: of IBS 0 to 127 where it
 * counts ops, and 0 to 15 where the low bits of fetches are random (IbsRandEn)
 */
static uint64_t starts_of(const struct bench_event *event)
{
	if (event->family != EVENT_IBS || !event->bits)
		return 1;
	return strcmp(event->bits, "cnt_ctl") == 0 ? 128 : strcmp(event->bits, "rand_en") == 0 ? 16 : 1;
}

/* The mean of that power of what is left of the period, which is one event at the least */
static double mean_power(const struct bench_event *event, uint64_t period, double power)
{
	const uint64_t starts = starts_of(event);
	double sum = 0;

	for (uint64_t start = 0; start < starts; start++)
		sum += pow(period > start ? (double)(period - start) : 1, power);
	return sum / (double)starts;
}

double event_mean_period(const struct bench_event *event, uint64_t period)
{
	return starts_of(event) > 1 ? mean_power(event, period, 1) : (double)period;
}

double event_period_deviation(const struct bench_event *event, uint64_t period)
{
	double mean;

	if (starts_of(event) == 1)
		return 0;
	mean = mean_power(event, period, 1);
	return sqrt(mean_power(event, period, 2) - mean * mean);
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

/* Rows are of events by name: there are few, and they are asked for once in each run. */
int event_latency(const struct bench_event *event, uint32_t *field)
{
	static const struct {
		const char *event;
		uint32_t field;
	} latencies[] = {
#define LATENCY(event, field) { #event, PRECIS_FIELD_##field },
#include "latencies.def"
#undef LATENCY
	};

	for (size_t n = 0; n < sizeof(latencies) / sizeof(latencies[0]); n++) {
		if (strcmp(latencies[n].event, event->name) == 0) {
			*field = latencies[n].field;
			return 1;
		}
	}
	return 0;
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
