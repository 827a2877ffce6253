/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With which store an experiment is made, of those since the last one: any, by the same chance. It stands for
 * all of them, and for those that were left out because experiments with their line were in vain.
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
	double considered; /* stores that these stand for */
	double all;        /* the same, since the beginning */
};

/* @param in_vain  experiments with its line, one behind the other, in which nobody came */
void candidates_consider(struct candidates *candidates, struct random *random,
			 const struct sampled_access *access, uint32_t writer, uint32_t in_vain);

/* Stores that an experiment with the chosen one stands for */
double candidates_represented(const struct candidates *candidates);

#endif
