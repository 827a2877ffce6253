/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The equations of the joint estimate, weighted anew from the last solution a few times.
 *
 * Unknowns are scaled by what they are about, equations by what is in them: counts are 1e10 apart. Long
 * equations have their residual as an unknown (statistics/sparse.h).
 */
#include "joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/random.h"
#include "statistics/sparse.h"

#include "parts.h"

#define ROUNDS 5u
#define FLOW_ERROR 0.002  /* of flow that is conserved: signals, longjmp() */
#define OPEN_ERROR 0.3    /* of flow where a part comes from, or goes, elsewhere */
#define TOTAL_ERROR 0.001 /* of counted totals: begin and end of counting */
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
#define NO_LEVEL 10          /* relative error of levels that decide nothing */
#define DISAGREEMENT_LEAST 2 /* by chance, variances differ by less */
#define PROBES 8u
#define SCALE_LEAST 0.1   /* of what was seen: a count next to 0 could not leave it any more */
#define INERTIA 1e-6      /* weight of the last solution, where nothing else is known */
#define WALL 1e6          /* weight of 0, where a count would be negative */
#define GROUPS_TRUSTED 100 /* streams from which on groups tell how much they vary */
#define PRIOR_FREEDOM 10   /* of the variance that independent streams would have, beside that of groups */

struct joint {
	const struct gathered *gathered;
	const double *lengths;
	double skid, level_error, share_error; /* relative */
	int is_blind_to_totals;
	double contradiction; /* of totals, relative, beyond what they are uncertain by */
	double tension; /* how much farther samples are from the fit than chance has them, 1 or more */
	uint32_t blocks, edges; /* 'edges' as in struct gathered; those that are none are never used */
	uint32_t first_skid, unknowns, size; /* 'size': with the residuals */
	double stream_unit, sample_unit;     /* what one stream, one sample stands for; 0: there is none */
	double stream_scale, sample_scale; /* of levels: periods to counts */
	double *values, *scale; /* of unknowns */
	double *group_variance; /* by block, of the LBR's level: what groups tell of chance */
	/* By edge, of its share of stacks and of single branches: the variance by chance */
	double *stack_chance, *branch_chance;
	uint32_t first_sample;  /* the first row of samples with skid */
	uint8_t *is_walled;
	uint32_t *continuation; /* by block: the row of what a call goes on with, or FLOW_NONE */
	uint32_t *parts;        /* by block: parts.h */
	uint8_t *is_bridged;    /* by block: an edge leads there from another part */
	/* The system, in the order in which it is put together */
	struct sparse *sparse;
	struct sparse_place *places;
	double *entries, *right, *work;
	double *solving; /* of solutions: SPARSE_SIDES x size */
	double *changes; /* SPARSE_SIDES x size: right sides without one of the groups each */
	size_t count, room;
	int failed;
	uint32_t row; /* next residual */
	float *without; /* blocks x MIX_GROUPS */
};

static uint32_t edge_from(const struct joint *joint, uint32_t edge)
{
	return edge < joint->blocks ? edge : joint->gathered->flow->edges[edge - joint->blocks].from;
}

static uint32_t edge_to(const struct joint *joint, uint32_t edge)
{
	return edge < joint->blocks ? joint->gathered->flow->blocks[edge].next
				    : joint->gathered->flow->edges[edge - joint->blocks].to;
}

static int is_edge(const struct joint *joint, uint32_t edge)
{
	return edge >= joint->blocks || flow_falls(&joint->gathered->flow->blocks[edge]);
}

static uint32_t edge_unknown(const struct joint *joint, uint32_t edge)
{
	return joint->blocks + edge;
}

static uint32_t skid_unknown(const struct joint *joint, uint32_t edge)
{
	return joint->first_skid + edge;
}

/* Between parts a branch is left by its share, and where it comes is entered from elsewhere. */
static int is_in_part(const struct joint *joint, uint32_t from, uint32_t to)
{
	return joint->parts[from] == joint->parts[to];
}

static int has_skid(const struct joint *joint)
{
	return joint->skid > 0 && joint->sample_unit > 0;
}

