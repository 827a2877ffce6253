/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel made of a sample, as vendor-neutral fields: of PEBS, and with the help of the
 * vendor (struct vendor_words) of others.
 *
 * Its data source word says for itself whether the event is of memory accesses.
 * What a weight is depends on core and event.
 */
#include <precis/data_source.h>
#include <precis/error.h>
#include <precis/record.h>

#include "../sample/abi.h"
#include "../sample/find_vendor.h"
#include "store.h"

#define SOURCE_BIT(id) (1u << PERF_SOURCE_##id)

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

/* Who has a reading of his own of the words: 0 or as precis_words_of_cpu(). Where the CPU is not
 * known the event says. */
static uint32_t reader_of(const struct precis_pebs_context *context,
			  const struct precis_sample *sample)
{
	if (context->words_of || context->is_intel)
		return context->words_of;
	return precis_words_of_event(sample->event_kind);
}

/* The word outweighs what is known, or not, of the event. */
static void add_source(struct precis_pebs_context *context, const struct precis_perf_words *words,
		       uint32_t vendor, struct pebs_values *values)
{
	uint32_t op = precis_data_source_member(words->data_src, PRECIS_DATA_SOURCE_OP);

	values->access = vendor ?
				 precis_vendor_word_access_of(context, vendor, words->data_src) :
				 precis_pebs_word_access_of(context, words->data_src);
	values->sound |= values->access->sound;
	/* another vendor's events may be of all ops: the access says what it is not */
	if (add_op(op, values) || vendor)
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

static void add_vendors_address(const struct precis_perf_words *words,
				const struct vendor_words *vendor, struct pebs_values *values)
{
	if ((values->sound & VALUE_BIT(OP)) && vendor->has_address(words->data_src))
		values_add(values, PEBS_VALUE_ADDRESS, words->addr);
	else
		values_add_nonzero(values, PEBS_VALUE_ADDRESS, words->addr);
}

static void store_vendors_weights(const struct precis_perf_words *words,
				  const struct vendor_words *vendor,
				  const struct pebs_values *values, const uint64_t *wanted,
				  struct precis_sample *sample)
{
	int missed = (values->sound & VALUE_BIT(DCACHE_MISS)) &&
		     values->access->value[PEBS_VALUE_DCACHE_MISS - FIRST_OF_ACCESS];

	if ((values->sound & VALUE_BIT(OP)) && values->value[PEBS_VALUE_OP] == PRECIS_OP_LOAD)
		vendor->add_weights(words, missed, wanted, sample);
}

int precis_perf_words_decode(struct precis_pebs_context *context,
			     const struct precis_perf_words *words, const uint64_t *wanted,
			     struct precis_sample *sample)
{
	static const struct precis_pebs_access no_access;
	struct pebs_values values = { .access = &no_access };
	const struct vendor_words *others;
	uint32_t sources, vendor;

	ABI_IN(struct precis_perf_words, words,
	       precis_perf_words_decode(context, &abi, wanted, sample));
	ABI_SAMPLE(sample, precis_perf_words_decode(context, words, wanted, &abi));
	if (!context || context->size < sizeof(*context))
		return PRECIS_E_ARGUMENT;
	if (!wanted)
		wanted = precis_all_fields;
	sources = captured(words);
	vendor = reader_of(context, sample);
	others = vendor ? precis_vendors[vendor - 1]->words : NULL;
	values.gates = context->gates | PEBS_GATES_RETIRE_VALID;
	if (sources & SOURCE_BIT(DATA_SRC))
		add_source(context, words, vendor, &values);
	if ((sources & SOURCE_BIT(ADDR)) && others)
		add_vendors_address(words, others, &values);
	else if (sources & SOURCE_BIT(ADDR))
		values_add_nonzero(&values, PEBS_VALUE_ADDRESS, words->addr);
	if (context->is_intel)
		add_weights(words, sources, &values);
	sample->source = PRECIS_SOURCE_PERF_WORDS;
	sample->registers.perf_words = *words;
	sample->gates = (uint64_t)sources << PERF_WORDS_SHIFT;
	pebs_store(context, &values, wanted, 1, sample);
	if (others) {
		sample->cores = context->cores ? context->cores : others->all_cores;
		store_vendors_weights(words, others, &values, wanted, sample);
	}
	return 0;
}
