/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A vendor of three fields, added to the library's own objects by a line in the list of vendors:
 * its CPUs, sources, gates, whys, errata and the kernel's words are its own, filters see its
 * fields, and of the other vendors nothing changes.
 */
#include <stdio.h>
#include <string.h>

#include <precis/data_source.h>
#include <precis/errata.h>
#include <precis/error.h>
#include <precis/filter.h>
#include <precis/ibs.h>
#include <precis/pebs_sample.h>
#include <precis/record.h>

#include "tests/support/tap.h"
#include "tests/vendor/toy.h"

#define LATENCY UINT64_C(321)
#define WORKING (TOY_MEMORY | TOY_BRANCH)

static struct precis_sample sample_of(enum toy_core core, uint64_t control, uint64_t data)
{
	const uint64_t registers[TOY_REGISTERS] = { control, data };
	struct precis_sample sample;

	toy_decode(core, registers, &sample);
	return sample;
}

static uint64_t data_of(uint64_t level)
{
	return level << TOY_LOW_MEM_LEVEL | LATENCY << TOY_LOW_LOAD_LATENCY;
}

static void check_why(const struct precis_sample *sample, enum precis_field field,
		      enum precis_reason reason, const char *detail)
{
	CU_ASSERT_EQUAL(precis_why(sample, field), reason);
	CU_ASSERT_STRING_EQUAL(precis_why_detail(sample, field), detail);
}

static void cpus(void)
{
	struct precis_cpu cpu = { .size = sizeof(cpu) };

	CU_ASSERT_EQUAL(precis_cpu_parse("ToyMaker,1,1,0", &cpu), 0);
	CU_ASSERT_EQUAL(cpu.vendor, TOY_VENDOR);
	CU_ASSERT_EQUAL(precis_cpu_parse("HygonGenuine,24,1,0", &cpu), 0);
	CU_ASSERT_EQUAL(cpu.vendor, PRECIS_VENDOR_HYGON);
	CU_ASSERT_EQUAL(precis_cpu_parse("ToyBreaker,1,1,0", &cpu), 0);
	CU_ASSERT_EQUAL(cpu.vendor, PRECIS_VENDOR_OTHER);
}

static void texts(void)
{
	char text[1024];

	precis_field_source(PRECIS_FIELD_LOAD_LATENCY, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "pebs: latency[31:0], or PERF_SAMPLE_WEIGHT or WEIGHT_STRUCT; "
				     "toy: ToyData[27:16]");
	precis_field_source(PRECIS_FIELD_BRANCH_TAKEN, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "ibs_op: IbsOpData[35]; toy: ToyControl[5]");
	precis_field_source(PRECIS_FIELD_IP, text, sizeof(text));
	CU_ASSERT_PTR_NULL(strstr(text, "toy"));
	precis_field_rule(PRECIS_FIELD_BRANCH_TAKEN, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "retired branch; toy branch");
	precis_field_rule(PRECIS_FIELD_IP, text, sizeof(text));
	CU_ASSERT_PTR_NULL(strstr(text, "toy"));
}

static void values(void)
{
	struct precis_sample sample = sample_of(TOY_BIG, WORKING, data_of(PRECIS_MEM_LEVEL_DRAM));
	uint64_t value = 0;

	CU_ASSERT(precis_get_mem_level(&sample, &value) && value == PRECIS_MEM_LEVEL_DRAM);
	CU_ASSERT(precis_get_load_latency(&sample, &value) && value == LATENCY);
	CU_ASSERT(precis_get_branch_taken(&sample, &value) && value == 0);
	check_why(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_PRESENT, "");
}

static void whys(void)
{
	struct precis_sample sample = sample_of(TOY_SMALL, TOY_MEMORY, 0);

	check_why(&sample, PRECIS_FIELD_LOAD_LATENCY, PRECIS_NOT_SUPPORTED,
		  "small toys measure no latency");
	check_why(&sample, PRECIS_FIELD_BRANCH_TAKEN, PRECIS_NOT_APPLICABLE,
		  "the toy did not branch");
	check_why(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_NOT_APPLICABLE, "the toy tells no level");
	check_why(&sample, PRECIS_FIELD_TAG_TO_RETIRE, PRECIS_NOT_SUPPORTED,
		  "toys do not measure it");
	check_why(&sample, PRECIS_FIELD_TIME, PRECIS_NOT_CAPTURED,
		  "perf's sample does not have it");
	sample.source = PRECIS_SOURCE_NONE;
	sample.event_kind = PRECIS_EVENT_OTHER;
	check_why(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_NOT_CAPTURED,
		  "the event is nobody's, and no toy's");
}

/* Each bit changes the fields whose rows have it, and those whose gates look at it. */
static void field_bits(void)
{
	const struct precis_sample before = sample_of(TOY_BIG, WORKING, data_of(0xf));
	uint64_t changed[PRECIS_FIELD_COUNT][TOY_REGISTERS] = { { 0 } };
	uint32_t fields = 0;

	for (uint32_t n = 0; n < TOY_REGISTERS * 64; n++) {
		uint64_t flip[TOY_REGISTERS] = { WORKING, data_of(0xf) };
		struct precis_sample after;

		flip[n / 64] ^= UINT64_C(1) << n % 64;
		toy_decode(TOY_BIG, flip, &after);
		for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
			if (precis_fields_have(after.present, field) &&
			    before.value[field] != after.value[field])
				changed[field][n / 64] |= UINT64_C(1) << n % 64;
		}
	}
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		fields += precis_fields_have(before.present, field) != 0;
		for (uint32_t reg = 0; reg < TOY_REGISTERS; reg++)
			CU_ASSERT_EQUAL(changed[field][reg], toy_value_bits(field, reg));
	}
	CU_ASSERT_EQUAL(fields, 3);
}

