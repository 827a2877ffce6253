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

#include "locating.h"
#include "observations.h"

/* More than that hardly gain anything: one reads for all of them. */
#define MIX_THREADS_MOST 64u

struct mix_sightings;

/** @param symbols  must outlive it. @return 0, or -1: memory is short */
int mix_sightings_new(struct precis_symbols *symbols, struct mix_sightings **sightings);
void mix_sightings_free(struct mix_sightings *sightings);

/*
 * Memory for places, each of which takes 150 bytes, and for what is seen between them is bounded: of more
 * addresses than that many those that come later are told of as code that is not known.
 */
#define MIX_PLACES_MOST (UINT32_C(1) << 21)
/** @param most  for each thread; 0: no limit */
void mix_sightings_keep(struct mix_sightings *sightings, uint32_t most);

/** As code_texts_open_with() */
void mix_sightings_open_with(struct mix_sightings *sightings, code_open_fn *open_file,
			     const void *data);

/** Code of BPF programs: the recording's feature BPF_PROG_INFO. @return 0, or -1: memory is short */
int mix_sightings_bpf(struct mix_sightings *sightings, struct precis_bytes section, uint32_t bits);

/**
 * What is seen from here on is counted in large parts, which is faster, until mix_sightings_settle():
 * then it is the same as without. What was seen may not be asked for until then.
 * @param threads  among which it is divided, if so many are to be had, and nothing was seen before
 * @return 0, or -1: memory is short
 */
int mix_sightings_begin(struct mix_sightings *sightings, uint32_t threads);
/** @return 0, or -1: memory was short */
int mix_sightings_settle(struct mix_sightings *sightings);

/**
 * Until something is seen again, no thread looks anything up: 'symbols' may be asked, and learn. Before that
 * it has to be called.
 */
void mix_sightings_pause(struct mix_sightings *sightings);

/** Is a record of that type to be told to 'symbols', and here? All others may be kept from both. */
int mix_sightings_learn_from(uint32_t type);

/** A record that 'symbols' has learnt from. In the order of time. @return 0, or -1: memory is short */
int mix_sightings_record(struct mix_sightings *sightings, const struct precis_record *record,
			 uint64_t time);

/* All of these: @return 0, or -1: memory is short. 'period' as of observations.h */
int mix_see_sample(struct mix_sightings *sightings, const struct mix_witness *who, uint64_t address);
/** @param to  as 'from': it was not taken */
int mix_see_branch(struct mix_sightings *sightings, const struct mix_witness *who, uint64_t from,
		   uint64_t to);
/** @param streams  of the event; with several threads it stays where it is, and is counted up by the end */
int mix_see_stack(struct mix_sightings *sightings, const struct mix_witness *who,
		  struct code_streams *streams, const struct precis_perf_sample *sample);

/** By numbers of places in the place of those of blocks */
const struct mix_observations *mix_sightings_seen(const struct mix_sightings *sightings);
uint32_t mix_sightings_places(const struct mix_sightings *sightings);
struct mix_place mix_sightings_place(const struct mix_sightings *sightings, uint32_t number);
struct code_texts *mix_sightings_texts(const struct mix_sightings *sightings);

#endif
