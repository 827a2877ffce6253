/* SPDX-License-Identifier: BSD-3-Clause */
/* See pmu_reader.h. */
#define _GNU_SOURCE /* syscall() */
#include "pmu_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "analysis/kinds.h"
#include "command/bench/preflight.h"
#include "sharing/threads.h"

#define RING_PAGES_MOST 64u
/*
 * A CPU that executes 2.5e9 ops or stores a quarter of that: some 2500 samples a second, of which experiments
 * take some hundreds
 */
#define OPS_PERIOD 1000000u
#define STORES_PERIOD 250007u
#define USER_BITS 47u

static const struct {
	const char *name;
	uint32_t period;
	uint16_t flags;
} events[] = {
	{ "ibs_op", OPS_PERIOD, 0 },
	{ "pebs_stores", STORES_PERIOD, ACCESS_STORES },
	{ "pebs_loads", STORES_PERIOD, ACCESS_LOADS },
};
enum { IBS_OP, PEBS_STORED, PEBS_LOADED };

/* --- what the kernel is asked for --- */

static void ask_of_ibs(const struct pmu_reader *reader, struct perf_event_attr *attr)
{
	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			    PERF_SAMPLE_RAW;
	attr->sample_period -= attr->sample_period % 16;
	if (!strstr(reader->machine.ibs_op.formats, "swfilt"))
		return;
	/* arch/x86/events/amd/ibs.c: config2:0; then the kernel drops its own samples, which anybody may */
	attr->config2 = 1;
	attr->exclude_kernel = 1;
}

/* 0, or -1 and why not */
static int prepare(struct pmu_reader *reader, uint32_t row, uint64_t period,
		   char reason[EVENT_REASON])
{
	struct pmu_event *event = &reader->events[reader->event_count];

	event->is = event_named(events[row].name, strlen(events[row].name));
	event->flags = events[row].flags;
	if (event_attr(event->is, &reader->facts, NULL, NULL, period ? period : events[row].period,
		       &event->attr, reason))
		return -1;
	event->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				  PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU;
	event->attr.read_format = 0;
	event->attr.use_clockid = 1;
	event->attr.clockid = CLOCK_MONOTONIC;
	if (row == IBS_OP)
		ask_of_ibs(reader, &event->attr);
	event->weight = event_mean_period(event->is, event->attr.sample_period);
	event->decoder.size = sizeof(event->decoder);
	if (precis_decoder_init(&event->decoder, &event->attr, sizeof(event->attr))) {
		snprintf(reason, EVENT_REASON, "its samples cannot be decoded");
		return -1;
	}
	if (row == IBS_OP) {
		event->decoder.kind = PRECIS_EVENT_IBS_OP;
		event->decoder.ibs = reader->ibs;
	}
	reader->event_count++;
	return 0;
}

/* IBS where there is such a PMU, else PEBS */
static int prepare_all(struct pmu_reader *reader, uint64_t period, int loads,
		       char reason[EVENT_REASON])
{
	const uint32_t vendor = reader->machine.cpu.vendor;

	if (vendor != PRECIS_VENDOR_AMD && vendor != PRECIS_VENDOR_HYGON &&
	    vendor != PRECIS_VENDOR_INTEL) {
		snprintf(reason, EVENT_REASON, "this CPU has neither IBS nor PEBS");
		return -1;
	}
	if (vendor != PRECIS_VENDOR_INTEL)
		return prepare(reader, IBS_OP, period, reason);
	if (prepare(reader, PEBS_STORED, period, reason))
		return -1;
	return loads ? prepare(reader, PEBS_LOADED, period, reason) : 0;
}

/* --- rings --- */

