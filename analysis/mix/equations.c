/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See equations.h.
 *
 * Unknowns are scaled by what they are about, equations by what is in them: counts are 1e10 apart. Long
 * equations have their residual as an unknown (statistics/sparse.h).
 */
#include "equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLOW_ERROR 0.002 /* of flow that is conserved: signals, longjmp() */
#define OPEN_ERROR 0.3 /* of flow where a part comes from, or goes, elsewhere */
#define TOTAL_ERROR 0.001 /* of counted totals: begin and end of counting */
#define SCALE_LEAST 0.1 /* of what was seen: a count next to 0 could not leave it any more */
#define UNSEEN_MOST                                                                                \
	3 /* draws, of what is met by none: if it were more, one of 20 such would be met by none */
#define INERTIA 1e-6 /* weight of the last solution, where nothing else is known */
#define WALL 1e6 /* weight of 0, where a count would be negative */
#define GROUPS_TRUSTED 100 /* streams from which on groups tell how much they vary */
#define PRIOR_FREEDOM                                                                              \
	10 /* of the variance that independent streams would have, beside that of groups */

/* One entry of the matrix; the first time it is noted where it stands */
static void put(struct joint *joint, uint32_t row, uint32_t column, double value)
{
	if (joint->count == joint->room && !joint->sparse) {
		const size_t room = joint->room ? 2 * joint->room : 4 * (size_t)joint->size;
		struct sparse_place *places = realloc(joint->places, room * sizeof(*places));
		double *entries;

		if (places)
			joint->places = places;
		entries = places ? realloc(joint->entries, room * sizeof(*entries)) : NULL;
		if (!entries) {
			joint->failed = 1;
			return;
		}
		joint->entries = entries;
		joint->room = room;
	}
	if (!joint->sparse)
		joint->places[joint->count] = (struct sparse_place){ row, column };
	joint->entries[joint->count++] = value;
}

/* An equation of one unknown: it = value, and that much off */
static void put_one(struct joint *joint, uint32_t unknown, double value, double variance)
{
	const double scale = joint->scale[unknown];

	put(joint, unknown, unknown, -scale * scale / variance);
	joint->right[unknown] -= scale * value / variance;
}

/* An equation f - share x = 0 */
static void put_share(struct joint *joint, uint32_t edge, uint32_t block, double share,
		      double variance)
{
	const double f = joint->scale[edge], x = -share * joint->scale[block];

	put(joint, edge, edge, -f * f / variance);
	put(joint, block, block, -x * x / variance);
	put(joint, edge, block, -f * x / variance);
}

/* A long equation: begins with its residual, terms follow. 'about': the size of its terms */
static uint32_t begin_row(struct joint *joint, double value, double variance, double about)
{
	put(joint, joint->row, joint->row, variance / (about * about));
	joint->right[joint->row] = value / about;
	return joint->row++;
}

static void put_term(struct joint *joint, uint32_t row, uint32_t unknown, double factor,
		     double about)
{
	put(joint, row, unknown, factor * joint->scale[unknown] / about);
}

/* What cannot be told from 0: less than one sample's worth */
static double least_count(const struct joint *joint, uint32_t block)
{
	const double by_sample = joint->sample_unit / joint->lengths[block];

	if (!(joint->stream_unit > 0))
		return by_sample;
	return joint->sample_unit > 0 && by_sample < joint->stream_unit ? by_sample
									: joint->stream_unit;
}

double joint_unseen_most(const struct joint *joint, uint32_t block)
{
	const struct gathered *gathered = joint->gathered;
	const double by_sample = joint->sample_unit / joint->lengths[block];
	/* Streams of one stack are not independent: one stack may have all that there were */
	const double by_stack = joint->stream_unit > 0
					? joint->stream_scale * gathered->stream_weight /
						  (double)gathered->from->stacks
					: 0;

	if (!(by_stack > 0))
		return UNSEEN_MOST * by_sample;
	return UNSEEN_MOST * (joint->sample_unit > 0 ? fmin(by_sample, by_stack) : by_stack);
}

double joint_stream_level(const struct joint *joint, uint32_t block)
{
	return joint->gathered->streams.sum[block] * joint->stream_scale;
}

double joint_sample_level(const struct joint *joint, uint32_t block)
{
	return joint->gathered->samples.sum[block] * joint->sample_scale / joint->lengths[block];
}

