// SPDX-License-Identifier: BSD-3-Clause
/* See cutoffs.h. */
#include "cutoffs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Instructions of the longest block that is counted by stacks. The first is EBS alone, the last LBR alone. */
static const uint32_t cutoffs_tried[CUTOFFS] = { 0,  3,  6,  9,  12, 15,  18,
						 21, 24, 30, 40, 60, 100, UINT32_MAX };

static double error_of(const struct truth *truth, const double *ebs, const double *lbr,
		       const double *wanted, uint32_t cutoff, double *found)
{
	double off = 0;

	for (uint32_t n = 0; n < truth->mnemonic_count; n++)
		found[n] = 0;
	for (uint32_t n = 0; n < truth->instruction_count; n++) {
		const uint32_t block = truth->instructions[n].block;
		const double *counts = truth->flow.blocks[block].instructions <= cutoff ? lbr : ebs;

		found[truth->instructions[n].mnemonic] += counts[block];
	}
	for (uint32_t n = 0; n < truth->mnemonic_count; n++)
		off += fabs(found[n] - wanted[n]);
	return 100 * off / (double)truth->executed;
}

void cutoffs_add(struct cutoffs *cutoffs, const struct truth *truth, const double *ebs,
		 const double *lbr, const double *wanted)
{
	double *found;

	if (!ebs || !lbr)
		return;
	found = calloc(truth->mnemonic_count + 1, sizeof(*found));
	if (!found)
		abort();
	for (uint32_t n = 0; n < CUTOFFS; n++)
		cutoffs->errors[n] += error_of(truth, ebs, lbr, wanted, cutoffs_tried[n], found);
	cutoffs->of++;
	free(found);
}

void cutoffs_print_head(void)
{
	printf("# modeled: the rule's error by mnemonic, by its cutoff, over the programs above\n# %-13s",
	       "model");
	for (uint32_t n = 0; n < CUTOFFS; n++) {
		if (n + 1 < CUTOFFS)
			printf(" %5u", cutoffs_tried[n]);
		else
			printf("   LBR");
	}
	printf("  best\n");
}

void cutoffs_print(const char *model, const struct cutoffs *cutoffs)
{
	uint32_t best = 0;

	if (cutoffs->of == 0)
		return;
	printf("%-15s", model);
	for (uint32_t n = 0; n < CUTOFFS; n++) {
		printf(" %5.2f", cutoffs->errors[n] / cutoffs->of);
		best = cutoffs->errors[n] < cutoffs->errors[best] ? n : best;
	}
	if (best + 1 < CUTOFFS)
		printf(" %5u\n", cutoffs_tried[best]);
	else
		printf("   LBR\n");
}
