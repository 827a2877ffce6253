/* SPDX-License-Identifier: BSD-3-Clause */
/* See row_blocks.h. */
#include "row_blocks.h"

#include <math.h>
#include <stdlib.h>

#define BITS_FIRST 8u

void row_blocks_free(struct row_blocks *blocks)
{
	free(blocks->list);
	*blocks = (struct row_blocks){ .list = NULL };
}

void row_blocks_cut(struct row_blocks *blocks)
{
	const int had_some = blocks->count != 0 || blocks->is_cut;

	row_blocks_free(blocks);
	blocks->is_cut = had_some;
}

static struct row_block *slot_of(const struct row_blocks *blocks, uint32_t row, uint64_t id)
{
	uint64_t at = tally_hash_of(&blocks->hash, row, id) >> blocks->shift;
	struct row_block *list = blocks->list;

	while (list[at].probability > 0 && (list[at].row != row || list[at].id != id))
		at = (at + 1) & (blocks->slots - 1);
	return &list[at];
}

static int grow(struct row_blocks *blocks)
{
	struct row_blocks larger = *blocks;

	if (!blocks->slots)
		tally_hash_begin(&larger.hash);
	larger.shift = blocks->slots ? blocks->shift - 1 : 64 - BITS_FIRST;
	larger.slots = UINT32_C(1) << (64 - larger.shift);
	larger.list = calloc(larger.slots, sizeof(*larger.list));
	if (!larger.list)
		return -1;
	for (uint32_t n = 0; n < blocks->slots; n++) {
		const struct row_block *from = &blocks->list[n];

		if (from->probability > 0)
			*slot_of(&larger, from->row, from->id) = *from;
	}
	free(blocks->list);
	*blocks = larger;
	return 0;
}

int row_blocks_add(struct row_blocks *blocks, uint32_t row, uint64_t id, double probability,
		   uint64_t weight)
{
	struct row_block *found;

	if (blocks->is_cut)
		return 0;
	if (blocks->count == ROW_BLOCKS_MOST) {
		row_blocks_cut(blocks);
		return 0;
	}
	if (4 * blocks->count >= 3 * blocks->slots && grow(blocks) < 0)
		return -1;
	found = slot_of(blocks, row, id);
	blocks->count += !(found->probability > 0);
	found->row = row;
	found->id = id;
	found->probability = id == ROW_BLOCK_UNRECORDED ? 1 : probability;
	found->weight += weight;
	return 0;
}

int row_estimates_make(struct row_estimates *estimates, const struct row_blocks *blocks, uint32_t rows)
{
	*estimates = (struct row_estimates){ .rows = NULL };
	if (blocks->is_cut || !blocks->count)
		return 0;
	estimates->rows = calloc(rows + 1, sizeof(*estimates->rows));
	if (!estimates->rows)
		return -1;
	for (uint32_t n = 0; n < blocks->slots; n++) {
		const struct row_block *block = &blocks->list[n];
		struct row_estimate *estimate = &estimates->rows[block->row];
		const double weight = (double)block->weight;

		if (!(block->probability > 0))
			continue;
		if (block->id == ROW_BLOCK_UNRECORDED) {
			estimate->unrecorded += block->weight;
			estimates->unexplained += weight;
			continue;
		}
		thinned_add(&estimate->thinned, weight, block->probability);
		estimates->unexplained -= weight / block->probability - weight;
		estimate->blocks++;
	}
	estimates->unexplained = fmax(estimates->unexplained, 0);
	return 0;
}

void row_estimates_free(struct row_estimates *estimates)
{
	free(estimates->rows);
	estimates->rows = NULL;
}

/* As many of n samples as a part of the whole would be */
static uint64_t of_samples(double part, double whole, uint64_t n, int is_high)
{
	const double samples = fmin(part / whole, 1) * (double)n;

	return (uint64_t)(is_high ? ceil(samples) : floor(samples));
}

struct interval row_estimate_share(const struct row_estimates *estimates, uint32_t number,
				   const struct weighted *row, const struct weighted *whole,
				   struct confidence confidence, double *share)
{
	const struct row_estimate *estimate = &estimates->rows[number];
	/* where samples are counted each has that weight */
	const double unit = (double)weighted_unit(whole);
	const int are_counted = weighted_are_counted(whole);
	const double all = are_counted ? (double)whole->samples * unit : (double)whole->weight;
	const double own = are_counted ? (double)row->samples * unit : (double)row->weight;
	struct thinned thinned = estimate->thinned;
	struct interval blocks, share_of;
	uint64_t n;

	*share = NAN;
	if (!(all > 0))
		return (struct interval){ NAN, NAN };
	/* what is in no block, or in one that is always recorded, stands for itself */
	thinned_add(&thinned, fmax(own - thinned.met - (double)estimate->unrecorded, 0), 1);
	*share = fmin(thinned.sum / all, 1);
	if (isnan(confidence.effect))
		return (struct interval){ NAN, NAN };
	n = (uint64_t)(weighted_effective(whole) / confidence.effect);
	blocks = thinned_interval(&thinned);
	share_of.low = interval_of_share_at(of_samples(blocks.low, all, n, 0), n, confidence.z).low;
	if (estimate->blocks)
		blocks.high += estimates->unexplained;
	share_of.high = interval_of_share_at(of_samples(blocks.high, all, n, 1), n, confidence.z).high;
	return share_of;
}
