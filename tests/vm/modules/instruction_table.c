// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* See instruction_table.h. */
#include <linux/kernel.h>

#include "instruction_table.h"

#define UPDATE    (OP_LOAD | OP_STORE)
#define RM_TO_REG (OP_LOAD | OP_READS_RM | OP_WRITES_REG)
#define REG_TO_RM (OP_STORE | OP_READS_REG | OP_WRITES_RM)
#define MODIFY_RM (UPDATE | OP_READS_RM | OP_WRITES_RM)

/* add, or, adc, sbb, and, sub, xor: six opcodes each */
#define ARITHMETIC(base)                                                                       \
	{ (base) + 0, (base) + 0, ANY_REG, 1, MODIFY_RM | OP_READS_REG },                       \
	{ (base) + 1, (base) + 1, ANY_REG, WIDTH_OPERAND, MODIFY_RM | OP_READS_REG },           \
	{ (base) + 2, (base) + 2, ANY_REG, 1, RM_TO_REG | OP_READS_REG },                       \
	{ (base) + 3, (base) + 3, ANY_REG, WIDTH_OPERAND, RM_TO_REG | OP_READS_REG },           \
	{ (base) + 4, (base) + 5, ANY_REG, 0, OP_READS_AX | OP_WRITES_AX }

#define DIVIDES (OP_READS_AX | OP_READS_DX | OP_WRITES_AX | OP_WRITES_DX)

