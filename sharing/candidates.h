/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With which store an experiment is made, of those since the last one: any, by the same chance; but of lines
 * in which experiments were in vain some alone are taken up.
 */
#ifndef SHARING_CANDIDATES_H
#define SHARING_CANDIDATES_H

#include <stdint.h>

#include "sampled_access.h"
#include "statistics/random.h"

struct candidate {
	struct sampled_access access;
	double chance;   /* that it was taken up */
	uint32_t writer; /* thread */
};

/* Zeroed memory is empty. */
struct candidates {
	struct candidate chosen;
	uint64_t count;
	uint64_t from; /* stores that came before that time are left out: CLOCK_MONOTONIC */
};

/*
 * How many more experiments with a line were in vain than are made up for by those in which somebody came.
 * Of a line of which that is known it takes many in vain to be tried seldom: else it would be now and then,
 * and more often where chance had it that nobody came.
 *
 * @param before  0 at first
 */
int32_t candidates_in_vain(int32_t before, int was_found);

/*
 * An experiment was made, or left: those that come from now on are chosen from. What was stored during a
 * long one is left out. It ends when a thread has come on a CPU, and threads that do not wait for each other
 * do another thing then than they did meanwhile, while this one had none: a single experiment, made right
 * then, would stand for all of that.
 */
void candidates_tried(struct candidates *candidates, uint64_t begun, uint64_t ended);

/*
 * @param in_vain  of its line
 * @return         1: one of those from which is chosen; 0: left out
 */
int candidates_consider(struct candidates *candidates, struct random *random,
			const struct sampled_access *access, uint32_t writer, int32_t in_vain);

#endif
