/* SPDX-License-Identifier: BSD-3-Clause */
/* Which gates hold in an op, and where its data came from. */
#include "op.h"

/*
 * The level that the op's data came from; 0 if the hardware does not tell.
 * 'lost' bits are those that an erratum forbids to believe. The order, last
 * question first, is that of Linux perf_ibs_get_data_src(); written without
 * branches, which random samples would mispredict.
 */
static unsigned int op_level(const struct precis_ibs_context *context, uint32_t source,
			     uint64_t data3, uint64_t lost_data2, uint64_t lost_data3)
{
	int source_told = (data3 & DATA3_LOAD) && !(lost_data2 & DATA2_SOURCE);
	int l2_hit = (context->flags & IBS_L2_MISS_TOLD) &&
		     !((data3 | lost_data3) & DATA3_L2_MISS);
	unsigned int by_source = source_told ? context->level_of_source[source] : 0;
	unsigned int uncached = source_told && source == IBS_SOURCE_IO ? PRECIS_MEM_LEVEL_IO :
									 PRECIS_MEM_LEVEL_UNCACHED;
	unsigned int level = data3 & DATA3_NO_MAB ? PRECIS_MEM_LEVEL_LFB : 0;

	level = by_source ? by_source : level;
	level = l2_hit ? PRECIS_MEM_LEVEL_L2 : level;
	level = data3 & DATA3_DC_MISS ? level : PRECIS_MEM_LEVEL_L1;
	return data3 & DATA3_UNCACHEABLE ? uncached : level;
}

static int page_size_known(const struct precis_ibs_context *context, uint64_t data3)
{
	if (context->flags & IBS_DTLB_PAGE_SIZE)
		return (data3 >> 4 & 3) != 3;
	return (data3 & (DATA3_L1_TLB_MISS | DATA3_L2_TLB_MISS)) !=
	       (DATA3_L1_TLB_MISS | DATA3_L2_TLB_MISS);
}

/* The gates of an op that accesses memory, but for those that every op has. */
static uint32_t memory_gates(const struct precis_ibs_context *context,
			     const struct precis_ibs_op *op, struct op_state *state)
{
	uint64_t data2 = op->op_data2, data3 = op->op_data3;
	uint32_t source = op_data_source(context, data2), gates;
	uint32_t width = data3 >> 22 & 15;
	int load = (data3 & DATA3_LOAD) != 0;
	int lin = (data3 & DATA3_LIN_VALID) != 0, phys = (data3 & DATA3_PHYS_VALID) != 0;
	int io = load && source == IBS_SOURCE_IO;

	state->level = op_level(context, source, data3, state->lost_data2, state->lost_data3);
	gates = GATE_IF(1, MEMORY);
	gates |= GATE_IF(load, LOAD);
	gates |= GATE_IF(data3 & DATA3_STORE, STORE);
	gates |= GATE_IF(lin, LIN_VALID);
	gates |= GATE_IF(phys, PHYS_VALID);
	gates |= GATE_IF(lin || !(context->flags & IBS_PHYS_NEEDS_LIN), PHYS_HAS_LIN);
	gates |= GATE_IF(op->dc_phys_ad != 0, PHYS_NONZERO);
	gates |= GATE_IF(phys || !(context->flags & IBS_DTLB_PAGE_SIZE), DTLB_STATUS);
	gates |= GATE_IF(phys || !(context->flags & IBS_REFILL_NEEDS_PHYS), REFILL_STATUS);
	gates |= GATE_IF(!(context->flags & IBS_L2_MISS_TOLD) || !(data3 & DATA3_PREFETCH),
			 NOT_PREFETCH);
	gates |= GATE_IF(!(data3 & DATA3_UNCACHEABLE) || io, CACHED);
	gates |= GATE_IF(data3 & DATA3_DC_MISS, DC_MISS);
	gates |= GATE_IF(!(context->flags & IBS_L2_MISS_TOLD) || (data3 & DATA3_L2_MISS), L2_MISS);
	gates |= GATE_IF(data3 & DATA3_L1_TLB_MISS, L1_TLB_MISS);
	gates |= GATE_IF(source != 0, SOURCE_KNOWN);
	gates |= GATE_IF(context->cache_sources >> source & 1, SOURCE_CACHE);
	gates |= GATE_IF(state->level != 0, LEVEL_KNOWN);
	gates |= GATE_IF(page_size_known(context, data3), PAGE_SIZE_KNOWN);
	gates |= GATE_IF(width >= 1 && width <= 7, WIDTH_KNOWN);
	gates |= GATE_IF(data3 >> 26 & 63, OPEN_REQUESTS_KNOWN);
	return gates;
}

static uint32_t errata_gates(const struct precis_ibs_context *context,
			     const struct precis_ibs_op *op, struct op_state *state)
{
	uint32_t gates = GATE_IF(1, ERRATUM_A) | GATE_IF(1, ERRATUM_B);

	state->lost_data2 = 0;
	state->lost_data3 = 0;
	for (unsigned int slot = 0; slot < 2; slot++) {
		if (!context->erratum[PRECIS_IBS_OP][slot].used)
			break;
		if (!erratum_strikes(context, PRECIS_IBS_OP, slot,
				     op_register(op, context->erratum[PRECIS_IBS_OP][slot].reg)))
			continue;
		gates &= ~(1u << (DYNAMIC_ERRATUM_A + slot));
		state->lost_data2 |= context->erratum[PRECIS_IBS_OP][slot].lost_op_data2;
		state->lost_data3 |= context->erratum[PRECIS_IBS_OP][slot].lost_op_data3;
	}
	return gates;
}

uint32_t precis_op_gates(const struct precis_ibs_context *context, const struct precis_ibs_op *op,
			 struct op_state *state)
{
	uint64_t data = op->op_data;
	uint32_t gates = errata_gates(context, op, state);

	state->level = 0;
	gates |= GATE_IF(data >> 37 & 1, BRANCH);
	gates |= GATE_IF(!(context->flags & IBS_RIP_CHECKED) || !(data >> 38 & 1), RIP_VALID);
	gates |= GATE_IF(op->captured >> PRECIS_IBS_BR_TARGET & 1, TARGET_CAPTURED);
	gates |= GATE_IF(op->captured >> PRECIS_IBS_OP_DATA4 & 1, DATA4_CAPTURED);
	gates |= GATE_IF((data >> 16 & 0xffff) >= (data & 0xffff), COUNTERS_ORDERED);
	gates |= GATE_IF(op->br_target != 0, TARGET_NONZERO);
	if (op->op_data3 & (DATA3_LOAD | DATA3_STORE))
		gates |= memory_gates(context, op, state);
	return gates;
}