/* The first row that fits counts */
static const struct instruction_row one_byte[] = {
	ARITHMETIC(0x00), ARITHMETIC(0x08), ARITHMETIC(0x10), ARITHMETIC(0x18),
	ARITHMETIC(0x20), ARITHMETIC(0x28), ARITHMETIC(0x30),
	/* cmp */
	{ 0x38, 0x38, ANY_REG, 1, OP_LOAD | OP_READS_RM | OP_READS_REG },
	{ 0x39, 0x39, ANY_REG, WIDTH_OPERAND, OP_LOAD | OP_READS_RM | OP_READS_REG },
	{ 0x3a, 0x3a, ANY_REG, 1, OP_LOAD | OP_READS_RM | OP_READS_REG },
	{ 0x3b, 0x3b, ANY_REG, WIDTH_OPERAND, OP_LOAD | OP_READS_RM | OP_READS_REG },
	{ 0x3c, 0x3d, ANY_REG, 0, OP_READS_AX },
	/* push, pop */
	{ 0x50, 0x57, ANY_REG, 8, OP_PUSH | OP_READS_LOW },
	{ 0x58, 0x5f, ANY_REG, 8, OP_POP | OP_WRITES_LOW },
	{ 0x63, 0x63, ANY_REG, 4, RM_TO_REG }, /* movsxd */
	{ 0x68, 0x68, ANY_REG, 8, OP_PUSH },
	{ 0x6a, 0x6a, ANY_REG, 8, OP_PUSH },
	{ 0x69, 0x69, ANY_REG, WIDTH_OPERAND, RM_TO_REG }, /* imul */
	{ 0x6b, 0x6b, ANY_REG, WIDTH_OPERAND, RM_TO_REG },
	{ 0x70, 0x7f, ANY_REG, 0, OP_JUMP | OP_CONDITION },
	/* arithmetic with an immediate; /7 is cmp */
	{ 0x80, 0x80, 7, 1, OP_LOAD | OP_READS_RM },
	{ 0x80, 0x80, ANY_REG, 1, MODIFY_RM },
	{ 0x81, 0x83, 7, WIDTH_OPERAND, OP_LOAD | OP_READS_RM },
	{ 0x81, 0x83, ANY_REG, WIDTH_OPERAND, MODIFY_RM },
	{ 0x84, 0x84, ANY_REG, 1, OP_LOAD | OP_READS_RM | OP_READS_REG }, /* test */
	{ 0x85, 0x85, ANY_REG, WIDTH_OPERAND, OP_LOAD | OP_READS_RM | OP_READS_REG },
	{ 0x86, 0x86, ANY_REG, 1, MODIFY_RM | OP_READS_REG | OP_WRITES_REG | OP_LOCKED }, /* xchg */
	{ 0x87, 0x87, ANY_REG, WIDTH_OPERAND,
	  MODIFY_RM | OP_READS_REG | OP_WRITES_REG | OP_LOCKED },
	/* mov, lea */
	{ 0x88, 0x88, ANY_REG, 1, REG_TO_RM },
	{ 0x89, 0x89, ANY_REG, WIDTH_OPERAND, REG_TO_RM },
	{ 0x8a, 0x8a, ANY_REG, 1, RM_TO_REG },
	{ 0x8b, 0x8b, ANY_REG, WIDTH_OPERAND, RM_TO_REG },
	{ 0x8c, 0x8c, ANY_REG, 2, OP_STORE | OP_WRITES_RM },
	{ 0x8d, 0x8d, ANY_REG, 0, OP_WRITES_REG | OP_NO_ACCESS },
	{ 0x8e, 0x8e, ANY_REG, 2, OP_LOAD | OP_READS_RM },
	{ 0x8f, 0x8f, 0, 8, OP_POP | OP_WRITES_RM | OP_NO_ACCESS },
	{ 0x91, 0x97, ANY_REG, 0, OP_READS_AX | OP_WRITES_AX | OP_READS_LOW | OP_WRITES_LOW },
	{ 0x98, 0x98, ANY_REG, 0, OP_READS_AX | OP_WRITES_AX },
	{ 0x99, 0x99, ANY_REG, 0, OP_READS_AX | OP_WRITES_DX },
	{ 0x9c, 0x9c, ANY_REG, 8, OP_PUSH | OP_MICROCODE },
	{ 0x9d, 0x9d, ANY_REG, 8, OP_POP | OP_MICROCODE },
	{ 0xa0, 0xa0, ANY_REG, 1, OP_LOAD | OP_ABSOLUTE | OP_WRITES_AX },
	{ 0xa1, 0xa1, ANY_REG, WIDTH_OPERAND, OP_LOAD | OP_ABSOLUTE | OP_WRITES_AX },
	{ 0xa2, 0xa2, ANY_REG, 1, OP_STORE | OP_ABSOLUTE | OP_READS_AX },
	{ 0xa3, 0xa3, ANY_REG, WIDTH_OPERAND, OP_STORE | OP_ABSOLUTE | OP_READS_AX },
	/* String instructions. Of two addresses the one that is read counts. */
	{ 0xa4, 0xa4, ANY_REG, 1, OP_LOAD | OP_STORE | OP_FROM_SI | OP_MICROCODE },
	{ 0xa5, 0xa5, ANY_REG, WIDTH_OPERAND, OP_LOAD | OP_STORE | OP_FROM_SI | OP_MICROCODE },
	{ 0xa6, 0xa6, ANY_REG, 1, OP_LOAD | OP_FROM_SI | OP_MICROCODE },
	{ 0xa7, 0xa7, ANY_REG, WIDTH_OPERAND, OP_LOAD | OP_FROM_SI | OP_MICROCODE },
	{ 0xa8, 0xa9, ANY_REG, 0, OP_READS_AX },
	{ 0xaa, 0xaa, ANY_REG, 1, OP_STORE | OP_TO_DI | OP_READS_AX | OP_MICROCODE },
	{ 0xab, 0xab, ANY_REG, WIDTH_OPERAND, OP_STORE | OP_TO_DI | OP_READS_AX | OP_MICROCODE },
	{ 0xac, 0xac, ANY_REG, 1, OP_LOAD | OP_FROM_SI | OP_WRITES_AX | OP_MICROCODE },
	{ 0xad, 0xad, ANY_REG, WIDTH_OPERAND, OP_LOAD | OP_FROM_SI | OP_WRITES_AX | OP_MICROCODE },
	{ 0xae, 0xae, ANY_REG, 1, OP_LOAD | OP_FROM_DI | OP_READS_AX | OP_MICROCODE },
	{ 0xaf, 0xaf, ANY_REG, WIDTH_OPERAND, OP_LOAD | OP_FROM_DI | OP_READS_AX | OP_MICROCODE },
	{ 0xb0, 0xbf, ANY_REG, 0, OP_WRITES_LOW },
	/* shifts */
	{ 0xc0, 0xc0, ANY_REG, 1, MODIFY_RM },
	{ 0xc1, 0xc1, ANY_REG, WIDTH_OPERAND, MODIFY_RM },
	{ 0xd0, 0xd0, ANY_REG, 1, MODIFY_RM },
	{ 0xd1, 0xd1, ANY_REG, WIDTH_OPERAND, MODIFY_RM },
	{ 0xd2, 0xd2, ANY_REG, 1, MODIFY_RM | OP_READS_CX },
	{ 0xd3, 0xd3, ANY_REG, WIDTH_OPERAND, MODIFY_RM | OP_READS_CX },
	{ 0xc2, 0xc3, ANY_REG, 8, OP_POP | OP_JUMP | OP_RETURN | OP_INDIRECT },
	{ 0xc6, 0xc6, 0, 1, OP_STORE | OP_WRITES_RM },
	{ 0xc7, 0xc7, 0, WIDTH_OPERAND, OP_STORE | OP_WRITES_RM },
	{ 0xc9, 0xc9, ANY_REG, 8, OP_POP }, /* leave: see instruction.c */
	{ 0xcc, 0xcf, ANY_REG, 0, OP_SYSTEM | OP_MICROCODE },
	/* x87, by what it stores */
	{ 0xd8, 0xd8, ANY_REG, 4, OP_LOAD | OP_VECTOR },
	{ 0xd9, 0xd9, 0, 4, OP_LOAD | OP_VECTOR },
	{ 0xd9, 0xd9, 2, 4, OP_STORE | OP_VECTOR },
	{ 0xd9, 0xd9, 3, 4, OP_STORE | OP_VECTOR },
	{ 0xd9, 0xd9, 4, 28, OP_LOAD | OP_VECTOR | OP_MICROCODE },
	{ 0xd9, 0xd9, 5, 2, OP_LOAD | OP_VECTOR },
	{ 0xd9, 0xd9, 6, 28, OP_STORE | OP_VECTOR | OP_MICROCODE },
	{ 0xd9, 0xd9, 7, 2, OP_STORE | OP_VECTOR },
	{ 0xda, 0xda, ANY_REG, 4, OP_LOAD | OP_VECTOR },
	{ 0xdb, 0xdb, 0, 4, OP_LOAD | OP_VECTOR },
	{ 0xdb, 0xdb, 5, 10, OP_LOAD | OP_VECTOR },
	{ 0xdb, 0xdb, 7, 10, OP_STORE | OP_VECTOR },
	{ 0xdb, 0xdb, ANY_REG, 4, OP_STORE | OP_VECTOR },
	{ 0xdc, 0xdc, ANY_REG, 8, OP_LOAD | OP_VECTOR },
	{ 0xdd, 0xdd, 0, 8, OP_LOAD | OP_VECTOR },
	{ 0xdd, 0xdd, 4, 108, OP_LOAD | OP_VECTOR | OP_MICROCODE },
	{ 0xdd, 0xdd, 6, 108, OP_STORE | OP_VECTOR | OP_MICROCODE },
	{ 0xdd, 0xdd, 7, 2, OP_STORE | OP_VECTOR },
	{ 0xdd, 0xdd, ANY_REG, 8, OP_STORE | OP_VECTOR },
	{ 0xde, 0xde, ANY_REG, 2, OP_LOAD | OP_VECTOR },
	{ 0xdf, 0xdf, 0, 2, OP_LOAD | OP_VECTOR },
	{ 0xdf, 0xdf, 4, 10, OP_LOAD | OP_VECTOR | OP_MICROCODE },
	{ 0xdf, 0xdf, 5, 8, OP_LOAD | OP_VECTOR },
	{ 0xdf, 0xdf, 6, 10, OP_STORE | OP_VECTOR | OP_MICROCODE },
	{ 0xdf, 0xdf, 7, 8, OP_STORE | OP_VECTOR },
	{ 0xdf, 0xdf, ANY_REG, 2, OP_STORE | OP_VECTOR },
	{ 0xe0, 0xe2, ANY_REG, 0, OP_JUMP | OP_COUNTED | OP_READS_CX | OP_WRITES_CX },
	{ 0xe3, 0xe3, ANY_REG, 0, OP_JUMP | OP_COUNTED | OP_READS_CX },
	{ 0xe8, 0xe8, ANY_REG, 8, OP_PUSH | OP_JUMP },
	{ 0xe9, 0xe9, ANY_REG, 0, OP_JUMP },
	{ 0xeb, 0xeb, ANY_REG, 0, OP_JUMP },
	/* test, not, neg, mul, imul, div, idiv */
	{ 0xf6, 0xf6, 0, 1, OP_LOAD | OP_READS_RM },
	{ 0xf6, 0xf6, 1, 1, OP_LOAD | OP_READS_RM },
	{ 0xf6, 0xf6, 2, 1, MODIFY_RM },
	{ 0xf6, 0xf6, 3, 1, MODIFY_RM },
	{ 0xf6, 0xf6, ANY_REG, 1, OP_LOAD | OP_READS_RM | OP_READS_AX | OP_WRITES_AX },
	{ 0xf7, 0xf7, 0, WIDTH_OPERAND, OP_LOAD | OP_READS_RM },
	{ 0xf7, 0xf7, 1, WIDTH_OPERAND, OP_LOAD | OP_READS_RM },
	{ 0xf7, 0xf7, 2, WIDTH_OPERAND, MODIFY_RM },
	{ 0xf7, 0xf7, 3, WIDTH_OPERAND, MODIFY_RM },
	{ 0xf7, 0xf7, ANY_REG, WIDTH_OPERAND, OP_LOAD | OP_READS_RM | DIVIDES },
	{ 0xfe, 0xfe, ANY_REG, 1, MODIFY_RM }, /* inc, dec */
	{ 0xff, 0xff, 0, WIDTH_OPERAND, MODIFY_RM },
	{ 0xff, 0xff, 1, WIDTH_OPERAND, MODIFY_RM },
	/* call, jmp, push: of two addresses the one that is read counts */
	{ 0xff, 0xff, 2, 8, OP_LOAD | OP_READS_RM | OP_PUSH | OP_JUMP | OP_INDIRECT },
	{ 0xff, 0xff, 4, 8, OP_LOAD | OP_READS_RM | OP_JUMP | OP_INDIRECT },
	{ 0xff, 0xff, 6, 8, OP_LOAD | OP_READS_RM | OP_PUSH },
};