/* One entry of the matrix; the first time it is noted where it stands */
static void put(struct joint *joint, uint32_t row, uint32_t column, double value)
{
	if (joint->count == joint->room && !joint->sparse) {
		const size_t room = joint->room ? 2 * joint->room : 4096;
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
static void put_share(struct joint *joint, uint32_t edge, uint32_t block, double share, double variance)
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

static void put_term(struct joint *joint, uint32_t row, uint32_t unknown, double factor, double about)
{
	put(joint, row, unknown, factor * joint->scale[unknown] / about);
}

static double square(double value)
{
	return value * value;
}

/* What cannot be told from 0: less than one sample's worth */
static double least_count(const struct joint *joint, uint32_t block)
{
	const double by_sample = joint->sample_unit / joint->lengths[block];

	if (!(joint->stream_unit > 0))
		return by_sample;
	return joint->sample_unit > 0 && by_sample < joint->stream_unit ? by_sample : joint->stream_unit;
}

static double stream_level(const struct joint *joint, uint32_t block)
{
	return joint->gathered->streams.sum[block] * joint->stream_scale;
}

static double sample_level(const struct joint *joint, uint32_t block)
{
	return joint->gathered->samples.sum[block] * joint->sample_scale / joint->lengths[block];
}

static double share_of(const struct outcomes *outcomes, uint32_t edge, uint32_t block)
{
	return outcomes->all.sum[block] > 0 ? outcomes->of.sum[edge] / outcomes->all.sum[block] : NAN;
}

static void set_scales(struct joint *joint)
{
	for (uint32_t block = 0; block < joint->blocks; block++) {
		const double seen = fmax(stream_level(joint, block), sample_level(joint, block));

		joint->scale[block] = fmax(fmax(joint->values[block], SCALE_LEAST * seen),
					   least_count(joint, block));
	}
	for (uint32_t edge = 0; edge < joint->edges; edge++) {
		const uint32_t block = edge_from(joint, edge), unknown = edge_unknown(joint, edge);
		const double share = share_of(&joint->gathered->stacks, edge, block);

		joint->scale[unknown] = fmax(joint->values[unknown], least_count(joint, block));
		if (share > 0)
			joint->scale[unknown] = fmax(joint->scale[unknown],
						     SCALE_LEAST * share * joint->scale[block]);
		if (has_skid(joint))
			joint->scale[skid_unknown(joint, edge)] = joint->skid * joint->scale[unknown];
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
static double group_variance(const float *part, const float *whole, double share)
{
	double squares = 0;

	for (uint32_t group = 0; group < MIX_GROUPS; group++)
		squares += square(part[group] - share * whole[group]);
	return squares * MIX_GROUPS / (MIX_GROUPS - 1);
}

/* Of 0 and 1 a bit less, and a bit more */
static double shrunk_variance(const struct outcomes *outcomes, uint32_t block, double share)
{
	const double count = outcomes->all.count[block], shrunk = (share * count + 0.5) / (count + 1);

	return shrunk * (1 - shrunk);
}

static double share_chance(const struct joint *joint, const struct outcomes *outcomes, uint32_t edge)
{
	const uint32_t block = edge_from(joint, edge);
	const double count = outcomes->all.count[block], all = outcomes->all.sum[block];
	const double share = share_of(outcomes, edge, block);
	const double groups =
		group_variance(outcomes->of.groups + (size_t)edge * MIX_GROUPS,
			       outcomes->all.groups + (size_t)block * MIX_GROUPS, share) / square(all);

	return variance_of(shrunk_variance(outcomes, block, share) / count, groups, count);
}

/* Once: the shares do not change from round to round */
static void set_share_chances(const struct joint *joint, const struct outcomes *outcomes, double *chance)
{
	for (uint32_t edge = 0; edge < joint->edges; edge++) {
		if (is_edge(joint, edge) && outcomes->all.sum[edge_from(joint, edge)] > 0)
			chance[edge] = share_chance(joint, outcomes, edge);
	}
}

static double share_variance(const struct joint *joint, const struct outcomes *outcomes, uint32_t edge,
			     double share)
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
		const double share = share_of(outcomes, edge, block);

		/* Stacks of no period tell nothing */
		if (is_edge(joint, edge) && outcomes->all.sum[block] > 0)
			put_share(joint, edge_unknown(joint, edge), block, share,
				  square(joint->scale[block]) *
					  share_variance(joint, outcomes, edge, share));
	}
}

static double level_variance(const struct joint *joint, uint32_t block)
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
		put_one(joint, block, stream_level(joint, block), level_variance(joint, block));
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

		if (to != FLOW_NONE && joint->continuation[to] != FLOW_NONE && !is_return(joint, edge) &&
		    is_in_part(joint, edge_from(joint, edge), to))
			put_term(joint, joint->continuation[to], edge_unknown(joint, edge), -1,
				 joint->scale[to]);
	}
}

static double sample_variance(const struct joint *joint, uint32_t block)
{
	const double expected = joint->values[block] * joint->lengths[block] / joint->sample_unit;

	return fmax(expected, 0.5) * square(joint->sample_unit);
}

