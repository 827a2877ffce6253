/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel made of a PEBS or IBS sample, as vendor-neutral fields.
 *
 * Its data source word says for itself whether the event is of memory accesses.
 * What a weight is depends on core and event.
 */
#include <precis/data_source.h>
#include <precis/error.h>
#include <precis/record.h>

#include "../sample/abi.h"
#include "store.h"

#define CORES_ANY ((1u << PRECIS_AMD_CORE_COUNT) - 1)
#define SOURCE_BIT(id) (1u << PERF_SOURCE_##id)

static const uint64_t everything[PRECIS_FIELD_WORDS] = { UINT64_MAX, UINT64_MAX };

/* Which words there are, by enum perf_source */
static uint32_t captured(const struct precis_perf_words *words)
{
	uint32_t sources = 0;

	if (words->captured & PRECIS_SAMPLE_ADDR)
		sources |= SOURCE_BIT(ADDR);
	if (words->captured & (PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_WEIGHT_STRUCT))
		sources |= SOURCE_BIT(WEIGHT);
	if (words->captured & PRECIS_SAMPLE_WEIGHT_STRUCT)
		sources |= SOURCE_BIT(WEIGHT_STRUCT);
	if (words->captured & PRECIS_SAMPLE_DATA_SRC)
		sources |= SOURCE_BIT(DATA_SRC);
	return sources;
}

/* The access's kind by the kernel's word. @return 0 if it does not say */
static int add_op(uint32_t op, struct pebs_values *values)
{
	uint32_t kinds = op & (PRECIS_DATA_OP_LOAD | PRECIS_DATA_OP_STORE);

	if (op & PRECIS_DATA_OP_PREFETCH)
		values_add(values, PEBS_VALUE_OP, PRECIS_OP_PREFETCH);
	else if (kinds == PRECIS_DATA_OP_LOAD)
		values_add(values, PEBS_VALUE_OP, PRECIS_OP_LOAD);
	else if (kinds == PRECIS_DATA_OP_STORE)
		values_add(values, PEBS_VALUE_OP, PRECIS_OP_STORE);
	else if (kinds)
		values_add(values, PEBS_VALUE_OP, PRECIS_OP_LOAD_STORE);
	else
		return 0;
	return 1;
}

/* Do the words come from IBS? Where the CPU is not known the event says. */
static int is_of_ibs(const struct precis_pebs_context *context, const struct precis_sample *sample)
{
	return context->is_amd || (!context->is_intel && sample->event_kind == PRECIS_EVENT_IBS_OP);
}

/* The word outweighs what is known, or not, of the event. */
static void add_source(struct precis_pebs_context *context, const struct precis_perf_words *words,
		       int of_ibs, struct pebs_values *values)
{
	uint32_t op = precis_data_source_member(words->data_src, PRECIS_DATA_SOURCE_OP);

	values->access = of_ibs ? precis_ibs_word_access_of(context, words->data_src) :
				  precis_pebs_word_access_of(context, words->data_src);
	values->sound |= values->access->sound;
	/* of IBS, where the event is of all ops, the access says what it is not */
	if (add_op(op, values) || of_ibs)
		values->gates |= PEBS_GATES_CPU_KNOWN | PEBS_GATES_EVENT_KNOWN |
				 PEBS_GATES_MEMORY_EVENT | PEBS_GATES_KIND_KNOWN;
	else if (!(values->gates & PEBS_GATES_EVENT_KNOWN))
		values->gates |= PEBS_GATES_CPU_KNOWN | PEBS_GATES_EVENT_KNOWN;
}

/*
 * A kernel that does not hand out retire latency, and one on a machine that does
 * not measure it, write 0; so can a retirement in the same cycle.
 */
static void add_retire_latency(const struct precis_perf_words *words, struct pebs_values *values)
{
	const uint32_t told = PEBS_GATES_RETIRE_KERNEL | PEBS_GATES_RETIRE_CAPABILITY_KNOWN |
			      PEBS_GATES_RETIRE_CAPABILITY;

	if (words->captured & PRECIS_PERF_WORDS_WITHOUT_VAR3)
		return;
	values_add(values, PEBS_VALUE_RETIRE_LATENCY, words->weight_var3);
	if (words->weight_var3 && (values->gates & PEBS_GATES_RETIRE_LATENCY))
		values->gates |= told;
}