/* Legacy and VEX encodings of map 0F */
static const struct instruction_row map_0f[] = {
	{ 0x05, 0x05, ANY_REG, 0, OP_SYSTEM | OP_MICROCODE }, /* syscall */
	{ 0x0d, 0x0d, ANY_REG, 0, OP_LOAD | OP_PREFETCH },
	{ 0x10, 0x10, ANY_REG, WIDTH_SCALAR, OP_LOAD | OP_VECTOR },
	{ 0x11, 0x11, ANY_REG, WIDTH_SCALAR, OP_STORE | OP_VECTOR },
	{ 0x12, 0x12, ANY_REG, 8, OP_LOAD | OP_VECTOR },
	{ 0x13, 0x13, ANY_REG, 8, OP_STORE | OP_VECTOR },
	{ 0x14, 0x15, ANY_REG, WIDTH_VECTOR, OP_LOAD | OP_VECTOR },
	{ 0x16, 0x16, ANY_REG, 8, OP_LOAD | OP_VECTOR },
	{ 0x17, 0x17, ANY_REG, 8, OP_STORE | OP_VECTOR },
	{ 0x18, 0x18, 0, 0, OP_LOAD | OP_PREFETCH },
	{ 0x18, 0x18, 1, 0, OP_LOAD | OP_PREFETCH },
	{ 0x18, 0x18, 2, 0, OP_LOAD | OP_PREFETCH },
	{ 0x18, 0x18, 3, 0, OP_LOAD | OP_PREFETCH },
	{ 0x28, 0x28, ANY_REG, WIDTH_VECTOR, OP_LOAD | OP_VECTOR },
	{ 0x29, 0x29, ANY_REG, WIDTH_VECTOR, OP_STORE | OP_VECTOR },
	{ 0x2a, 0x2a, ANY_REG, WIDTH_WORD, OP_LOAD | OP_READS_RM },
	{ 0x2b, 0x2b, ANY_REG, WIDTH_VECTOR, OP_STORE | OP_VECTOR | OP_STREAMING },
	{ 0x2c, 0x2d, ANY_REG, WIDTH_SCALAR, OP_LOAD | OP_WRITES_REG },
	{ 0x2e, 0x2f, ANY_REG, WIDTH_HALF, OP_LOAD | OP_VECTOR },
	{ 0x31, 0x31, ANY_REG, 0, OP_WRITES_AX | OP_WRITES_DX | OP_MICROCODE }, /* rdtsc */
	{ 0x40, 0x4f, ANY_REG, WIDTH_OPERAND, RM_TO_REG | OP_READS_REG }, /* cmov */
	{ 0x50, 0x50, ANY_REG, 0, OP_WRITES_REG },
	{ 0x51, 0x5f, ANY_REG, WIDTH_SCALAR, OP_LOAD | OP_VECTOR },
	{ 0x60, 0x6d, ANY_REG, WIDTH_VECTOR, OP_LOAD | OP_VECTOR },
	{ 0x6e, 0x6e, ANY_REG, WIDTH_WORD, OP_LOAD | OP_READS_RM },
	{ 0x6f, 0x70, ANY_REG, WIDTH_VECTOR, OP_LOAD | OP_VECTOR },
	{ 0x74, 0x76, ANY_REG, WIDTH_VECTOR, OP_LOAD | OP_VECTOR },
	{ 0x7c, 0x7d, ANY_REG, WIDTH_VECTOR, OP_LOAD | OP_VECTOR },
	{ 0x7e, 0x7e, ANY_REG, WIDTH_WORD, OP_STORE | OP_WRITES_RM },
	{ 0x7f, 0x7f, ANY_REG, WIDTH_VECTOR, OP_STORE | OP_VECTOR },
	{ 0x80, 0x8f, ANY_REG, 0, OP_JUMP | OP_CONDITION },
	{ 0x90, 0x9f, ANY_REG, 1, OP_STORE | OP_WRITES_RM }, /* setcc */
	{ 0xa2, 0xa2, ANY_REG, 0,
	  OP_READS_AX | OP_READS_CX | OP_WRITES_AX | OP_WRITES_CX | OP_WRITES_DX | OP_MICROCODE },
	{ 0xa3, 0xa3, ANY_REG, WIDTH_OPERAND, OP_LOAD | OP_READS_RM | OP_READS_REG }, /* bt */
	{ 0xa4, 0xa4, ANY_REG, WIDTH_OPERAND, MODIFY_RM | OP_READS_REG },
	{ 0xa5, 0xa5, ANY_REG, WIDTH_OPERAND, MODIFY_RM | OP_READS_REG | OP_READS_CX },
	{ 0xab, 0xab, ANY_REG, WIDTH_OPERAND, MODIFY_RM | OP_READS_REG }, /* bts */
	{ 0xac, 0xac, ANY_REG, WIDTH_OPERAND, MODIFY_RM | OP_READS_REG },
	{ 0xad, 0xad, ANY_REG, WIDTH_OPERAND, MODIFY_RM | OP_READS_REG | OP_READS_CX },
	{ 0xae, 0xae, 0, 0, OP_STORE | OP_VECTOR | OP_MICROCODE }, /* fxsave */
	{ 0xae, 0xae, 1, 0, OP_LOAD | OP_VECTOR | OP_MICROCODE },
	{ 0xae, 0xae, 2, 4, OP_LOAD | OP_VECTOR },
	{ 0xae, 0xae, 3, 4, OP_STORE | OP_VECTOR },
	{ 0xae, 0xae, 4, 0, OP_STORE | OP_VECTOR | OP_MICROCODE }, /* xsave */
	{ 0xae, 0xae, 5, 0, OP_LOAD | OP_VECTOR | OP_MICROCODE },
	{ 0xaf, 0xaf, ANY_REG, WIDTH_OPERAND, RM_TO_REG | OP_READS_REG },
	{ 0xb0, 0xb0, ANY_REG, 1, MODIFY_RM | OP_READS_REG | OP_READS_AX | OP_WRITES_AX },
	{ 0xb1, 0xb1, ANY_REG, WIDTH_OPERAND,
	  MODIFY_RM | OP_READS_REG | OP_READS_AX | OP_WRITES_AX }, /* cmpxchg */
	{ 0xb3, 0xb3, ANY_REG, WIDTH_OPERAND, MODIFY_RM | OP_READS_REG },
	{ 0xb6, 0xb6, ANY_REG, 1, RM_TO_REG }, /* movzx */
	{ 0xb7, 0xb7, ANY_REG, 2, RM_TO_REG },
	{ 0xb8, 0xb8, ANY_REG, WIDTH_OPERAND, RM_TO_REG }, /* popcnt */
	{ 0xba, 0xba, 4, WIDTH_OPERAND, OP_LOAD | OP_READS_RM },
	{ 0xba, 0xba, ANY_REG, WIDTH_OPERAND, MODIFY_RM },
	{ 0xbb, 0xbb, ANY_REG, WIDTH_OPERAND, MODIFY_RM | OP_READS_REG },
	{ 0xbc, 0xbd, ANY_REG, WIDTH_OPERAND, RM_TO_REG },
	{ 0xbe, 0xbe, ANY_REG, 1, RM_TO_REG }, /* movsx */
	{ 0xbf, 0xbf, ANY_REG, 2, RM_TO_REG },
	{ 0xc0, 0xc0, ANY_REG, 1, MODIFY_RM | OP_READS_REG | OP_WRITES_REG },
	{ 0xc1, 0xc1, ANY_REG, WIDTH_OPERAND, MODIFY_RM | OP_READS_REG | OP_WRITES_REG }, /* xadd */
	{ 0xc2, 0xc2, ANY_REG, WIDTH_SCALAR, OP_LOAD | OP_VECTOR },
	{ 0xc3, 0xc3, ANY_REG, WIDTH_WORD, OP_STORE | OP_READS_REG | OP_STREAMING }, /* movnti */
	{ 0xc4, 0xc4, ANY_REG, 2, OP_LOAD | OP_READS_RM },
	{ 0xc5, 0xc5, ANY_REG, 0, OP_WRITES_REG },
	{ 0xc6, 0xc6, ANY_REG, WIDTH_VECTOR, OP_LOAD | OP_VECTOR },
	{ 0xc7, 0xc7, 1, 0, UPDATE | DIVIDES }, /* cmpxchg8b, cmpxchg16b: see instruction.c */
	{ 0xc8, 0xcf, ANY_REG, 0, OP_READS_LOW | OP_WRITES_LOW }, /* bswap */
	{ 0xd6, 0xd6, ANY_REG, 8, OP_STORE | OP_VECTOR },
	{ 0xd7, 0xd7, ANY_REG, 0, OP_WRITES_REG },
	{ 0xe7, 0xe7, ANY_REG, WIDTH_VECTOR, OP_STORE | OP_VECTOR | OP_STREAMING },
	{ 0xd0, 0xff, ANY_REG, WIDTH_VECTOR, OP_LOAD | OP_VECTOR },
};

