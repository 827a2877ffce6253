/* SPDX-License-Identifier: BSD-3-Clause */
/* What the few instructions of instructions.def do to registers and memory. */
#ifndef PRECIS_SYMBOLS_TYPES_INSTRUCTION_H
#define PRECIS_SYMBOLS_TYPES_INSTRUCTION_H

#include <stddef.h>
#include <stdint.h>

enum effect {
	EFFECT_NOTHING, /* that concerns pointers */
	EFFECT_COMPARES, /* the registers of ModRM.reg and ModRM.rm, or the latter with a constant */
	EFFECT_WRITES_R, /* the register of ModRM.reg */
	EFFECT_WRITES_RM, /* that of ModRM.rm, or memory */
	EFFECT_WRITES_O, /* that of the opcode */
	EFFECT_WRITES_A, /* rax */
	EFFECT_WRITES_AD, /* rax and rdx */
	EFFECT_WRITES_STRING, /* rcx, rsi and rdi */
	EFFECT_EXCHANGES, /* ModRM.reg and ModRM.rm */
	EFFECT_ADDS, /* a constant to ModRM.rm */
	EFFECT_ADDS_TO_R, /* ModRM.rm to the register of ModRM.reg */
	EFFECT_ADDS_TO_RM,
	EFFECT_SHIFTS, /* ModRM.rm to the left, by a constant */
	EFFECT_LOADS_ADDRESS,
	EFFECT_MOVES_TO_R,
	EFFECT_MOVES_TO_RM,
	EFFECT_PUSHES, /* the register of the opcode, or what is no register */
	EFFECT_POPS, /* to that of the opcode */
	EFFECT_BRANCHES, /* or not */
	EFFECT_JUMPS,
	EFFECT_STOPS, /* it goes on somewhere that is not known, or nowhere */
	EFFECT_CALLS,
	EFFECT_RETURNS,
	EFFECT_LEAVES
};

/* As instructions number them; RIP stands for addresses relative to the instruction, NONE for none */
enum {
	REGISTER_RAX = 0,
	REGISTER_RCX = 1,
	REGISTER_RDX = 2,
	REGISTER_RSP = 4,
	REGISTER_RBP = 5,
	REGISTER_RSI = 6,
	REGISTER_RDI = 7,
	REGISTER_RIP = 16,
	REGISTER_NONE = 17
};

struct operation {
	enum effect effect;
	uint8_t length;
	uint8_t is_wide; /* all 64 bits */
	uint8_t is_of_thread; /* memory is that of the thread: fs or gs is added */
	uint8_t reg; /* of ModRM.reg, or the opcode */
	uint8_t rm; /* REGISTER_NONE: memory */
	uint8_t base, index; /* of memory; 'index' in units of 'scale' bytes */
	uint8_t scale;
	int64_t constant; /* of ADDS and SHIFTS */
	int64_t offset; /* of memory; of BRANCHES, JUMPS and CALLS (of no memory) from the next instruction */
};

/** @return 0 if it is none of those, or cut off */
int precis_operation_read(const uint8_t *code, size_t bytes, struct operation *operation);

#endif