double joint_share_of(const struct outcomes *outcomes, uint32_t edge, uint32_t block)
{
	return outcomes->all.sum[block] > 0 ? outcomes->of.sum[edge] / outcomes->all.sum[block]
					    : NAN;
}

static void set_scales(struct joint *joint)
{
	for (uint32_t block = 0; block < joint->blocks; block++) {
		const double seen =
			fmax(joint_stream_level(joint, block), joint_sample_level(joint, block));

		joint->scale[block] = fmax(fmax(joint->values[block], SCALE_LEAST * seen),
					   least_count(joint, block));
	}
	for (uint32_t edge = 0; edge < joint->edges; edge++) {
		const uint32_t block = edge_from(joint, edge), unknown = edge_unknown(joint, edge);
		const double share = joint_share_of(&joint->gathered->stacks, edge, block);

		joint->scale[unknown] = fmax(joint->values[unknown], least_count(joint, block));
		if (share > 0)
			joint->scale[unknown] = fmax(joint->scale[unknown],
						     SCALE_LEAST * share * joint->scale[block]);
		if (has_skid(joint))
			joint->scale[skid_unknown(joint, edge)] =
				joint->skid * joint->scale[unknown];
	}
}

/* What remains beside the groups' variance where they are few: as of independent ones, half more */
static double variance_of(double independent, double of_groups, double count)
{
	if (!(count >= GROUPS_TRUSTED))
		return 1.5 * independent;
	return (independent * PRIOR_FREEDOM + of_groups * (MIX_GROUPS - 1)) /
	       (PRIOR_FREEDOM + MIX_GROUPS - 1);
}

/* The variance of a part of a whole, both by groups: of the residuals part - share x whole */
double joint_group_variance(const float *part, const float *whole, double share)
{
	double squares = 0;

	for (uint32_t group = 0; group < MIX_GROUPS; group++)
		squares += square(part[group] - share * whole[group]);
	return squares * MIX_GROUPS / (MIX_GROUPS - 1);
}

/* Of 0 and 1 a bit less, and a bit more */
static double shrunk_variance(const struct outcomes *outcomes, uint32_t block, double share)
{
	const double count = outcomes->all.count[block],
		     shrunk = (share * count + 0.5) / (count + 1);

	return shrunk * (1 - shrunk);
}

static double share_chance(const struct joint *joint, const struct outcomes *outcomes,
			   uint32_t edge)
{
	const uint32_t block = edge_from(joint, edge);
	const double count = outcomes->all.count[block], all = outcomes->all.sum[block];
	const double share = joint_share_of(outcomes, edge, block);
	const double groups =
		joint_group_variance(outcomes->of.groups + (size_t)edge * MIX_GROUPS,
				     outcomes->all.groups + (size_t)block * MIX_GROUPS, share) /
		square(all);

	return variance_of(shrunk_variance(outcomes, block, share) / count, groups, count);
}

/* Once: the shares do not change from round to round */
void joint_set_share_chances(const struct joint *joint, const struct outcomes *outcomes,
			     double *chance)
{
	for (uint32_t edge = 0; edge < joint->edges; edge++) {
		if (is_edge(joint, edge) && outcomes->all.sum[edge_from(joint, edge)] > 0)
			chance[edge] = share_chance(joint, outcomes, edge);
	}
}

double joint_share_variance(const struct joint *joint, const struct outcomes *outcomes,
			    uint32_t edge, double share)
{
	const double *chance =
		outcomes == &joint->gathered->branches ? joint->branch_chance : joint->stack_chance;
	const double shrunk = shrunk_variance(outcomes, edge_from(joint, edge), share);

	return chance[edge] + square(joint->share_error) * shrunk;
}

static void put_shares(struct joint *joint, const struct outcomes *outcomes)
{
	for (uint32_t edge = 0; edge < joint->edges; edge++) {
		const uint32_t block = edge_from(joint, edge);
		const double share = joint_share_of(outcomes, edge, block);

		/* Stacks of no period tell nothing */
		if (is_edge(joint, edge) && outcomes->all.sum[block] > 0)
			put_share(joint, edge_unknown(joint, edge), block, share,
				  square(joint->scale[block]) *
					  joint_share_variance(joint, outcomes, edge, share));
	}
}

