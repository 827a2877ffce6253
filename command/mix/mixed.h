/* SPDX-License-Identifier: BSD-3-Clause */
/* The estimate of one recording, and figures of it for a page. */
#ifndef MIX_MIXED_H
#define MIX_MIXED_H

#include "analysis/mix/columns.h"
#include "analysis/mix/mix.h"
#include "analysis/mix/pivot.h"
#include "biased.h"
#include "labels.h"
#include "statistics/table.h"

struct mixed {
	const struct mix_arguments *arguments;
	struct mix_reading *reading;
	struct mix_program program;
	struct mix_estimate *estimate;
	struct mix_labels labels;
	const double *counts; /* by the method that was asked for; NULL: there is none, mix_why() */
	double *whole;        /* weights of blocks: instructions */
	double *weights, *others; /* zeros, for whoever makes a figure and leaves zeros */
	uint64_t seen;        /* samples and streams: what all figures rest on */
	struct biased biased;
};

/* @return EXIT_OK, or EXIT_FAILED after it has been said why. To be freed in any case */
int mixed_make(struct mixed *mixed, struct mix_reading *reading, const struct mix_arguments *arguments);
void mixed_free(struct mixed *mixed);

/* What of a form's executions counts: a measure, of the forms that 'is_meant' says */
typedef int mixed_forms(const struct code_form *form);

/* Weights of blocks by their instructions: adds to what is there. 'is_meant' NULL: all that are known */
void mixed_weigh(const struct mixed *mixed, mixed_forms *is_meant, enum mix_measure measure,
		 double *weights);

/* A share of all instructions, or of a measure of some forms in that of others */
struct mix_figure mixed_share(struct mixed *mixed, mixed_forms *part, mixed_forms *whole,
			      enum mix_measure measure);

/* Zeros again */
void mixed_clear(const struct mixed *mixed, double *weights);

#endif
