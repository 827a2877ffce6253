/* SPDX-License-Identifier: BSD-3-Clause */
/* The joint estimate: its equations are solved, and weighted anew from the last solution a few times. */
#include "joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "equations.h"
#include "joint_state.h"
#include "parts.h"
#include "statistics/random.h"

#define ROUNDS 3u /* at most; five have the same errors and intervals */
#define SETTLED 1e-4 /* a round that moves that part of all instructions is the last one */
#define TOTALS_APART                                                                               \
	0.01 /* so far are they by chance: instructions for a branch are sampled, too */
#define CONTRADICTION_LEAST 3 /* times that, and no chance any more */
#define DILUTION 0.05 /* the part of ops that are of a wrong path, in the order of magnitude */
#define LEVEL_ERROR 0.003 /* of LBR levels where no bias was found */
#define SHARE_ERROR 0.002 /* exits that depend on more than the block that they leave */
/*
 * What bias of so many stacks makes of levels and of shares. Chosen with the programs 'tuning' of
 * tests/mix/trace.sh, on simulated windows; those of 'proof' had no part in it.
 */
#define LEVEL_BIAS 3
#define SHARE_BIAS 0.2
/*
 * Errors by bias are not independent from block to block, as the weights have it: sums have a larger
 * variance, by that where bias is all there is.
 */
#define DEPENDENCE 4
/*
 * Samples with skid are not independent either: a stall shifts many of them. Half of it would do for sums of
 * the programs 'tuning'; it is single blocks that take that much.
 */
#define SKID_DEPENDENCE 3
#define DISAGREEMENT_LEAST 2 /* by chance, variances differ by less */
#define PROBES 8u

/* A count that came out below 0 is held there, and let go when it pulls upwards. */
static void take_solution(struct joint *joint)
{
	double moved = 0, all = 0;

	for (uint32_t block = 0; block < joint->blocks; block++) {
		const double value = fmax(joint->right[block] * joint->scale[block], 0);

		moved += fabs(value - joint->values[block]) * joint->lengths[block];
		all += value * joint->lengths[block];
	}
	joint->is_settled = moved <= SETTLED * all;
	for (uint32_t unknown = 0; unknown < joint->unknowns; unknown++) {
		const double value = joint->right[unknown] * joint->scale[unknown];

		joint->is_walled[unknown] = value < 0;
		joint->values[unknown] = value < 0 ? 0 : value;
	}
}

static void solve(struct joint *joint)
{
	joint_put_all(joint);
	if (!joint->failed && !joint->sparse)
		joint->sparse = sparse_new(joint->size, joint->places, joint->count);
	if (!joint->sparse) {
		joint->failed = 1;
		return;
	}
	sparse_factor(joint->sparse, joint->entries);
	sparse_solve(joint->sparse, joint->right, joint->solving);
	take_solution(joint);
}

/* That of a right side where a group is left out */
static double *change_at(struct joint *joint, uint32_t unknown, uint32_t group)
{
	return &joint->changes[(size_t)unknown * SPARSE_SIDES + group % SPARSE_SIDES];
}

/* A one-term equation whose value is another without the group */
static void change_one(struct joint *joint, uint32_t group, uint32_t unknown, double more,
		       double variance)
{
	*change_at(joint, unknown, group) -= joint->scale[unknown] * more / variance;
}

static double without_group(const struct by_group *of, uint32_t n, uint32_t group, double rest)
{
	return (of->sum[n] - of->groups[(size_t)n * MIX_GROUPS + group]) * rest - of->sum[n];
}

static void change_levels(struct joint *joint, uint32_t group)
{
	const struct gathered *gathered = joint->gathered;
	const double rest =
		group_rest(gathered->stack_total, (double)gathered->from->stack_weight[group]);

	for (uint32_t block = 0; joint->stream_unit > 0 && block < joint->blocks; block++) {
		const double more = without_group(&gathered->streams, block, group, rest);

		change_one(joint, group, block, more * joint->stream_scale,
			   joint_level_variance(joint, block));
	}
}