double joint_level_variance(const struct joint *joint, uint32_t block)
{
	const double unit = joint->stream_unit;
	const double independent = fmax(joint->values[block] / unit, 0.5) * square(unit);

	return square(joint->level_error * joint->scale[block]) +
	       variance_of(independent, joint->group_variance[block],
			   joint->gathered->streams.count[block]);
}

static void put_levels(struct joint *joint)
{
	for (uint32_t block = 0; joint->stream_unit > 0 && block < joint->blocks; block++)
		put_one(joint, block, joint_stream_level(joint, block),
			joint_level_variance(joint, block));
}

static double flow_variance(const struct joint *joint, uint32_t block, int is_open)
{
	return square((is_open ? OPEN_ERROR : FLOW_ERROR) * joint->scale[block]) +
	       square(least_count(joint, block));
}

/* Which blocks have an edge on that side, in 'work' */
static void mark_edges(struct joint *joint, uint32_t flag)
{
	memset(joint->work, 0, joint->blocks * sizeof(*joint->work));
	for (uint32_t edge = 0; edge < joint->edges; edge++) {
		const uint32_t to = edge_to(joint, edge);

		if (!is_edge(joint, edge))
			continue;
		if (flag == FLOW_LEFT_ELSEWHERE)
			joint->work[edge_from(joint, edge)] = 1;
		else if (is_in_part(joint, edge_from(joint, edge), to))
			joint->work[to] = 1;
	}
}

/* Where all comes from elsewhere, or goes there, flow says nothing of a block: least of all that it is 0. */
static double open_variance(const struct joint *joint, uint32_t block)
{
	return joint->work[block] != 0 ? flow_variance(joint, block, 1)
				       : square(NO_LEVEL * joint->scale[block]);
}

/* Rows of all blocks have numbers in a row, so that edges find theirs. */
static uint32_t begin_flow(struct joint *joint, uint32_t flag)
{
	const uint32_t first = joint->row;

	mark_edges(joint, flag);
	for (uint32_t block = 0; block < joint->blocks; block++) {
		const struct flow_block *what = &joint->gathered->flow->blocks[block];
		const int opens = flag == FLOW_LEFT_ELSEWHERE ? what->ends == FLOW_STOPS
							      : joint->is_bridged[block];
		const int is_open = what->flags & flag || opens;
		const uint32_t row = begin_row(joint, 0,
					       is_open ? open_variance(joint, block)
						       : flow_variance(joint, block, 0),
					       joint->scale[block]);

		put_term(joint, row, block, 1, joint->scale[block]);
	}
	return first;
}

static void put_flow(struct joint *joint)
{
	const uint32_t in = begin_flow(joint, FLOW_ENTERED_ELSEWHERE);
	const uint32_t out = begin_flow(joint, FLOW_LEFT_ELSEWHERE);

	for (uint32_t edge = 0; edge < joint->edges; edge++) {
		const uint32_t from = edge_from(joint, edge), to = edge_to(joint, edge);

		if (!is_edge(joint, edge))
			continue;
		put_term(joint, out + from, edge_unknown(joint, edge), -1, joint->scale[from]);
		if (is_in_part(joint, from, to))
			put_term(joint, in + to, edge_unknown(joint, edge), -1, joint->scale[to]);
	}
}

static int is_return(const struct joint *joint, uint32_t edge)
{
	return joint->gathered->flow->blocks[edge_from(joint, edge)].ends == FLOW_RETURNS;
}

/* What a call goes on with: runs as often as the call, and as others come there that do not return */
static void put_continuations(struct joint *joint)
{
	const struct flow *flow = joint->gathered->flow;

	for (uint32_t block = 0; block < joint->blocks; block++) {
		const uint32_t next = flow->blocks[block].next;

		if (flow->blocks[block].ends != FLOW_CALLS || next == FLOW_NONE ||
		    !is_in_part(joint, block, next))
			continue;
		joint->continuation[next] =
			begin_row(joint, 0, flow_variance(joint, next, 0), joint->scale[next]);
		put_term(joint, joint->continuation[next], next, 1, joint->scale[next]);
		put_term(joint, joint->continuation[next], block, -1, joint->scale[next]);
	}
	for (uint32_t edge = 0; edge < joint->edges; edge++) {
		const uint32_t to = is_edge(joint, edge) ? edge_to(joint, edge) : FLOW_NONE;

		if (to != FLOW_NONE && joint->continuation[to] != FLOW_NONE &&
		    !is_return(joint, edge) && is_in_part(joint, edge_from(joint, edge), to))
			put_term(joint, joint->continuation[to], edge_unknown(joint, edge), -1,
				 joint->scale[to]);
	}
}

