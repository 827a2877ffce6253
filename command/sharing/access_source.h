/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the accesses come from that experiments are made with: the PMU, or the program itself. */
#ifndef SHARING_ACCESS_SOURCE_H
#define SHARING_ACCESS_SOURCE_H

#include "sharing/handed_reader.h"
#include "pmu_reader.h"
#include "sharing/sampled_access.h"

enum access_origin {
	ORIGIN_AUTO, /* the PMU where there is one, else the program */
	ORIGIN_PMU,
	ORIGIN_PROGRAM
};

struct access_source {
	enum access_origin origin; /* after access_source_open(): not ORIGIN_AUTO */
	struct handed_reader handed;
	struct pmu_reader pmu;
	char why_no_pmu[EVENT_REASON]; /* "": it was not asked, or there is one */
};

struct access_request {
	enum access_origin origin;
	const char *accesses; /* a ring that a process has made; NULL: none */
	uint64_t period;      /* of the PMU; 0: what is fit for most programs */
	int loads;            /* are loads wanted as well as stores? */
};

/*
 * Before a command begins: the ring of what it may hand over, and its name in the environment.
 * 0, or -errno; -EINVAL: what is named is no such ring
 */
int access_source_prepare(struct access_source *source, const struct access_request *request,
			  int is_command);

/* When the process is there. 0, or -1: 'why_no_pmu' says why, and the PMU was wanted */
int access_source_open(struct access_source *source, const struct access_request *request,
		       pid_t pid, int is_command);

/* Threads that have come are sampled, too. */
void access_source_look(struct access_source *source);

/* The next one: 1; 0: there is none yet */
int access_source_next(struct access_source *source, struct sampled_access *access);

/* How long that has kept the program so far */
uint64_t access_source_cost_ns(const struct access_source *source);

/* What is to be told of them */
struct access_told {
	enum access_origin origin;
	char why_no_pmu[EVENT_REASON]; /* "": there is one, or it was not asked */
	char pmu_event[32]; /* "": none */
	uint64_t dropped; /* of which there was no room */
	/* of the PMU: in all; without an address of the program; of other processes */
	uint64_t samples, elsewhere, others;
	uint32_t cpus_without; /* such an event */
	uint32_t pmu_refused; /* how often a thread could not be sampled */
	int pmu_error; /* errno of the last of these */
	uint64_t sampling_ns, sample_ns; /* what the PMU's samples cost: all, each */
};

void access_source_tell(const struct access_source *source, struct access_told *told);

void access_source_close(struct access_source *source);

#endif
