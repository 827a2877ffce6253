/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Branches of aarch64, by their encodings: also of those that the decoder does not know. Source: Arm
 * Architecture Reference Manual for A-profile (DDI 0487), C4.1, "Branches, Exception Generating and System
 * instructions".
 */
#ifndef LIBDECODE_CODE_AARCH64_BRANCHES_H
#define LIBDECODE_CODE_AARCH64_BRANCHES_H

#include <stdint.h>

#include "form.h"

#define AARCH64_BYTES 4u /* of each instruction */

/* Instructions are of little endian on every machine. */
static inline uint32_t aarch64_word(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

/* 'count' bits of the word from 'low' on, with their sign, in instructions */
static inline uint64_t aarch64_displacement(uint32_t word, unsigned int low, unsigned int count)
{
	const uint32_t above = 32 - low - count;

	return (uint64_t)((int64_t)((int32_t)(word << above) >> (32 - count)) *
			  (int64_t)AARCH64_BYTES);
}

static inline enum code_branch aarch64_register_branch(uint32_t word)
{
	/* With bit 24 the same with a pointer that is authenticated by a register */
	switch (word >> 21 & 7) {
	case 0:
		return CODE_BRANCH_INDIRECT_JUMP;
	case 1:
		return CODE_BRANCH_INDIRECT_CALL;
	case 2:
		return CODE_BRANCH_RETURN;
	case 4: /* ERET: where it goes is in another ring */
	case 5:
		return CODE_BRANCH_TRAP;
	default:
		return CODE_BRANCH_NONE;
	}
}

static inline enum code_branch aarch64_exception(uint32_t word)
{
	if ((word >> 21 & 7) == 0 && (word & 0x1f) >= 1 && (word & 0x1f) <= 3) /* SVC, HVC, SMC */
		return CODE_BRANCH_SYSTEM_CALL;
	return CODE_BRANCH_TRAP; /* BRK, HLT, DCPS */
}

/**
 * @param displacement  of a direct one: from its own address
 * @param is_direct     is it?
 */
static inline enum code_branch aarch64_branch_of(uint32_t word, uint64_t *displacement,
						 int *is_direct)
{
	*is_direct = 1;
	if ((word & 0x7c000000) == 0x14000000) { /* B, BL */
		*displacement = aarch64_displacement(word, 0, 26);
		return word >> 31 ? CODE_BRANCH_CALL : CODE_BRANCH_UNCONDITIONAL;
	}
	if ((word & 0x7e000000) == 0x34000000) { /* CBZ, CBNZ */
		*displacement = aarch64_displacement(word, 5, 19);
		return CODE_BRANCH_CONDITIONAL;
	}
	if ((word & 0x7e000000) == 0x36000000) { /* TBZ, TBNZ */
		*displacement = aarch64_displacement(word, 5, 14);
		return CODE_BRANCH_CONDITIONAL;
	}
	if ((word & 0xff000000) == 0x54000000) { /* B.cond, BC.cond; of AL and NV always */
		*displacement = aarch64_displacement(word, 5, 19);
		return (word & 0xe) == 0xe ? CODE_BRANCH_UNCONDITIONAL : CODE_BRANCH_CONDITIONAL;
	}
	*displacement = 0;
	*is_direct = 0;
	if ((word & 0xfe000000) == 0xd6000000)
		return aarch64_register_branch(word);
	if ((word & 0xff000000) == 0xd4000000)
		return aarch64_exception(word);
	return word >> 16 == 0 ? CODE_BRANCH_TRAP : CODE_BRANCH_NONE; /* UDF */
}

#endif