/* 0, or -errno */
static int open_ring(struct pmu_reader *reader, uint32_t event, uint32_t tid, pid_t pid, int cpu)
{
	struct perf_event_attr attr = reader->events[event].attr;
	struct pmu_ring *ring;
	int error = 0;

	if (reader->ring_count == reader->ring_room) {
		const uint32_t room = reader->ring_room ? 2 * reader->ring_room : 16;

		ring = realloc(reader->rings, room * sizeof(*ring));
		if (!ring)
			return -ENOMEM;
		reader->rings = ring;
		reader->ring_room = room;
	}
	attr.inherit = attr.enable_on_exec = reader->scope == PMU_COMMAND;
	ring = &reader->rings[reader->ring_count];
	*ring = (struct pmu_ring){ .event = event, .tid = tid, .is_there = 1 };
	ring->fd = (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (ring->fd < 0)
		return -errno;
	error = mapped_ring_open(&ring->mapped, ring->fd, RING_PAGES_MOST, reader->wrapped);
	if (!error && reader->scope != PMU_COMMAND && ioctl(ring->fd, PERF_EVENT_IOC_ENABLE, 0))
		error = -errno;
	reader->ring_count++;
	return error;
}

static void close_ring(struct pmu_ring *ring)
{
	mapped_ring_close(&ring->mapped);
	if (ring->fd >= 0)
		close(ring->fd);
}

static void close_rings(struct pmu_reader *reader)
{
	for (uint32_t n = 0; n < reader->ring_count; n++)
		close_ring(&reader->rings[n]);
	reader->ring_count = reader->at = 0;
}

/*
 * Of the child, or of everybody. A CPU that is offline has none (ENODEV), nor have the small cores of a
 * hybrid one (ENOENT).
 */
static int open_cpus(struct pmu_reader *reader)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	const pid_t pid = reader->scope == PMU_CPUS ? -1 : reader->pid;
	int error = 0, lacking = 0;

	reader->cpus_without = 0;
	for (int cpu = 0; cpu < cpus && !error; cpu++) {
		for (uint32_t event = 0; event < reader->event_count && !error; event++)
			error = open_ring(reader, event, 0, pid, cpu);
		if (error != -ENODEV && error != -ENOENT)
			continue;
		reader->cpus_without += error == -ENOENT;
		lacking = error;
		error = 0;
	}
	return error || reader->ring_count ? error : lacking;
}

static int is_known(struct pmu_reader *reader, uint32_t tid)
{
	int found = 0;

	for (uint32_t n = 0; n < reader->ring_count; n++) {
		if (reader->rings[n].tid == tid)
			found = reader->rings[n].is_there = 1;
	}
	return found;
}

static int open_thread(struct pmu_reader *reader, uint32_t tid)
{
	int error = 0;

	for (uint32_t event = 0; event < reader->event_count && !error; event++)
		error = open_ring(reader, event, tid, (pid_t)tid, -1);
	return error;
}

/* Those that are not there any more, and of which all was read */
static void forget_gone(struct pmu_reader *reader)
{
	for (uint32_t n = reader->ring_count; n--;) {
		struct pmu_ring *ring = &reader->rings[n];

		if (ring->is_there || (ring->mapped.mapping && precis_ring_look(&ring->mapped.ring)))
			continue;
		close_ring(ring);
		*ring = reader->rings[--reader->ring_count];
	}
	reader->at = 0;
}

/* The error of the thread that was refused last, if none could be had; else 0 */
static int look(struct pmu_reader *reader)
{
	int error = -ESRCH, of_one;
	struct threads threads;

	for (uint32_t n = 0; n < reader->ring_count; n++)
		reader->rings[n].is_there = 0;
	threads_open(&threads, reader->pid);
	for (uint32_t tid; (tid = threads_next(&threads));) {
		if (is_known(reader, tid))
			continue;
		of_one = open_thread(reader, tid);
		if (of_one && of_one != -ESRCH) {
			reader->refused++;
			reader->error = -of_one;
		}
		error = of_one;
	}
	threads_close(&threads);
	forget_gone(reader);
	return reader->ring_count ? 0 : error;
}

void pmu_reader_look(struct pmu_reader *reader)
{
	if (reader->scope == PMU_THREADS)
		look(reader);
}

/* --- opening --- */

/* An interrupt and a record: of no CPU is that known before it was measured, but it is of some. */
static uint64_t published_ns(const struct pmu_reader *reader)
{
	const int is_ibs = reader->events[0].is->family == EVENT_IBS;
	struct precis_plan_cost cost = { .size = sizeof(cost) };

	for (uint32_t n = 0; !precis_plan_published(n, &cost); n++) {
		if (strcmp(cost.event, is_ibs ? "ibs_op" : "pebs-interrupt") == 0)
			return (uint64_t)cost.ns[PRECIS_PLAN_SAMPLE];
	}
	return 0;
}

static int open_in(struct pmu_reader *reader, enum pmu_scope scope)
{
	int error;

	reader->scope = scope;
	error = scope == PMU_THREADS ? look(reader) : open_cpus(reader);
	if (error)
		close_rings(reader);
	return error;
}

