/* SPDX-License-Identifier: BSD-3-Clause */
/* Call stacks of samples as a tree: frames and stacks that are alike have one number. */
#ifndef EXPORT_STACKS_H
#define EXPORT_STACKS_H

#include "command/dump/dump.h"
#include "numbering.h"

#define STACK_FRAMES 8192u /* a record has no room for more */

/* What the parts of a sample have to be there for */
#define STACKS_NEED (PART_NEEDS_PERF | PART_NEEDS_PLACES | PART_NEEDS_NAMES | PART_NEEDS_TASKS)

/* Members of a frame, and of a node: its caller's (NO_NUMBER: none) and the frame */
enum { FRAME_NAME, FRAME_OBJECT, FRAME_MODE };
enum { NODE_CALLER, NODE_FRAME };

/* Zeroed memory is empty. */
struct stacks {
	struct texts texts;    /* of names and objects */
	struct triples frames; /* name, object (NO_NUMBER: not known), enum precis_cpumode */
	struct triples nodes;  /* caller, frame, 0 */
	int with_objects; /* 1: above the one frame of a sample without a callchain stands its file */
	uint32_t chain[STACK_FRAMES + 2]; /* of a sample, with task and file */
};

/* A frame that is only a name, below 'caller'. Its node, or NO_NUMBER if memory is short */
uint32_t stacks_name(struct stacks *stacks, uint32_t caller, const char *name);

/*
 * The innermost node of the sample's stack below 'caller': its callchain, or, where none was
 * recorded, its address. NO_NUMBER if memory is short.
 */
uint32_t stacks_sample(struct stacks *stacks, struct parts *parts, uint32_t caller);

/* The name of the sample's thread; ":TID" or "[unknown]" where it is not known. 'room': 32 bytes */
const char *stacks_task(struct parts *parts, char room[32]);

/* Numbers of the node's frames from the outermost on, in 'chain'. @return how many */
uint32_t stacks_frames(struct stacks *stacks, uint32_t node);

static inline const char *stacks_frame_name(const struct stacks *stacks, uint32_t frame)
{
	return texts_of(&stacks->texts, stacks->frames.triple[frame][FRAME_NAME]);
}

void stacks_free(struct stacks *stacks);

#endif
