/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a CPU and its capability word decide, worked out once.
 *
 * Whether a field is present depends on which of 32 gates hold in a sample.
 * The tables made here answer that for eight gates at a time: four look-ups
 * and three ands for all fields of a set's first word at once. Those beyond it,
 * of which there are few or none, are a list.
 */
#include <string.h>

#include <precis/error.h>

#include "../sample/abi.h"
#include "context.h"
#include "op_tables.h"

ABI_FIXED(struct precis_ibs_context, 32768);

/* IbsL1TlbPgSz as powers of two; 0: reserved. Family 17h uses 3 for coalesced 16K pages. */
#define CORES_WITH_16K_FETCH_PAGES (CORES_FAMILY_17H | CORE(HYGON))
static const uint8_t page_shifts[4] = { 12, 21, 30, 0 };
static const uint8_t page_shifts_17h[4] = { 12, 21, 30, 14 };

static const uint8_t *page_shifts_of(uint32_t core)
{
	for (uint32_t i = 0; i < PRECIS_IBS_ERRATA; i++) {
		const struct erratum_row *row = &precis_errata[i];

		if (row->core == core && row->effect == PRECIS_ERRATUM_REENCODES)
			return row->page_shifts;
	}
	return CORES_WITH_16K_FETCH_PAGES >> core & 1 ? page_shifts_17h : page_shifts;
}

/* Where the candidates disagree, only what all of them mean stays. */
static void choose_page_shifts(struct precis_ibs_context *context)
{
	memcpy(context->fetch_page_shift, page_shifts, sizeof(context->fetch_page_shift));
	for (uint32_t left = context->cores; left; left &= left - 1) {
		const uint8_t *shifts = page_shifts_of((uint32_t)__builtin_ctz(left));

		for (unsigned int n = 0; n < 4; n++) {
			if (left == context->cores)
				context->fetch_page_shift[n] = shifts[n];
			else if (context->fetch_page_shift[n] != shifts[n])
				context->fetch_page_shift[n] = 0;
		}
	}
}

static void choose_tables(struct precis_ibs_context *context)
{
	context->source_high_bits =
		context->caps & PRECIS_IBS_CAPS_ZEN4_EXT ?
			(uint32_t)(IBS_MASK(DATA_SRC_HI) >> IBS_LOW_DATA_SRC_HI) :
			0;
	precis_op_make_levels(context);
	precis_op_make_gates(context);
	choose_page_shifts(context);
}

static uint32_t choose_flags(const struct precis_ibs_context *context)
{
	uint32_t flags = 0;

	if (context->caps & PRECIS_IBS_CAPS_DTLB_PAGE_SIZE)
		flags |= IBS_DTLB_PAGE_SIZE;
	if (context->caps & PRECIS_IBS_CAPS_OP_CNT_EXT)
		flags |= IBS_PERIOD_EXTENDED;
	if (context->caps & PRECIS_IBS_CAPS_STRM_ST_RMT_SOCKET)
		flags |= IBS_REMOTE_SOCKET;
	if (context->gates & STATIC_GATE(OP_DATA3_EXT))
		flags |= IBS_PREFETCH_TOLD;
	return flags;
}

/* Gates that this CPU does not ask for: they hold in every sample. */
static uint32_t choose_waived(const struct precis_ibs_context *context)
{
	uint64_t waived = 0;

	if (!(context->caps & PRECIS_IBS_CAPS_ZEN4_EXT))
		waived |= DYNAMIC_GATE(PHYS_HAS_LIN) | DYNAMIC_GATE(REFILL_STATUS);
	if (!(context->caps & PRECIS_IBS_CAPS_DTLB_PAGE_SIZE))
		waived |= DYNAMIC_GATE(DTLB_STATUS);
	if (!(context->caps & PRECIS_IBS_CAPS_RIP_INVALID_CHK))
		waived |= DYNAMIC_GATE(RIP_VALID);
	/* Where only some of the candidates have the bits, both readings must allow a field. */
	if (!(context->cores & precis_static_gates[STATIC_OP_DATA3_EXT].cores))
		waived |= DYNAMIC_GATE(L2_MISS) | DYNAMIC_GATE(NOT_PREFETCH);
	if (!(context->cores & precis_static_gates[STATIC_OP_DATA3_EXT].cores) ||
	    (context->flags & IBS_PREFETCH_TOLD))
		waived |= DYNAMIC_GATE(KIND_KNOWN);
	if (!(context->cores & CORE(ZEN6)))
		waived |= DYNAMIC_GATE(STATUS);
	return (uint32_t)waived;
}

/* What an erratum adds to the needs of the fields that it takes */
static uint64_t need_of(struct precis_ibs_context *context, enum precis_ibs_unit unit, uint32_t n,
			unsigned int *used)
{
	const struct erratum_row *row = &precis_errata[n];
	unsigned int gate = erratum_gate(row, used);

	if (gate == ERRATUM_UNGATED) {
		if (row->condition == CONDITION_ALWAYS && unit == PRECIS_IBS_FETCH)
			context->unsound_fetch_ctl |= erratum_lost(row, PRECIS_IBS_FETCH_CTL);
		return ~UINT64_C(0);
	}
	context->conditional[unit][gate] = n + 1;
	return DYNAMIC_GATE(ERRATUM_A) << gate;
}

