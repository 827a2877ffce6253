/* SPDX-License-Identifier: BSD-3-Clause */
/* The toy's room: its tables and what it answers. It names nothing of IBS and PEBS. */
#include <precis/error.h>

#include "libdecode/sample/access.h"
#include "libdecode/sample/text.h"
#include "libdecode/sample/vendor.h"
#include "tests/vendor/toy.h"

enum {
#define PRECIS_TOY_GATE(id, ...) GATE_##id,
#include "gates.def"
#undef PRECIS_TOY_GATE
	GATE_COUNT
};

static const struct gate {
	enum precis_reason reason;
	const char *rule, *detail;
	uint32_t cores, reg;
	uint64_t mask;
} gates[GATE_COUNT] = {
#define PRECIS_TOY_GATE(id, reason, rule, detail, cores, reg, mask)                                \
	[GATE_##id] = { PRECIS_##reason, rule, detail, cores, TOY_##reg, mask },
#include "gates.def"
#undef PRECIS_TOY_GATE
};

static const struct source {
	uint32_t reg, low, width, gates;
} sources[PRECIS_FIELD_COUNT] = {
#define G(id) (1u << GATE_##id)
#define PRECIS_TOY_FIELD(id, reg, low, width, gates)                                               \
	[PRECIS_FIELD_##id] = { TOY_##reg, low, width, gates },
#include "fields.def"
#undef PRECIS_TOY_FIELD
#undef G
};

static const char *const register_names[TOY_REGISTERS] = { "ToyControl", "ToyData" };

uint64_t toy_value_bits(uint32_t field, uint32_t reg)
{
	const struct source *source = &sources[field];

	return source->width && source->reg == reg ?
		       ~UINT64_C(0) >> (64 - source->width) << source->low :
		       0;
}

static uint32_t gates_held(enum toy_core core, const uint64_t *registers)
{
	uint32_t held = 0;

	for (uint32_t n = 0; n < GATE_COUNT; n++) {
		if ((gates[n].cores >> core & 1) &&
		    (!gates[n].mask || (registers[gates[n].reg] & gates[n].mask)))
			held |= 1u << n;
	}
	return held;
}

void toy_decode(enum toy_core core, const uint64_t registers[TOY_REGISTERS],
		struct precis_sample *sample)
{
	precis_sample_init(sample);
	memset(sample->wanted, 0xff, sizeof(sample->wanted));
	sample->source = TOY_SOURCE;
	sample->event_kind = TOY_EVENT;
	sample->gates = gates_held(core, registers);
	sample->cores = 1u << core;
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		const struct source *source = &sources[field];
		uint64_t bits = toy_value_bits(field, source->reg);

		if (bits && !(source->gates & ~sample->gates))
			precis_set(sample, (enum precis_field)field,
				   (registers[source->reg] & bits) >> source->low);
	}
}

static const struct vendor_cpu cpus[] = { { "ToyMaker", TOY_VENDOR }, { NULL, 0 } };

static uint32_t cores_of(const struct precis_cpu *cpu)
{
	return cpu->vendor == TOY_VENDOR && cpu->model <= TOY_BIG ? 1u << cpu->model : 0;
}

static void add_source(uint32_t field, struct text *text)
{
	if (!sources[field].width)
		return;
	text_separate(text);
	text_add(text, "toy: ");
	text_add(text, register_names[sources[field].reg]);
	text_add_bits(text, sources[field].low, sources[field].width);
}

static void add_rule(uint32_t field, struct text *text)
{
	for (uint32_t n = 0; n < GATE_COUNT; n++) {
		if (!(sources[field].gates >> n & 1))
			continue;
		text_separate(text);
		text_add(text, gates[n].rule);
	}
}

static int erratum(uint32_t n, struct precis_erratum *erratum)
{
	if (n)
		return PRECIS_E_ARGUMENT;
	erratum->effect = PRECIS_ERRATUM_NOTE;
	erratum->cores = 1u << TOY_SMALL;
	erratum->unit = 0;
	erratum->name = "TOY-1";
	erratum->models = "small toys";
	erratum->summary = "They break.";
	erratum->source = "children";
	return 0;
}

static struct why why(const struct precis_sample *sample, uint32_t field)
{
	uint32_t missing = sources[field].gates & ~(uint32_t)sample->gates;

	if (sample->source != TOY_SOURCE || !missing)
		return because(PRECIS_PRESENT, "");
	return because(gates[__builtin_ctz(missing)].reason, gates[__builtin_ctz(missing)].detail);
}

static struct why why_of_event(const struct precis_sample *sample, uint32_t field)
{
	(void)field;
	return sample->event_kind == TOY_EVENT ?
		       because(PRECIS_NOT_SUPPORTED, "toys do not measure it") :
		       because(PRECIS_PRESENT, "");
}

/* Its driver has one word for all: the level in mem_lvl_num. */
static void word_access(const struct words_origin *origin, uint64_t word,
			struct precis_access *access)
{
	access->present = 0;
	access_set_all(access, WHY_NOT_TOLD);
	access_set(access, PRECIS_ACCESS_MEM_LEVEL,
		   precis_data_source_member(word, PRECIS_DATA_SOURCE_LVL_NUM));
	if (origin->cores == 1u << TOY_BIG)
		access_set(access, PRECIS_ACCESS_LOCKED, 0);
}

static int has_address(uint64_t word)
{
	(void)word;
	return 1;
}

static void add_weights(const struct precis_perf_words *words, int missed, const uint64_t *wanted,
			struct precis_sample *sample)
{
	(void)missed;
	(void)wanted;
	precis_set(sample, PRECIS_FIELD_LOAD_LATENCY, words->weight);
}

static const struct vendor_words words = {
	.event_kind = TOY_EVENT,
	.all_cores = TOY_CORES,
	.access = word_access,
	.has_address = has_address,
	.add_weights = add_weights,
};

extern const struct vendor toy_vendor;
const struct vendor toy_vendor = {
	.cpus = cpus,
	.cores_of = cores_of,
	.add_source = add_source,
	.add_rule = add_rule,
	.erratum = erratum,
	.errata = 1,
	.why = why,
	.why_of_event = why_of_event,
	.words = &words,
};
