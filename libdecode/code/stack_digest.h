/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What tells whole branch stacks apart: 128 bits of the addresses of all their entries. The sum of products
 * of both addresses of each entry, a key of its own added to either, is NH of UMAC (J. Black, S. Halevi,
 * H. Krawczyk, T. Krovetz, P. Rogaway, "UMAC: fast and secure message authentication", CRYPTO '99): two
 * different stacks of one length have the same digest with a probability of 2^-64, whatever they are, as
 * long as nobody chose them by the keys.
 */
#ifndef LIBDECODE_CODE_STACK_DIGEST_H
#define LIBDECODE_CODE_STACK_DIGEST_H

#include <precis/sample_parts.h>

#define CODE_DIGEST_ENTRIES_MOST 64u

struct code_digest_keys {
	struct {
		uint64_t from, to;
	} of[CODE_DIGEST_ENTRIES_MOST];
};

struct code_stack_digest {
	uint64_t low, high;
};

/**
 * @param keys  any random words, the same for all stacks that are compared
 * @return how many entries the stack has; 0: there is no digest. It has none, or more than
 *         CODE_DIGEST_ENTRIES_MOST, or one that code_streams_jumps() might leave out
 */
uint32_t code_stack_digest(const struct code_digest_keys *keys,
			   const struct precis_perf_sample *sample,
			   struct code_stack_digest *digest);

#endif