static void change_samples(struct joint *joint, uint32_t group)
{
	const struct gathered *gathered = joint->gathered;
	const double rest =
		group_rest(gathered->sample_total, (double)gathered->from->sample_weight[group]);

	for (uint32_t block = 0; joint->sample_unit > 0 && block < joint->blocks; block++) {
		const double more =
			without_group(&gathered->samples, block, group, rest) * joint->sample_scale;

		if (has_skid(joint))
			*change_at(joint, joint->first_sample + block, group) =
				more / joint_sample_size(joint, block);
		else
			change_one(joint, group, block, more / joint->lengths[block],
				   joint_sample_variance(joint, block) /
					   square(joint->lengths[block]));
	}
}

static void change_shares(struct joint *joint, const struct outcomes *outcomes, uint32_t group)
{
	for (uint32_t edge = 0; edge < joint->edges; edge++) {
		const uint32_t block = edge_from(joint, edge);
		const double share = joint_share_of(outcomes, edge, block),
			     x = joint->values[block];
		const size_t at = (size_t)edge * MIX_GROUPS + group;
		const double left = outcomes->all.sum[block] -
				    outcomes->all.groups[(size_t)block * MIX_GROUPS + group];
		double other, variance;

		if (!is_edge(joint, edge) || !(outcomes->all.count[block] > 0) ||
		    !(left > 1e-6 * outcomes->all.sum[block]))
			continue;
		other = (outcomes->of.sum[edge] - outcomes->of.groups[at]) / left;
		variance = square(joint->scale[block]) *
			   joint_share_variance(joint, outcomes, edge, share);
		change_one(joint, group, edge_unknown(joint, edge), (other - share) * x, variance);
		change_one(joint, group, block, -share * (other - share) * x, variance);
	}
}

/*
 * The fit is linear in what was seen, as long as the weights stay: a change of the one is one of the other.
 * What rounding leaves of it is far below the last digit of a float.
 */
static void solve_without(struct joint *joint, uint32_t first)
{
	memset(joint->changes, 0, SPARSE_SIDES * (size_t)joint->size * sizeof(*joint->changes));
	for (uint32_t group = first; group < first + SPARSE_SIDES; group++) {
		change_levels(joint, group);
		change_samples(joint, group);
		change_shares(joint, &joint->gathered->stacks, group);
		change_shares(joint, &joint->gathered->branches, group);
	}
	sparse_solve_sides(joint->sparse, joint->changes, joint->solving);
	for (uint32_t block = 0; block < joint->blocks; block++) {
		for (uint32_t group = first; group < first + SPARSE_SIDES; group++)
			joint->without[(size_t)block * MIX_GROUPS + group] =
				(float)(joint->values[block] +
					*change_at(joint, block, group) * joint->scale[block]);
	}
}

static void set_units(struct joint *joint)
{
	const struct gathered *gathered = joint->gathered;
	const struct mix_observations *from = gathered->from;
	double placed = 0;

	for (uint32_t block = 0; block < joint->blocks; block++)
		placed += gathered->samples.sum[block] / joint->lengths[block] *
			  gathered->flow->blocks[block].instructions;
	joint->sample_scale = from->instructions > 0 && placed > 0
				      ? joint_placed_instructions(joint) / placed
				      : 1;
	if (placed > 0)
		joint->sample_unit =
			joint->sample_scale * gathered->sample_total / (double)from->samples;
	if (gathered->stream_weight > 0) {
		joint->stream_scale = (from->taken > 0 ? from->taken : gathered->stack_total) /
				      gathered->stream_weight;
		joint->stream_unit =
			joint->stream_scale * gathered->stack_total / (double)from->stacks;
	}
}

static void set_level_variances(struct joint *joint)
{
	const struct gathered *gathered = joint->gathered;
	float stacks[MIX_GROUPS];

	for (uint32_t group = 0; group < MIX_GROUPS; group++)
		stacks[group] = (float)gathered->from->stack_weight[group];
	for (uint32_t block = 0; gathered->stack_total > 0 && block < joint->blocks; block++)
		joint->group_variance[block] =
			square(joint->stream_scale) *
			joint_group_variance(gathered->streams.groups + (size_t)block * MIX_GROUPS,
					     stacks,
					     gathered->streams.sum[block] / gathered->stack_total);
}

