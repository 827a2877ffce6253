/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a field is absent: worked out from the gates that the decoder noted in the sample. */
#include <precis/error.h>
#include <precis/sample.h>

#include "access.h"
#include "catalogue.h"
#include "ibs_word.h"

struct why {
	enum precis_reason reason;
	const char *detail;
};

static struct why because(enum precis_reason reason, const char *detail)
{
	return (struct why){ reason, detail };
}

/* A gate that some, not all, of the possible cores have: nobody can say. */
static int some_core_has(uint32_t cores, const struct static_gate *gate)
{
	return (cores & gate->cores) && (cores & ~gate->cores);
}

static struct why why_static(const struct precis_sample *sample, uint64_t missing)
{
	for (unsigned int i = 0; i < STATIC_COUNT; i++) {
		const struct static_gate *gate = &precis_static_gates[i];

		if (!(missing & (UINT64_C(1) << (STATIC_SHIFT + i))))
			continue;
		if (some_core_has(sample->cores, gate))
			return because(PRECIS_NOT_CAPTURED,
				       "the CPU model is not known: give its cpuid");
		return because(PRECIS_NOT_SUPPORTED, gate->detail);
	}
	return because(PRECIS_PRESENT, "");
}

/*
 * The erratum that takes a field away: one without a condition, or one whose
 * condition holds in this sample (its gate is then missing; conditional rows
 * have gates A and B in their order, and one that finds both taken, as some do
 * where the CPU is not known, counts as without a condition).
 */
static const struct erratum_row *erratum_of(const struct precis_sample *sample,
					    enum precis_ibs_unit unit, uint32_t field,
					    int conditional)
{
	unsigned int slot = 0;

	for (uint32_t i = 0; i < precis_errata_count; i++) {
		const struct erratum_row *row = &precis_errata[i];

		if (!(sample->errata & (1u << i)) || row->unit != unit ||
		    row->effect != PRECIS_ERRATUM_LOSES)
			continue;
		if (row->condition == CONDITION_ALWAYS || slot == ERRATUM_GATES) {
			if (!conditional && precis_erratum_takes(row, unit, field))
				return row;
			continue;
		}
		if (conditional && !(sample->gates >> (DYNAMIC_ERRATUM_A + slot) & 1) &&
		    precis_erratum_takes(row, unit, field))
			return row;
		slot++;
	}
	return NULL;
}

static struct why why_ibs(const struct precis_sample *sample, enum precis_ibs_unit unit,
			  uint32_t field)
{
	const struct ibs_source *source = &precis_field_rows[field].ibs[unit];
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
	for (unsigned int i = 0; i < DYNAMIC_COUNT; i++) {
		if (!(missing & (UINT64_C(1) << i)))
			continue;
		if (conditional && (i == DYNAMIC_ERRATUM_A || i == DYNAMIC_LEVEL_KNOWN))
			return because(PRECIS_ERRATUM, conditional->name);
		return because((enum precis_reason)precis_dynamic_gates[i].reason,
			       precis_dynamic_gates[i].detail);
	}
	return because(PRECIS_NOT_CAPTURED, "not decoded");
}

/* Of what the kernel adds to a sample: why one out of a trace lacks it */
static struct why why_traced(uint32_t source)
{
	static const struct why whys[PERF_SOURCE_COUNT] = {
#define PRECIS_TRACE_WHY(id, reason, detail)                                                       \
	[PERF_SOURCE_##id] = { PRECIS_##reason, detail },
#include "trace_whys.def"
#undef PRECIS_TRACE_WHY
	};

	return whys[source];
}

/* What would have to be recorded for a value that perf's sample lacks */
static const char *perf_lacks(uint32_t source)
{
	switch (source) {
	case PERF_SOURCE_DATA_SRC:
		return "perf's sample has no data source: record with -d";
	case PERF_SOURCE_WEIGHT:
	case PERF_SOURCE_WEIGHT_STRUCT:
		return "perf's sample has no weight: record with -W";
	case PERF_SOURCE_NONE:
		return "the kernel does not hand it out";
	default:
		return "perf's sample does not have it";
	}
}

/* It was recorded, and perf did not pass it on to a filter or script. */
static int is_kept_back(const struct precis_sample *sample, uint32_t value)
{
	return sample->source == PRECIS_SOURCE_PERF_WORDS && value == PEBS_VALUE_RETIRE_LATENCY &&
	       (sample->registers.perf_words.captured & PRECIS_PERF_WORDS_WITHOUT_VAR3);
}

static const char *not_captured(const struct precis_sample *sample, uint32_t value)
{
	if (is_kept_back(sample, value))
		return "perf does not hand it on";
	if (sample->source == PRECIS_SOURCE_PERF_WORDS)
		return perf_lacks(precis_pebs_values[value].perf);
	return "this record does not have it: its format, or PEBS_DATA_CFG, left it out";
}

static uint32_t access_why_of(const struct precis_sample *sample, uint32_t field)
{
	uint32_t why = (uint32_t)(sample->access_whys >> (ACCESS_WHY_BITS * field)) & ACCESS_WHY_MASK;

	return why < WHY_COUNT ? why : WHY_EVENT;
}

static struct why why_access(const struct precis_sample *sample, uint32_t field)
{
	uint32_t why = access_why_of(sample, field);