static void add_weights(const struct precis_perf_words *words, uint32_t sources,
			struct pebs_values *values)
{
	if (sources & SOURCE_BIT(WEIGHT)) {
		values_add_nonzero(values, PEBS_VALUE_LOAD_LATENCY, words->weight);
		values_add_nonzero(values, PEBS_VALUE_CACHE_LATENCY, words->weight);
	}
	if (!(sources & SOURCE_BIT(WEIGHT_STRUCT)))
		return;
	values_add_nonzero(values, PEBS_VALUE_INSTRUCTION_LATENCY, words->weight_var2);
	add_retire_latency(words, values);
}

/* An address of 0 is one if the TLB was asked for it. */
static void add_ibs_address(const struct precis_perf_words *words, struct pebs_values *values)
{
	uint32_t dtlb = precis_data_source_member(words->data_src, PRECIS_DATA_SOURCE_DTLB);

	if ((values->sound & VALUE_BIT(OP)) &&
	    (dtlb & (PRECIS_DATA_DTLB_HIT | PRECIS_DATA_DTLB_MISS)))
		values_add(values, PEBS_VALUE_ADDRESS, words->addr);
	else
		values_add_nonzero(values, PEBS_VALUE_ADDRESS, words->addr);
}

/*
 * Linux fills in two latencies of 16 bits, of loads that miss the L1. What it calls a load is what
 * reads memory: load-op-stores and software prefetches too.
 */
static void store_ibs_weights(const struct precis_perf_words *words, uint32_t sources,
			      const struct pebs_values *values, const uint64_t *wanted,
			      struct precis_sample *sample)
{
	int missed = (values->sound & VALUE_BIT(DCACHE_MISS)) &&
		     values->access->value[PEBS_VALUE_DCACHE_MISS - FIRST_OF_ACCESS];
	const struct {
		uint32_t field, source;
		uint64_t value;
	} weights[] = {
		{ PRECIS_FIELD_DCACHE_MISS_LATENCY, SOURCE_BIT(WEIGHT),
		  missed ? words->weight : 0 },
		{ PRECIS_FIELD_TAG_TO_RETIRE, SOURCE_BIT(WEIGHT_STRUCT), words->weight_var2 },
	};

	if (!(values->sound & VALUE_BIT(OP)) || values->value[PEBS_VALUE_OP] != PRECIS_OP_LOAD)
		return;
	for (size_t n = 0; n < sizeof(weights) / sizeof(weights[0]); n++) {
		if (!(sources & weights[n].source) || !weights[n].value ||
		    weights[n].value > UINT16_MAX ||
		    !precis_fields_have(wanted, weights[n].field))
			continue;
		precis_fields_add(sample->present, weights[n].field);
		sample->value[weights[n].field] = weights[n].value;
	}
}

int precis_perf_words_decode(struct precis_pebs_context *context,
			     const struct precis_perf_words *words, const uint64_t *wanted,
			     struct precis_sample *sample)
{
	static const struct precis_pebs_access no_access;
	struct pebs_values values = { .access = &no_access };
	uint32_t sources;
	int of_ibs;

	ABI_IN(struct precis_perf_words, words,
	       precis_perf_words_decode(context, &abi, wanted, sample));
	ABI_SAMPLE(sample, precis_perf_words_decode(context, words, wanted, &abi));
	if (!context || context->size < sizeof(*context))
		return PRECIS_E_ARGUMENT;
	if (!wanted)
		wanted = everything;
	sources = captured(words);
	of_ibs = is_of_ibs(context, sample);
	values.gates = context->gates | PEBS_GATES_RETIRE_VALID;
	if (sources & SOURCE_BIT(DATA_SRC))
		add_source(context, words, of_ibs, &values);
	if ((sources & SOURCE_BIT(ADDR)) && of_ibs)
		add_ibs_address(words, &values);
	else if (sources & SOURCE_BIT(ADDR))
		values_add_nonzero(&values, PEBS_VALUE_ADDRESS, words->addr);
	if (context->is_intel)
		add_weights(words, sources, &values);
	sample->source = PRECIS_SOURCE_PERF_WORDS;
	sample->registers.perf_words = *words;
	sample->gates = (uint64_t)sources << PEBS_WORDS_SHIFT;
	pebs_store(context, &values, wanted, 1, sample);
	if (of_ibs) {
		sample->cores = context->amd_cores ? context->amd_cores : CORES_ANY;
		store_ibs_weights(words, sources, &values, wanted, sample);
	}
	return 0;
}