int pmu_reader_open(struct pmu_reader *reader, pid_t pid, int is_command, uint64_t period,
		    int loads, char reason[EVENT_REASON])
{
	int error;

	memset(reader, 0, sizeof(*reader));
	machine_read(&reader->machine, "");
	reader->facts = preflight_machine(&reader->machine);
	reader->pid = pid;
	reader->wrapped = malloc(PRECIS_RING_WRAPPED_BYTES);
	reader->ibs = malloc(sizeof(*reader->ibs));
	if (!reader->wrapped || !reader->ibs) {
		snprintf(reason, EVENT_REASON, "memory is short");
		return -1;
	}
	precis_ibs_context_init(reader->ibs, &reader->machine.cpu);
	if (prepare_all(reader, period, loads, reason))
		return -1;
	reader->sample_ns = published_ns(reader);
	error = open_in(reader, is_command ? PMU_COMMAND : PMU_THREADS);
	/* IBS knew no threads before Linux 6.2: perf_ibs_init() refused them */
	if (error == -EINVAL && reader->events[0].is->family == EVENT_IBS)
		error = open_in(reader, PMU_CPUS);
	if (!error)
		return 0;
	event_refused(reader->events[0].is, &reader->facts, -error, reason);
	return -1;
}

void pmu_reader_close(struct pmu_reader *reader)
{
	close_rings(reader);
	free(reader->rings);
	free(reader->wrapped);
	free(reader->ibs);
	memset(reader, 0, sizeof(*reader));
}

/* --- samples --- */

/* What ibs_op says of an op; 0: it accesses no memory that counts */
static uint16_t flags_of(const struct precis_sample *sample)
{
	switch (kind_of(sample)) {
	case PRECIS_OP_LOAD:
		return ACCESS_LOADS;
	case PRECIS_OP_STORE:
		return ACCESS_STORES;
	case PRECIS_OP_LOAD_STORE:
		return ACCESS_LOADS | ACCESS_STORES;
	default:
		return 0;
	}
}

static int take(struct pmu_reader *reader, struct pmu_ring *ring,
		const struct precis_record *record, struct sampled_access *access)
{
	struct pmu_event *event = &reader->events[ring->event];
	uint64_t bytes = 0, pid = 0, tid = 0, cpu = 0;
	struct precis_sample sample;

	precis_sample_init(&sample);
	ring->samples++;
	if (ring->samples > reader->busiest)
		reader->busiest = ring->samples;
	if (precis_decoder_sample(&event->decoder, record, NULL, NULL, &sample))
		return 0;
	precis_get(&sample, PRECIS_FIELD_PID, &pid);
	if (pid != (uint64_t)reader->pid) {
		reader->others++;
		return 0;
	}
	reader->samples++;
	*access = (struct sampled_access){ .weight = event->weight };
	access->flags = event->flags ? event->flags : flags_of(&sample);
	if (!access->flags)
		return 0;
	if (!precis_get(&sample, PRECIS_FIELD_ADDR, &access->address) || !access->address ||
	    access->address >> USER_BITS) {
		reader->elsewhere++;
		return 0;
	}
	precis_get(&sample, PRECIS_FIELD_TID, &tid);
	precis_get(&sample, PRECIS_FIELD_TIME, &access->time);
	precis_get(&sample, PRECIS_FIELD_IP, &access->ip);
	if (precis_get(&sample, PRECIS_FIELD_CPU, &cpu))
		access->cpu = (uint32_t)cpu + 1;
	access->tid = (uint32_t)tid;
	if (precis_get(&sample, PRECIS_FIELD_ACCESS_BYTES, &bytes))
		access->bytes = (uint16_t)bytes;
	return 1;
}

static int next_of(struct pmu_reader *reader, struct pmu_ring *ring, struct sampled_access *access)
{
	struct precis_record record;

	if (!ring->mapped.mapping)
		return 0;
	precis_ring_look(&ring->mapped.ring);
	while (precis_ring_next(&ring->mapped.ring, &record) == 1) {
		struct precis_lost lost = { .size = sizeof(lost) };
		int is_taken = 0;

		if (record.type == PRECIS_RECORD_SAMPLE)
			is_taken = take(reader, ring, &record, access);
		else if (record.type == PRECIS_RECORD_LOST && !precis_lost_parse(&record, &lost))
			reader->lost += lost.lost;
		precis_ring_release(&ring->mapped.ring);
		if (is_taken)
			return 1;
	}
	return 0;
}

int pmu_reader_next(struct pmu_reader *reader, struct sampled_access *access)
{
	/* in turns: none has to wait for one that is always full */
	for (uint32_t n = 0; n < reader->ring_count; n++) {
		reader->at = (reader->at + 1) % reader->ring_count;
		if (next_of(reader, &reader->rings[reader->at], access))
			return 1;
	}
	return 0;
}

const char *pmu_reader_name(const struct pmu_reader *reader)
{
	return reader->events[0].is->name;
}

uint64_t pmu_reader_cost_ns(const struct pmu_reader *reader)
{
	return reader->busiest * reader->event_count * reader->sample_ns;
}