	return because((enum precis_reason)precis_access_whys[why].reason,
		       precis_access_whys[why].detail);
}

/* The sample's gates, and those that are a matter of the word that a value comes from */
static uint32_t pebs_gates_held(const struct precis_sample *sample, uint32_t value)
{
	const struct pebs_value_row *row = &precis_pebs_values[value];
	uint32_t held = (uint32_t)sample->gates, words = (uint32_t)(sample->gates >> PEBS_WORDS_SHIFT);

	if (is_kept_back(sample, value))
		return held | PEBS_GATES_DEFINED;
	if (sample->source == PRECIS_SOURCE_PERF_WORDS)
		return held | (words >> row->perf & 1) << PEBS_GATE_CAPTURED |
		       PEBS_GATES_DEFINED;
	if (row->word == NO_WORD)
		return held | PEBS_GATES_CAPTURED | PEBS_GATES_DEFINED;
	if (words >> row->word & 1)
		held |= PEBS_GATES_DEFINED;
	if (sample->registers.pebs.captured >> row->word & 1)
		held |= PEBS_GATES_CAPTURED;
	return held;
}

static struct why why_pebs(const struct precis_sample *sample, const struct pebs_source *source)
{
	uint32_t missing = source->gates & ~pebs_gates_held(sample, source->value);
	uint32_t field = precis_pebs_values[source->value].access;

	for (unsigned int i = 0; i < PEBS_GATE_COUNT; i++) {
		if (!(missing & (1u << i)))
			continue;
		if (i == PEBS_GATE_CAPTURED)
			return because(PRECIS_NOT_CAPTURED, not_captured(sample, source->value));
		return because((enum precis_reason)precis_pebs_gates[i].reason,
			       precis_pebs_gates[i].detail);
	}
	if (field != NO_ACCESS)
		return why_access(sample, field);
	return because(PRECIS_NOT_APPLICABLE, "the hardware reported none");
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
	const uint64_t words = sample->gates >> PEBS_WORDS_SHIFT;

	if (!(words >> PERF_SOURCE_DATA_SRC & 1))
		return 0;
	if (access_why_of(sample, PRECIS_ACCESS_MEM_LEVEL) == WHY_NO_ACCESS)
		return DYNAMIC_GATE(MEMORY);
	return precis_ibs_word_denies(sample->cores, sample->registers.perf_words.data_src);
}

/* Why the registers of an IBS sample had no such field either. PRESENT: perhaps they had it. */
static struct why why_no_register(const struct precis_sample *sample, uint32_t field)
{
	const struct ibs_source *source = &precis_field_rows[field].ibs[PRECIS_IBS_OP];
	struct why why = why_no_core(sample->cores, source->gates);
	uint64_t denied = source->gates & denied_by_words(sample);