double joint_sample_variance(const struct joint *joint, uint32_t block)
{
	const double expected = joint->values[block] * joint->lengths[block] / joint->sample_unit;

	return fmax(expected, 0.5) * square(joint->sample_unit);
}

static void put_exact_samples(struct joint *joint)
{
	for (uint32_t block = 0; block < joint->blocks; block++)
		put_one(joint, block, joint_sample_level(joint, block),
			joint_sample_variance(joint, block) / square(joint->lengths[block]));
}

double joint_sample_size(const struct joint *joint, uint32_t block)
{
	return joint->scale[block] * joint->lengths[block];
}

static void put_samples(struct joint *joint)
{
	const uint32_t first = joint->row;

	for (uint32_t block = 0; block < joint->blocks; block++) {
		const double about = joint_sample_size(joint, block);
		const uint32_t row =
			begin_row(joint, joint_sample_level(joint, block) * joint->lengths[block],
				  joint_sample_variance(joint, block), about);

		put_term(joint, row, block, joint->lengths[block], about);
	}
	for (uint32_t edge = 0; edge < joint->edges; edge++) {
		const uint32_t from = edge_from(joint, edge), to = edge_to(joint, edge);
		const uint32_t skid = skid_unknown(joint, edge);

		put_one(joint, skid, 0, square(joint->scale[skid]));
		if (!is_edge(joint, edge) || from == to || !is_in_part(joint, from, to))
			continue;
		put_term(joint, first + from, skid, -1, joint_sample_size(joint, from));
		put_term(joint, first + to, skid, 1, joint_sample_size(joint, to));
	}
}

/* Counted instructions without those in code that the graph has not */
double joint_placed_instructions(const struct joint *joint)
{
	const struct mix_observations *from = joint->gathered->from;
	const double total = joint->gathered->sample_total;

	return from->instructions * (total > 0 ? 1 - (double)from->unplaced_weight / total : 1);
}

/* Where it is looked how far samples are from totals, these decide nothing. */
static double total_variance(const struct joint *joint, double total, double error)
{
	const double own = hypot(TOTAL_ERROR, error);
	const double relative =
		joint->is_blind_to_totals ? NO_LEVEL : hypot(own, joint->contradiction);

	return square(relative * total);
}

static void put_totals(struct joint *joint)
{
	const struct mix_observations *from = joint->gathered->from;
	uint32_t row;

	if (from->instructions > 0) {
		const double total = joint_placed_instructions(joint);

		row = begin_row(joint, total,
				total_variance(joint, total, from->instructions_error), total);
		for (uint32_t block = 0; block < joint->blocks; block++)
			put_term(joint, row, block,
				 joint->gathered->flow->blocks[block].instructions, total);
	}
	if (from->taken > 0) {
		row = begin_row(joint, from->taken,
				total_variance(joint, from->taken, from->taken_error), from->taken);
		for (uint32_t edge = joint->blocks; edge < joint->edges; edge++)
			put_term(joint, row, edge_unknown(joint, edge), 1, from->taken);
	}
}

static void put_inertia(struct joint *joint)
{
	for (uint32_t unknown = 0; unknown < joint->unknowns; unknown++) {
		const double scale = joint->scale[unknown];
		const int is_walled = joint->is_walled[unknown];

		put_one(joint, unknown, is_walled ? 0 : joint->values[unknown],
			square(scale) / (is_walled ? WALL : INERTIA));
	}
}

void joint_put_all(struct joint *joint)
{
	joint->count = 0;
	joint->row = joint->unknowns;
	memset(joint->right, 0, joint->size * sizeof(*joint->right));
	set_scales(joint);
	put_inertia(joint);
	put_flow(joint);
	put_continuations(joint);
	put_shares(joint, &joint->gathered->stacks);
	put_shares(joint, &joint->gathered->branches);
	put_levels(joint);
	if (has_skid(joint))
		put_samples(joint);
	else if (joint->sample_unit > 0)
		put_exact_samples(joint);
	put_totals(joint);
}