static void set_first_values(struct joint *joint)
{
	for (uint32_t block = 0; block < joint->blocks; block++) {
		const double level = joint_stream_level(joint, block);

		joint->values[block] = level > 0 ? level : joint_sample_level(joint, block);
		joint->continuation[block] = FLOW_NONE;
	}
	for (uint32_t edge = 0; edge < joint->edges; edge++) {
		const uint32_t block = edge_from(joint, edge);
		double share = joint_share_of(&joint->gathered->stacks, edge, block);

		if (isnan(share))
			share = joint_share_of(&joint->gathered->branches, edge, block);
		if (isnan(share))
			share = joint->gathered->flow->blocks[block].ends == FLOW_CONDITIONAL ? 0.5 : 1;
		joint->values[edge_unknown(joint, edge)] =
			is_edge(joint, edge) ? share * joint->values[block] : 0;
	}
}

static uint32_t calls_of(const struct joint *joint)
{
	const struct flow *flow = joint->gathered->flow;
	uint32_t calls = 0;

	for (uint32_t block = 0; block < joint->blocks; block++) {
		const uint32_t next = flow->blocks[block].next;

		calls += flow->blocks[block].ends == FLOW_CALLS && next != FLOW_NONE &&
			 is_in_part(joint, block, next);
	}
	return calls;
}

static int find_parts(struct joint *joint)
{
	joint->parts = parts_of(joint->gathered, PARTS_FROM, PARTS_MOST);
	joint->is_bridged = calloc(joint->blocks + 1, sizeof(*joint->is_bridged));
	for (uint32_t edge = 0; joint->parts && joint->is_bridged && edge < joint->edges; edge++) {
		if (is_edge(joint, edge) &&
		    !is_in_part(joint, edge_from(joint, edge), edge_to(joint, edge)))
			joint->is_bridged[edge_to(joint, edge)] = 1;
	}
	return joint->parts && joint->is_bridged;
}

static void set_sizes(struct joint *joint)
{
	const struct mix_observations *from = joint->gathered->from;

	joint->first_skid = joint->blocks + joint->edges;
	joint->unknowns = joint->first_skid + (has_skid(joint) ? joint->edges : 0);
	joint->first_sample = joint->unknowns + 2 * joint->blocks + calls_of(joint);
	joint->size = joint->first_sample + (has_skid(joint) ? joint->blocks : 0);
	joint->size += from->instructions > 0;
	joint->size += from->taken > 0;
}

/* Skid that left a block, less what came */
static void skid_out(const struct joint *joint, double *by_block)
{
	for (uint32_t edge = 0; has_skid(joint) && edge < joint->edges; edge++) {
		const double skid = joint->values[skid_unknown(joint, edge)];

		if (!is_edge(joint, edge))
			continue;
		by_block[edge_from(joint, edge)] += skid;
		by_block[edge_to(joint, edge)] -= skid;
	}
}

/*
 * Where flow and shares contradict the samples, some of them are more wrong than their weights say: by
 * the mean square of the samples' residuals, beside 1, the variance of the fit grows. R. Birge, "The
 * calculation of errors by the method of least squares", Physical Review 40 (1932).
 */
static double tension_of(struct joint *joint)
{
	double squares = 0, count = 0;

	memset(joint->work, 0, joint->size * sizeof(*joint->work));
	skid_out(joint, joint->work);
	for (uint32_t block = 0; joint->sample_unit > 0 && block < joint->blocks; block++) {
		const double length = joint->lengths[block];
		const double fit = joint->values[block] * length - joint->work[block];
		const double variance = joint_sample_variance(joint, block);

		if (variance < 5 * square(joint->sample_unit))
			continue;
		squares += square(joint_sample_level(joint, block) * length - fit) / variance;
		count++;
	}
	return count > 0 ? fmax(1, squares / count) : 1;
}

static void forget_changes(struct joint *joint)
{
	free(joint->changes);
	free(joint->solving);
	joint->changes = joint->solving = NULL;
}

