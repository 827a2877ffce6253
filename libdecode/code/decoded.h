/* SPDX-License-Identifier: BSD-3-Clause */
/* An instruction as Zydis has it, and which of its operands are data in memory. */
#ifndef LIBDECODE_CODE_DECODED_H
#define LIBDECODE_CODE_DECODED_H

#include <Zydis/Zydis.h>

struct decoded {
	ZydisDecodedInstruction instruction;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

/* What is addressed and not accessed, as by lea, or need not be, as by prefetch and nop, is no data. */
static inline int decoded_accesses(const struct decoded *decoded, const ZydisDecodedOperand *operand)
{
	switch (decoded->instruction.meta.category) {
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_PREFETCH:
	case ZYDIS_CATEGORY_PREFETCHWT1:
		return 0;
	default:
		return operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
		       operand->mem.type != ZYDIS_MEMOP_TYPE_AGEN;
	}
}

#endif
