/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_counter.c
 * @see precis_counter.h
 */
#include "precis_counter.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "papi.h"
#include "precis_debug.h"
#include "precis_errors.h"
#include "precis_fork.h"
#include "precis_machine.h"
#include "precis_memory.h"
#include "precis_refusals.h"

#define NO_VALUE UINT64_MAX

static void choose_fields(struct precis_counter *counter)
{
	memcpy(counter->fields, counter->sampling.fields, sizeof(counter->fields));
	if (counter->fields[0] || counter->fields[1])
		return;
	/* they name none: all that everybody may have */
	memset(counter->fields, 0xff, sizeof(counter->fields));
	precis_fields_remove(counter->fields, PRECIS_FIELD_PHYS_ADDR);
}

void precis_counter_choose(struct precis_counter *counter, const struct precis_sink *sink,
			   const struct precis_papi_sampling *sampling)
{
	counter->sink = sink;
	if (sampling)
		counter->sampling = *sampling;
	else
		memset(&counter->sampling, 0, sizeof(counter->sampling));
	choose_fields(counter);
}

static int is_delivered(const struct precis_counter *counter, enum precis_papi_delivery delivery)
{
	return counter->sink && counter->sampling.delivery == delivery;
}

int precis_counter_is_polled(const struct precis_counter *counter)
{
	return is_delivered(counter, PRECIS_PAPI_THREAD);
}

int precis_counter_is_watermarked(const struct precis_counter *counter)
{
	return is_delivered(counter, PRECIS_PAPI_WATERMARK);
}

int precis_counter_by_signal(const struct precis_counter *counter)
{
	return is_delivered(counter, PRECIS_PAPI_SAMPLE) || precis_counter_is_watermarked(counter);
}

static int open_event(struct perf_event_attr *attr, const struct precis_target *target, int group)
{
	return (int)syscall(SYS_perf_event_open, attr, target->tid, target->cpu, group,
			    (unsigned long)PERF_FLAG_FD_CLOEXEC);
}

/*
 * Kernels before 6.0 know nothing of read_format LOST, those before 5.12 nothing
 * of WEIGHT_STRUCT: ask for less until one takes it.
 */
static int open_attr(struct perf_event_attr *attr, const struct precis_target *target, int group)
{
	int fd = open_event(attr, target, group);

	if (fd < 0 && errno == EINVAL && attr->read_format & PRECIS_FORMAT_LOST) {
		attr->read_format &= ~(uint64_t)PRECIS_FORMAT_LOST;
		fd = open_event(attr, target, group);
	}
	if (fd < 0 && errno == EINVAL && attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT) {
		attr->sample_type &= ~(uint64_t)PERF_SAMPLE_WEIGHT_STRUCT;
		attr->sample_type |= PERF_SAMPLE_WEIGHT;
		fd = open_event(attr, target, group);
	}
	return fd;
}

/*
 * Is it an event that Linux counts by itself, one at a time? Of such a one with
 * PERF_SAMPLE_PERIOD and no frequency it makes a sample each time, of period 1
 * (perf_swevent_event() in kernel/events/core.c).
 */
static int is_counted_in_software(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_BREAKPOINT ||
	       (attr->type == PERF_TYPE_SOFTWARE && attr->config != PERF_COUNT_SW_CPU_CLOCK);
}

/* What the attr says of sampling */
static void set_sampling(struct precis_counter *counter)
{
	const struct precis_papi_sampling *sampling = &counter->sampling;
	struct perf_event_attr *attr = &counter->request.attr;

	precis_encode_fields(&counter->request, counter->fields);
	attr->sample_type |= sampling->parts;
	attr->sample_regs_intr = sampling->parts & PERF_SAMPLE_REGS_INTR ? sampling->registers : 0;
	attr->sample_regs_user = sampling->parts & PERF_SAMPLE_REGS_USER ? sampling->registers : 0;
	attr->sample_id_all = 1;
	attr->read_format |= PRECIS_FORMAT_LOST;
	attr->freq = sampling->frequency != 0;
	if (attr->freq) {
		attr->sample_freq = sampling->frequency;
		attr->sample_type |= PERF_SAMPLE_PERIOD;
	} else {
		attr->sample_period = sampling->period;
		if (is_counted_in_software(attr))
			attr->sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
		/* what a sample stands for when the period has changed: precis_periods.c */
		if (is_counted_in_software(attr) && sampling->max_overhead > 0)
			attr->sample_type |= PERF_SAMPLE_READ;
	}
	attr->write_backward = sampling->full == PRECIS_PAPI_OVERWRITE;
	if (sampling->delivery == PRECIS_PAPI_SAMPLE) {
		attr->wakeup_events = 1;
	} else if (sampling->watermark_samples) {
		attr->wakeup_events = sampling->watermark_samples;
	} else if (sampling->watermark_bytes) {
		attr->watermark = 1;
		attr->wakeup_watermark = sampling->watermark_bytes;
	}
	/* else the kernel's own: half the ring */
}

