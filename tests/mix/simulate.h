/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples as hardware would take them of a program whose every block is known, with its faults on demand. */
#ifndef TESTS_MIX_SIMULATE_H
#define TESTS_MIX_SIMULATE_H

#include "analysis/mix/observations.h"
#include "truth.h"

struct simulated {
	uint64_t seed;
	uint32_t samples, stacks; /* how many about; 0: none */
	int has_shadow;  /* samples are of the instruction that retires first when the counter is armed */
	uint32_t depth;  /* entries of a stack */
	int is_biased;   /* half of all stacks wait until a chosen branch is the oldest */
	int is_copied;   /* a quarter of all stacks has its newest entry twice, as Skylake's */
	uint32_t branches; /* ops as IBS tags them, of which those that are branches tell their target */
};

/** The totals are those of the program. @return 0, or -1: memory is short */
int simulate(const struct truth *truth, const struct simulated *how, struct mix_observations *seen);

#endif
