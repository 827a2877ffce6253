/* SPDX-License-Identifier: BSD-3-Clause */
/* Block counts by each method, and sums over them with intervals. */
#include "mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/quantiles.h"

#include "gathered.h"
#include "joint.h"

struct mix_estimate {
	struct gathered gathered;
	struct mix_options options;
	double *lengths, *counts[MIX_METHODS], *linear;
	enum mix_why why[MIX_METHODS];
	struct joint *joint;
	double reach; /* of a 95% interval, in standard errors */
};

static const char *const texts[] = {
	[MIX_ESTIMATED] = "estimated",
	[MIX_NO_SAMPLES] = "no instruction samples in code that is known",
	[MIX_NO_STACKS] = "no branch stacks in code that is known",
	[MIX_NO_LEVEL] = "neither instruction samples nor branch stacks in code that is known",
};

const char *mix_why_text(enum mix_why why)
{
	return texts[why];
}

enum mix_method mix_source(const struct mix_estimate *estimate, uint32_t block)
{
	return estimate->gathered.flow->blocks[block].instructions <= estimate->options.cutoff ? MIX_LBR
											     : MIX_EBS;
}

static double length_of(const struct flow_block *block, int by_op)
{
	return by_op && block->ops > 0 ? block->ops : block->instructions;
}

static int are_any(const double *counts, uint32_t blocks)
{
	for (uint32_t block = 0; block < blocks; block++) {
		if (counts[block] > 0)
			return 1;
	}
	return 0;
}

static void find_why(struct mix_estimate *estimate)
{
	const struct gathered *gathered = &estimate->gathered;
	/* What stands for nothing, with a period of 0, is as if it were not there */
	const int samples = are_any(gathered->samples.sum, gathered->blocks);
	const int streams = are_any(gathered->streams.sum, gathered->blocks);

	estimate->why[MIX_EBS] = samples ? MIX_ESTIMATED : MIX_NO_SAMPLES;
	estimate->why[MIX_LBR] = streams ? MIX_ESTIMATED : MIX_NO_STACKS;
	estimate->why[MIX_RULE] = samples ? estimate->why[MIX_LBR] : MIX_NO_SAMPLES;
	estimate->why[MIX_JOINT] = samples || streams ? MIX_ESTIMATED : MIX_NO_LEVEL;
}

static void count_as_published(struct mix_estimate *estimate)
{
	const struct gathered *gathered = &estimate->gathered;

	for (uint32_t block = 0; block < gathered->blocks; block++) {
		estimate->counts[MIX_EBS][block] = gathered->samples.sum[block] / estimate->lengths[block];
		estimate->counts[MIX_LBR][block] = gathered->published.sum[block];
		estimate->counts[MIX_RULE][block] = estimate->counts[mix_source(estimate, block)][block];
	}
}

/* The part of windows that are where they are not by chance; 0 where it is none to speak of */
static double bias_of(const struct mix_observations *observations)
{
	const struct mix_bias bias = mix_bias_of(observations);

	return bias.excess > bias.baseline ? bias.excess - bias.baseline : 0;
}

static int is_filled(struct mix_estimate *estimate, const struct mix_options *options)
{
	const struct gathered *gathered = &estimate->gathered;

	estimate->options = *options;
	estimate->reach = student_upper(0.025, MIX_GROUPS - 1);
	estimate->lengths = malloc((gathered->blocks + 1) * sizeof(*estimate->lengths));
	estimate->linear = malloc((gathered->blocks + 1) * sizeof(*estimate->linear));
	for (int method = MIX_EBS; method <= MIX_RULE; method++) {
		estimate->counts[method] = calloc(gathered->blocks + 1, sizeof(double));
		if (!estimate->counts[method])
			return 0;
	}
	if (!estimate->lengths || !estimate->linear)
		return 0;
	for (uint32_t block = 0; block < gathered->blocks; block++)
		estimate->lengths[block] = length_of(&gathered->flow->blocks[block], options->by_op);
	find_why(estimate);
	count_as_published(estimate);
	if (estimate->why[MIX_JOINT] == MIX_ESTIMATED)
		estimate->joint = joint_new(gathered, estimate->lengths, options->skid,
					    bias_of(gathered->from));
	return estimate->joint || estimate->why[MIX_JOINT] != MIX_ESTIMATED;
}

