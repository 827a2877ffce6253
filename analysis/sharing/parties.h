/* SPDX-License-Identifier: BSD-3-Clause */
/* Those who share lines: threads, processes, CPUs, cores or nodes, by numbers, in bounded memory. */
#ifndef ANALYSIS_SHARING_PARTIES_H
#define ANALYSIS_SHARING_PARTIES_H

#include <precis/precis.h>

#include "analysis/by/nodes.h"
#include "request.h"
#include "statistics/weighted.h"

/* All beyond are one. */
#define SHARING_PARTIES_MOST 512u
#define SHARING_CPUS_MOST 4096u

struct sharing_cpu {
	uint32_t cpu, samples;
};

struct sharing_party {
	uint64_t id; /* thread: pid and tid; else the number of what it is */
	uint32_t recording;
	int is_rest; /* all that had no number of their own */
	uint64_t first_time;
	char *name;  /* of a thread or process, once it was asked for; NULL: not known */
	struct sharing_cpu *cpus; /* where its samples are from */
	uint32_t cpu_count;
	struct weighted loads, stores;
};

/* Zeroed memory has none. */
struct sharing_parties {
	struct sharing_party *list;
	uint32_t *slots; /* open addressing: numbers from 1; 0: free */
	uint32_t count, room;
	uint64_t unplaced; /* samples with more CPUs in a party than are kept */
};

/* Which core each CPU is of, as the recording says */
struct sharing_cores {
	uint64_t *of_cpu; /* socket, die and core; UINT64_MAX: not known */
	uint32_t count;
};

/* A core's number, of which sharing_party_text() tells the parts */
static inline uint64_t sharing_core_of(uint32_t socket, uint32_t die, uint32_t core)
{
	return (uint64_t)(socket & 0xffff) << 48 | (uint64_t)(die & 0xffff) << 32 | core;
}

/* 0, or -1 if memory is short. What cannot be read is not known. */
int sharing_cores_open(struct sharing_cores *cores, const struct precis_file *file);
void sharing_cores_free(struct sharing_cores *cores);

void sharing_parties_free(struct sharing_parties *parties);

/* The number of a party, the last one being the rest's; UINT32_MAX if memory is short */
uint32_t sharing_party_number(struct sharing_parties *parties, uint32_t recording, uint64_t id,
			      uint64_t time);

/* One of its samples was on that CPU. 0, or -1 if memory is short */
int sharing_party_on_cpu(struct sharing_parties *parties, uint32_t number, uint32_t cpu, uint32_t samples);

/* That with the most samples; UINT32_MAX: not known */
uint32_t sharing_party_cpu(const struct sharing_party *party);

/* Numbers of the other's here, by their numbers there; to be freed. NULL if memory is short */
uint16_t *sharing_parties_merge(struct sharing_parties *parties, const struct sharing_parties *others,
				uint32_t recording);

/* "name (tid)", "CPU 3", "node 1", "others"; cut where it has no room */
void sharing_party_text(const struct sharing_party *party, unsigned int by, char *text, size_t room);

static inline uint32_t sharing_party_pid(const struct sharing_party *party)
{
	return (uint32_t)(party->id >> 32);
}

static inline uint32_t sharing_party_tid(const struct sharing_party *party)
{
	return (uint32_t)party->id;
}

#endif
