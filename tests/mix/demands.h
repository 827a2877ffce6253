/* SPDX-License-Identifier: BSD-3-Clause */
/* What estimates are to reach on programs that no constant was chosen with, beside what they reach. */
#ifndef TESTS_MIX_DEMANDS_H
#define TESTS_MIX_DEMANDS_H

#include "analysis/mix/mix.h"

/* Of one program and model: means over the random states, in percent of all instructions executed */
struct mix_errors {
	double mnemonic[MIX_METHODS], block[MIX_METHODS]; /* NAN: there is no such estimate */
	double held, judged; /* intervals of the joint estimate, of shares of 0.1 % and more */
	double excess, baseline, flagged; /* bias of the windows: bias.h; NAN: no stacks */
};

struct mix_row {
	const char *program, *model;
	struct mix_errors errors;
};

/** A line for each demand. @return how many are missed */
int demands_print(const struct mix_row *rows, uint32_t count);

#endif