struct mix_estimate *mix_estimate_new(struct flow *flow, const struct mix_observations *observations,
				      const struct mix_options *options)
{
	struct mix_estimate *estimate = calloc(1, sizeof(*estimate));

	if (!estimate)
		return NULL;
	if (gather(&estimate->gathered, flow, observations) < 0 || !is_filled(estimate, options)) {
		mix_estimate_free(estimate);
		return NULL;
	}
	return estimate;
}

enum mix_why mix_why(const struct mix_estimate *estimate, enum mix_method method)
{
	return estimate->why[method];
}

const double *mix_counts(const struct mix_estimate *estimate, enum mix_method method)
{
	if (estimate->why[method] != MIX_ESTIMATED)
		return NULL;
	return method == MIX_JOINT ? joint_counts(estimate->joint) : estimate->counts[method];
}

struct mix_evidence mix_evidence_of(const struct mix_estimate *estimate, uint32_t block)
{
	return (struct mix_evidence){ estimate->gathered.samples.count[block],
				      estimate->gathered.published.count[block] };
}

const double *mix_edge_counts(const struct mix_estimate *estimate)
{
	return estimate->why[MIX_JOINT] == MIX_ESTIMATED ? joint_edges(estimate->joint) : NULL;
}

uint64_t mix_impossible(const struct mix_estimate *estimate)
{
	return estimate->gathered.impossible;
}

/* By how much the rest of a run without each group is to be multiplied, as much as there was in all */
struct rests {
	double samples[MIX_GROUPS], stacks[MIX_GROUPS];
};

static struct rests rests_of(const struct gathered *gathered)
{
	struct rests rests;

	for (uint32_t group = 0; group < MIX_GROUPS; group++) {
		rests.samples[group] = group_rest(gathered->sample_total,
						  (double)gathered->from->sample_weight[group]);
		rests.stacks[group] = group_rest(gathered->stack_total,
						 (double)gathered->from->stack_weight[group]);
	}
	return rests;
}

/* What was seen of a block without each group */
static void add_seen(double sum, const float *groups, const double *rests, double weight,
		     double *values)
{
	for (uint32_t group = 0; group < MIX_GROUPS; group++)
		values[group] += weight * ((sum - groups[group]) * rests[group]);
}

static void add_joint(const float *without, double weight, double *values)
{
	for (uint32_t group = 0; group < MIX_GROUPS; group++)
		values[group] += weight * without[group];
}

/* The sums of the runs without each group */
static void sums_without(const struct mix_estimate *estimate, enum mix_method method,
			 const double *weights, double *values)
{
	const struct gathered *gathered = &estimate->gathered;
	const struct rests rests = rests_of(gathered);

	memset(values, 0, MIX_GROUPS * sizeof(*values));
	for (uint32_t block = 0; block < gathered->blocks; block++) {
		const size_t place = (size_t)block * MIX_GROUPS;

		if (weights[block] == 0)
			continue;
		switch (method == MIX_RULE ? mix_source(estimate, block) : method) {
		case MIX_EBS:
			add_seen(gathered->samples.sum[block], gathered->samples.groups + place,
				 rests.samples, weights[block] / estimate->lengths[block], values);
			break;
		case MIX_LBR:
			add_seen(gathered->published.sum[block], gathered->published.groups + place,
				 rests.stacks, weights[block], values);
			break;
		default:
			add_joint(joint_without(estimate->joint, block), weights[block], values);
		}
	}
}

static double sum_of(const struct mix_estimate *estimate, const double *counts, const double *weights)
{
	double sum = 0;

	for (uint32_t block = 0; block < estimate->gathered.blocks; block++)
		sum += weights[block] * counts[block];
	return sum;
}

