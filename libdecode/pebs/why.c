/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a field is absent from a sample of PEBS, or of the kernel's words. */
#include "../sample/access.h"
#include "answers.h"
#include "tables.h"

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

static struct why why_access(const struct precis_sample *sample, uint32_t field)
{
	uint32_t why = access_why_of(sample, field);

	if (why >= WHY_COUNT)
		why = WHY_EVENT;
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
		return held | PEBS_GATES_DEFINED |
		       (uint32_t)perf_words_have(sample, (enum perf_source)row->perf)
			       << PEBS_GATE_CAPTURED;
	if (row->word == NO_WORD)
		return held | PEBS_GATES_CAPTURED | PEBS_GATES_DEFINED;
	if (words >> row->word & 1)
		held |= PEBS_GATES_DEFINED;
	if (sample->registers.pebs.captured >> row->word & 1)
		held |= PEBS_GATES_CAPTURED;
	return held;
}

static struct why why_value(const struct precis_sample *sample, uint32_t value)
{
	const struct pebs_value_row *row = &precis_pebs_values[value];
	uint32_t missing = row->gates & ~pebs_gates_held(sample, value);

	for (unsigned int i = 0; i < PEBS_GATE_COUNT; i++) {
		if (!(missing & (1u << i)))
			continue;
		if (i == PEBS_GATE_CAPTURED)
			return because(PRECIS_NOT_CAPTURED, not_captured(sample, value));
		return because((enum precis_reason)precis_pebs_gates[i].reason,
			       precis_pebs_gates[i].detail);
	}
	if (row->access != NO_ACCESS)
		return why_access(sample, row->access);
	return because(PRECIS_NOT_APPLICABLE, "the hardware reported none");
}

/*
 * Of the words that the kernel makes of another vendor's samples, the data source alone is what
 * PEBS has as well.
 */
static int comes_from_pebs(const struct precis_sample *sample, uint32_t value)
{
	if (value == PEBS_VALUE_NONE)
		return 0;
	if (sample->source == PRECIS_SOURCE_PEBS)
		return 1;
	return sample->source == PRECIS_SOURCE_PERF_WORDS &&
	       (sample->event_kind == PRECIS_EVENT_PEBS ||
		precis_pebs_values[value].access != NO_ACCESS);
}

struct why precis_pebs_why(const struct precis_sample *sample, uint32_t field)
{
	uint32_t value = precis_pebs_value_of(field), perf = precis_perf_sources[field];

	if (comes_from_pebs(sample, value))
		return why_value(sample, value);
	if (sample->source != PRECIS_SOURCE_PEBS || perf == PERF_SOURCE_NONE)
		return because(PRECIS_PRESENT, "");
	if ((sample->gates & PEBS_OF_TRACE) && why_traced(perf).detail)
		return why_traced(perf);
	return because(PRECIS_NOT_CAPTURED, "no part of a PEBS record");
}

struct why precis_pebs_why_of_event(const struct precis_sample *sample, uint32_t field)
{
	(void)field;
	return sample->event_kind == PRECIS_EVENT_PEBS ?
		       because(PRECIS_NOT_SUPPORTED, "PEBS does not measure it") :
		       because(PRECIS_PRESENT, "");
}
