/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often the blocks of code and the edges between them ran, and the forms in which programs that
 * optimize by it take that.
 */
#ifndef COMMAND_PROFILES_PROFILE_H
#define COMMAND_PROFILES_PROFILE_H

#include <stdio.h>

#include "libdecode/code/blocks.h"

/* From block to block, by their numbers in 'blocks' */
struct profile_edge {
	uint32_t from, to;
	int is_taken; /* by the branch that ends 'from'; 0: 'from' runs on into 'to' */
	double count;
};

struct profile {
	struct precis_symbols *symbols;               /* that the blocks' texts are of */
	const struct precis_symbols_options *options; /* of these; NULL: none */
	const struct code_blocks *blocks;
	const double *counts; /* executions of each block; what is not known is 0 or NAN */
	const struct profile_edge *edges;
	size_t edge_count;
};

/* What became of it, in executions of instructions. What is left out is no error. */
struct profile_result {
	const char *object;   /* the file that it is of; NULL: of all files */
	double written;       /* counts that round to 0 are neither written nor left out */
	double other_objects; /* in code that is not of that file, or of none */
	double no_functions;  /* of which debug information tells no function */
};

/* Both: @return 0, or -1: memory is short. Whether all was written the stream knows. */

/**
 * What perf2bolt -pa reads (LLVM's BOLT, DataAggregator::parsePreAggregated()): taken branches, and
 * ranges that ran through, by addresses of one file: that which executed the most instructions.
 */
int profile_write_bolt(FILE *to, const struct profile *profile, struct profile_result *result);

/**
 * The text form of LLVM's sample profiles (SampleProfileReaderText, as create_llvm_prof writes it):
 * by function, and by line and discriminator in it, with calls that were inlined inside of the
 * function that they are in.
 */
int profile_write_autofdo(FILE *to, const struct profile *profile, struct profile_result *result);

/* A text that is a file's, which has a path */
static inline int profile_is_file(const struct code_text *text)
{
	return text && code_text_name(text)[0] == '/';
}

/* As a whole number; 0 also for what is not known */
static inline uint64_t profile_rounded(double count)
{
	return count >= 0.5 ? (uint64_t)(count + 0.5) : 0;
}

#endif
