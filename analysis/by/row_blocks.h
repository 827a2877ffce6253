/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What of rows is in blocks of the heap that were recorded by chance, block by block: each stands for others
 * like it that were not (statistics/thinned.h). Samples of one block are met or missed together, so that
 * blocks, not samples, are what an interval counts.
 */
#ifndef ANALYSIS_BY_ROW_BLOCKS_H
#define ANALYSIS_BY_ROW_BLOCKS_H

#include "statistics/tally.h"
#include "statistics/thinned.h"
#include "statistics/weighted.h"

/* Blocks of rows that are kept: 32 bytes each. Of more no estimate is told. */
#define ROW_BLOCKS_MOST (UINT32_C(1) << 20)

/* In place of a block: samples of the heap that are in none that was recorded */
#define ROW_BLOCK_UNRECORDED 0u

struct row_block {
	uint64_t id; /* of the block: the same in each row that has samples of it */
	double probability; /* 0: a free slot */
	uint64_t weight; /* of its samples in the row */
	uint32_t row;
};

/* Zeroed memory has none. */
struct row_blocks {
	struct row_block *list; /* a hash table */
	uint32_t count, slots;
	struct tally_hash hash; /* a side file says what has which id */
	uint32_t shift; /* 64 - log2(slots) */
	int is_cut; /* some are lost: nothing is estimated */
};

void row_blocks_free(struct row_blocks *blocks);

/* Rows go, or there are too many blocks */
void row_blocks_cut(struct row_blocks *blocks);

/*
 * Samples of a row.
 * @param probability  of the block to be recorded, above 0 and below 1; of ROW_BLOCK_UNRECORDED whatever is
 * @return 0, or -1 if memory is short
 */
int row_blocks_add(struct row_blocks *blocks, uint32_t row, uint64_t id, double probability,
		   uint64_t weight);

/* What a row stands for */
struct row_estimate {
	struct thinned thinned;
	uint64_t unrecorded; /* weight of samples that others stand for */
	uint32_t blocks;
};

struct row_estimates {
	struct row_estimate *rows; /* NULL: nothing is estimated */
	/*
	 * Weight of samples in no recorded block beyond what all recorded ones together stand for: where
	 * sizes differ much, and none of the many small ones was met, it may be any row's.
	 */
	double unexplained;
};

/* Of each of so many rows. 0, or -1 if memory is short */
int row_estimates_make(struct row_estimates *estimates, const struct row_blocks *blocks, uint32_t rows);
void row_estimates_free(struct row_estimates *estimates);

/*
 * The share of all samples that is in blocks like the row's, recorded or not, and its interval: that of
 * what all blocks have, the upper end beyond it by what is unexplained, and around that the one of the
 * share of so many samples. tests/analysis/test_row_blocks.c has how often it holds the truth.
 *
 * @param row    all samples of the row
 * @param whole  all samples of the event
 * @param share  set, at most 1
 * @return ends NAN: not known
 */
struct interval row_estimate_share(const struct row_estimates *estimates, uint32_t number,
				   const struct weighted *row, const struct weighted *whole,
				   struct confidence confidence, double *share);

#endif
