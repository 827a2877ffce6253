/* SPDX-License-Identifier: BSD-3-Clause */
/* See thread.h. */
#include "thread.h"

#include "libdecode/code/decoded.h"

static int is_from_thread(const ZydisDecodedOperand *operand)
{
	return operand->mem.segment == ZYDIS_REGISTER_FS &&
	       operand->mem.base == ZYDIS_REGISTER_NONE &&
	       operand->mem.index == ZYDIS_REGISTER_NONE && operand->mem.disp.has_displacement;
}

int operand_from_thread(const uint8_t *bytes, uint32_t count, int64_t *offset)
{
	struct decoded decoded;
	ZydisDecoder decoder;
	uint32_t accesses = 0, found = 0;

	if (!ZYAN_SUCCESS(
		    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) ||
	    !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, count, &decoded.instruction,
						 decoded.operands)) ||
	    decoded.instruction.address_width != 64)
		return 0;
	/* with the stack's, of push, it is not known which address was sampled */
	for (uint32_t n = 0; n < decoded.instruction.operand_count; n++) {
		if (!decoded_accesses(&decoded, &decoded.operands[n]))
			continue;
		accesses++;
		if (is_from_thread(&decoded.operands[n])) {
			*offset = decoded.operands[n].mem.disp.value;
			found++;
		}
	}
	return accesses == 1 && found == 1;
}
