/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which gates hold in an op, and where its data came from. Most of it is looked
 * up (op_tables.c): kinds of ops follow each other at random, and a mispredicted
 * branch costs as much as all of this.
 */
#include "op.h"
#include "op_tables.h"

/* IbsOpMemWidth: 1 to 7 are 1 to 64 bytes; 0 and what is above them say nothing. */
#define WIDTHS 7u

static uint32_t errata_gates(const struct precis_ibs_context *context,
			     const struct precis_ibs_op *op)
{
	uint32_t gates = GATE_IF(1, ERRATUM_A) | GATE_IF(1, ERRATUM_B);

	for (unsigned int slot = 0; slot < ERRATUM_GATES; slot++) {
		const struct erratum_row *row = conditional_erratum(context, PRECIS_IBS_OP, slot);

		if (!row)
			break;
		if (erratum_holds(row, op_register(op, row->when.reg)))
			gates &= ~(1u << (DYNAMIC_ERRATUM_A + slot));
	}
	return gates;
}

uint32_t precis_op_gates(const struct precis_ibs_context *context, const struct precis_ibs_op *op,
			 struct op_state *state)
{
	uint64_t data = op->op_data, data3 = op->op_data3;
	uint32_t source = op_data_source(context, op->op_data2), gates;

	state->level = context->level[IBS_SOURCES * level_state(data3) + source];
	gates = context->low_gates[data3 & BYTE_BITS] |
		context->high_gates[data3 >> HIGH_SHIFT & BYTE_BITS] |
		context->source_gates[source] | errata_gates(context, op);
	gates |= GATE_IF(state->level, LEVEL_KNOWN);
	gates |= GATE_IF(IBS_BITS_OF(OP_MEM_WIDTH, data3) - 1 < WIDTHS, WIDTH_KNOWN);
	gates |= GATE_IF(data3 & IBS_MASK(OPEN_MEM_REQS), OPEN_REQUESTS_KNOWN);
	gates |= (uint32_t)IBS_BITS_OF(OP_BRN_RET, data) << DYNAMIC_BRANCH;
	gates |= (uint32_t)IBS_BITS_OF(RIP_INVALID, ~data) << DYNAMIC_RIP_VALID;
	gates |= GATE_IF(IBS_BITS_OF(TAG_TO_RET_CTR, data) >= IBS_BITS_OF(COMP_TO_RET_CTR, data),
			 COUNTERS_ORDERED);
	gates |= GATE_IF(op->captured == context->op_registers, CAPTURED);
	gates |= GATE_IF(op->dc_phys_ad, PHYS_NONZERO);
	gates |= GATE_IF(op->br_target, TARGET_NONZERO);
	return gates;
}