static void put_exact_samples(struct joint *joint)
{
	for (uint32_t block = 0; block < joint->blocks; block++)
		put_one(joint, block, sample_level(joint, block),
			sample_variance(joint, block) / square(joint->lengths[block]));
}

static double sample_size(const struct joint *joint, uint32_t block)
{
	return joint->scale[block] * joint->lengths[block];
}

static void put_samples(struct joint *joint)
{
	const uint32_t first = joint->row;

	for (uint32_t block = 0; block < joint->blocks; block++) {
		const double about = sample_size(joint, block);
		const uint32_t row = begin_row(joint, sample_level(joint, block) * joint->lengths[block],
					       sample_variance(joint, block), about);

		put_term(joint, row, block, joint->lengths[block], about);
	}
	for (uint32_t edge = 0; edge < joint->edges; edge++) {
		const uint32_t from = edge_from(joint, edge), to = edge_to(joint, edge);
		const uint32_t skid = skid_unknown(joint, edge);

		put_one(joint, skid, 0, square(joint->scale[skid]));
		if (!is_edge(joint, edge) || from == to || !is_in_part(joint, from, to))
			continue;
		put_term(joint, first + from, skid, -1, sample_size(joint, from));
		put_term(joint, first + to, skid, 1, sample_size(joint, to));
	}
}

/* Counted instructions without those in code that the graph has not */
static double placed_instructions(const struct joint *joint)
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
		const double total = placed_instructions(joint);

		row = begin_row(joint, total,
				total_variance(joint, total, from->instructions_error), total);
		for (uint32_t block = 0; block < joint->blocks; block++)
			put_term(joint, row, block, joint->gathered->flow->blocks[block].instructions, total);
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

static void put_all(struct joint *joint)
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

/* A count that came out below 0 is held there, and let go when it pulls upwards. */
static void take_solution(struct joint *joint)
{
	for (uint32_t unknown = 0; unknown < joint->unknowns; unknown++) {
		const double value = joint->right[unknown] * joint->scale[unknown];

		joint->is_walled[unknown] = value < 0;
		joint->values[unknown] = value < 0 ? 0 : value;
	}
}

static void solve(struct joint *joint)
{
	put_all(joint);
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
			   level_variance(joint, block));
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
				more / sample_size(joint, block);
		else
			change_one(joint, group, block, more / joint->lengths[block],
				   sample_variance(joint, block) / square(joint->lengths[block]));
	}
}

static void change_shares(struct joint *joint, const struct outcomes *outcomes, uint32_t group)
{
	for (uint32_t edge = 0; edge < joint->edges; edge++) {
		const uint32_t block = edge_from(joint, edge);
		const double share = share_of(outcomes, edge, block), x = joint->values[block];
		const size_t at = (size_t)edge * MIX_GROUPS + group;
		const double left = outcomes->all.sum[block] -
				    outcomes->all.groups[(size_t)block * MIX_GROUPS + group];
		double other, variance;

		if (!is_edge(joint, edge) || !(outcomes->all.count[block] > 0) ||
		    !(left > 1e-6 * outcomes->all.sum[block]))
			continue;
		other = (outcomes->of.sum[edge] - outcomes->of.groups[at]) / left;
		variance = square(joint->scale[block]) * share_variance(joint, outcomes, edge, share);
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
	joint->sample_scale = from->instructions > 0 && placed > 0 ? placed_instructions(joint) / placed : 1;
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
			group_variance(gathered->streams.groups + (size_t)block * MIX_GROUPS, stacks,
				       gathered->streams.sum[block] / gathered->stack_total);
}

static void set_first_values(struct joint *joint)
{
	for (uint32_t block = 0; block < joint->blocks; block++) {
		const double level = stream_level(joint, block);

		joint->values[block] = level > 0 ? level : sample_level(joint, block);
		joint->continuation[block] = FLOW_NONE;
	}
	for (uint32_t edge = 0; edge < joint->edges; edge++) {
		const uint32_t block = edge_from(joint, edge);
		double share = share_of(&joint->gathered->stacks, edge, block);

		if (isnan(share))
			share = share_of(&joint->gathered->branches, edge, block);
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
		const double variance = sample_variance(joint, block);

		if (variance < 5 * square(joint->sample_unit))
			continue;
		squares += square(sample_level(joint, block) * length - fit) / variance;
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
	for (uint32_t round = 0; round < ROUNDS && !joint->failed; round++)
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
	apart = fabs(from->taken / taken / (placed_instructions(joint) / instructions) - 1);
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
		squares += parts[block] * square((stream_level(joint, block) - joint->values[block]) /
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
	set_share_chances(joint, &gathered->stacks, joint->stack_chance);
	set_share_chances(joint, &gathered->branches, joint->branch_chance);
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