static const struct instruction_row map_0f38[] = {
	{ 0xf0, 0xf0, ANY_REG, WIDTH_OPERAND, RM_TO_REG }, /* movbe, crc32 */
	{ 0xf1, 0xf1, ANY_REG, WIDTH_OPERAND, REG_TO_RM },
	{ 0xf5, 0xf7, ANY_REG, WIDTH_OPERAND, RM_TO_REG },
	{ 0x00, 0xdf, ANY_REG, WIDTH_VECTOR, OP_LOAD | OP_VECTOR },
};

static const struct instruction_row map_0f38_vex[] = {
	{ 0x18, 0x18, ANY_REG, 4, OP_LOAD | OP_VECTOR },  /* broadcasts */
	{ 0x19, 0x19, ANY_REG, 8, OP_LOAD | OP_VECTOR },
	{ 0x1a, 0x1a, ANY_REG, 16, OP_LOAD | OP_VECTOR },
	{ 0x58, 0x58, ANY_REG, 4, OP_LOAD | OP_VECTOR },
	{ 0x59, 0x59, ANY_REG, 8, OP_LOAD | OP_VECTOR },
	{ 0x5a, 0x5a, ANY_REG, 16, OP_LOAD | OP_VECTOR },
	{ 0x78, 0x78, ANY_REG, 1, OP_LOAD | OP_VECTOR },
	{ 0x79, 0x79, ANY_REG, 2, OP_LOAD | OP_VECTOR },
	{ 0x2e, 0x2f, ANY_REG, WIDTH_VECTOR, OP_STORE | OP_VECTOR }, /* masked moves */
	{ 0x8e, 0x8e, ANY_REG, WIDTH_VECTOR, OP_STORE | OP_VECTOR },
	/* Gathers have as many addresses as elements: none is told. */
	{ 0x90, 0x93, ANY_REG, 0, OP_LOAD | OP_VECTOR | OP_NO_ACCESS | OP_MICROCODE },
	{ 0xf2, 0xf7, ANY_REG, WIDTH_OPERAND, RM_TO_REG },
	{ 0x00, 0xdf, ANY_REG, WIDTH_VECTOR, OP_LOAD | OP_VECTOR },
};

