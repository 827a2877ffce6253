/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who got lines from whom, by samples: loads that came from another cache, and stores to the same lines.
 *
 * A transfer is an access of a line by j whose last writer is i, not j, j not having accessed it since. Of
 * j's loads that got a line from another cache, H_j(L) accesses by their samples, as many are i's as i has of
 * all stores that others than j made to the line: w_i(L). That is so where they come in no order that
 * repeats:
 *
 *	M[i][j] = sum over lines L of H_j(L) w_i(L) / sum over k != j of w_k(L)
 *
 * It is a transfer of bytes that i wrote (true sharing) as often as i's stores to the line are to bytes that
 * the load reads, else one of the line alone (false sharing). Where no other's store to the line was sampled
 * the writer is not known. Stores themselves get lines, too; they have no source, and are not counted.
 *
 * Intervals have two parts: how many loads were sampled (a Poisson process), and, line by line, how well the
 * stores sampled there tell who wrote: the share f of n stores has the variance of the Beta distribution with
 * k + 1 and n - k + 1, k being i's. What j got from writers not known may be from any: upper ends have
 * all of it.
 */
#ifndef ANALYSIS_SHARING_ESTIMATE_H
#define ANALYSIS_SHARING_ESTIMATE_H

#include "lines.h"
#include "statistics/poisson_sum.h"

/* Do two accesses of a line meet? What is not known of their widths may leave that open. */
enum sharing_meeting { SHARING_APART, SHARING_MEET, SHARING_OPEN, SHARING_MEETINGS };

enum sharing_meeting sharing_meeting_of(struct sharing_span a, struct sharing_span b);

/* What was got from one, or all, by one, or all */
struct sharing_flow {
	struct poisson_sum all;
	struct poisson_sum by_meeting[SHARING_MEETINGS]; /* true, false, open */
};

/* By numbers of parties */
struct sharing_estimate {
	uint32_t parties;
	struct sharing_flow *flows; /* [writer * parties + reader] */
	struct sharing_flow *sent, *got; /* by party: what all others got from it, it from others */
	struct poisson_sum *unknown; /* by reader: of lines whose writer is not known */
	struct sharing_flow total;   /* whose writer is known */
	struct poisson_sum total_unknown;
};

void sharing_flow_add(struct sharing_flow *to, const struct sharing_flow *more);

/*
 * The interval of a sum. 'unknown' (NULL: nothing) has transfers of writers not known, all of which may
 * belong to it; 'most' is what a load that was sampled stands for: of what no sample says there may be some.
 */
struct interval sharing_interval(const struct poisson_sum *sum, const struct poisson_sum *unknown,
				 double most, struct confidence confidence);

/* One line */
struct sharing_line_flow {
	struct sharing_flow flow; /* whose writer is known */
	struct poisson_sum unknown;
	uint64_t transfers;       /* samples */
	double loads, stores;     /* accesses */
	uint64_t load_samples, store_samples;
	uint32_t parties, writers;
	/* Stores, each times the share that others have of all accesses; of these those that meet, and not */
	double contention, contention_by[SHARING_MEETINGS];
};

/* What a line needs while it is looked at. Zeroed memory is empty. */
struct sharing_scratch {
	struct sharing_use *uses;
	uint32_t room;
};
void sharing_scratch_free(struct sharing_scratch *scratch);

/* 0, or -1 if memory is short */
int sharing_estimate_init(struct sharing_estimate *estimate, uint32_t parties);
void sharing_estimate_free(struct sharing_estimate *estimate);

/* A line: what it says for itself, and for all ('estimate' may be NULL). 0, or -1 if memory is short */
int sharing_estimate_line(struct sharing_estimate *estimate, const struct sharing_lines *lines,
			  const struct sharing_line *line, struct sharing_scratch *scratch,
			  struct sharing_line_flow *flow);

#endif
