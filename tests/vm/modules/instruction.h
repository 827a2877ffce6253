/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * From an x86-64 instruction that is about to run to the operation that the model is fed
 * with. Decoded by the kernel's decoder; what each opcode does is in instruction_table.c.
 */
#ifndef INSTRUCTION_H
#define INSTRUCTION_H

#include <linux/ptrace.h>

#include "model.h"

struct instruction {
	struct vm_operation operation;
	u8 length;
	bool next_known; /* expected_next can be told */
	u64 expected_next;
};

/* To be called first, after kernel_symbols_find() */
void instruction_start(void);

/*
 * Decodes the instruction at regs->ip, which has not run yet: the registers that its
 * addresses are made of still have their values. Reads memory without faulting it in.
 *
 * @return false: no 64-bit code, its bytes cannot be read, or not an instruction.
 *         Then 'operation' has nothing but the address.
 */
bool instruction_decode(struct pt_regs *regs, struct instruction *instruction);

/*
 * The physical side of an instruction, from the page tables. After the instruction has run,
 * if it does: only then are its pages there.
 */
void instruction_translate(struct vm_operation *operation);

#endif