	for (unsigned int i = 0; i < DYNAMIC_COUNT && !why.reason; i++) {
		if (denied & (UINT64_C(1) << i))
			why = because((enum precis_reason)precis_dynamic_gates[i].reason,
				      precis_dynamic_gates[i].detail);
	}
	return why;
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

/*
 * Of the words that the kernel makes of an IBS sample, the data source alone is
 * what PEBS has as well.
 */
static int comes_from_pebs(const struct precis_sample *sample, const struct field_row *row)
{
	uint32_t value = row->pebs.value;

	if (value == PEBS_VALUE_NONE)
		return 0;
	if (sample->source == PRECIS_SOURCE_PEBS)
		return 1;
	return sample->source == PRECIS_SOURCE_PERF_WORDS &&
	       (sample->event_kind == PRECIS_EVENT_PEBS || precis_pebs_values[value].access != NO_ACCESS);
}

static struct why why_absent(const struct precis_sample *sample, uint32_t field)
{
	const struct field_row *row = &precis_field_rows[field];
	int op = row->ibs[PRECIS_IBS_OP].reg != NO_REGISTER;
	int fetch = row->ibs[PRECIS_IBS_FETCH].reg != NO_REGISTER;
	struct why why = because(PRECIS_PRESENT, "");

	if (!precis_fields_have(sample->wanted, field))
		return because(PRECIS_NOT_CAPTURED, "not asked for");
	if (sample->source == PRECIS_SOURCE_IBS_OP && op)
		return why_ibs(sample, PRECIS_IBS_OP, field);
	if (sample->source == PRECIS_SOURCE_IBS_FETCH && fetch)
		return why_ibs(sample, PRECIS_IBS_FETCH, field);
	if (sample->source == PRECIS_SOURCE_IBS_OP && fetch)
		return because(PRECIS_NOT_APPLICABLE, "a field of ibs_fetch");
	if (sample->source == PRECIS_SOURCE_IBS_FETCH && op)
		return because(PRECIS_NOT_APPLICABLE, "a field of ibs_op");
	if (sample->source == PRECIS_SOURCE_PERF_WORDS && sample->cores && op)
		why = why_no_register(sample, field);
	if (why.reason)
		return why;
	if (comes_from_pebs(sample, row))
		return why_pebs(sample, &row->pebs);
	if (sample->source == PRECIS_SOURCE_PEBS && (sample->gates & PEBS_OF_TRACE) &&
	    why_traced(row->perf).detail)
		return why_traced(row->perf);
	if (row->perf != PERF_SOURCE_NONE)
		return because(PRECIS_NOT_CAPTURED, sample->source == PRECIS_SOURCE_PEBS ?
							    "no part of a PEBS record" :
							    "perf's sample does not have it");
	if (sample->event_kind == PRECIS_EVENT_PEBS)
		return because(PRECIS_NOT_SUPPORTED, "PEBS does not measure it");
	if (sample->event_kind == PRECIS_EVENT_OTHER)
		return because(PRECIS_NOT_CAPTURED,
			       "the event is neither IBS nor a precise event of an Intel CPU");
	if (!(op || fetch))
		return because(PRECIS_NOT_SUPPORTED, "IBS does not measure it");
	return why_no_payload(sample);
}

static struct why why(const struct precis_sample *sample, enum precis_field field)
{
	if (!sample || (uint32_t)field >= PRECIS_FIELD_COUNT)
		return because(PRECIS_NOT_SUPPORTED, "no such field");
	if (precis_fields_have(sample->present, (uint32_t)field))
		return because(PRECIS_PRESENT, "");
	return why_absent(sample, (uint32_t)field);
}

enum precis_reason precis_why(const struct precis_sample *sample, enum precis_field field)
{
	return why(sample, field).reason;
}

const char *precis_why_detail(const struct precis_sample *sample, enum precis_field field)
{
	return why(sample, field).detail;
}

const char *precis_reason_name(uint32_t reason)
{
	static const char *const names[] = {
		[PRECIS_PRESENT] = "PRESENT",
		[PRECIS_NOT_CAPTURED] = "NOT_CAPTURED",
		[PRECIS_NOT_SUPPORTED] = "NOT_SUPPORTED",
		[PRECIS_NOT_APPLICABLE] = "NOT_APPLICABLE",
		[PRECIS_ERRATUM] = "ERRATUM",
		[PRECIS_SCRUBBED] = "SCRUBBED",
		[PRECIS_MALFORMED] = "MALFORMED",
	};

	return reason < sizeof(names) / sizeof(names[0]) ? names[reason] : NULL;
}
