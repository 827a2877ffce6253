/* SPDX-License-Identifier: BSD-3-Clause */
/* A raw record to the vendor-neutral sample. */
#include <string.h>

#include <precis/error.h>

#include "../sample/abi.h"
#include "store.h"

/* The TSX word, and what the kernel makes of it (PERF_SAMPLE_TRANSACTION) */
#define TSX_FLAGS(word) ((word) >> 32 & 0xff)
#define TRANSACTION_RTM 2u /* the flag of an aborted RTM region, whose code is in AX */
#define ABORT_HAS_CODE 1u
#define ABORT_CODE(ax) ((ax) >> 24 & 0xff)
#define TRANSACTION_CODE_SHIFT 32

static int has(uint32_t words, enum precis_pebs_word word)
{
	return (words >> word & 1) != 0;
}

static uint64_t op_of_event(uint32_t event)
{
	switch (event) {
	case PRECIS_PEBS_FACILITY_STORE_LATENCY:
	case PRECIS_PEBS_FACILITY_PRECISE_STORE:
	case PRECIS_PEBS_FACILITY_DATA_LA_STORE:
		return PRECIS_OP_STORE;
	default:
		return PRECIS_OP_LOAD;
	}
}

static uint64_t transaction(const struct precis_pebs *pebs)
{
	uint64_t flags = TSX_FLAGS(pebs->word[PRECIS_PEBS_TSX]), ax = pebs->gpr[PRECIS_PEBS_AX];

	if ((flags & TRANSACTION_RTM) && (pebs->gpr_captured >> PRECIS_PEBS_AX & 1) &&
	    (ax & ABORT_HAS_CODE))
		flags |= ABORT_CODE(ax) << TRANSACTION_CODE_SHIFT;
	return flags;
}

/* Where the instruction is; before format 2 the record knows the next one alone. */
static void add_ip(const struct precis_pebs *pebs, struct pebs_values *values)
{
	if (has(pebs->captured, PRECIS_PEBS_EVENTING_IP)) {
		values_add(values, PEBS_VALUE_IP, pebs->word[PRECIS_PEBS_EVENTING_IP]);
		values_add(values, PEBS_VALUE_IP_EXACT, 1);
	} else if (pebs->gpr_captured >> PRECIS_PEBS_IP & 1) {
		values_add(values, PEBS_VALUE_IP, pebs->gpr[PRECIS_PEBS_IP]);
		values_add(values, PEBS_VALUE_IP_EXACT, 0);
	}
}

static void add_counters(const struct precis_pebs *pebs, struct pebs_values *values)
{
	if (has(pebs->captured, PRECIS_PEBS_APPLICABLE_COUNTERS))
		values_add(values, PEBS_VALUE_COUNTERS,
			   pebs->word[PRECIS_PEBS_APPLICABLE_COUNTERS]);
	else if (has(pebs->captured, PRECIS_PEBS_STATUS))
		values_add(values, PEBS_VALUE_COUNTERS, pebs->word[PRECIS_PEBS_STATUS]);
}

static void add_latencies(uint64_t word, struct pebs_values *values)
{
	VALUES_ADD_CUT(values, LOAD_LATENCY, word);
	VALUES_ADD_CUT(values, CACHE_LATENCY, word);
	VALUES_ADD_CUT(values, INSTRUCTION_LATENCY, word);
}

/* Words that the core leaves undefined are as if they were not there. */
static void add_words(const struct precis_pebs *pebs, uint32_t words, struct pebs_values *values)
{
	const uint64_t *word = pebs->word;

	if (has(words, PRECIS_PEBS_DATA_ADDRESS))
		VALUES_ADD_CUT(values, ADDRESS, word[PRECIS_PEBS_DATA_ADDRESS]);
	if (has(words, PRECIS_PEBS_LATENCY))
		add_latencies(word[PRECIS_PEBS_LATENCY], values);
	if (has(words, PRECIS_PEBS_RETIRE_LATENCY))
		VALUES_ADD_CUT(values, RETIRE_LATENCY, word[PRECIS_PEBS_RETIRE_LATENCY]);
	if (has(words, PRECIS_PEBS_TSX)) {
		values_add(values, PEBS_VALUE_TRANSACTION, transaction(pebs));
		VALUES_ADD_CUT(values, TRANSACTION_CYCLES, word[PRECIS_PEBS_TSX]);
	}
	if (has(words, PRECIS_PEBS_TSC))
		VALUES_ADD_CUT(values, TSC, word[PRECIS_PEBS_TSC]);
}

/* Retire latency is valid by IA32_PERF_CAPABILITIES, unless the record itself says so. */
static uint32_t gates_of_record(const struct precis_pebs *pebs)
{
	uint32_t gates = PEBS_GATES_RETIRE_KERNEL;

	if (!(pebs->flags & PRECIS_PEBS_RETIRE_LATENCY_TOLD))
		return gates | PEBS_GATES_RETIRE_VALID;
	gates |= PEBS_GATES_RETIRE_CAPABILITY_KNOWN | PEBS_GATES_RETIRE_CAPABILITY;
	return pebs->flags & PRECIS_PEBS_RETIRE_LATENCY_VALID ? gates | PEBS_GATES_RETIRE_VALID :
								gates;
}

int precis_pebs_decode(struct precis_pebs_context *context, const struct precis_pebs *pebs,
		       const uint64_t *wanted, struct precis_sample *sample)
{
	struct pebs_values values = { 0 };
	uint32_t words;

	ABI_IN(struct precis_pebs, pebs, precis_pebs_decode(context, &abi, wanted, sample));
	ABI_SAMPLE(sample, precis_pebs_decode(context, pebs, wanted, &abi));
	if (!context || context->size < sizeof(*context))
		return PRECIS_E_ARGUMENT;
	if (!wanted)
		wanted = precis_all_fields;
	words = pebs->captured & ~context->reserved_words;
	values.gates = context->gates | gates_of_record(pebs);
	values_add(&values, PEBS_VALUE_OP, op_of_event(context->facility));
	/* the word itself does not matter to why there is nothing, where nothing is captured */
	values.access = precis_pebs_access_of(
		context, has(words, PRECIS_PEBS_DATA_SOURCE) ? pebs->word[PRECIS_PEBS_DATA_SOURCE] : 0);
	if (has(words, PRECIS_PEBS_DATA_SOURCE))
		values.sound |= values.access->sound;
	add_ip(pebs, &values);
	add_counters(pebs, &values);
	add_words(pebs, words, &values);

	memcpy(sample->wanted, wanted, sizeof(sample->wanted));
	sample->source = PRECIS_SOURCE_PEBS;
	sample->event_kind = PRECIS_EVENT_PEBS;
	if (pebs != &sample->registers.pebs)
		sample->registers.pebs = *pebs;
	sample->gates = (uint64_t)~context->reserved_words << PEBS_WORDS_SHIFT;
	sample->payload_error = 0;
	sample->cores = 0;
	sample->errata = 0;
	pebs_store(context, &values, wanted, 0, sample);
	return 0;
}
