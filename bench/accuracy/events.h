/* SPDX-License-Identifier: BSD-3-Clause */
/* The events whose samples are measured, and whether this machine has them. */
#ifndef ACCURACY_EVENTS_H
#define ACCURACY_EVENTS_H

#include <linux/perf_event.h>

#include <precis/cpu.h>

#include "kernels.h"

enum event_family {
	EVENT_SOFTWARE,
	EVENT_TRACEPOINT,
	EVENT_BREAKPOINT,
	EVENT_IBS,
	EVENT_PEBS,
	EVENT_SET /* of others, which are measured at the same time */
};

/* Modes of the CPU, in bits */
#define MODE_USER 1u
#define MODE_KERNEL 2u

/* Where a sample's instruction pointer is */
enum event_place { PLACE_NOWHERE, PLACE_ITSELF, PLACE_BEHIND };

/* As many are measured at the same time */
#define EVENTS_MOST 8u
#define EVENT_REASON 256

struct bench_event {
	const char *name, *summary;
	enum event_family family;
	const char *where, *bits, *subset, *kernels;
	uint64_t code;
	enum quantity quantity;
	uint32_t modes, expected; /* MODE_* */
	enum event_place place;
	int word;
	uint64_t period;
};

/* Event n; NULL past the last one. */
const struct bench_event *event_at(size_t n);
const struct bench_event *event_named(const char *name, size_t length);
const char *event_family_name(enum event_family family);

/* The events that are opened: the event itself, or those of a set. How many; 0 if a set is no good */
size_t event_members(const struct bench_event *event, const struct bench_event *members[EVENTS_MOST]);

/* Is it counted by itself, not found among the samples of something else? */
static inline int event_is_direct(const struct bench_event *event)
{
	return !event->subset;
}

/* 1, and the field (enum precis_field) by which its samples say how long a load took; or 0 */
int event_latency(const struct bench_event *event, uint32_t *field);

/*
 * Events from one sample to the next, in the mean, and their standard deviation, where that period is asked
 * for. IBS starts to count ops at a random number below 128, which Linux hands back to it, and fetches at one
 * below 16 where it is asked to (AMD64 APM vol. 2, 13.3; perf_ibs_handle_irq() in
 * arch/x86/events/amd/ibs.c).
 */
double event_mean_period(const struct bench_event *event, uint64_t period);
double event_period_deviation(const struct bench_event *event, uint64_t period);

/*
 * Of an outer turn: the events that it makes, and what the event's counter counts, of which a subset is a
 * part. 0: that is not known
 */
double event_made_each(const struct bench_event *event, const struct kernel *kernel, uint64_t inner);
double event_counted_each(const struct bench_event *event, const struct kernel *kernel, uint64_t inner);

/* What is known of the machine, from /proc and /sys. The caller has read it. */
struct bench_machine {
	const char *root; /* in front of /proc and /sys; "" */
	struct precis_cpu cpu;
	const char *release; /* of the kernel */
	int is_guest, is_privileged;
	int has_paranoid, paranoid;
};

/*
 * How the kernel is asked for that event: type, config, period, what is sampled. Addresses are those of the
 * kernel and of its memory. 0, or -1 and why not.
 */
int event_attr(const struct bench_event *event, const struct bench_machine *machine,
	       const struct kernel *kernel, const struct kernel_state *state, uint64_t period,
	       struct perf_event_attr *attr, char reason[EVENT_REASON]);

/* What it means that perf_event_open(2) failed so. */
void event_refused(const struct bench_event *event, const struct bench_machine *machine, int error,
		   char reason[EVENT_REASON]);

#endif
