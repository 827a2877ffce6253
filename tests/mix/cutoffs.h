// SPDX-License-Identifier: BSD-3-Clause
/*
 * Which cutoff of the published rule suits a model of sampling: the rule's errors by cutoff, over programs
 * whose truth is known. That of the paper was learnt likewise, on a machine; the programs are a cutoff's
 * training set.
 */
#ifndef TESTS_MIX_CUTOFFS_H
#define TESTS_MIX_CUTOFFS_H

#include "truth.h"

#define CUTOFFS 14u

/* Of a model: sums of the rule's errors by mnemonic, in percent of all instructions; and of how many */
struct cutoffs {
	double errors[CUTOFFS], of; /* by cutoff */
};

/**
 * @param ebs, lbr  by block, what they have counted; NULL: nothing
 * @param wanted    by mnemonic, its true executions
 */
void cutoffs_add(struct cutoffs *cutoffs, const struct truth *truth, const double *ebs,
		 const double *lbr, const double *wanted);

void cutoffs_print_head(void);
void cutoffs_print(const char *model, const struct cutoffs *cutoffs);

#endif