static const struct instruction_row map_0f3a[] = {
	{ 0x14, 0x14, ANY_REG, 1, OP_STORE | OP_WRITES_RM }, /* pextrb, pextrw, pextrd */
	{ 0x15, 0x15, ANY_REG, 2, OP_STORE | OP_WRITES_RM },
	{ 0x16, 0x17, ANY_REG, WIDTH_WORD, OP_STORE | OP_WRITES_RM },
	{ 0x19, 0x19, ANY_REG, 16, OP_STORE | OP_VECTOR },
	{ 0x39, 0x39, ANY_REG, 16, OP_STORE | OP_VECTOR },
	{ 0x18, 0x18, ANY_REG, 16, OP_LOAD | OP_VECTOR },
	{ 0x38, 0x38, ANY_REG, 16, OP_LOAD | OP_VECTOR },
	{ 0xf0, 0xf0, ANY_REG, WIDTH_OPERAND, RM_TO_REG }, /* rorx */
	{ 0x00, 0xff, ANY_REG, WIDTH_VECTOR, OP_LOAD | OP_VECTOR },
};

/* F3 0F 7E is the other direction than 66 0F 7E: movq to a vector register */
static const struct instruction_row movq_load = { 0x7e, 0x7e, ANY_REG, 8, OP_LOAD | OP_VECTOR };
/* F2 0F 38 F1 is crc32, not movbe */
static const struct instruction_row crc32 = { 0xf1, 0xf1, ANY_REG, WIDTH_OPERAND,
					      RM_TO_REG | OP_READS_REG };

