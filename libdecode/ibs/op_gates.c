/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which gates hold in an op, and where its data came from. Most of it is looked
 * up (op_tables.c): kinds of ops follow each other at random, and a mispredicted
 * branch costs as much as all of this.
 */
#include "../sample/bytes.h"
#include "op.h"
#include "op_tables.h"

/* IbsOpMemWidth: 1 to 7 are 1 to 64 bytes; 0 and what is above them say nothing. */
#define WIDTHS 7u

#define ERRATA_GATES (DYNAMIC_GATE(ERRATUM_A) | DYNAMIC_GATE(ERRATUM_B))

static uint32_t errata_gates(const struct precis_ibs_context *context,
			     const struct precis_ibs_op *op)
{
	uint32_t gates = (uint32_t)ERRATA_GATES;

	for (unsigned int slot = 0; slot < ERRATUM_GATES; slot++) {
		const struct erratum_row *row = conditional_erratum(context, PRECIS_IBS_OP, slot);

		if (!row)
			break;
		if (erratum_holds(row, op_register(op, row->when.reg)))
			gates &= ~(1u << (DYNAMIC_ERRATUM_A + slot));
	}
	return gates;
}

/* What decides over most fields of an access: bits of IbsOpData3 */
static inline uint32_t access_gates(const struct precis_ibs_context *context, uint64_t data3)
{
	return context->low_gates[data3 & BYTE_BITS] |
	       context->high_gates[data3 >> HIGH_SHIFT & BYTE_BITS] |
	       GATE_IF(data3 & IBS_MASK(OPEN_MEM_REQS), OPEN_REQUESTS_KNOWN);
}

static inline uint32_t source_gates(const struct precis_ibs_context *context,
				    const struct precis_ibs_op *op, struct op_state *state)
{
	const uint32_t source = op_data_source(context, op->op_data2);

	state->level = context->level[IBS_SOURCES * level_state(op->op_data3) + source];
	return context->source_gates[source] | GATE_IF(state->level, LEVEL_KNOWN);
}

static inline uint32_t pipeline_gates(uint64_t data)
{
	return (uint32_t)IBS_BITS_OF(RIP_INVALID, ~data) << DYNAMIC_RIP_VALID |
	       GATE_IF(IBS_BITS_OF(TAG_TO_RET_CTR, data) >= IBS_BITS_OF(COMP_TO_RET_CTR, data),
		       COUNTERS_ORDERED);
}

static inline uint32_t other_gates(const struct precis_ibs_context *context,
				   const struct precis_ibs_op *op)
{
	return GATE_IF(IBS_BITS_OF(OP_MEM_WIDTH, op->op_data3) - 1 < WIDTHS, WIDTH_KNOWN) |
	       (uint32_t)IBS_BITS_OF(OP_BRN_RET, op->op_data) << DYNAMIC_BRANCH |
	       GATE_IF(op->captured == context->op_registers, CAPTURED) |
	       GATE_IF(op->dc_phys_ad, PHYS_NONZERO) | GATE_IF(op->br_target, TARGET_NONZERO);
}

uint32_t precis_op_gates(const struct precis_ibs_context *context, const struct precis_ibs_op *op,
			 struct op_state *state)
{
	return access_gates(context, op->op_data3) | source_gates(context, op, state) |
	       pipeline_gates(op->op_data) | other_gates(context, op) | errata_gates(context, op);
}

#define SOURCE_GATES                                                                               \
	(DYNAMIC_GATE(SOURCE_KNOWN) | DYNAMIC_GATE(SOURCE_CACHE) | DYNAMIC_GATE(LEVEL_KNOWN))
#define OTHER_GATES                                                                                \
	(DYNAMIC_GATE(WIDTH_KNOWN) | DYNAMIC_GATE(BRANCH) | DYNAMIC_GATE(CAPTURED) |               \
	 DYNAMIC_GATE(PHYS_NONZERO) | DYNAMIC_GATE(TARGET_NONZERO))

void precis_op_gates_of(const struct precis_ibs_context *context, const struct precis_ibs_op *ops,
			size_t count, uint32_t asked, struct op_state *states, uint32_t *gates)
{
	const int has_errata = conditional_erratum(context, PRECIS_IBS_OP, 0) != NULL;
	const uint32_t errata = (uint32_t)ERRATA_GATES;
	const uint32_t unasked = has_errata ? ~asked & ~errata : ~asked | errata;

	UNROLLED
	for (size_t n = 0; n < count; n++)
		gates[n] = unasked | access_gates(context, ops[n].op_data3) |
			   pipeline_gates(ops[n].op_data);
	for (size_t n = 0; n < count && asked & SOURCE_GATES; n++)
		gates[n] |= source_gates(context, &ops[n], &states[n]);
	for (size_t n = 0; n < count && asked & OTHER_GATES; n++)
		gates[n] |= other_gates(context, &ops[n]);
	for (size_t n = 0; n < count && has_errata; n++)
		gates[n] |= errata_gates(context, &ops[n]);
}