static int init_decoder(struct precis_counter *counter)
{
	const struct precis_machine *machine = precis_machine();
	struct precis_memory *memory = counter->memory;
	struct precis_decoder *decoder = &memory->decoder;
	struct precis_pebs_machine pebs = {
		.size = sizeof(pebs),
		.core_type = counter->request.core_type,
		.cpu = machine->cpu,
		.has_config = 1,
		.config = counter->request.attr.config,
		.records_retire_latency =
			(uint32_t)precis_pebs_kernel_has_retire_latency(machine->os_release),
	};

	precis_sample_init(&memory->sample);
	memory->parts.size = sizeof(memory->parts);
	decoder->size = sizeof(*decoder);
	if (precis_decoder_init(decoder, &counter->request.attr, sizeof(counter->request.attr)) ||
	    precis_ibs_context_init(&memory->ibs, &machine->cpu) ||
	    precis_pebs_context_init(&memory->pebs, &pebs))
		return precis_fail(PAPI_EBUG, "%s: no decoder for its attr",
				   counter->request.event->name);
	decoder->kind = counter->request.kind;
	decoder->index = counter->position;
	decoder->old_fetch_layout = (uint32_t)precis_ibs_fetch_layout_is_old(machine->os_release);
	decoder->ibs = &memory->ibs;
	decoder->pebs = &memory->pebs;
	return PAPI_OK;
}

/*
 * Linux sends a signal at each overflow, whatever attr says of wakeups: one at a watermark comes
 * from the helper thread.
 */
static int ask_for_signals(struct precis_counter *counter, int signal)
{
	struct f_owner_ex owner = { .type = F_OWNER_TID, .pid = (pid_t)syscall(SYS_gettid) };

	if (!precis_counter_by_signal(counter) || precis_counter_is_watermarked(counter))
		return PAPI_OK;
	if (fcntl(counter->fd, F_SETFL, O_RDWR | O_NONBLOCK | O_ASYNC) ||
	    fcntl(counter->fd, F_SETSIG, signal) || fcntl(counter->fd, F_SETOWN_EX, &owner))
		return precis_fail(PAPI_ESYS, "%s: no signals for its ring: %s",
				   counter->request.event->name, strerror(errno));
	return PAPI_OK;
}

static int prepare_sampling(struct precis_counter *counter, int signal)
{
	struct precis_buffer *buffer = &counter->buffer;
	int error;

	counter->memory = papi_calloc(1, sizeof(*counter->memory));
	if (!counter->memory)
		return precis_fail(PAPI_ENOMEM, "%s: no memory", counter->request.event->name);
	buffer->event = counter->request.event->name;
	buffer->fd = counter->fd;
	buffer->is_overwritten = counter->sampling.full == PRECIS_PAPI_OVERWRITE;
	error = init_decoder(counter);
	if (!error)
		error = precis_buffer_map(buffer, counter->sampling.ring_bytes);
	return error ? error : ask_for_signals(counter, signal);
}

/* An auxiliary leader makes a group: it is what is switched on and off. */
static int group_fd(const struct precis_counter *counter)
{
	return counter->leader_fd >= 0 ? counter->leader_fd : counter->fd;
}

/* ENOENT: of a CPU that is not one of the PMU's, x86_pmu_event_init() in arch/x86/events/core.c */
static int fail_open(struct precis_counter *counter)
{
	counter->is_elsewhere = errno == ENODEV || errno == ENOENT;
	return precis_fail_open(errno, &counter->request);
}

