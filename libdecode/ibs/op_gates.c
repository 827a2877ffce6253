/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which gates hold in an op, and where its data came from.
 *
 * Without branches where samples decide: kinds of ops follow each other at
 * random, and a mispredicted branch costs as much as all of this together.
 */
#include "op.h"

/* The bits of IbsOpData3 that decide over the level, moved together: 0 to 31 */
#define LEVEL_STATES 32u
_Static_assert(sizeof(((struct precis_ibs_context *)0)->level) == LEVEL_STATES * 32,
	       "a level for each state and data source");

static inline uint32_t level_state(uint64_t data3)
{
	return (uint32_t)((data3 & 1) | (data3 >> 6 & 2) | (data3 >> 14 & 4) | (data3 >> 11 & 8) |
			  (data3 >> 16 & 16));
}

/* The inverse of level_state() */
static uint64_t data3_of(uint32_t state)
{
	return (state & 1 ? DATA3_LOAD : 0) | (state & 2 ? DATA3_DC_MISS : 0) |
	       (state & 4 ? DATA3_NO_MAB : 0) | (state & 8 ? DATA3_UNCACHEABLE : 0) |
	       (state & 16 ? DATA3_L2_MISS : 0);
}

/*
 * The level that an op's data came from; 0 if the hardware does not tell.
 * 'lost' bits are those that an erratum forbids to believe. The order of the
 * questions is that of Linux perf_ibs_get_data_src().
 */
static unsigned int op_level(const struct precis_ibs_context *context, uint32_t source,
			     uint64_t data3, uint64_t lost_data2, uint64_t lost_data3)
{
	int source_told = (data3 & DATA3_LOAD) && !(lost_data2 & DATA2_SOURCE);

	if (data3 & DATA3_UNCACHEABLE)
		return source_told && source == IBS_SOURCE_IO ? PRECIS_MEM_LEVEL_IO :
								PRECIS_MEM_LEVEL_UNCACHED;
	if (!(data3 & DATA3_DC_MISS))
		return PRECIS_MEM_LEVEL_L1;
	if ((context->flags & IBS_L2_MISS_TOLD) && !((data3 | lost_data3) & DATA3_L2_MISS))
		return PRECIS_MEM_LEVEL_L2;
	if (source_told && context->level_of_source[source])
		return context->level_of_source[source];
	return data3 & DATA3_NO_MAB ? PRECIS_MEM_LEVEL_LFB : 0;
}

void precis_op_make_levels(struct precis_ibs_context *context)
{
	for (uint32_t state = 0; state < LEVEL_STATES; state++) {
		for (uint32_t source = 0; source < 32; source++)
			context->level[32 * state + source] =
				(uint8_t)op_level(context, source, data3_of(state), 0, 0);
	}
}

static inline uint32_t page_size_known(const struct precis_ibs_context *context, uint64_t data3)
{
	uint32_t misses = data3 >> 2 & 3, page = data3 >> 4 & 3;

	return (context->flags & IBS_DTLB_PAGE_SIZE ? page : misses) != 3;
}

/* The conditional errata of this CPU: their gates, and the level if they touch it. */
static uint32_t errata_gates(const struct precis_ibs_context *context,
			     const struct precis_ibs_op *op, uint32_t source,
			     struct op_state *state)
{
	uint32_t gates = GATE_IF(1, ERRATUM_A) | GATE_IF(1, ERRATUM_B);
	uint64_t lost_data2 = 0, lost_data3 = 0;

	for (unsigned int slot = 0; slot < 2; slot++) {
		if (!context->erratum[PRECIS_IBS_OP][slot].used)
			break;
		if (!erratum_strikes(context, PRECIS_IBS_OP, slot,
				     op_register(op, context->erratum[PRECIS_IBS_OP][slot].reg)))
			continue;
		gates &= ~(1u << (DYNAMIC_ERRATUM_A + slot));
		lost_data2 |= context->erratum[PRECIS_IBS_OP][slot].lost_op_data2;
		lost_data3 |= context->erratum[PRECIS_IBS_OP][slot].lost_op_data3;
	}
	if (lost_data2 | lost_data3)
		state->level = op_level(context, source, op->op_data3, lost_data2, lost_data3);
	return gates;
}

uint32_t precis_op_gates(const struct precis_ibs_context *context, const struct precis_ibs_op *op,
			 struct op_state *state)
{
	uint64_t data = op->op_data, data2 = op->op_data2, data3 = op->op_data3;
	uint32_t source = op_data_source(context, data2), gates;
	uint32_t load = data3 & 1, store = data3 >> 1 & 1, lin = data3 >> 17 & 1,
		 phys = data3 >> 18 & 1, uncacheable = data3 >> 14 & 1;

	state->level = context->level[32 * level_state(data3) + source];
	gates = errata_gates(context, op, source, state) | context->waived;
	gates |= (load | store) << DYNAMIC_MEMORY;
	gates |= load << DYNAMIC_LOAD;
	gates |= store << DYNAMIC_STORE;
	gates |= (uint32_t)(data >> 37 & 1) << DYNAMIC_BRANCH;
	gates |= (uint32_t)(~data >> 38 & 1) << DYNAMIC_RIP_VALID;
	gates |= (op->captured >> PRECIS_IBS_BR_TARGET & 1) << DYNAMIC_TARGET_CAPTURED;
	gates |= (op->captured >> PRECIS_IBS_OP_DATA4 & 1) << DYNAMIC_DATA4_CAPTURED;
	gates |= lin << DYNAMIC_LIN_VALID;
	gates |= phys << DYNAMIC_PHYS_VALID;
	gates |= lin << DYNAMIC_PHYS_HAS_LIN;
	gates |= GATE_IF(op->dc_phys_ad, PHYS_NONZERO);
	gates |= phys << DYNAMIC_DTLB_STATUS;
	gates |= phys << DYNAMIC_REFILL_STATUS;
	gates |= (uint32_t)(~data3 >> 21 & 1) << DYNAMIC_NOT_PREFETCH;
	gates |= ((uncacheable ^ 1) | (load & (source == IBS_SOURCE_IO))) << DYNAMIC_CACHED;
	gates |= (uint32_t)(data3 >> 7 & 1) << DYNAMIC_DC_MISS;
	gates |= (uint32_t)(data3 >> 20 & 1) << DYNAMIC_L2_MISS;
	gates |= (uint32_t)(data3 >> 2 & 1) << DYNAMIC_L1_TLB_MISS;
	gates |= GATE_IF(source, SOURCE_KNOWN);
	gates |= (context->cache_sources >> source & 1) << DYNAMIC_SOURCE_CACHE;
	gates |= GATE_IF(state->level, LEVEL_KNOWN);
	gates |= page_size_known(context, data3) << DYNAMIC_PAGE_SIZE_KNOWN;
	gates |= GATE_IF((data3 >> 22 & 15) - 1 < 7, WIDTH_KNOWN);
	gates |= GATE_IF(data3 >> 26 & 63, OPEN_REQUESTS_KNOWN);
	gates |= GATE_IF((data >> 16 & 0xffff) >= (data & 0xffff), COUNTERS_ORDERED);
	gates |= GATE_IF(op->br_target, TARGET_NONZERO);
	return gates;
}
