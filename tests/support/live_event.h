/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of this thread, opened here and now, with ring and decoder. */
#ifndef TESTS_SUPPORT_LIVE_EVENT_H
#define TESTS_SUPPORT_LIVE_EVENT_H

#include <linux/perf_event.h>

#include <precis/decoder.h>
#include <precis/ring.h>

struct live_event {
	int fd;
	void *mapping;
	size_t bytes; /* of the mapping */
	struct perf_event_attr attr;
	struct precis_ring ring;
	struct precis_decoder decoder;
	_Alignas(8) uint8_t wrapped[PRECIS_RING_WRAPPED_BYTES];
};

/* A disabled event of the calling thread, of its user mode alone, with a fixed period. */
struct perf_event_attr live_attr(uint32_t type, uint64_t config, uint64_t period,
				 uint64_t sample_type);

/* Breakpoint on writes to a u64. */
struct perf_event_attr live_store_attr(const volatile uint64_t *watched, uint64_t sample_type);

/*
 * Open the event, map its ring and set up ring and decoder.
 *
 * @param pages  of the ring, a power of two; 0: no ring. With attr.write_backward the kernel
 *               overwrites it
 * @return 0 or -errno; nothing is open then
 */
int live_open(struct live_event *event, const struct perf_event_attr *attr, size_t pages);

void live_close(struct live_event *event);

/* -errno of perf_event_open(2) or bpf(2): why a test is skipped, or NULL if it failed. */
const char *live_why_not(int error);

#endif
