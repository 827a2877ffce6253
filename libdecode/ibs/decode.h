/* SPDX-License-Identifier: BSD-3-Clause */
/* What the decoders of both units share. */
#ifndef PRECIS_IBS_DECODE_H
#define PRECIS_IBS_DECODE_H

#include <precis/sample.h>

#include "context.h"

static inline uint32_t gate_if(uint64_t holds, unsigned int gate)
{
	return (uint32_t)(holds != 0) << gate;
}

/* Bits 19:4 of a period are the low bits of its register. */
#define PERIOD_SHIFT 4

#define GATE_IF(holds, id) gate_if(holds, DYNAMIC_##id)

/* The row's own bits of a register; it must have some. */
static inline uint64_t source_bits(const struct ibs_source *source, uint64_t reg)
{
	return reg >> source->low & ~UINT64_C(0) >> (64 - source->width);
}

/*
 * What an absent field reads as, to be ored into its value; 0 for a present one. 'present': the field's
 * word of a set.
 */
static inline uint64_t absent_mask(uint64_t present, uint32_t field)
{
	return (present >> field % 64 & 1) - 1;
}

/* TLB miss bits {L1, L2} to enum precis_tlb_level: a miss in the L1 alone was an L2 hit. */
static inline uint64_t tlb_level(uint64_t misses)
{
	if (!(misses & 1))
		return PRECIS_TLB_LEVEL_L1;
	return misses & 2 ? PRECIS_TLB_LEVEL_WALK : PRECIS_TLB_LEVEL_L2;
}

/* Start a sample over: what it had and will not have now reads as absent. 'present': the first word */
static inline void sample_restart(struct precis_sample *sample, uint64_t present,
				  const uint64_t *wanted, const struct precis_ibs_context *context,
				  uint32_t gates)
{
	sample_forget(sample, 0, sample->present[0] & ~present);
	sample->present[0] = present;
	for (uint32_t word = 1; word < FIELD_WORDS; word++) {
		sample_forget(sample, word, sample->present[word]);
		sample->present[word] = 0;
	}
	for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++)
		sample->wanted[word] = wanted[word];
	sample->payload_error = 0;
	sample->gates = context->gates | gates;
	sample->cores = context->cores;
	sample->errata = context->errata;
}

#endif