/* Where the rows of each opcode begin */
static const struct table {
	const struct instruction_row *rows;
	unsigned int count;
} tables[] = {
	{ one_byte, ARRAY_SIZE(one_byte) },
	{ map_0f, ARRAY_SIZE(map_0f) },
	{ map_0f38, ARRAY_SIZE(map_0f38) },
	{ map_0f3a, ARRAY_SIZE(map_0f3a) },
	{ map_0f38_vex, ARRAY_SIZE(map_0f38_vex) },
};
#define TABLE_0F38_VEX MAP_COUNT

static const struct instruction_row *starts[ARRAY_SIZE(tables)][256];

void instruction_table_start(void)
{
	unsigned int t, opcode, i;

	for (t = 0; t < ARRAY_SIZE(tables); t++)
		for (opcode = 0; opcode < 256; opcode++)
			for (i = tables[t].count; i-- > 0;)
				if (opcode >= tables[t].rows[i].first &&
				    opcode <= tables[t].rows[i].last)
					starts[t][opcode] = &tables[t].rows[i];
}

static const struct instruction_row *search(unsigned int t, u8 opcode, u8 reg)
{
	const struct instruction_row *row = starts[t][opcode];

	if (!row)
		return NULL;
	for (; row < tables[t].rows + tables[t].count; row++)
		if (opcode >= row->first && opcode <= row->last &&
		    (row->reg == ANY_REG || row->reg == reg))
			return row;
	return NULL;
}

const struct instruction_row *instruction_row(enum instruction_map map, bool vex, u8 prefix,
					      u8 opcode, u8 reg)
{
	if (map == MAP_0F && opcode == 0x7e && prefix == 0xf3)
		return &movq_load;
	if (map == MAP_0F38 && opcode == 0xf1 && prefix == 0xf2)
		return &crc32;
	return search(map == MAP_0F38 && vex ? TABLE_0F38_VEX : map, opcode, reg);
}
