/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program did, block by block, from a trace that tests/mix/plugin.c wrote: the truth that estimates
 * are judged by. A translation block of qemu is not a block: it ends at pages and at its own limits, and
 * each repetition of a REP instruction is one.
 */
#ifndef TESTS_MIX_TRUTH_H
#define TESTS_MIX_TRUTH_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/mix/flow.h"

/* What an instruction costs, as far as the simulated core knows */
enum truth_class { TRUTH_PLAIN, TRUTH_LOAD, TRUTH_SLOW, TRUTH_BRANCH };

struct truth_instruction {
	uint64_t address;
	uint64_t target; /* of a direct branch; 0 */
	uint64_t count;  /* executions, counted by itself */
	uint32_t block, mnemonic, does;
	uint8_t bytes[15];
	uint8_t length, class, is_start, is_repeated;
	uint8_t ops;      /* of the simulated core; 0: one with the compare before it */
	uint8_t is_fused; /* a compare that is one op with the branch behind it */
};

struct truth {
	uint32_t bits; /* 64, or PRECIS_CODE_AARCH64 */
	struct truth_instruction *instructions; /* by address */
	uint32_t instruction_count;
	char (*mnemonics)[24];
	uint32_t mnemonic_count;
	struct flow flow;   /* blocks by address, direct branches */
	uint32_t *first;    /* by block: its first instruction, and behind the last block the end */
	uint64_t *counts;   /* by block */
	uint32_t *trace;    /* blocks in the order of their executions */
	size_t trace_count;
	uint64_t executed, taken, ops; /* instructions, taken branches, ops */
	uint64_t broken;  /* executions that no edge leads to: signals */
	uint64_t unequal; /* blocks whose instructions did not run equally often */
};

/** @return 0, or -1 with a message on the standard error */
int truth_read(struct truth *truth, const char *path);

/** From block to block: was a branch taken? -1: neither so nor so can one get there */
int truth_is_taken(const struct truth *truth, uint32_t from, uint32_t to);

void truth_free(struct truth *truth);

#endif
