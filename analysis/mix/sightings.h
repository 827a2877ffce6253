/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a recording saw of code, by place: instruction samples, branch stacks, single branches. One pass
 * will do, and memory grows with the number of different streams, not with that of samples: places have
 * numbers long before it is known what lies there. program.h makes blocks of them.
 */
#ifndef ANALYSIS_MIX_SIGHTINGS_H
#define ANALYSIS_MIX_SIGHTINGS_H

#include "libdecode/code/streams.h"
#include "libdecode/code/texts.h"

#include "numbering.h"
#include "observations.h"

struct mix_place {
	struct code_text *text; /* NULL: 'absent' says why */
	uint64_t offset;  /* in the text; without one the address */
	uint64_t since;   /* when the code around it became what it is */
	uint32_t context; /* whose it is, a number of the caller's: a process, a thread */
	uint8_t absent;   /* enum code_absence */
	uint8_t is_kernel;
};

/* Of whom something was seen */
struct mix_witness {
	uint32_t pid, context;
	uint32_t cpumode; /* enum precis_cpumode */
	uint64_t time, period, cluster;
};

struct mix_sightings;

/** @param symbols  must outlive it. @return 0, or -1: memory is short */
int mix_sightings_new(struct precis_symbols *symbols, struct mix_sightings **sightings);
void mix_sightings_free(struct mix_sightings *sightings);

/** As code_texts_open_with() */
void mix_sightings_open_with(struct mix_sightings *sightings, code_open_fn *open_file,
			     const void *data);

/** Code of BPF programs: the recording's feature BPF_PROG_INFO. @return 0, or -1: memory is short */
int mix_sightings_bpf(struct mix_sightings *sightings, struct precis_bytes section, uint32_t bits);

/**
 * What is seen from here on is counted in large parts, which is faster, until mix_sightings_settle():
 * then it is the same as without. What was seen may not be asked for until then.
 * @param is_shared  by another thread, if one is to be had
 * @return 0, or -1: memory is short
 */
int mix_sightings_begin(struct mix_sightings *sightings, int is_shared);
/** @return 0, or -1: memory was short */
int mix_sightings_settle(struct mix_sightings *sightings);

/** A record that 'symbols' has learnt from. In the order of time. @return 0, or -1: memory is short */
int mix_sightings_record(struct mix_sightings *sightings, const struct precis_record *record,
			 uint64_t time);

/* All of these: @return 0, or -1: memory is short. 'period' as of observations.h */
int mix_see_sample(struct mix_sightings *sightings, const struct mix_witness *who, uint64_t address);
/** @param to  as 'from': it was not taken */
int mix_see_branch(struct mix_sightings *sightings, const struct mix_witness *who, uint64_t from,
		   uint64_t to);
/** @param streams  of the event */
int mix_see_stack(struct mix_sightings *sightings, const struct mix_witness *who,
		  struct code_streams *streams, const struct precis_perf_sample *sample);

/** By numbers of places in the place of those of blocks */
const struct mix_observations *mix_sightings_seen(const struct mix_sightings *sightings);
uint32_t mix_sightings_places(const struct mix_sightings *sightings);
struct mix_place mix_sightings_place(const struct mix_sightings *sightings, uint32_t number);
struct code_texts *mix_sightings_texts(const struct mix_sightings *sightings);

#endif
