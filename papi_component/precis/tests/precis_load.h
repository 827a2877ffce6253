/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tests under load share: the kinds of delivery that an event may have, what goes wrong in their
 * threads, and whether the machine counts several breakpoints as it should.
 */
#ifndef PRECIS_LOAD_H
#define PRECIS_LOAD_H

#include "precis_test.h"

enum load_kind {
	LOAD_BATCH,
	LOAD_WATERMARK,
	LOAD_THREAD,
	LOAD_SAMPLE,
	LOAD_OVERWRITE,
	LOAD_OVERFLOW, /* PAPI_overflow */
	LOAD_COUNT, /* not sampled */
	LOAD_KINDS
};

static const char *const load_kind_names[LOAD_KINDS] = { "batch",     "watermark",     "thread", "sample",
							 "overwrite", "PAPI_overflow", "count" };

/* An event that is sampled, and who gets its samples */
struct load_event {
	int set, code;
	int period;
	uint64_t ring_bytes;
	precis_papi_callback callback;
	void *user;
	PAPI_overflow_handler_t handler;
};

static inline int load_set_kind(const struct load_event *event, enum load_kind kind)
{
	static const uint32_t deliveries[] = { PRECIS_PAPI_BATCH, PRECIS_PAPI_WATERMARK,
					       PRECIS_PAPI_THREAD, PRECIS_PAPI_SAMPLE,
					       PRECIS_PAPI_BATCH };
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.period = (uint64_t)event->period,
		.ring_bytes = event->ring_bytes,
		.callback = event->callback,
		.user = event->user,
	};

	if (kind == LOAD_COUNT)
		return PAPI_OK;
	if (kind == LOAD_OVERFLOW)
		return PAPI_overflow(event->set, event->code, event->period, 0, event->handler);
	sampling.delivery = deliveries[kind];
	sampling.full = kind == LOAD_OVERWRITE ? PRECIS_PAPI_OVERWRITE : PRECIS_PAPI_DROP;
	sampling.watermark_samples = kind == LOAD_WATERMARK ? 5 : 0;
	return precis_papi_set_sampling(event->set, event->code, &sampling);
}

/* --- what such a test rests on ------------------------------------------------------------ */

#define LOAD_BREAKPOINTS 3
#define LOAD_STORES 10 /* enough to see */

static inline int load_open_breakpoint(volatile long *cell)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = (uintptr_t)cell,
		.bp_len = HW_BREAKPOINT_LEN_8,
		.exclude_kernel = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/*
 * Does the kernel by itself, without PAPI, count several breakpoints wrongly? QEMU's emulated CPUs tell
 * of one that was hit before when another one is.
 */
static inline int load_breakpoints_are_wrong(void)
{
	static volatile long cell[LOAD_BREAKPOINTS];
	int descriptor[LOAD_BREAKPOINTS], are_wrong = 0;
	uint64_t count;

	for (int n = 0; n < LOAD_BREAKPOINTS; n++)
		descriptor[n] = load_open_breakpoint(&cell[n]);
	for (int i = 0; i < LOAD_STORES; i++) {
		for (int n = 0; n < LOAD_BREAKPOINTS; n++)
			cell[n] = i;
	}
	for (int n = 0; n < LOAD_BREAKPOINTS; n++) {
		if (descriptor[n] < 0)
			continue;
		if (read(descriptor[n], &count, sizeof(count)) == sizeof(count))
			are_wrong |= count != LOAD_STORES;
		close(descriptor[n]);
	}
	return are_wrong;
}

/* What goes wrong in a thread: the first of it, which the main thread tells when the thread has ended */
struct load_wrong {
	int count;
	char first[256];
};

__attribute__((format(printf, 2, 3))) static inline void load_fail(struct load_wrong *wrong,
								   const char *format, ...)
{
	va_list arguments;

	if (wrong->count++)
		return;
	va_start(arguments, format);
	vsnprintf(wrong->first, sizeof(wrong->first), format, arguments);
	va_end(arguments);
}

/* @return whether it failed */
static inline int load_must(struct load_wrong *wrong, int error, const char *call)
{
	if (error != PAPI_OK)
		load_fail(wrong, "%s: %d: %s", call, error, precis_papi_strerror(error));
	return error != PAPI_OK;
}

#endif