static int has_memory(struct joint *joint)
{
	joint->values = calloc(joint->unknowns + 1, sizeof(*joint->values));
	joint->scale = calloc(joint->unknowns + 1, sizeof(*joint->scale));
	joint->is_walled = calloc(joint->unknowns + 1, sizeof(*joint->is_walled));
	joint->continuation = calloc(joint->blocks + 1, sizeof(*joint->continuation));
	joint->group_variance = calloc(joint->blocks + 1, sizeof(*joint->group_variance));
	joint->stack_chance = calloc((size_t)joint->edges + 1, sizeof(*joint->stack_chance));
	joint->branch_chance = calloc((size_t)joint->edges + 1, sizeof(*joint->branch_chance));
	joint->right = calloc(joint->size + 1, sizeof(*joint->right));
	joint->work = calloc(joint->size + 1, sizeof(*joint->work));
	joint->solving = calloc(SPARSE_SIDES * (size_t)joint->size + 1, sizeof(*joint->solving));
	joint->changes = calloc(SPARSE_SIDES * (size_t)joint->size + 1, sizeof(*joint->changes));
	joint->without = calloc((size_t)joint->blocks * MIX_GROUPS + 1, sizeof(*joint->without));
	return joint->values && joint->scale && joint->is_walled && joint->continuation &&
	       joint->group_variance && joint->stack_chance && joint->branch_chance &&
	       joint->right && joint->work && joint->solving && joint->changes && joint->without;
}

static void fit(struct joint *joint, double level_error, double share_error)
{
	joint->level_error = level_error;
	joint->share_error = share_error;
	joint->is_settled = 0;
	for (uint32_t round = 0; round < ROUNDS && !joint->failed && !joint->is_settled; round++)
		solve(joint);
}

/* What sums over blocks are uncertain by under the weights of the last fit, its tension apart */
static double posterior(struct joint *joint, const double *weights)
{
	memset(joint->work, 0, joint->size * sizeof(*joint->work));
	for (uint32_t block = 0; block < joint->blocks; block++)
		joint->work[block] = weights[block] * joint->scale[block];
	return fmax(-sparse_quadratic(joint->sparse, joint->work, joint->right), 0);
}

/*
 * By how much a fit without them is off by itself: the mean over instructions of a block's relative
 * variance. It is the trace of a matrix, which sums with signs by chance are the mean of (M. Hutchinson,
 * Communications in Statistics 18 (1989)).
 */
static double variance_without_levels(struct joint *joint, const double *parts, double *weights)
{
	struct random random = random_of(1);
	double sum = 0;

	for (uint32_t probe = 0; probe < PROBES; probe++) {
		for (uint32_t block = 0; block < joint->blocks; block++) {
			const double part = sqrt(parts[block]) / joint->scale[block];

			weights[block] = random_next(&random) & 1 ? part : -part;
		}
		sum += posterior(joint, weights) / PROBES;
	}
	return sum;
}

static double taken_of_fit(const struct joint *joint)
{
	double taken = 0;

	for (uint32_t edge = joint->blocks; edge < joint->edges; edge++)
		taken += joint->values[edge_unknown(joint, edge)];
	return taken;
}

/*
 * Samples of one event may be lost, and those of another not: then both totals do not go with one program,
 * and neither is believed more than that.
 */
static void compare_totals(struct joint *joint)
{
	const struct mix_observations *from = joint->gathered->from;
	const double taken = taken_of_fit(joint);
	double instructions = 0, apart;

	for (uint32_t block = 0; block < joint->blocks; block++)
		instructions +=
			joint->values[block] * joint->gathered->flow->blocks[block].instructions;
	if (!(from->instructions > 0) || !(from->taken > 0) || !(taken > 0) || !(instructions > 0))
		return;
	apart = fabs(from->taken / taken / (joint_placed_instructions(joint) / instructions) - 1);
	if (apart > CONTRADICTION_LEAST *
			    hypot(TOTALS_APART, hypot(from->taken_error, from->instructions_error)))
		joint->contradiction = apart;
}

/*
 * Ops of a wrong path are counted and never sampled, so that samples stand for fewer instructions than were
 * executed: in the proportion in which branches by a fit of samples are fewer than were counted.
 */
static void scale_samples(struct joint *joint)
{
	const struct mix_observations *from = joint->gathered->from;
	const double taken = taken_of_fit(joint);
	double ratio;

	if (from->instructions > 0 || !(from->taken > 0))
		return;
	/* As far as the total is known better than how large that part is */
	ratio = taken > 0 ? from->taken / taken : 1;
	ratio = 1 + (ratio - 1) * square(DILUTION) / (square(DILUTION) + square(from->taken_error));
	joint->sample_scale *= ratio;
	joint->sample_unit *= ratio;
	/* Flow and shares are of proportions alone */
	for (uint32_t unknown = 0; unknown < joint->unknowns; unknown++)
		joint->values[unknown] *= ratio;
}