/* What must hold for each field; ~0: it is never there. */
static void collect_needs(struct precis_ibs_context *context, enum precis_ibs_unit unit,
			  uint64_t needs[PRECIS_FIELD_COUNT])
{
	unsigned int used = 0;

	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
		needs[field] = ibs_has(unit, field) ? precis_ibs_sources[unit][field].gates :
						      ~UINT64_C(0);
	for (uint32_t i = 0; i < PRECIS_IBS_ERRATA; i++) {
		uint64_t need;

		if (!erratum_loses(context->errata, i, unit))
			continue;
		need = need_of(context, unit, i, &used);
		for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
			if (precis_erratum_takes(&precis_errata[i], unit, field) &&
			    !precis_weighs_itself(&precis_ibs_sources[unit][field]))
				needs[field] |= need;
		}
	}
}

/* Is it one that this CPU never has? */
static int is_impossible(const struct precis_ibs_context *context, uint64_t needs)
{
	return (needs & ~DYNAMIC_GATES & ~context->gates) != 0;
}

static void list_later(struct precis_ibs_context *context, enum precis_ibs_unit unit,
		       const uint64_t needs[PRECIS_FIELD_COUNT])
{
	uint32_t count = 0;

	for (uint32_t field = 64; field < PRECIS_FIELD_COUNT; field++) {
		if (is_impossible(context, needs[field]))
			continue;
		context->later[unit][count].field = field;
		context->later[unit][count++].needs = (uint32_t)(needs[field] & DYNAMIC_GATES);
	}
	context->later_fields[unit] = count;
}

static void make_tables(struct precis_ibs_context *context, enum precis_ibs_unit unit)
{
	uint64_t needs[PRECIS_FIELD_COUNT], possible = 0, lost[DYNAMIC_COUNT] = { 0 };

	collect_needs(context, unit, needs);
	list_later(context, unit, needs);
	for (uint32_t field = 0; field < 64; field++) {
		if (is_impossible(context, needs[field]))
			continue;
		possible |= UINT64_C(1) << field;
		for (unsigned int gate = 0; gate < DYNAMIC_COUNT; gate++) {
			if (needs[field] & (UINT64_C(1) << gate))
				lost[gate] |= UINT64_C(1) << field;
		}
	}
	for (unsigned int table = 0; table < 4; table++) {
		uint64_t *allowed = context->allowed[unit][table];

		allowed[255] = possible;
		for (unsigned int held = 255; held-- > 0;) {
			unsigned int gate = 0;

			while (held & (1u << gate))
				gate++;
			allowed[held] = allowed[held | (1u << gate)];
			if (8 * table + gate < DYNAMIC_COUNT)
				allowed[held] &= ~lost[8 * table + gate];
		}
	}
}

/* The registers that an op payload with these caps has. */
static uint32_t op_registers_of(uint32_t caps)
{
	uint32_t registers = (1u << PRECIS_IBS_BR_TARGET) - 1;

	if (caps & PRECIS_IBS_CAPS_BRN_TRGT)
		registers |= 1u << PRECIS_IBS_BR_TARGET;
	if (caps & PRECIS_IBS_CAPS_OP_DATA4)
		registers |= 1u << PRECIS_IBS_OP_DATA4;
	return registers;
}

/* What is known of the CPU without tables. */
static void identify(struct precis_ibs_context *context, uint32_t caps)
{
	context->caps = caps;
	context->cores = precis_amd_cores_of(&context->cpu, caps);
	/* a CPU that cannot have IBS, and yet here is a payload: somebody is wrong about the CPU */
	if (!context->cores)
		context->cores = precis_amd_cores_of(NULL, caps);
	context->errata = precis_errata_of(context->cores);
}

void precis_ibs_context_learn(struct precis_ibs_context *context, uint32_t caps)
{
	identify(context, caps);
	context->gates = precis_static_gates_held(context->cores, caps);
	context->flags = choose_flags(context);
	context->waived = choose_waived(context);
	context->op_registers = op_registers_of(caps);
	context->unsound_fetch_ctl = 0;
	memset(context->conditional, 0, sizeof(context->conditional));
	choose_tables(context);
	make_tables(context, PRECIS_IBS_OP);
	make_tables(context, PRECIS_IBS_FETCH);
}

int precis_ibs_context_init(struct precis_ibs_context *context, const struct precis_cpu *cpu)
{
	ABI_MAY_IN(struct precis_cpu, cpu, precis_ibs_context_init(context, &abi));
	if (!context)
		return PRECIS_E_ARGUMENT;
	memset(context, 0, sizeof(*context));
	context->size = sizeof(*context);
	context->cpu.size = sizeof(context->cpu);
	if (cpu)
		context->cpu = *cpu;
	/* The tables wait for the first payload: without caps there is no IBS field. */
	identify(context, 0);
	return 0;
}
