/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The code that was seen as a graph of blocks, and what was seen by block: what estimates of a recording
 * are made of, and of which place each of their blocks is.
 *
 *	struct mix_program program = { 0 };
 *	mix_program_build(&program, sightings, &options);
 *	estimate = mix_estimate_new(&program.flow, &program.seen, &...);
 *	for (block = 0; block < program.count; block++)
 *		mix_program_block(&program, estimate, MIX_JOINT, block, &one);
 *
 * Samples in code of which there are no bytes are in blocks, too, one for each text and reason: they are
 * told from others by 'why', and their instructions are of no kind that is known.
 */
#ifndef ANALYSIS_MIX_PROGRAM_H
#define ANALYSIS_MIX_PROGRAM_H

#include "libdecode/code/blocks.h"

#include "mix.h"
#include "sightings.h"

/* A block of the graph: number n of the flow */
struct mix_node {
	uint32_t context;
	uint32_t code;  /* number of the struct code_block; CODE_NO_BLOCK: 'why' */
	uint32_t depth; /* how many blocks that nobody saw are on the way to it from one that was seen */
	uint8_t is_kernel;
	struct code_text *text; /* NULL: of unknown code that is in none */
	const char *why;        /* why its code is not known; NULL: it is */
};

/* Samples in a block of unknown code stand for so many instructions as one execution of it. */
#define MIX_UNKNOWN_LENGTH 1024.0

/* What was seen in code that is not known, by text and reason */
struct mix_absent {
	struct code_text *text; /* NULL: in none */
	const char *why;
	uint64_t samples, weight; /* instruction samples; their periods */
	uint64_t streams;         /* of branch stacks, which end there, or are there as a whole */
};

struct mix_program_options {
	int is_by_op;   /* instruction samples are of IBS ops */
	int is_relative; /* periods of stacks count something that is not taken branches */
	uint32_t places; /* that may be looked at, as of rare.h; 0: any number */
	/*
	 * Counted in all (totals.h); 0: that is not known, and instruction samples tell it, within what may
	 * be lost unseen. Relative errors, beside that of begin and end of counting
	 */
	double instructions, instructions_error;
	double taken, taken_error;
};

/* Zeroed memory is empty. */
struct mix_program {
	struct code_blocks *blocks;
	struct flow flow;
	struct mix_node *node; /* 'count' of them, one for each block of the flow */
	uint32_t count, room;
	struct mix_observations seen; /* by these */
	struct numbering numbering;   /* of nodes */
	uint64_t fates[CODE_FATES];   /* of streams: all together are all that were seen */
	struct mix_absent *absent;
	uint32_t absent_count, absent_room;
	/*
	 * Levels of branch stacks that count something else follow from instruction samples. Without these
	 * executions are in proportion to each other, and how many they are is not known.
	 */
	int is_relative;
	uint64_t stale; /* streams that the code as it is known cannot have */
	struct numbering stale_texts; /* key: text and start of function */
	uint64_t *stale_streams;      /* by number */
	uint32_t stale_room;
};

/** @return 0, or -1: memory is short. To be freed in any case; before the sightings */
int mix_program_build(struct mix_program *program, const struct mix_sightings *sightings,
		      const struct mix_program_options *options);
void mix_program_free(struct mix_program *program);

/** How many streams were seen in all */
uint64_t mix_program_streams(const struct mix_program *program);

/* One block of a finished estimate */
struct mix_block {
	struct code_text *text;        /* code_text_name(), code_text_location() for the build id */
	uint64_t start, end;           /* offsets in the text, 'end' not included */
	uint32_t instructions;         /* of one execution; 0: not known */
	struct mix_figure count;       /* executions; NAN: none is known */
	double samples, streams;       /* how many of each were seen of it */
	enum mix_method source;        /* that it rests on: EBS, LBR, or JOINT if both were seen of it */
	int is_inferred;               /* neither was: it follows from what runs around it */
};

/** Of block n. An interval costs a solution of the system: for those that are shown. */
void mix_program_block(const struct mix_program *program, struct mix_estimate *estimate,
		       enum mix_method method, uint32_t n, struct mix_block *block);

#endif
