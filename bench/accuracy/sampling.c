/* SPDX-License-Identifier: BSD-3-Clause */
/* See sampling.h. Records are read by libdecode's ring and decoder. */
#define _GNU_SOURCE /* syscall() */
#include "sampling.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <precis/intel.h>
#include <precis/kernel_records.h>
#include <precis/pebs_sample.h>

static int open_event(const struct perf_event_attr *attr)
{
	return (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* As many pages as may be had: less than 8 hold too little between two looks at them. */
static int map_ring(struct sampling *sampling, char *reason)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *mapping = MAP_FAILED;

	for (size_t pages = SAMPLING_PAGES; pages >= 8 && mapping == MAP_FAILED; pages /= 2) {
		sampling->bytes = (1 + pages) * page;
		mapping = mmap(NULL, sampling->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, sampling->fd, 0);
	}
	if (mapping == MAP_FAILED) {
		snprintf(reason, EVENT_REASON, "its ring cannot be mapped: %s%s", strerror(errno),
			 errno == EPERM ? ", more than kernel.perf_event_mlock_kb" : "");
		return -1;
	}
	sampling->mapping = mapping;
	sampling->ring.size = sizeof(sampling->ring);
	if (precis_ring_init(&sampling->ring, mapping, sampling->bytes, sampling->wrapped)) {
		snprintf(reason, EVENT_REASON, "the kernel's ring is not one");
		return -1;
	}
	return 0;
}

/* What Intel's words mean depends on the core; of other events nothing is asked that does. */
static int set_up_pebs(struct sampling *sampling, const struct bench_machine *machine,
		       const struct perf_event_attr *attr)
{
	const struct precis_pebs_machine of = {
		.size = sizeof(of), .core_type = PRECIS_CORE_TYPE_P, .cpu = machine->cpu, .has_config = 1,
		.config = attr->config,
	};

	if (sampling->event->family != EVENT_PEBS || !sampling->latencies)
		return 0;
	sampling->pebs = malloc(sizeof(*sampling->pebs));
	if (!sampling->pebs || precis_pebs_context_init(sampling->pebs, &of))
		return -1;
	sampling->decoder.pebs = sampling->pebs;
	return 0;
}

static int set_up(struct sampling *sampling, const struct bench_machine *machine,
		  const struct perf_event_attr *attr, char *reason)
{
	struct precis_filter_error error = { .size = sizeof(error) };
	const struct bench_event *event = sampling->event;

	sampling->filter.size = sizeof(sampling->filter);
	if (event->subset &&
	    precis_filter_compile(event->subset, NULL, NULL, &sampling->filter, &error)) {
		snprintf(reason, EVENT_REASON, "its subset is no filter: %s", event->subset);
		return -1;
	}
	sampling->decoder.size = sizeof(sampling->decoder);
	sampling->wrapped = malloc(PRECIS_RING_WRAPPED_BYTES);
	sampling->ibs = event->family == EVENT_IBS ? malloc(sizeof(*sampling->ibs)) : NULL;
	if (!sampling->wrapped || (event->family == EVENT_IBS && !sampling->ibs) ||
	    precis_decoder_init(&sampling->decoder, attr, sizeof(*attr)) ||
	    set_up_pebs(sampling, machine, attr)) {
		snprintf(reason, EVENT_REASON, "memory is short");
		return -1;
	}
	if (sampling->ibs) {
		precis_ibs_context_init(sampling->ibs, &machine->cpu);
		sampling->decoder.ibs = sampling->ibs;
		sampling->decoder.kind = strcmp(event->where, "ibs_op") == 0 ? PRECIS_EVENT_IBS_OP :
									     PRECIS_EVENT_IBS_FETCH;
	}
	return map_ring(sampling, reason);
}

int sampling_open(struct sampling *sampling, const struct bench_event *event,
		  const struct bench_machine *machine, const struct kernel *kernel,
		  const struct kernel_state *state, uint64_t period, struct histogram *latencies,
		  char reason[EVENT_REASON])
{
	struct perf_event_attr attr;

	memset(sampling, 0, sizeof(*sampling));
	sampling->latencies = event_latency(event, &sampling->latency) ? latencies : NULL;
	sampling->event = event;
	sampling->period = period;
	sampling->fd = -1;
	if (event_attr(event, machine, kernel, state, period, &attr, reason))
		return -1;
	/* since Linux 6.0 the counter tells what was lost, too */
	attr.read_format |= PERF_FORMAT_LOST;
	sampling->read_has_lost = 1;
	sampling->fd = open_event(&attr);
	if (sampling->fd < 0 && errno == EINVAL) {
		attr.read_format &= ~(uint64_t)PERF_FORMAT_LOST;
		sampling->read_has_lost = 0;
		sampling->fd = open_event(&attr);
	}
	if (sampling->fd < 0) {
		event_refused(event, machine, errno, reason);
		return -1;
	}
	if (!set_up(sampling, machine, &attr, reason))
		return 0;
	sampling_close(sampling);
	return -1;
}

void sampling_close(struct sampling *sampling)
{
	if (sampling->mapping)
		munmap(sampling->mapping, sampling->bytes);
	if (sampling->fd >= 0)
		close(sampling->fd);
	free(sampling->wrapped);
	free(sampling->ibs);
	free(sampling->pebs);
	sampling->mapping = NULL;
	sampling->fd = -1;
}

int sampling_enable(const struct sampling *sampling, int is_on)
{
	return ioctl(sampling->fd, is_on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0) ? -errno : 0;
}

static uint32_t mode_of(const struct precis_record *record)
{
	switch (record->misc & PRECIS_MISC_CPUMODE_MASK) {
	case PRECIS_CPUMODE_USER:
		return MODE_USER;
	case PRECIS_CPUMODE_KERNEL:
		return MODE_KERNEL;
	default:
		return 0;
	}
}

/* What is summed stops at its end: then nothing is said of it. */
static uint64_t add_square(uint64_t sum, uint64_t by)
{
	uint64_t square;

	if (__builtin_mul_overflow(by, by, &square) || __builtin_add_overflow(sum, square, &sum))
		return COUNT_FULL;
	return sum < COUNT_FULL ? sum : COUNT_FULL;
}

/* The counter's value comes first in what PERF_SAMPLE_READ has of one event (linux/perf_event.h). */
static void take_interval(struct sampling *sampling, const struct precis_perf_sample *perf,
			  struct counts *counts)
{
	uint64_t value, events;

	if (!(perf->present & PERF_SAMPLE_READ) || perf->read.bytes < sizeof(value))
		return;
	memcpy(&value, perf->read.data, sizeof(value));
	events = value - sampling->counted;
	if (sampling->has_counted) {
		counts->intervals++;
		counts->interval_events += events;
		counts->interval_squares =
			add_square(counts->interval_squares, events > sampling->period ?
								     events - sampling->period :
								     sampling->period - events);
	}
	sampling->counted = value;
	sampling->has_counted = 1;
}

/* What does not fit into 16 bits is the longest; where memory is short it is as if it had not been told. */
static void take_latency(const struct sampling *sampling, const struct precis_sample *sample,
			 const struct kernel *kernel, uint64_t ip, struct counts *counts)
{
	const size_t site = sampling->latencies ? kernel_site_at(kernel, ip) : SIZE_MAX;
	uint64_t value;

	if (site == SIZE_MAX || !(kernel->sites[site].class & CLASS_CHAINED) ||
	    !precis_get(sample, (enum precis_field)sampling->latency, &value))
		return;
	if (value >= HISTOGRAM_VALUES)
		value = HISTOGRAM_VALUES - 1;
	if (!histogram_add(sampling->latencies, (uint16_t)value))
		counts->with_latency++;
}

static void take_sample(struct sampling *sampling, const struct precis_record *record,
			const struct kernel *kernel, const struct kernel_state *state, struct counts *counts)
{
	struct precis_perf_sample perf = { .size = sizeof(perf) };
	struct precis_sample sample;
	struct seen_sample seen;

	precis_sample_init(&sample);
	counts->all++;
	if (precis_decoder_sample(&sampling->decoder, record, NULL, &perf, &sample)) {
		counts->unreadable++;
		return;
	}
	take_interval(sampling, &perf, counts);
	if (sampling->event->subset && !precis_filter_match(&sampling->filter, &sample))
		return;
	take_latency(sampling, &sample, kernel, perf.ip, counts);
	seen = (struct seen_sample){ .ip = perf.ip, .address = perf.addr, .mode = mode_of(record) };
	counts_add_sample(counts, sampling->event, kernel, state, &seen);
}

static void take_record(struct sampling *sampling, const struct precis_record *record,
			const struct kernel *kernel, const struct kernel_state *state, struct counts *counts)
{
	struct precis_lost lost = { .size = sizeof(lost) };
	struct precis_lost_samples missing = { .size = sizeof(missing) };

	switch (record->type) {
	case PRECIS_RECORD_SAMPLE:
		take_sample(sampling, record, kernel, state, counts);
		break;
	case PRECIS_RECORD_LOST:
		counts->unreadable += precis_lost_parse(record, &lost) != 0;
		counts->lost += lost.lost;
		sampling->has_counted = 0;
		break;
	case PRECIS_RECORD_LOST_SAMPLES:
		counts->unreadable += precis_lost_samples_parse(record, &missing) != 0;
		counts->lost_samples += missing.lost;
		sampling->has_counted = 0;
		break;
	case PRECIS_RECORD_THROTTLE:
		counts->throttled++;
		break;
	case PRECIS_RECORD_UNTHROTTLE:
		counts->unthrottled++;
		break;
	default:
		break;
	}
}

void sampling_drain(struct sampling *sampling, const struct kernel *kernel,
		    const struct kernel_state *state, struct counts *counts)
{
	struct precis_record record;
	int code;

	precis_ring_look(&sampling->ring);
	while ((code = precis_ring_next(&sampling->ring, &record)) != 0) {
		if (code == 1)
			take_record(sampling, &record, kernel, state, counts);
		else
			counts->unreadable++;
	}
	precis_ring_release(&sampling->ring);
}

int sampling_read(const struct sampling *sampling, struct counts *counts)
{
	/* value, time enabled, time running, lost */
	uint64_t words[4] = { 0 };
	const size_t bytes = (sampling->read_has_lost ? 4 : 3) * sizeof(words[0]);
	const ssize_t got = read(sampling->fd, words, bytes);

	if (got < 0)
		return -errno;
	if (!got)
		return -ENODATA;
	if ((size_t)got != bytes)
		return -EIO;
	counts->ring_bytes = sampling->bytes;
	counts->counted = words[0];
	counts->enabled_ns = words[1];
	counts->running_ns = words[2];
	/* what LOST records say comes with the next record that fits, which need not come */
	if (sampling->read_has_lost && words[3] > counts->lost)
		counts->lost = words[3];
	return 0;
}