int precis_counter_open(struct precis_counter *counter, int signal)
{
	struct precis_request *request = &counter->request;
	int error = PAPI_OK;

	if (counter->sink)
		set_sampling(counter);
	else
		request->attr.precise_ip = 0; /* Linux has no precise event that is only counted */
	counter->is_elsewhere = 0;
	if (request->has_leader) {
		counter->leader_fd = open_attr(&request->leader, &request->target, -1);
		if (counter->leader_fd < 0)
			return fail_open(counter);
	}
	counter->fd = open_attr(&request->attr, &request->target, counter->leader_fd);
	while (counter->fd < 0 && errno == EOPNOTSUPP && counter->sink &&
	       counter->sink->takes_any_level && request->attr.precise_ip > request->precise_least) {
		request->attr.precise_ip--;
		counter->fd = open_attr(&request->attr, &request->target, counter->leader_fd);
	}
	if (counter->fd < 0)
		error = fail_open(counter);
	else if (counter->sink)
		error = prepare_sampling(counter, signal);
	SUBDBG("%s: descriptor %d, thread %d, CPU %d: type %u, config 0x%llx, precise_ip %u, sample_type "
	       "0x%llx, period or frequency %llu\n",
	       request->event->name, counter->fd, (int)request->target.tid, request->target.cpu,
	       request->attr.type, (unsigned long long)request->attr.config,
	       (unsigned int)request->attr.precise_ip, (unsigned long long)request->attr.sample_type,
	       (unsigned long long)request->attr.sample_period);
	if (error)
		precis_counter_close(counter);
	counter->base = 0;
	return error;
}

void precis_counter_close(struct precis_counter *counter)
{
	if (precis_counter_is_gone(counter))
		precis_buffer_abandon(&counter->buffer);
	else
		precis_buffer_unmap(&counter->buffer);
	if (counter->fd >= 0)
		close(counter->fd);
	if (counter->leader_fd >= 0)
		close(counter->leader_fd);
	counter->fd = counter->leader_fd = -1;
	papi_free(counter->memory);
	counter->memory = NULL;
}

int precis_counter_enable(struct precis_counter *counter)
{
	return ioctl(group_fd(counter), PERF_EVENT_IOC_ENABLE, 0)
		       ? precis_fail(PAPI_ESYS, "%s: cannot be started: %s",
				     counter->request.event->name, strerror(errno))
		       : PAPI_OK;
}

int precis_counter_disable(struct precis_counter *counter)
{
	return ioctl(group_fd(counter), PERF_EVENT_IOC_DISABLE, 0)
		       ? precis_fail(PAPI_ESYS, "%s: cannot be stopped: %s",
				     counter->request.event->name, strerror(errno))
		       : PAPI_OK;
}

/* What read(2) says, as read_format has it */
struct values {
	uint64_t count, enabled, running, lost;
};

static int read_values(const struct precis_counter *counter, struct values *values)
{
	uint64_t format = counter->request.attr.read_format, words[4];
	ssize_t got = read(counter->fd, words, sizeof(words)), at = 1;

	*values = (struct values){ .lost = NO_VALUE };
	if (got < (ssize_t)sizeof(words[0]))
		return -1;
	got /= (ssize_t)sizeof(words[0]);
	values->count = words[0];
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED && at < got)
		values->enabled = words[at++];
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING && at < got)
		values->running = words[at++];
	if (format & PRECIS_FORMAT_LOST && at < got)
		values->lost = words[at];
	return 0;
}

int precis_counter_count(const struct precis_counter *counter, uint64_t *count)
{
	struct values values;
	int error = read_values(counter, &values);

	*count = values.count;
	return error;
}

int precis_counter_read(struct precis_counter *counter, uint64_t *count, uint64_t *lost)
{
	const char *name = counter->request.event->name;
	struct values values;

	if (read_values(counter, &values))
		return precis_fail(PAPI_ESYS, "%s: cannot be read: %s", name, strerror(errno));
	if (values.enabled && !values.running)
		return precis_fail(PAPI_ECNFLCT, "%s: multiplexed: there was no counter for it until now",
				   name);
	*count = values.count;
	*lost = values.lost;
	if (values.running < values.enabled)
		*count = (uint64_t)((double)values.count * (double)values.enabled /
				    (double)values.running);
	return PAPI_OK;
}

int precis_counter_value(struct precis_counter *counter, uint64_t *value)
{
	uint64_t count = 0, lost;
	int error = precis_counter_read(counter, &count, &lost);

	*value = error ? 0 : count - counter->base;
	return error;
}

int precis_counter_write(struct precis_counter *counter, uint64_t value)
{
	uint64_t count = 0, lost;
	int error = precis_counter_read(counter, &count, &lost);

	if (!error)
		counter->base = count - value;
	return error;
}

int precis_counter_is_gone(const struct precis_counter *counter)
{
	return counter->common->generation != precis_generation;
}
