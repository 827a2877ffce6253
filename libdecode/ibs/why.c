/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a field is absent from a sample of IBS: by the gates that the decoder noted in it. */
#include <precis/error.h>

#include "../sample/access.h"
#include "../sample/catalogue.h"
#include "answers.h"
#include "errata.h"
#include "word.h"

/* A gate that some, not all, of the possible cores have: nobody can say. */
static int some_core_has(uint32_t cores, const struct static_gate *gate)
{
	return (cores & gate->cores) && (cores & ~gate->cores);
}

static struct why why_static(const struct precis_sample *sample, uint64_t missing)
{
	const uint64_t gates = missing >> STATIC_SHIFT & ((UINT64_C(1) << STATIC_COUNT) - 1);

	if (gates) {
		const struct static_gate *gate = &precis_static_gates[__builtin_ctzll(gates)];

		if (some_core_has(sample->cores, gate))
			return because(PRECIS_NOT_CAPTURED,
				       "the CPU model is not known: give its cpuid");
		return because(PRECIS_NOT_SUPPORTED, gate->detail);
	}
	return because(PRECIS_PRESENT, "");
}

/*
 * The erratum that takes a field away: one whose condition holds in this sample (its gate is then
 * missing), or one that needs none.
 */
static const struct erratum_row *erratum_of(const struct precis_sample *sample,
					    enum precis_ibs_unit unit, uint32_t field,
					    int conditional)
{
	unsigned int used = 0;

	for (uint32_t left = sample->errata & ALL_ERRATA; left; left &= left - 1) {
		const uint32_t n = (uint32_t)__builtin_ctz(left);
		const struct erratum_row *row = &precis_errata[n];
		unsigned int gate;
		int strikes;

		if (!erratum_loses(left, n, unit))
			continue;
		gate = erratum_gate(row, &used);
		strikes = gate == ERRATUM_UNGATED ?
				  !conditional :
				  conditional && !(sample->gates >> (DYNAMIC_ERRATUM_A + gate) & 1);
		if (strikes && precis_erratum_takes(row, unit, field))
			return row;
	}
	return NULL;
}

static struct why why_registers(const struct precis_sample *sample, enum precis_ibs_unit unit,
			  uint32_t field)
{
	const struct ibs_source *source = &precis_ibs_sources[unit][field];
	const struct erratum_row *conditional = erratum_of(sample, unit, field, 1);
	const struct erratum_row *always = erratum_of(sample, unit, field, 0);
	uint64_t missing = source->gates & ~sample->gates;
	struct why why = why_static(sample, missing);

	if (why.reason)
		return why;
	if (always)
		return because(PRECIS_ERRATUM, always->name);
	if (conditional && !precis_weighs_itself(source))
		missing |= DYNAMIC_GATE(ERRATUM_A);
	missing &= (UINT64_C(1) << DYNAMIC_COUNT) - 1;
	if (missing) {
		const unsigned int gate = (unsigned int)__builtin_ctzll(missing);

		if (conditional && (gate == DYNAMIC_ERRATUM_A || gate == DYNAMIC_LEVEL_KNOWN))
			return because(PRECIS_ERRATUM, conditional->name);
		return because((enum precis_reason)precis_dynamic_gates[gate].reason,
			       precis_dynamic_gates[gate].detail);
	}
	return because(PRECIS_NOT_CAPTURED, "not decoded");
}

/* A gate of the CPU that none of its cores passes, whatever the capability word was */
static struct why why_no_core(uint32_t cores, uint64_t gates)
{
	for (unsigned int i = 0; i < STATIC_COUNT; i++) {
		const struct static_gate *gate = &precis_static_gates[i];

		if ((gates & (UINT64_C(1) << (STATIC_SHIFT + i))) && !(cores & gate->cores))
			return because(PRECIS_NOT_SUPPORTED, gate->detail);
	}
	return because(PRECIS_PRESENT, "");
}

/* The dynamic gates that cannot have held in the registers behind the kernel's words */
static uint64_t denied_by_words(const struct precis_sample *sample)
{
	if (!perf_words_have(sample, PERF_SOURCE_DATA_SRC))
		return 0;
	if (access_why_of(sample, PRECIS_ACCESS_MEM_LEVEL) == WHY_NO_ACCESS)
		return DYNAMIC_GATE(MEMORY);
	return precis_ibs_word_denies(sample->cores, sample->registers.perf_words.data_src);
}

/* Why the registers behind the kernel's words had no such field either. */
static struct why why_no_register(const struct precis_sample *sample, uint32_t field)
{
	const struct ibs_source *source = &precis_ibs_sources[PRECIS_IBS_OP][field];
	struct why why = why_no_core(sample->cores, source->gates);
	uint64_t denied = source->gates & denied_by_words(sample);

	for (unsigned int i = 0; i < DYNAMIC_COUNT && !why.reason; i++) {
		if (denied & (UINT64_C(1) << i))
			why = because((enum precis_reason)precis_dynamic_gates[i].reason,
				      precis_dynamic_gates[i].detail);
	}
	return why;
}

/* Of the kernel's words: what the registers had not, or the word does not tell of them */
static struct why why_words(const struct precis_sample *sample, uint32_t field)
{
	struct why why = because(PRECIS_PRESENT, "");
	int part = precis_word_part_of(field);

	if (ibs_has(PRECIS_IBS_OP, field))
		why = why_no_register(sample, field);
	if (!why.reason && part >= 0)
		why = precis_ibs_word_why(access_why_of(sample, (uint32_t)part));
	return why;
}

/* A field of the other kind of payload */
static struct why why_not_of(enum precis_ibs_unit other, uint32_t field, const char *detail)
{
	return ibs_has(other, field) ? because(PRECIS_NOT_APPLICABLE, detail) :
				       because(PRECIS_PRESENT, "");
}

struct why precis_ibs_why(const struct precis_sample *sample, uint32_t field)
{
	switch (sample->source) {
	case PRECIS_SOURCE_IBS_OP:
		return ibs_has(PRECIS_IBS_OP, field) ?
			       why_registers(sample, PRECIS_IBS_OP, field) :
			       why_not_of(PRECIS_IBS_FETCH, field, "a field of ibs_fetch");
	case PRECIS_SOURCE_IBS_FETCH:
		return ibs_has(PRECIS_IBS_FETCH, field) ?
			       why_registers(sample, PRECIS_IBS_FETCH, field) :
			       why_not_of(PRECIS_IBS_OP, field, "a field of ibs_op");
	case PRECIS_SOURCE_PERF_WORDS:
		return sample->cores ? why_words(sample, field) : because(PRECIS_PRESENT, "");
	default:
		return because(PRECIS_PRESENT, "");
	}
}

static struct why why_no_payload(const struct precis_sample *sample)
{
	switch (sample->payload_error) {
	case 0:
	case PRECIS_E_NO_PAYLOAD:
		return because(PRECIS_NOT_CAPTURED,
			       "no raw payload: record with --raw-samples");
	default:
		return because(PRECIS_MALFORMED, precis_strerror(sample->payload_error));
	}
}

struct why precis_ibs_why_of_event(const struct precis_sample *sample, uint32_t field)
{
	if (sample->event_kind != PRECIS_EVENT_IBS_OP && sample->event_kind != PRECIS_EVENT_IBS_FETCH)
		return because(PRECIS_PRESENT, "");
	if (!ibs_has(PRECIS_IBS_OP, field) && !ibs_has(PRECIS_IBS_FETCH, field))
		return because(PRECIS_NOT_SUPPORTED, "IBS does not measure it");
	return why_no_payload(sample);
}
