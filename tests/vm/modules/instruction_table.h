/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What the opcodes of x86-64 do to memory, registers and control flow (AMD64 Architecture
 * Programmer's Manual, volume 3, appendix A).
 */
#ifndef INSTRUCTION_TABLE_H
#define INSTRUCTION_TABLE_H

#include <linux/types.h>

/* With a memory operand (ModRM) */
#define OP_LOAD      (1u << 0)
#define OP_STORE     (1u << 1)
/* General-purpose registers: ModRM.reg, ModRM.rm if it is a register, opcode[2:0] */
#define OP_READS_REG (1u << 2)
#define OP_WRITES_REG (1u << 3)
#define OP_READS_RM  (1u << 4)
#define OP_WRITES_RM (1u << 5)
#define OP_READS_LOW (1u << 6)
#define OP_WRITES_LOW (1u << 7)
/* Memory that ModRM does not name */
#define OP_PUSH      (1u << 8)
#define OP_POP       (1u << 9)
#define OP_FROM_SI   (1u << 10)
#define OP_TO_DI     (1u << 11)
#define OP_FROM_DI   (1u << 12)
#define OP_ABSOLUTE  (1u << 13)
/* Registers that nothing names */
#define OP_READS_AX  (1u << 14)
#define OP_WRITES_AX (1u << 15)
#define OP_READS_DX  (1u << 16)
#define OP_WRITES_DX (1u << 17)
#define OP_READS_CX  (1u << 18)
#define OP_WRITES_CX (1u << 19)
/* Control flow */
#define OP_JUMP      (1u << 20)
#define OP_CONDITION (1u << 21) /* the one in opcode[3:0] */
#define OP_COUNTED   (1u << 22) /* loop, jrcxz */
#define OP_RETURN    (1u << 23)
#define OP_INDIRECT  (1u << 24)
#define OP_SYSTEM    (1u << 25) /* enters the kernel: what follows cannot be told */
/* Others */
#define OP_PREFETCH  (1u << 26)
#define OP_STREAMING (1u << 27)
#define OP_LOCKED    (1u << 28) /* even without the prefix, if it accesses memory */
#define OP_MICROCODE (1u << 29)
#define OP_VECTOR    (1u << 30) /* no general-purpose registers beside those of the address */
#define OP_NO_ACCESS (1u << 31) /* computes an address and does not access it */

/* Widths: bytes, or one of these */
#define WIDTH_OPERAND 0   /* the operand size: 2, 4, 8 */
#define WIDTH_VECTOR  255 /* of a vector: 16, 32, 64 */
#define WIDTH_SCALAR  254 /* by prefix: none and 66: vector; F3: 4; F2: 8 */
#define WIDTH_WORD    253 /* 4, with REX.W or VEX.W 8 */
#define WIDTH_HALF    252 /* by prefix: 66: 8; none: 4 */

struct instruction_row {
	u8 first, last; /* opcodes */
	u8 reg;         /* ModRM.reg that the row is for; ANY_REG: all */
	u8 width;
	u32 what;
};

#define ANY_REG 8

enum instruction_map { MAP_ONE_BYTE, MAP_0F, MAP_0F38, MAP_0F3A, MAP_COUNT };

/* To be called before the first look-up */
void instruction_table_start(void);

/* The row of an opcode; NULL: touches nothing that is modeled. 'prefix': 0, 0x66, 0xf2, 0xf3 */
const struct instruction_row *instruction_row(enum instruction_map map, bool vex, u8 prefix,
					      u8 opcode, u8 reg);

#endif
