/* SPDX-License-Identifier: BSD-3-Clause */
/* What a CPU's registers mean, worked out once: the inside of struct precis_ibs_context. */
#ifndef PRECIS_IBS_CONTEXT_H
#define PRECIS_IBS_CONTEXT_H

#include "../sample/abi.h"
#include "errata.h"

/* precis_ibs_context.flags: how this CPU's bits are to be read */
#define IBS_DTLB_PAGE_SIZE (1u << 0)  /* IbsOpData3[5:4] is DcPageSize */
#define IBS_PERIOD_EXTENDED (1u << 1) /* IbsOpCtl[26:20] belongs to the period */
#define IBS_REMOTE_SOCKET (1u << 2)   /* IbsOpData2[9] is RmtSocket */
#define IBS_PREFETCH_TOLD (1u << 3)   /* IbsOpData3[21] is SwPf */

/* Work everything out again for another capability word. */
void precis_ibs_context_learn(struct precis_ibs_context *context, uint32_t caps);

/* All samples of a recording have the same caps, unless they were tampered with. */
static inline void context_for(struct precis_ibs_context *context, uint32_t caps)
{
	if (caps != context->caps)
		precis_ibs_context_learn(context, caps);
}

/* Which fields of the first word can be there when these dynamic gates hold. */
static inline uint64_t context_allows(const struct precis_ibs_context *context,
				      enum precis_ibs_unit unit, uint32_t gates)
{
	const uint64_t(*allowed)[256] = context->allowed[unit];

	return allowed[0][gates & 255] & allowed[1][gates >> 8 & 255] &
	       allowed[2][gates >> 16 & 255] & allowed[3][gates >> 24];
}

/* Can the n-th of those beyond it? There are few, which are asked for one by one. */
static inline int context_allows_later(const struct precis_ibs_context *context,
				       enum precis_ibs_unit unit, uint32_t n, uint32_t gates)
{
	return !(context->later[unit][n].needs & ~gates);
}

static inline uint32_t context_later_fields(const struct precis_ibs_context *context,
					    enum precis_ibs_unit unit)
{
	return IBS_HAS_LATER_FIELDS ? context->later_fields[unit] : 0;
}

/* Add those of them that are wanted to a set. */
static inline void context_add_later(const struct precis_ibs_context *context,
				     enum precis_ibs_unit unit, uint32_t gates,
				     const uint64_t *wanted, uint64_t *present)
{
	for (uint32_t n = 0; n < context_later_fields(context, unit); n++) {
		const uint32_t field = context->later[unit][n].field;

		if (context_allows_later(context, unit, n, gates) &&
		    precis_fields_have(wanted, field))
			precis_fields_add(present, field);
	}
}

/* All of them as a set */
static inline void context_set_allowed(const struct precis_ibs_context *context,
				       enum precis_ibs_unit unit, uint32_t gates, uint64_t *present)
{
	present[0] = context_allows(context, unit, gates);
	for (uint32_t word = 1; word < PRECIS_FIELD_WORDS; word++)
		present[word] = 0;
	context_add_later(context, unit, gates, precis_all_fields, present);
}

/* Are IbsOpData3[20], [21] L2Miss and SwPf on this core? */
static inline int core_tells_l2_miss(uint32_t core)
{
	return (precis_static_gates[STATIC_OP_DATA3_EXT].cores >> core & 1) != 0;
}

/* The erratum behind gate A (slot 0) or B (slot 1) on this CPU; NULL: none, the gate holds. */
static inline const struct erratum_row *conditional_erratum(const struct precis_ibs_context *context,
							    enum precis_ibs_unit unit,
							    unsigned int slot)
{
	uint32_t number = context->conditional[unit][slot];

	return number ? &precis_errata[number - 1] : NULL;
}

#endif