static int passes(const char *text, const struct precis_sample *sample)
{
	struct precis_filter filter = { .size = sizeof(filter) };
	struct precis_filter_error error = { .size = sizeof(error) };

	CU_ASSERT_EQUAL(precis_filter_compile(text, NULL, NULL, &filter, &error), 0);
	return precis_filter_match(&filter, sample);
}

static void filters(void)
{
	struct precis_sample sample = sample_of(TOY_BIG, TOY_MEMORY, data_of(PRECIS_MEM_LEVEL_DRAM));

	CU_ASSERT_TRUE(passes("mem_level == DRAM && load_latency > 300", &sample));
	CU_ASSERT_FALSE(passes("mem_level == L3 || load_latency > 400", &sample));
	CU_ASSERT_FALSE(passes("branch_taken == 0 || branch_taken == 1", &sample));
}

static void errata(void)
{
	struct precis_erratum erratum = { .size = sizeof(erratum) };
	uint32_t n = 0, others = 0;

	while (!precis_erratum(n, &erratum)) {
		others += strncmp(erratum.name, "AMD-", 4) == 0;
		n++;
	}
	CU_ASSERT(others > 0);
	CU_ASSERT_EQUAL(n, others + 1);
	CU_ASSERT_STRING_EQUAL(erratum.name, "TOY-1");
	CU_ASSERT_STRING_EQUAL(erratum.models, "small toys");
}

/* What the kernel hands out of its samples is read by the toy, for its CPUs and its events. */
static void kernel_words(void)
{
	struct precis_pebs_machine machine = {
		.size = sizeof(machine),
		.cpu = { sizeof(machine.cpu), TOY_VENDOR, 1, TOY_BIG, 0 },
	};
	struct precis_data_source source = { .size = sizeof(source),
					     .op = PRECIS_DATA_OP_LOAD,
					     .lvl_num = PRECIS_MEM_LEVEL_PMEM };
	struct precis_perf_words words = { .size = sizeof(words),
					   .captured = PRECIS_SAMPLE_DATA_SRC |
						       PRECIS_SAMPLE_WEIGHT,
					   .weight = 77 };
	struct precis_pebs_context context;
	struct precis_sample sample;

	precis_sample_init(&sample);
	sample.event_kind = TOY_EVENT;
	precis_data_source_encode(&source, &words.data_src);
	CU_ASSERT_EQUAL(precis_pebs_context_init(&context, &machine), 0);
	CU_ASSERT_EQUAL(precis_perf_words_decode(&context, &words, NULL, &sample), 0);
	CU_ASSERT_EQUAL(sample.value[PRECIS_FIELD_MEM_LEVEL], PRECIS_MEM_LEVEL_PMEM);
	CU_ASSERT_EQUAL(sample.value[PRECIS_FIELD_LOAD_LATENCY], 77);
	CU_ASSERT_EQUAL(sample.value[PRECIS_FIELD_LOCKED], 0);
	CU_ASSERT_EQUAL(sample.cores, 1u << TOY_BIG);
	/* a CPU that is not known: by the event, of any core */
	machine.cpu.vendor = PRECIS_VENDOR_UNKNOWN;
	precis_pebs_context_init(&context, &machine);
	precis_perf_words_decode(&context, &words, NULL, &sample);
	CU_ASSERT_EQUAL(sample.value[PRECIS_FIELD_MEM_LEVEL], PRECIS_MEM_LEVEL_PMEM);
	CU_ASSERT_EQUAL(sample.cores, TOY_CORES);
	/* and nobody else's */
	sample.event_kind = PRECIS_EVENT_OTHER;
	precis_pebs_context_init(&context, &machine);
	precis_perf_words_decode(&context, &words, NULL, &sample);
	CU_ASSERT_NOT_EQUAL(sample.value[PRECIS_FIELD_MEM_LEVEL], PRECIS_MEM_LEVEL_PMEM);
}

static void others(void)
{
	const struct precis_cpu cpu = { sizeof(cpu), PRECIS_VENDOR_AMD, 0x19, 0x11, 0 };
	const struct precis_ibs_op op = { .size = sizeof(op), .caps = 0xbff, .captured = 0xff };
	struct precis_ibs_context context;
	struct precis_sample sample;

	precis_sample_init(&sample);
	CU_ASSERT_EQUAL(precis_ibs_context_init(&context, &cpu), 0);
	CU_ASSERT_EQUAL(precis_ibs_op_decode(&context, &op, NULL, &sample), 0);
	check_why(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_NOT_APPLICABLE, "neither load nor store");
	check_why(&sample, PRECIS_FIELD_LOAD_LATENCY, PRECIS_NOT_SUPPORTED,
		  "IBS does not measure it");
}

static const struct tap_case cases[] = {
	{ "cpuid names its CPUs", cpus },
	{ "the catalogue says where its fields come from", texts },
	{ "its fields have values", values },
	{ "what is absent has its reasons", whys },
	{ "each bit changes the fields that have it", field_bits },
	{ "filters ask for them", filters },
	{ "its errata stand behind the others'", errata },
	{ "it reads the kernel's words of its samples", kernel_words },
	{ "the others are as they were", others },
};

int main(void)
{
	return tap_main("vendor", cases, sizeof(cases) / sizeof(cases[0]));
}
