/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which whole branch stacks have been seen before, by their digests (libdecode/code/stack_digest.h): those
 * need not be taken apart again. Where hardly any comes again, it is not looked for long.
 */
#ifndef ANALYSIS_MIX_KNOWN_STACKS_H
#define ANALYSIS_MIX_KNOWN_STACKS_H

#include "libdecode/code/stack_digest.h"

struct known_stack {
	struct code_stack_digest digest;
	uint64_t task, epoch; /* of what its addresses are: what is told apart beside the digest */
	uint64_t copies; /* as of code_streams_again() */
	uint32_t entries; /* 0: it is none */
	uint32_t number;
};

struct known_stacks;

/** @param most  so many, then all are forgotten. @return NULL: memory is short */
struct known_stacks *known_stacks_new(uint32_t most);

/**
 * @param key  gets digest and entries; the caller has set task and epoch
 * @return NULL: it is not known. 'key' has entries then, if it may become so
 */
const struct known_stack *known_stacks_find(struct known_stacks *known,
					    const struct precis_perf_sample *sample,
					    struct known_stack *key);

/** @return its number: one more than the last one, or 0 again, where all others are forgotten */
uint32_t known_stacks_add(struct known_stacks *known, const struct known_stack *key);

/** NULL is allowed. */
void known_stacks_free(struct known_stacks *known);

#endif
