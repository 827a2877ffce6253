/* SPDX-License-Identifier: BSD-3-Clause */
/* One event of the calling thread: open, on, off, what its ring holds. */
#ifndef ACCURACY_SAMPLING_H
#define ACCURACY_SAMPLING_H

#include <precis/decoder.h>
#include <precis/filter.h>
#include <precis/ring.h>

#include "counts.h"
#include "statistics/histogram.h"

struct sampling {
	const struct bench_event *event;
	int fd;
	void *mapping;
	size_t bytes; /* of the mapping */
	struct precis_ring ring;
	struct precis_decoder decoder;
	struct precis_ibs_context *ibs;
	struct precis_pebs_context *pebs;
	struct histogram *latencies; /* of chained loads: where they go; NULL: nowhere */
	uint32_t latency;            /* enum precis_field */
	struct precis_filter filter;
	uint64_t period, counted; /* 'counted': at the sample before, if 'has_counted' */
	int has_counted;
	int read_has_lost;
	uint8_t *wrapped;
};

/* Pages of a ring's data; what the kernel lets everybody have without CAP_IPC_LOCK is a little more */
#define SAMPLING_PAGES 64u
/* Bytes of one record, at most: that of IBS with all registers, and the header of its raw part */
#define SAMPLING_RECORD 160u

/*
 * Disabled. 'latencies': where those of chained loads go, if the event's samples have any; NULL: nowhere. 0,
 * or -1 and why not; then there is nothing to close.
 */
int sampling_open(struct sampling *sampling, const struct bench_event *event,
		  const struct bench_machine *machine, const struct kernel *kernel,
		  const struct kernel_state *state, uint64_t period, struct histogram *latencies,
		  char reason[EVENT_REASON]);
void sampling_close(struct sampling *sampling);

/* 0, or a negative errno */
int sampling_enable(const struct sampling *sampling, int is_on);

/* Count what the ring holds, and give its room back. */
void sampling_drain(struct sampling *sampling, const struct kernel *kernel,
		    const struct kernel_state *state, struct counts *counts);

/*
 * What the event's counter says. 0, or a negative errno; -ENODATA: the kernel says the end of the file, as of
 * an event that it has given up (perf_read() in kernel/events/core.c)
 */
int sampling_read(const struct sampling *sampling, struct counts *counts);

#endif