/*
 * Windows that prefer one loop to another have no branch at their oldest place too often where each loop
 * has but one. Samples see that: it is how far levels are from a fit of all else, beyond what that is
 * uncertain by.
 */
static double disagreement(struct joint *joint)
{
	double *parts = calloc(2 * (size_t)joint->blocks + 1, sizeof(*parts));
	double all = 0, squares = 0, own;

	if (!parts) {
		joint->failed = 1;
		return 0;
	}
	for (uint32_t block = 0; block < joint->blocks; block++)
		all += joint->values[block] * joint->lengths[block];
	for (uint32_t block = 0; all > 0 && block < joint->blocks; block++) {
		parts[block] = joint->values[block] * joint->lengths[block] / all;
		squares += parts[block] *
			   square((joint_stream_level(joint, block) - joint->values[block]) /
				  joint->scale[block]);
	}
	own = variance_without_levels(joint, parts, parts + joint->blocks);
	free(parts);
	return squares > DISAGREEMENT_LEAST * own ? sqrt(squares - own) : 0;
}

struct joint *joint_new(const struct gathered *gathered, const double *lengths, double skid, double bias)
{
	struct joint *joint = calloc(1, sizeof(*joint));

	if (!joint)
		return NULL;
	*joint = (struct joint){ .gathered = gathered, .lengths = lengths, .skid = skid,
				 .blocks = gathered->blocks, .edges = gathered->edges };
	set_units(joint);
	if (find_parts(joint))
		set_sizes(joint);
	if (!joint->size || !has_memory(joint)) {
		joint_free(joint);
		return NULL;
	}
	set_first_values(joint);
	set_level_variances(joint);
	joint_set_share_chances(joint, &gathered->stacks, joint->stack_chance);
	joint_set_share_chances(joint, &gathered->branches, joint->branch_chance);
	if (joint->stream_unit > 0 && joint->sample_unit > 0) {
		joint->is_blind_to_totals = 1;
		fit(joint, NO_LEVEL, SHARE_ERROR + SHARE_BIAS * bias);
		if (!joint->failed) {
			compare_totals(joint);
			scale_samples(joint);
			bias = fmax(bias, disagreement(joint) / LEVEL_BIAS);
		}
		joint->is_blind_to_totals = 0;
	}
	fit(joint, LEVEL_ERROR + LEVEL_BIAS * bias, SHARE_ERROR + SHARE_BIAS * bias);
	if (joint->failed) {
		joint_free(joint);
		return NULL;
	}
	joint->tension = tension_of(joint);
	for (uint32_t group = 0; group < MIX_GROUPS; group += SPARSE_SIDES)
		solve_without(joint, group);
	forget_changes(joint);
	return joint;
}

const double *joint_counts(const struct joint *joint)
{
	return joint->values;
}

const double *joint_edges(const struct joint *joint)
{
	return joint->values + joint->blocks;
}

const float *joint_without(const struct joint *joint, uint32_t block)
{
	return joint->without + (size_t)block * MIX_GROUPS;
}

double joint_variance(struct joint *joint, const double *weights)
{
	const double dependence = 1 + DEPENDENCE * fmin(1, joint->level_error);

	const double variance = posterior(joint, weights) * joint->tension * dependence;

	return has_skid(joint) ? variance * SKID_DEPENDENCE : variance;
}

double joint_unseen(const struct joint *joint, const double *weights)
{
	double most = 0;

	for (uint32_t block = 0; block < joint->blocks; block++) {
		if (weights[block] > 0)
			most = fmax(most, weights[block] * joint_unseen_most(joint, block));
	}
	return most;
}

void joint_free(struct joint *joint)
{
	if (!joint)
		return;
	free(joint->values);
	free(joint->scale);
	free(joint->is_walled);
	free(joint->continuation);
	free(joint->parts);
	free(joint->is_bridged);
	free(joint->group_variance);
	free(joint->stack_chance);
	free(joint->branch_chance);
	free(joint->right);
	free(joint->work);
	forget_changes(joint);
	free(joint->without);
	free(joint->places);
	free(joint->entries);
	sparse_free(joint->sparse);
	free(joint);
}