/* 'whole' NULL: of a sum */
static double jackknife(const struct mix_estimate *estimate, enum mix_method method, const double *part,
			const double *whole)
{
	double values[MIX_GROUPS], wholes[MIX_GROUPS], mean = 0, squares = 0;

	sums_without(estimate, method, part, values);
	if (whole)
		sums_without(estimate, method, whole, wholes);
	for (uint32_t group = 0; group < MIX_GROUPS; group++) {
		if (whole)
			values[group] /= wholes[group];
		mean += values[group] / MIX_GROUPS;
	}
	for (uint32_t group = 0; group < MIX_GROUPS; group++)
		squares += (values[group] - mean) * (values[group] - mean);
	return squares * (MIX_GROUPS - 1) / MIX_GROUPS;
}

int mix_is_seen(const struct mix_estimate *estimate, const double *weights)
{
	const struct gathered *gathered = &estimate->gathered;

	for (uint32_t block = 0; block < gathered->blocks; block++) {
		if (weights[block] != 0 &&
		    gathered->samples.count[block] + gathered->streams.count[block] > 0)
			return 1;
	}
	return 0;
}

/*
 * What was not seen has no variance by groups, and equations know how uncertain it is as far as errors are
 * normal, which those of next to nothing are not.
 * @param scale  of weights to figures
 */
static struct mix_figure figure_of(const struct mix_estimate *estimate, enum mix_method method,
				   const double *weights, double scale, double value,
				   double variance)
{
	double reach = estimate->reach * sqrt(variance);

	if (method == MIX_JOINT && !mix_is_seen(estimate, weights))
		reach = fmax(reach, joint_unseen(estimate->joint, weights) * scale);

	return (struct mix_figure){ value, { value - reach, value + reach } };
}

struct mix_figure mix_sum_alone(const struct mix_estimate *estimate, enum mix_method method,
				const double *weights)
{
	const double *counts = mix_counts(estimate, method);

	return (struct mix_figure){ counts ? sum_of(estimate, counts, weights) : NAN,
				    { NAN, NAN } };
}

struct mix_figure mix_share_alone(const struct mix_estimate *estimate, enum mix_method method,
				  const double *part, const double *whole)
{
	const double of = mix_sum_alone(estimate, method, whole).value;

	return (struct mix_figure){ of > 0 ? mix_sum_alone(estimate, method, part).value / of : NAN,
				    { NAN, NAN } };
}

struct mix_figure mix_sum(struct mix_estimate *estimate, enum mix_method method,
			  const double *weights)
{
	const struct mix_figure sum = mix_sum_alone(estimate, method, weights);
	double variance;

	if (!mix_counts(estimate, method) ||
	    (method != MIX_JOINT && !mix_is_seen(estimate, weights)))
		return sum;
	variance = jackknife(estimate, method, weights, NULL);
	if (method == MIX_JOINT)
		variance = fmax(variance, joint_variance(estimate->joint, weights));
	return figure_of(estimate, method, weights, 1, sum.value, variance);
}

struct mix_figure mix_share(struct mix_estimate *estimate, enum mix_method method, const double *part,
			    const double *whole)
{
	const struct mix_figure share = mix_share_alone(estimate, method, part, whole);
	const double of = mix_sum_alone(estimate, method, whole).value;
	double variance;

	if (isnan(share.value) || (method != MIX_JOINT && !mix_is_seen(estimate, part)))
		return share;
	variance = jackknife(estimate, method, part, whole);
	if (method == MIX_JOINT) {
		/* The quotient's linear part */
		for (uint32_t block = 0; block < estimate->gathered.blocks; block++)
			estimate->linear[block] = (part[block] - share.value * whole[block]) / of;
		variance = fmax(variance, joint_variance(estimate->joint, estimate->linear));
	}
	return figure_of(estimate, method, part, 1 / of, share.value, variance);
}

void mix_estimate_free(struct mix_estimate *estimate)
{
	if (!estimate)
		return;
	gathered_free(&estimate->gathered);
	for (int method = MIX_EBS; method <= MIX_RULE; method++)
		free(estimate->counts[method]);
	free(estimate->lengths);
	free(estimate->linear);
	joint_free(estimate->joint);
	free(estimate);
}
