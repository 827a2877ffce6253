/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Is what a kernel is noted to do what it does? Asked of three that know nothing of the notes: the table
 * that was written by hand, a disassembler, and a processor that executes one instruction at a time.
 * Measurements with a kernel of which one of them says no are invalid.
 */
#ifndef ACCURACY_TRUTH_H
#define ACCURACY_TRUTH_H

#include "kernels.h"

#define TRUTH_TEXT 160

enum truth_verdict {
	TRUTH_AGREES,
	TRUTH_DISAGREES, /* 'why' says where */
	TRUTH_UNKNOWN    /* 'why' says why it cannot be asked here */
};

struct truth {
	enum truth_verdict verdict;
	char why[TRUTH_TEXT];
};

/* Each row of kernels.def, which is of one turn, and the notes */
struct truth truth_by_table(const struct kernel *kernel);

/*
 * What each instruction is, how long, and where it goes on: by Zydis. All that can be reached is noted,
 * and what is noted is an instruction.
 */
struct truth truth_by_disassembly(const struct kernel *kernel);

/*
 * How often each instruction was executed, and each branch taken, in so many turns of a child that ptrace(2)
 * steps through the kernel. Some hundred turns take a second.
 */
struct truth truth_by_steps(const struct kernel *kernel, uint64_t outer, uint64_t inner);

#endif
