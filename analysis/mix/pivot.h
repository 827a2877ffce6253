/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executions of instructions by one, two or three dimensions: which instructions of which blocks are in
 * which cell. Every instruction of every block is in one cell, code that is not known, too: cells add up
 * to all that was executed. Values come with an estimate.
 */
#ifndef ANALYSIS_MIX_PIVOT_H
#define ANALYSIS_MIX_PIVOT_H

#include "analysis/by/names.h"

#include "dimensions.h"
#include "program.h"

#define MIX_DIMENSIONS_MOST 3u

enum mix_measure {
	MIX_EXECUTIONS,
	MIX_FLOPS,   /* floating-point operations */
	MIX_READ,    /* bytes */
	MIX_WRITTEN, /* likewise */
	MIX_MEASURES
};

/* What a block's instructions add to a cell */
struct mix_entry {
	uint32_t cell, node;
	double of[MIX_MEASURES];       /* what one run of the block adds */
	uint32_t flops_not, bytes_not; /* figures that are not exact: bits of enum code_figure */
	int flops_known, bytes_known; /* of an instruction at least */
};

struct mix_cell {
	uint32_t label[MIX_DIMENSIONS_MOST]; /* numbers of 'names' */
	uint32_t first, count;               /* of its entries */
	uint32_t flops_not, bytes_not;       /* of all of them */
	int flops_known, bytes_known; /* of one at least: without any they are not 0 */
};

/**
 * The name of a block, or of an instruction in it, in a dimension that is not of forms. Valid until the
 * next call. @param offset  of the instruction in its text; of a block that of its start
 */
typedef const char *mix_labeller(void *data, enum mix_dimension dimension, uint32_t node,
				 uint64_t offset);

struct mix_pivot_of {
	enum mix_dimension dimension[MIX_DIMENSIONS_MOST];
	uint32_t count;
	const struct code_groups *groups; /* of MIX_BY_GROUP */
	mix_labeller *label;
	void *data;
};

/* Zeroed memory is empty. */
struct mix_pivot {
	const struct mix_program *program;
	struct mix_pivot_of of;
	struct names names;
	struct numbering numbering; /* of cells, by their labels */
	struct mix_cell *cell;
	uint32_t cell_room;
	struct mix_entry *entry; /* by cell, then node */
	uint32_t entry_count, entry_room;
};

/** @return 0, or -1: memory is short. To be freed in any case */
int mix_pivot_build(struct mix_pivot *pivot, const struct mix_program *program,
		    const struct mix_pivot_of *of);
void mix_pivot_free(struct mix_pivot *pivot);

static inline uint32_t mix_pivot_cells(const struct mix_pivot *pivot)
{
	return pivot->numbering.count;
}

static inline const char *mix_pivot_label(const struct mix_pivot *pivot, uint32_t cell, uint32_t n)
{
	return names_get(&pivot->names, pivot->cell[cell].label[n])->text;
}

/** A cell's value without an interval, from counts of blocks */
double mix_cell_value(const struct mix_pivot *pivot, uint32_t cell, enum mix_measure measure,
		      const double *counts);

/** What a cell adds to weights of blocks, zeroed before */
void mix_cell_weigh(const struct mix_pivot *pivot, uint32_t cell, enum mix_measure measure, double *weights);

#endif
