/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events of a recording a mix is made of: what they count, and whether they have branch stacks. */
#ifndef ANALYSIS_MIX_EVENTS_H
#define ANALYSIS_MIX_EVENTS_H

#include <precis/cpu.h>
#include <precis/file.h>

/* What an event counts */
enum mix_counts_of {
	MIX_COUNTS_OTHER, /* something that executions are in no proportion to, as cycles */
	MIX_COUNTS_INSTRUCTIONS,
	MIX_COUNTS_OPS,   /* of IBS */
	MIX_COUNTS_TAKEN  /* taken branches */
};

/** In words, for a page */
const char *mix_counts_text(enum mix_counts_of counts);

/* How samples of an event are used */
struct mix_event {
	enum mix_counts_of counts;
	uint32_t refusal;      /* enum code_refusal, of its branch stacks */
	const char *no_sample; /* why its addresses are not taken; NULL: they are */
	const char *no_stack;  /* likewise its branch stacks */
	int is_exact;          /* addresses are those of the instructions that were counted */
	int is_synthesized;    /* perf made its samples of a trace: where one is, is known exactly */
	int has_branches;      /* its samples tell outcomes of single branches: IBS ops */
};

/**
 * @param cpu   that took the samples; its vendor may be unknown
 * @param info  of the recording
 */
struct mix_event mix_event_of(const struct precis_event *event, const struct precis_cpu *cpu,
			      const struct precis_file_info *info);

/**
 * Of several events those that fit best are used: IBS ops rather than instructions, as they do not skid;
 * stacks of taken branches rather than of instructions, and these rather than of anything else.
 */
void mix_events_choose(struct mix_event *events, uint32_t count);

#endif
