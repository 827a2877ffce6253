/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that the PMU samples in a program's threads: ibs_op of AMD, stores and loads of PEBS. Whoever
 * reads is another process: the kernel writes into rings, nothing is done in the program.
 *
 * Of a command one event for each CPU, which all its threads inherit from exec(2) on. Of a process that runs
 * one for each thread. Where IBS cannot tell threads apart (before Linux 6.2) one of each whole CPU, of which
 * other processes' samples are left out: that takes kernel.perf_event_paranoid 0 or CAP_PERFMON.
 */
#ifndef SHARING_PMU_READER_H
#define SHARING_PMU_READER_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <precis/precis.h>

#include "bench/accuracy/events.h"
#include "command/info/machine.h"
#include "sharing/mapped_ring.h"
#include "sharing/sampled_access.h"

#define PMU_EVENTS_MOST 2u
#define PMU_PERIOD_LEAST 256u
#define PMU_PERIOD_MOST (1u << 30)

enum pmu_scope { PMU_COMMAND, PMU_THREADS, PMU_CPUS };

struct pmu_event {
	const struct bench_event *is;
	struct perf_event_attr attr;
	struct precis_decoder decoder;
	double weight;  /* events from one sample to the next, in the mean */
	uint16_t flags; /* ACCESS_*: of all its samples; 0: the sample tells */
};

struct pmu_ring {
	struct mapped_ring mapped;
	int fd;
	uint32_t event, tid; /* tid 0: of a CPU */
	uint64_t samples;
	int is_there;
};

struct pmu_reader {
	struct machine machine;
	struct bench_machine facts;
	struct precis_ibs_context *ibs;
	struct pmu_event events[PMU_EVENTS_MOST];
	uint32_t event_count;
	struct pmu_ring *rings;
	uint32_t ring_count, ring_room;
	uint32_t at; /* the ring that is read */
	enum pmu_scope scope;
	pid_t pid;
	uint8_t *wrapped;
	uint64_t samples, others; /* taken; of other processes */
	uint64_t elsewhere; /* without an address, or with one of the kernel */
	uint64_t lost;
	uint64_t busiest;  /* samples of the ring that had most */
	uint64_t sample_ns; /* what one costs, as it was published of such events */
	uint32_t cpus_without; /* CPUs that are online and have no such event */
	uint32_t refused; /* how often a thread's event could not be had: at each look */
	int error;        /* errno of the last of these */
};

/*
 * @param pid         the process: one that runs, or a child that has not yet called exec(2)
 * @param is_command  that
 * @param period      0: what is fit for most programs
 * @param loads       of PEBS, are loads wanted as well as stores?
 * @return 0, or -1 and why there are no such samples here
 */
int pmu_reader_open(struct pmu_reader *reader, pid_t pid, int is_command, uint64_t period,
		    int loads, char reason[EVENT_REASON]);

/* Of a process that runs: threads that have come are sampled, too. */
void pmu_reader_look(struct pmu_reader *reader);

/* The next one: 1; 0: there is none yet */
int pmu_reader_next(struct pmu_reader *reader, struct sampled_access *access);

/* "ibs_op", or "pebs_stores" */
const char *pmu_reader_name(const struct pmu_reader *reader);

/* How long it kept the CPU or thread that was sampled most */
uint64_t pmu_reader_cost_ns(const struct pmu_reader *reader);

void pmu_reader_close(struct pmu_reader *reader);

#endif
