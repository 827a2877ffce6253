/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast a kernel is, and whether an event can be measured (measure.h): tried, not asked. */
#include <stdio.h>
#include <string.h>

#include "measure.h"

/* Long enough for a look at the clock, short enough for all kernels one behind the other */
#define SPEED_NS 2000000u
#define SPEED_DOUBLINGS 24u

/* Events of a probe, and nanoseconds of one of a clock: many periods */
#define PROBE_PERIODS 50u
#define PROBE_NS 60000000.0

static int is_fresh(const struct kernel *kernel)
{
	return kernel->memory == KERNEL_MEMORY_PAGES;
}

double measure_speed(const struct kernel *kernel, uint64_t inner, uint64_t seed)
{
	struct measure_request request = {
		.kernel = kernel, .inner = inner, .outer = 1, .slice = 1, .threads = 1, .seed = seed,
		.cpu = -1,
	};
	char reason[EVENT_REASON];
	double ns = 0;

	for (uint32_t doubling = 0; doubling < SPEED_DOUBLINGS; doubling++) {
		struct run run;
		int code = measure_run(&request, &run, reason);
		uint64_t took = code ? 0 : run.thread[0].cpu_ns;

		run_free(&run);
		if (code)
			return 0;
		ns = (double)took / (double)request.outer;
		if (took >= SPEED_NS || is_fresh(kernel))
			break;
		request.outer *= 2;
		request.slice = request.outer;
	}
	return ns;
}

/* The kernel that it is measured with first of all */
static const struct kernel *first_kernel(const struct bench_event *event)
{
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(event->kernels, ","), event->kernels);
	return kernel_named(name);
}

/* Outer turns that have so many periods of the event */
static uint64_t turns_of(const struct bench_event *event, const struct kernel *kernel, uint64_t period)
{
	const double wanted = (double)PROBE_PERIODS * (double)period;
	double each = kernel_knows(kernel, event->quantity) ?
			      (double)kernel_truth(kernel, event->quantity, 2, kernel->inner) / 2 : 0;

	if (is_fresh(kernel))
		return 1;
	if (each <= 0) {
		each = measure_speed(kernel, kernel->inner, 1);
		return each > 0 ? (uint64_t)(PROBE_NS / each) + 1 : 1;
	}
	return (uint64_t)(wanted / each) + 1;
}

int measure_probe(const struct bench_event *event, const struct bench_machine *machine, uint64_t period,
		  char reason[EVENT_REASON])
{
	const struct kernel *kernel = first_kernel(event);
	struct measure_request request = {
		.kernel = kernel, .event = event, .machine = machine, .period = period,
		.threads = 1, .seed = 1, .cpu = -1,
	};
	struct run run;
	int code;

	if (!kernel) {
		snprintf(reason, EVENT_REASON, "%s", kernels_why_not());
		return -1;
	}
	request.inner = kernel->inner;
	request.outer = turns_of(event, kernel, period);
	request.slice = request.outer;
	code = measure_run(&request, &run, reason);
	for (uint32_t n = 0; !code && n < run.events; n++) {
		const struct counts *counts = run_counts(&run, 0, n);

		if (counts->counted && counts->all)
			continue;
		snprintf(reason, EVENT_REASON, "%s: of %llu events %s",
			 counts->counted ? "it counts, but gives no sample" :
					   "it can be opened, but never fires",
			 (unsigned long long)counts->truth,
			 event->family == EVENT_BREAKPOINT || event->family == EVENT_SET ?
				 "none was seen: this machine does not deliver debug exceptions" :
				 "none was seen");
		code = -1;
	}
	run_free(&run);
	return code;
}
