/* SPDX-License-Identifier: BSD-3-Clause */
/* ibs_fetch: registers to the vendor-neutral sample. */
#include <precis/error.h>

#include "../sample/abi.h"
#include "decode.h"
#include "registers.h"

static unsigned int page_shift(const struct precis_ibs_context *context, uint64_t ctl)
{
	return context->fetch_page_shift[IBS_BITS_OF(L1_TLB_PG_SZ, ctl)];
}

static uint32_t fetch_gates(const struct precis_ibs_context *context,
			    const struct precis_ibs_fetch *fetch)
{
	uint64_t ctl = fetch->fetch_ctl;
	int phys = (ctl & FETCH_PHYS_VALID) != 0;
	uint32_t gates = context->waived;

	for (unsigned int slot = 0; slot < ERRATUM_GATES; slot++) {
		const struct erratum_row *row = conditional_erratum(context, PRECIS_IBS_FETCH, slot);

		gates |= gate_if(!row || !erratum_holds(row, fetch_register(fetch, row->when.reg)),
				 DYNAMIC_ERRATUM_A + slot);
	}
	gates |= GATE_IF(fetch->captured >> PRECIS_IBS_FETCH_CTL_EXTD & 1, EXTD_CAPTURED);
	gates |= GATE_IF(phys, PHYS_VALID);
	gates |= GATE_IF(fetch->fetch_phys_ad != 0, PHYS_NONZERO);
	gates |= GATE_IF(phys, STATUS);
	gates |= GATE_IF(ctl & FETCH_KILLED & ~context->unsound_fetch_ctl, NOT_KILLED);
	gates |= GATE_IF(ctl & FETCH_COMPLETED, COMPLETED);
	gates |= GATE_IF(ctl & FETCH_L1_TLB_MISS, L1_TLB_MISS);
	gates |= GATE_IF(page_shift(context, ctl), PAGE_SIZE_KNOWN);
	return gates;
}

static uint64_t fetch_value(const struct precis_ibs_context *context,
			    const struct precis_ibs_fetch *fetch, const struct ibs_source *source)
{
	uint64_t bits;

	if (source->transform == TRANSFORM_FETCH_UNIT)
		return PRECIS_PERIOD_UNIT_FETCHES;
	bits = source_bits(source, fetch_register(fetch, source->reg));
	switch ((enum ibs_transform)source->transform) {
	case TRANSFORM_FETCH_PERIOD:
		return bits << PERIOD_SHIFT;
	case TRANSFORM_TLB_LEVEL:
		return tlb_level(bits);
	case TRANSFORM_FETCH_PAGE_SIZE:
		return UINT64_C(1) << page_shift(context, fetch->fetch_ctl);
	default:
		return bits;
	}
}

int precis_ibs_fetch_present(struct precis_ibs_context *context,
			     const struct precis_ibs_fetch *fetch, uint64_t *present)
{
	ABI_IN(struct precis_ibs_fetch, fetch, precis_ibs_fetch_present(context, &abi, present));
	if (!context || !present)
		return PRECIS_E_ARGUMENT;
	context_for(context, fetch->caps);
	context_set_allowed(context, PRECIS_IBS_FETCH, fetch_gates(context, fetch), present);
	return 0;
}

/* Values of the fields that the sample is said to have, of a word of their set */
static inline void store(const struct precis_ibs_context *context,
			 const struct precis_ibs_fetch *fetch, uint32_t word, uint64_t present,
			 struct precis_sample *sample)
{
	for (; present; present &= present - 1) {
		const uint32_t field = 64 * word + (uint32_t)__builtin_ctzll(present);
		const struct ibs_source *source = &precis_ibs_sources[PRECIS_IBS_FETCH][field];

		sample->value[field] = fetch_value(context, fetch, source);
	}
}

int precis_ibs_fetch_decode(struct precis_ibs_context *context,
			    const struct precis_ibs_fetch *fetch, const uint64_t *wanted,
			    struct precis_sample *sample)
{
	uint64_t present;
	uint32_t gates;

	ABI_IN(struct precis_ibs_fetch, fetch,
	       precis_ibs_fetch_decode(context, &abi, wanted, sample));
	ABI_SAMPLE(sample, precis_ibs_fetch_decode(context, fetch, wanted, &abi));
	if (!context)
		return PRECIS_E_ARGUMENT;
	if (!wanted)
		wanted = precis_all_fields;
	context_for(context, fetch->caps);
	gates = fetch_gates(context, fetch);
	present = context_allows(context, PRECIS_IBS_FETCH, gates) & wanted[0];
	sample_restart(sample, present, wanted, context, gates);
	sample->source = PRECIS_SOURCE_IBS_FETCH;
	sample->event_kind = PRECIS_EVENT_IBS_FETCH;
	if (fetch != &sample->registers.ibs_fetch)
		sample->registers.ibs_fetch = *fetch;
	store(context, fetch, 0, present, sample);
	context_add_later(context, PRECIS_IBS_FETCH, gates, wanted, sample->present);
	for (uint32_t word = 1; IBS_HAS_LATER_FIELDS && word < FIELD_WORDS; word++)
		store(context, fetch, word, sample->present[word], sample);
	return 0;
}

int precis_ibs_fetch_columns(struct precis_ibs_context *context,
			     const struct precis_ibs_fetch *fetches, size_t count,
			     const uint32_t *fields, size_t field_count, uint64_t *const *columns,
			     uint64_t *const *present)
{
	struct precis_ibs_fetch copy;
	int error;

	if (!context || (count && !abi_is_size(fetches)) ||
	    (field_count && (!fields || !columns)) || !present || !present[0])
		return PRECIS_E_ARGUMENT;
	error = precis_ibs_check_columns(PRECIS_IBS_FETCH, fields, field_count, present);
	if (error)
		return error;
	for (size_t n = 0; n < count; n++) {
		const struct precis_ibs_fetch *fetch = abi_at(fetches, n, &copy, sizeof(copy));
		uint64_t has[PRECIS_FIELD_WORDS];

		context_for(context, fetch->caps);
		context_set_allowed(context, PRECIS_IBS_FETCH, fetch_gates(context, fetch), has);
		for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++) {
			if (present[word])
				present[word][n] = has[word];
		}
		for (size_t i = 0; i < field_count; i++) {
			const struct ibs_source *source =
				&precis_ibs_sources[PRECIS_IBS_FETCH][fields[i]];

			columns[i][n] = fetch_value(context, fetch, source) |
					absent_mask(has[PRECIS_FIELD_WORD(fields[i])], fields[i]);
		}
	}
	return 0;
}
