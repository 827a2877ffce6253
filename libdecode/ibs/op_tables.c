/* SPDX-License-Identifier: BSD-3-Clause */
/* What an op's bits mean on this CPU, worked out for all their combinations. */
#include "context.h"
#include "decode.h"
#include "op_tables.h"

_Static_assert(sizeof(((struct precis_ibs_context *)0)->level) == LEVEL_STATES * IBS_SOURCES,
	       "a level for each state and data source");

/* The inverse of level_state() */
static uint64_t data3_of(uint32_t state)
{
	return (state & 1 ? DATA3_LOAD : 0) | (state & 2 ? DATA3_DC_MISS : 0) |
	       (state & 4 ? DATA3_WRITE_COMBINING : 0) | (state & 8 ? DATA3_UNCACHEABLE : 0) |
	       (state & 16 ? DATA3_NO_MAB : 0) | (state & 32 ? DATA3_L2_MISS : 0) |
	       (state & 64 ? DATA3_PREFETCH : 0);
}

/* Bits of a register that errata forbid to believe, on a core in that state. */
static uint64_t bits_lost(uint32_t core, uint64_t data3, uint32_t reg)
{
	uint64_t lost = 0;

	for (uint32_t i = 0; i < PRECIS_IBS_ERRATA; i++) {
		const struct erratum_row *row = &precis_errata[i];

		if (row->core == core && row->unit == PRECIS_IBS_OP &&
		    row->effect == PRECIS_ERRATUM_LOSES &&
		    (row->condition == CONDITION_ALWAYS || row->when.reg == PRECIS_IBS_OP_DATA3) &&
		    erratum_holds(row, data3))
			lost |= erratum_lost(row, reg);
	}
	return lost;
}

/* What may be believed in a state of IbsOpData3 on a core. */
struct belief {
	uint64_t data3;
	int source, l2_miss;
};

static struct belief belief_of(uint32_t core, uint64_t data3)
{
	return (struct belief){
		.data3 = data3,
		.source = !(bits_lost(core, data3, PRECIS_IBS_OP_DATA2) & DATA2_SOURCE),
		.l2_miss = core_tells_l2_miss(core) &&
			   !(bits_lost(core, data3, PRECIS_IBS_OP_DATA3) & DATA3_L2_MISS),
	};
}

/*
 * The level that an op's data came from; 0 if the hardware does not tell. The
 * order of the questions is that of Linux perf_ibs_get_data_src().
 *
 * @param named  the level that the data source names
 */
static uint32_t level_of(const struct belief *belief, uint32_t source, uint32_t named)
{
	uint64_t data3 = belief->data3;

	if (data3 & DATA3_UNCACHEABLE) {
		if (!(data3 & DATA3_LOAD))
			return PRECIS_MEM_LEVEL_UNCACHED;
		if (!belief->source)
			return 0;
		return source == IBS_SOURCE_IO && (data3 & DATA3_DC_MISS) ?
			       PRECIS_MEM_LEVEL_IO :
			       PRECIS_MEM_LEVEL_UNCACHED;
	}
	if (!(data3 & DATA3_DC_MISS))
		return PRECIS_MEM_LEVEL_L1;
	if (belief->l2_miss && !(data3 & DATA3_L2_MISS))
		return PRECIS_MEM_LEVEL_L2;
	if ((data3 & DATA3_LOAD) && belief->source && named)
		return named;
	return data3 & DATA3_NO_MAB ? PRECIS_MEM_LEVEL_LFB : 0;
}

/* Add a core that the CPU can be: a level stays only if all of them agree on it. */
static void add_levels(struct precis_ibs_context *context, uint32_t core, int is_first)
{
	for (uint32_t state = 0; state < LEVEL_STATES; state++) {
		struct belief belief = belief_of(core, data3_of(state));

		for (uint32_t source = 0; source < IBS_SOURCES; source++) {
			uint8_t *at = &context->level[IBS_SOURCES * state + source];
			uint32_t level = level_of(
				&belief, source,
				precis_level_of_source(core, context->caps, source));

			*at = is_first || *at == level ? (uint8_t)level : 0;
		}
	}
}

void precis_op_make_levels(struct precis_ibs_context *context)
{
	for (uint32_t left = context->cores; left; left &= left - 1)
		add_levels(context, (uint32_t)__builtin_ctz(left), left == context->cores);
}

/* Gates that the low byte of IbsOpData3 decides: kind of access, TLBs, cache miss. */
static uint32_t low_gates(const struct precis_ibs_context *context, uint32_t low)
{
	uint32_t memory = low & (DATA3_LOAD | DATA3_STORE);
	uint32_t misses = IBS_SPAN_OF(DC_L1_TLB_MISS, DC_L2_TLB_MISS, low);
	uint32_t page = IBS_BITS_OF(DC_PAGE_SIZE, low);

	return GATE_IF(memory, MEMORY) | GATE_IF(low & DATA3_LOAD, LOAD) |
	       GATE_IF(low & DATA3_STORE, STORE) | GATE_IF(low & DATA3_L1_TLB_MISS, L1_TLB_MISS) |
	       GATE_IF((context->flags & IBS_DTLB_PAGE_SIZE ? page : misses) != 3,
		       PAGE_SIZE_KNOWN) |
	       GATE_IF(low & DATA3_DC_MISS, DC_MISS) | GATE_IF(!memory, KIND_KNOWN);
}

/* Gates that the byte above IbsOpData3[14] decides: addresses, L2 miss, prefetch. */
static uint32_t high_gates(uint32_t high)
{
	uint64_t data3 = (uint64_t)high << HIGH_SHIFT;
	int lin = (data3 & DATA3_LIN_VALID) != 0, phys = (data3 & DATA3_PHYS_VALID) != 0;

	return GATE_IF(!(data3 & DATA3_UNCACHEABLE), CACHED) | GATE_IF(lin, LIN_VALID) |
	       GATE_IF(lin, PHYS_HAS_LIN) | GATE_IF(phys, PHYS_VALID) | GATE_IF(phys, DTLB_STATUS) |
	       GATE_IF(phys, REFILL_STATUS) | GATE_IF(data3 & DATA3_L2_MISS, L2_MISS) |
	       GATE_IF(!(data3 & DATA3_PREFETCH), NOT_PREFETCH) |
	       GATE_IF(!(data3 & DATA3_PREFETCH), KIND_KNOWN);
}

static uint32_t source_gates(uint32_t cache_sources, uint32_t source)
{
	return GATE_IF(source && source != IBS_SOURCE_IO, SOURCE_KNOWN) |
	       GATE_IF(cache_sources >> source & 1, SOURCE_CACHE);
}

void precis_op_make_gates(struct precis_ibs_context *context)
{
	uint32_t cache_sources = precis_cache_sources(context->caps);

	for (uint32_t byte = 0; byte < 256; byte++) {
		context->low_gates[byte] = low_gates(context, byte) | context->waived;
		context->high_gates[byte] = high_gates(byte);
	}
	for (uint32_t source = 0; source < IBS_SOURCES; source++)
		context->source_gates[source] = source_gates(cache_sources, source);
}
