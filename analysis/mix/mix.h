/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often each block of code ran, estimated from samples; and any sum over blocks (a mnemonic, a cell
 * of a pivot table, bytes, floating-point operations), with an interval.
 *
 *	struct flow flow = { 0 };                 blocks and known branches: flow.h
 *	struct mix_observations seen = { 0 };     samples and branch stacks: observations.h
 *	estimate = mix_estimate_new(&flow, &seen, &options);
 *	figure = mix_sum(estimate, MIX_JOINT, weights);    weights: what one run of each block adds
 *
 * EBS, LBR and RULE are the methods of A. Nowak, A. Yasin, P. Szostek, W. Zwaenepoel, "Low-overhead dynamic
 * instruction mix generation using hybrid basic block profiling", as published. JOINT is one fit to all
 * that was seen: joint.h.
 */
#ifndef ANALYSIS_MIX_MIX_H
#define ANALYSIS_MIX_MIX_H

#include "statistics/interval.h"

#include "bias.h"
#include "flow.h"
#include "observations.h"

enum mix_method {
	MIX_EBS,  /* each instruction sample stands for its block: sum of periods / instructions */
	MIX_LBR,  /* each of a stack's n streams adds period / n to all blocks that it runs along */
	MIX_RULE, /* blocks up to 'cutoff' instructions: LBR, others: EBS */
	MIX_JOINT,
	MIX_METHODS
};

/*
 * Of the paper's rule, and what it was learnt with. No other core's was published; tests/mix/mix_table
 * --cutoffs learns those of modeled ones.
 */
#define MIX_CUTOFF 18
#define MIX_CUTOFF_TRAINING "Ivy Bridge, with some 1100 blocks of programs that are not SPEC's"
#define MIX_SKID 6    /* instructions, of samples whose address is not that of the event */

struct mix_options {
	double cutoff; /* instructions */
	/*
	 * By how many instructions samples are behind what they stand for, in the order of magnitude.
	 * 0: they are not (INST_RETIRED.PREC_DIST, IBS ops)
	 */
	double skid;
	int by_op; /* instruction samples come by ops, not by instructions (IBS op) */
};

/* Why a method has no estimate */
enum mix_why {
	MIX_ESTIMATED = 0,
	MIX_NO_SAMPLES, /* no instruction samples in the graph's code */
	MIX_NO_STACKS,  /* no branch stacks, or no stream of them in the graph's code */
	MIX_NO_LEVEL    /* neither */
};

/* In words, for a page */
const char *mix_why_text(enum mix_why why);

struct mix_figure {
	double value;           /* NAN: there is none, see mix_why() */
	struct interval interval; /* 95%; ends NAN: it is not known */
};

struct mix_estimate;

/**
 * @param flow          gets the branches that samples alone know of
 * @param observations  stay where they are as long as the estimate is used
 * @return NULL: memory is short
 */
struct mix_estimate *mix_estimate_new(struct flow *flow, const struct mix_observations *observations,
				      const struct mix_options *options);

/** Why there is none of that method; MIX_ESTIMATED: there is */
enum mix_why mix_why(const struct mix_estimate *estimate, enum mix_method method);

/** How often each block ran; NULL: mix_why() */
const double *mix_counts(const struct mix_estimate *estimate, enum mix_method method);

/**
 * How often control went along each edge, by the joint estimate: [b] is block b running into the next one,
 * [number of blocks + e] taken branch e of the flow. NULL: mix_why()
 */
const double *mix_edge_counts(const struct mix_estimate *estimate);

/** How many samples, and streams of stacks, were seen of a block */
struct mix_evidence {
	double samples, streams;
};
struct mix_evidence mix_evidence_of(const struct mix_estimate *estimate, uint32_t block);

/** The source of a block's count under the rule: MIX_EBS or MIX_LBR */
enum mix_method mix_source(const struct mix_estimate *estimate, uint32_t block);

/** Was a sample or a stack seen of any block that has a weight? */
int mix_is_seen(const struct mix_estimate *estimate, const double *weights);

/**
 * A sum over blocks of count x weight. Intervals of EBS, LBR and the rule know what chance does, and
 * nothing of bias; those of the joint estimate know the bias that it measured, too. Of what was not seen
 * at all EBS, LBR and the rule have 0 and no interval, the joint estimate has what flow makes of it.
 * @param weights  of each block
 */
struct mix_figure mix_sum(struct mix_estimate *estimate, enum mix_method method, const double *weights);

/** The quotient of two such sums: a share, or a mean */
struct mix_figure mix_share(struct mix_estimate *estimate, enum mix_method method, const double *part,
			    const double *whole);

/** The same without an interval, which takes longer than all else */
struct mix_figure mix_sum_alone(const struct mix_estimate *estimate, enum mix_method method,
				const double *weights);
struct mix_figure mix_share_alone(const struct mix_estimate *estimate, enum mix_method method,
				  const double *part, const double *whole);

/** Streams of branch stacks that no code runs along: damage, or other code than was recorded */
uint64_t mix_impossible(const struct mix_estimate *estimate);

void mix_estimate_free(struct mix_estimate *estimate);

#endif
