/* SPDX-License-Identifier: BSD-3-Clause */
/* PEBS records and the kernel's words to samples: what is there, and why what is not. */
#include <stdio.h>
#include <string.h>

#include <precis/precis.h>

#include "tests/support/tap.h"

#define WORD(id) (1u << PRECIS_PEBS_##id)
#define RETIRE_CAPABILITY (UINT64_C(1) << 17)

static const struct precis_cpu skylake = { sizeof(skylake), PRECIS_VENDOR_INTEL, 6, 0x5e, 3 };
static const struct precis_cpu haswell = { sizeof(haswell), PRECIS_VENDOR_INTEL, 6, 0x3c, 3 };
static const struct precis_cpu sandy_bridge = { sizeof(sandy_bridge), PRECIS_VENDOR_INTEL, 6, 0x2a,
						7 };
static const struct precis_cpu silvermont = { sizeof(silvermont), PRECIS_VENDOR_INTEL, 6, 0x37, 8 };
static const struct precis_cpu sapphire_rapids = { sizeof(sapphire_rapids), PRECIS_VENDOR_INTEL, 6,
						   0x8f, 8 };
static const struct precis_cpu alder_lake = { sizeof(alder_lake), PRECIS_VENDOR_INTEL, 6, 0x97, 2 };
static const struct precis_cpu panther_lake = { sizeof(panther_lake), PRECIS_VENDOR_INTEL, 6, 0xcc,
						0 };
static const struct precis_cpu zen_4 = { sizeof(zen_4), PRECIS_VENDOR_AMD, 0x19, 0x11, 1 };

static struct precis_pebs_machine machine_of(const struct precis_cpu *cpu, uint64_t config)
{
	struct precis_pebs_machine machine = { .size = sizeof(machine),
					       .has_config = 1,
					       .config = config };

	if (cpu)
		machine.cpu = *cpu;
	return machine;
}

/* A record with these words */
static struct precis_pebs record_of(uint32_t format, uint32_t captured)
{
	struct precis_pebs pebs = { .size = sizeof(pebs), .format = format, .captured = captured };

	for (uint32_t word = 0; word < PRECIS_PEBS_WORD_COUNT; word++)
		pebs.word[word] = UINT64_C(0x5555000055550000) + word; /* what nobody may look at */
	return pebs;
}

static struct precis_sample decoded(const struct precis_pebs_machine *machine,
				    const struct precis_pebs *pebs)
{
	struct precis_pebs_context context;
	struct precis_sample sample;

	precis_sample_init(&sample);
	CU_ASSERT_EQUAL_FATAL(precis_pebs_context_init(&context, machine), 0);
	CU_ASSERT_EQUAL_FATAL(precis_pebs_decode(&context, pebs, NULL, &sample), 0);
	return sample;
}

static struct precis_sample decoded_words(const struct precis_pebs_machine *machine,
					  const struct precis_perf_words *words, uint32_t kind)
{
	struct precis_pebs_context context;
	struct precis_sample sample;

	precis_sample_init(&sample);
	memset(sample.wanted, 0xff, sizeof(sample.wanted));
	sample.event_kind = kind;
	CU_ASSERT_EQUAL_FATAL(precis_pebs_context_init(&context, machine), 0);
	CU_ASSERT_EQUAL_FATAL(precis_perf_words_decode(&context, words, NULL, &sample), 0);
	return sample;
}

static void is_value(const struct precis_sample *sample, enum precis_field field, uint64_t expected)
{
	uint64_t value = 0;

	if (!precis_get(sample, field, &value) || value != expected) {
		printf("# %s: expected %llu, found %s %llu\n", precis_field_name(field),
		       (unsigned long long)expected, precis_why_detail(sample, field),
		       (unsigned long long)value);
		CU_FAIL("a value");
	}
	CU_ASSERT_EQUAL(precis_why(sample, field), PRECIS_PRESENT);
}

static void is_absent(const struct precis_sample *sample, enum precis_field field,
		      enum precis_reason reason, const char *words)
{
	uint64_t value;

	if (precis_get(sample, field, &value) || precis_why(sample, field) != reason ||
	    !strstr(precis_why_detail(sample, field), words)) {
		printf("# %s: expected %s (%s), found %s (%s)\n", precis_field_name(field),
		       precis_reason_name(reason), words,
		       precis_reason_name(precis_why(sample, field)),
		       precis_why_detail(sample, field));
		CU_FAIL("a reason");
	}
	CU_ASSERT_EQUAL(sample->value[field], UINT64_MAX);
}

#define VALUE(field, expected) is_value(&sample, PRECIS_FIELD_##field, expected)
#define ABSENT(field, reason, words) is_absent(&sample, PRECIS_FIELD_##field, PRECIS_##reason, words)

#define FORMAT_3_WORDS                                                                             \
	(WORD(APPLICABLE_COUNTERS) | WORD(EVENTING_IP) | WORD(TSC) | WORD(DATA_ADDRESS) |          \
	 WORD(DATA_SOURCE) | WORD(LATENCY) | WORD(TSX))

static void test_load_latency(void)
{
	struct precis_pebs_machine machine = machine_of(&skylake, 0x1cd);
	struct precis_pebs pebs = record_of(PRECIS_PEBS_FORMAT_3, FORMAT_3_WORDS);
	struct precis_sample sample;

	pebs.word[PRECIS_PEBS_EVENTING_IP] = 0x401234;
	pebs.word[PRECIS_PEBS_DATA_ADDRESS] = 0x7f0000001008;
	pebs.word[PRECIS_PEBS_DATA_SOURCE] = 0x10 | 0x7; /* STLB miss; L3, modified elsewhere */
	pebs.word[PRECIS_PEBS_LATENCY] = 77;
	pebs.word[PRECIS_PEBS_TSC] = 123456789;
	pebs.word[PRECIS_PEBS_TSX] = 0;
	pebs.word[PRECIS_PEBS_APPLICABLE_COUNTERS] = 4;
	sample = decoded(&machine, &pebs);
	CU_ASSERT_EQUAL(sample.source, PRECIS_SOURCE_PEBS);
	CU_ASSERT_EQUAL(sample.event_kind, PRECIS_EVENT_PEBS);
	VALUE(IP, 0x401234);
	VALUE(IP_EXACT, 1);
	VALUE(ADDR, 0x7f0000001008);
	VALUE(OP, PRECIS_OP_LOAD);
	VALUE(LOAD_LATENCY, 77);
	VALUE(MEM_LEVEL, PRECIS_MEM_LEVEL_L3);
	VALUE(MEM_SNOOP, PRECIS_MEM_SNOOP_MODIFIED);
	VALUE(MEM_REMOTE, PRECIS_MEM_REMOTE_LOCAL);
	VALUE(TLB_LEVEL, PRECIS_TLB_LEVEL_WALK);
	VALUE(LOCKED, 0);
	VALUE(DCACHE_MISS, 1);
	VALUE(L2_MISS, 1);
	VALUE(TSC, 123456789);
	VALUE(APPLICABLE_COUNTERS, 4);
	VALUE(TRANSACTION, 0);
	ABSENT(TRANSACTION_CYCLES, NOT_APPLICABLE, "reported none");
	ABSENT(CACHE_LATENCY, NOT_SUPPORTED, "Alder Lake");
	ABSENT(INSTRUCTION_LATENCY, NOT_SUPPORTED, "Alder Lake");
	ABSENT(RETIRE_LATENCY, NOT_SUPPORTED, "does not measure");
	ABSENT(DATA_BLOCKED, NOT_SUPPORTED, "does not record");
	ABSENT(FILL_BUFFER_FULL, NOT_SUPPORTED, "does not record");
	ABSENT(TAG_TO_RETIRE, NOT_SUPPORTED, "PEBS does not measure it");
	ABSENT(CPU, NOT_CAPTURED, "");
	ABSENT(TIME, NOT_CAPTURED, "");
	/* the core's own cache has no node, and asks nobody */
	pebs.word[PRECIS_PEBS_DATA_SOURCE] = 0x20 | 0x1;
	sample = decoded(&machine, &pebs);
	VALUE(MEM_LEVEL, PRECIS_MEM_LEVEL_L1);
	VALUE(LOCKED, 1);
	VALUE(TLB_LEVEL, PRECIS_TLB_LEVEL_L1_OR_L2);
	VALUE(DCACHE_MISS, 0);
	ABSENT(MEM_REMOTE, NOT_APPLICABLE, "own cache");
	ABSENT(L2_MISS, NOT_APPLICABLE, "own cache");
	/* a latency or an address of 0 is none */
	pebs.word[PRECIS_PEBS_LATENCY] = UINT64_C(5) << 32;
	pebs.word[PRECIS_PEBS_DATA_ADDRESS] = 0;
	sample = decoded(&machine, &pebs);
	ABSENT(LOAD_LATENCY, NOT_APPLICABLE, "reported none");
	ABSENT(ADDR, NOT_APPLICABLE, "reported none");
}

static void test_split_latency(void)
{
	struct precis_pebs_machine machine = machine_of(&sapphire_rapids, 0x1cd);
	struct precis_pebs pebs = record_of(PRECIS_PEBS_FORMAT_4, FORMAT_3_WORDS |
								    WORD(RETIRE_LATENCY));
	struct precis_sample sample;

	pebs.word[PRECIS_PEBS_LATENCY] = UINT64_C(0xffff012300004567) & ~UINT64_C(0x7000);
	pebs.word[PRECIS_PEBS_DATA_SOURCE] = 0x40 | 0x3;
	pebs.word[PRECIS_PEBS_RETIRE_LATENCY] = 0;
	sample = decoded(&machine, &pebs);
	VALUE(INSTRUCTION_LATENCY, 0x0567);
	VALUE(CACHE_LATENCY, 0x0123);
	ABSENT(LOAD_LATENCY, NOT_SUPPORTED, "cache_latency");
	VALUE(DATA_BLOCKED, 1);
	VALUE(ADDRESS_BLOCKED, 0);
	ABSENT(RETIRE_LATENCY, NOT_CAPTURED, "IA32_PERF_CAPABILITIES");
	machine.has_capabilities = 1;
	sample = decoded(&machine, &pebs);
	ABSENT(RETIRE_LATENCY, NOT_SUPPORTED, "IA32_PERF_CAPABILITIES[17] is 0");
	machine.capabilities = RETIRE_CAPABILITY;
	sample = decoded(&machine, &pebs);
	VALUE(RETIRE_LATENCY, 0);
	/* without the memory group */
	pebs.captured = WORD(APPLICABLE_COUNTERS) | WORD(EVENTING_IP) | WORD(TSC) |
			WORD(RETIRE_LATENCY);
	sample = decoded(&machine, &pebs);
	VALUE(RETIRE_LATENCY, 0);
	ABSENT(ADDR, NOT_CAPTURED, "PEBS_DATA_CFG");
	ABSENT(MEM_LEVEL, NOT_CAPTURED, "PEBS_DATA_CFG");
	ABSENT(CACHE_LATENCY, NOT_CAPTURED, "PEBS_DATA_CFG");
	ABSENT(TRANSACTION, NOT_CAPTURED, "PEBS_DATA_CFG");
	VALUE(OP, PRECIS_OP_LOAD);
}

static void test_store_events(void)
{
	struct precis_pebs_machine machine = machine_of(&sandy_bridge, 0x2cd);
	struct precis_pebs pebs = record_of(PRECIS_PEBS_FORMAT_1,
					    WORD(STATUS) | WORD(DATA_ADDRESS) | WORD(DATA_SOURCE) |
						    WORD(LATENCY));
	struct precis_sample sample;

	pebs.gpr_captured = 0x3ffff;
	pebs.gpr[PRECIS_PEBS_IP] = 0x400010;
	pebs.word[PRECIS_PEBS_DATA_SOURCE] = 0x1;
	pebs.word[PRECIS_PEBS_STATUS] = 0x8;
	sample = decoded(&machine, &pebs);
	VALUE(OP, PRECIS_OP_STORE);
	VALUE(MEM_LEVEL, PRECIS_MEM_LEVEL_L1);
	VALUE(IP, 0x400010);
	VALUE(IP_EXACT, 0); /* of the next instruction */
	VALUE(APPLICABLE_COUNTERS, 0x8);
	ABSENT(LOAD_LATENCY, NOT_APPLICABLE, "only events of load or store latency");
	ABSENT(MEM_SNOOP, NOT_APPLICABLE, "does not record");
	ABSENT(TSC, NOT_CAPTURED, "format");
	pebs.word[PRECIS_PEBS_DATA_SOURCE] = 0x0;
	sample = decoded(&machine, &pebs);
	ABSENT(MEM_LEVEL, NOT_APPLICABLE, "missed the L1");
	VALUE(DCACHE_MISS, 1);
	/* DataLA: loads record the address alone, stores the L1 hit as well */
	machine = machine_of(&haswell, 0x81d0);
	pebs.word[PRECIS_PEBS_DATA_ADDRESS] = 0x1000;
	sample = decoded(&machine, &pebs);
	VALUE(ADDR, 0x1000);
	VALUE(OP, PRECIS_OP_LOAD);
	ABSENT(MEM_LEVEL, NOT_APPLICABLE, "does not record");
	machine = machine_of(&haswell, 0x82d0);
	pebs.word[PRECIS_PEBS_DATA_SOURCE] = 0x1;
	sample = decoded(&machine, &pebs);
	VALUE(OP, PRECIS_OP_STORE);
	VALUE(MEM_LEVEL, PRECIS_MEM_LEVEL_L1);
	machine = machine_of(&haswell, 0x83d0);
	sample = decoded(&machine, &pebs);
	VALUE(ADDR, 0x1000);
	ABSENT(OP, NOT_APPLICABLE, "loads and stores alike");
}

static void test_nothing_pretended(void)
{
	struct precis_pebs_machine machine = machine_of(&skylake, 0x1c0);
	struct precis_pebs pebs = record_of(PRECIS_PEBS_FORMAT_3, FORMAT_3_WORDS);
	struct precis_sample sample = decoded(&machine, &pebs);

	/* inst_retired: what stands in the words is stale */
	ABSENT(ADDR, NOT_APPLICABLE, "no memory access");
	ABSENT(MEM_LEVEL, NOT_APPLICABLE, "no memory access");
	ABSENT(LOAD_LATENCY, NOT_APPLICABLE, "no memory access");
	ABSENT(OP, NOT_APPLICABLE, "no memory access");
	VALUE(IP, pebs.word[PRECIS_PEBS_EVENTING_IP]);
	/* an event that nobody named */
	machine.has_config = 0;
	sample = decoded(&machine, &pebs);
	ABSENT(ADDR, NOT_CAPTURED, "event is not known");
	ABSENT(LOAD_LATENCY, NOT_CAPTURED, "event is not known");
	machine.facility_is_known = 1;
	machine.facility = PRECIS_PEBS_FACILITY_LOAD_LATENCY;
	sample = decoded(&machine, &pebs);
	VALUE(ADDR, pebs.word[PRECIS_PEBS_DATA_ADDRESS]);
	/* a CPU that nobody named */
	machine.cpu.vendor = PRECIS_VENDOR_UNKNOWN;
	sample = decoded(&machine, &pebs);
	ABSENT(ADDR, NOT_CAPTURED, "CPU model is not known");
	ABSENT(LOAD_LATENCY, NOT_CAPTURED, "CPU model is not known");
	ABSENT(RETIRE_LATENCY, NOT_CAPTURED, "CPU model is not known");
	/* a hybrid CPU, and nobody said which of its cores */
	machine = machine_of(&alder_lake, 0x1cd);
	sample = decoded(&machine, &pebs);
	ABSENT(MEM_LEVEL, NOT_CAPTURED, "CPU model is not known");
	machine.core_type = PRECIS_CORE_TYPE_P;
	pebs.word[PRECIS_PEBS_DATA_SOURCE] = 0x1;
	sample = decoded(&machine, &pebs);
	VALUE(MEM_LEVEL, PRECIS_MEM_LEVEL_L1);
	/* words that the core leaves undefined */
	machine = machine_of(&silvermont, 0x1c0);
	machine.facility_is_known = 1;
	machine.facility = PRECIS_PEBS_FACILITY_LOAD_LATENCY;
	pebs = record_of(PRECIS_PEBS_FORMAT_2, FORMAT_3_WORDS & ~WORD(TSC));
	sample = decoded(&machine, &pebs);
	ABSENT(ADDR, NOT_SUPPORTED, "reserved on this core");
	ABSENT(TRANSACTION, NOT_SUPPORTED, "reserved on this core");
	VALUE(IP, pebs.word[PRECIS_PEBS_EVENTING_IP]);
}

static void test_record_that_judges_itself(void)
{
	struct precis_pebs_machine machine = machine_of(&panther_lake, 0x1cd);
	struct precis_pebs pebs = record_of(PRECIS_PEBS_FORMAT_ARCH,
					    FORMAT_3_WORDS | WORD(RETIRE_LATENCY));
	struct precis_sample sample;

	machine.core_type = PRECIS_CORE_TYPE_P;
	pebs.word[PRECIS_PEBS_RETIRE_LATENCY] = 9;
	pebs.flags = PRECIS_PEBS_RETIRE_LATENCY_TOLD;
	sample = decoded(&machine, &pebs);
	ABSENT(RETIRE_LATENCY, NOT_APPLICABLE, "calls it invalid");
	pebs.flags |= PRECIS_PEBS_RETIRE_LATENCY_VALID;
	sample = decoded(&machine, &pebs);
	VALUE(RETIRE_LATENCY, 9);
}

static void test_transactions(void)
{
	struct precis_pebs_machine machine = machine_of(&skylake, 0x1c0);
	struct precis_pebs pebs = record_of(PRECIS_PEBS_FORMAT_3, FORMAT_3_WORDS);
	struct precis_sample sample;

	pebs.word[PRECIS_PEBS_TSX] = UINT64_C(0xffff0022) << 32 | 431; /* RTM, conflict */
	pebs.gpr_captured = 1u << PRECIS_PEBS_AX;
	pebs.gpr[PRECIS_PEBS_AX] = 0xa5000001;
	sample = decoded(&machine, &pebs);
	VALUE(TRANSACTION, UINT64_C(0xa5) << 32 | 0x22);
	VALUE(TRANSACTION_CYCLES, 431);
	pebs.gpr[PRECIS_PEBS_AX] = 0xa5000000; /* no XABORT: no code */
	sample = decoded(&machine, &pebs);
	VALUE(TRANSACTION, 0x22);
	pebs.gpr[PRECIS_PEBS_AX] = 0xa5000001;
	pebs.gpr_captured = 0;
	sample = decoded(&machine, &pebs);
	VALUE(TRANSACTION, 0x22);
}

#define ALL_WORDS (PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_WEIGHT_STRUCT | PRECIS_SAMPLE_DATA_SRC)
#define DATA_SRC_L3_HITM UINT64_C(0x668800842) /* load, L3 hit, HitM, L1 or L2 TLB hit, no lock */

static void test_kernel_words(void)
{
	struct precis_pebs_machine machine = machine_of(&skylake, 0x1cd);
	struct precis_perf_words words = { .size = sizeof(words),
					   .captured = ALL_WORDS,
					   .addr = 0x1234,
					   .data_src = DATA_SRC_L3_HITM,
					   .weight = 88,
					   .weight_var2 = 3,
					   .weight_var3 = 0 };
	struct precis_sample sample = decoded_words(&machine, &words, PRECIS_EVENT_PEBS);

	CU_ASSERT_EQUAL(sample.source, PRECIS_SOURCE_PERF_WORDS);
	VALUE(ADDR, 0x1234);
	VALUE(OP, PRECIS_OP_LOAD);
	VALUE(MEM_LEVEL, PRECIS_MEM_LEVEL_L3);
	VALUE(MEM_SNOOP, PRECIS_MEM_SNOOP_MODIFIED);
	VALUE(TLB_LEVEL, PRECIS_TLB_LEVEL_L1_OR_L2);
	VALUE(LOCKED, 0);
	VALUE(LOAD_LATENCY, 88);
	ABSENT(INSTRUCTION_LATENCY, NOT_SUPPORTED, "Alder Lake");
	ABSENT(DATA_BLOCKED, NOT_CAPTURED, "did not fill it in");
	ABSENT(TSC, NOT_CAPTURED, "does not hand it out");
	ABSENT(IP, NOT_CAPTURED, "does not have it");
	/* what was not recorded says what to do */
	words.captured = PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_DATA_SRC;
	sample = decoded_words(&machine, &words, PRECIS_EVENT_PEBS);
	ABSENT(LOAD_LATENCY, NOT_CAPTURED, "-W");
	words.captured = PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_WEIGHT;
	sample = decoded_words(&machine, &words, PRECIS_EVENT_PEBS);
	ABSENT(MEM_LEVEL, NOT_CAPTURED, "-d");
	VALUE(LOAD_LATENCY, 88);
	VALUE(ADDR, 0x1234);
	/* another event's weight is no latency */
	machine = machine_of(&skylake, 0x81d0);
	sample = decoded_words(&machine, &words, PRECIS_EVENT_PEBS);
	ABSENT(LOAD_LATENCY, NOT_APPLICABLE, "only events of load or store latency");
	machine = machine_of(&skylake, 0x1c0);
	sample = decoded_words(&machine, &words, PRECIS_EVENT_PEBS);
	ABSENT(ADDR, NOT_APPLICABLE, "no memory access");
	/* an event that is not known, but the kernel says that it is a load */
	words.captured = ALL_WORDS;
	machine.has_config = 0;
	sample = decoded_words(&machine, &words, PRECIS_EVENT_PEBS);
	VALUE(ADDR, 0x1234);
	VALUE(MEM_LEVEL, PRECIS_MEM_LEVEL_L3);
	ABSENT(LOAD_LATENCY, NOT_CAPTURED, "what its latency or weight means");
	words.data_src = PRECIS_DATA_SOURCE_NA;
	sample = decoded_words(&machine, &words, PRECIS_EVENT_PEBS);
	ABSENT(ADDR, NOT_APPLICABLE, "no memory access");
	ABSENT(MEM_LEVEL, NOT_APPLICABLE, "no memory access");
}

static void test_kernel_words_split(void)
{
	struct precis_pebs_machine machine = machine_of(&sapphire_rapids, 0x1cd);
	struct precis_perf_words words = { .size = sizeof(words),
					   .captured = ALL_WORDS,
					   .data_src = DATA_SRC_L3_HITM,
					   .weight = 88,
					   .weight_var2 = 3 };
	struct precis_sample sample = decoded_words(&machine, &words, PRECIS_EVENT_PEBS);

	VALUE(CACHE_LATENCY, 88);
	VALUE(INSTRUCTION_LATENCY, 3);
	ABSENT(LOAD_LATENCY, NOT_SUPPORTED, "cache_latency");
	ABSENT(RETIRE_LATENCY, NOT_CAPTURED, "before 6.3");
	machine.records_retire_latency = 1;
	sample = decoded_words(&machine, &words, PRECIS_EVENT_PEBS);
	ABSENT(RETIRE_LATENCY, NOT_CAPTURED, "IA32_PERF_CAPABILITIES");
	machine.has_capabilities = 1;
	machine.capabilities = RETIRE_CAPABILITY;
	sample = decoded_words(&machine, &words, PRECIS_EVENT_PEBS);
	VALUE(RETIRE_LATENCY, 0);
	/* recorded, and kept back: no 0 is made of that, and the second part is there */
	words.captured = ALL_WORDS | PRECIS_PERF_WORDS_WITHOUT_VAR3;
	sample = decoded_words(&machine, &words, PRECIS_EVENT_PEBS);
	ABSENT(RETIRE_LATENCY, NOT_CAPTURED, "perf does not hand it on");
	VALUE(INSTRUCTION_LATENCY, 3);
	VALUE(CACHE_LATENCY, 88);
	machine.capabilities = 0;
	sample = decoded_words(&machine, &words, PRECIS_EVENT_PEBS);
	ABSENT(RETIRE_LATENCY, NOT_SUPPORTED, "IA32_PERF_CAPABILITIES[17] is 0");
	words.captured = ALL_WORDS;
	/* where one is there, it was measured, whatever else is not known */
	machine.has_capabilities = machine.records_retire_latency = 0;
	words.weight_var3 = 12;
	sample = decoded_words(&machine, &words, PRECIS_EVENT_PEBS);
	VALUE(RETIRE_LATENCY, 12);
}

static void test_kernel_words_of_ibs(void)
{
	struct precis_pebs_machine machine = machine_of(&zen_4, 0);
	struct precis_perf_words words = { .size = sizeof(words),
					   .captured = ALL_WORDS,
					   .addr = 0x99,
					   .data_src = DATA_SRC_L3_HITM,
					   .weight = 321,
					   .weight_var2 = 400 };
	struct precis_sample sample = decoded_words(&machine, &words, PRECIS_EVENT_IBS_OP);

	VALUE(MEM_LEVEL, PRECIS_MEM_LEVEL_L3);
	VALUE(DCACHE_MISS_LATENCY, 321);
	VALUE(TAG_TO_RETIRE, 400);
	ABSENT(LOAD_LATENCY, NOT_SUPPORTED, "IBS does not measure it");
	ABSENT(CACHE_LATENCY, NOT_SUPPORTED, "IBS does not measure it");
	ABSENT(TLB_REFILL_LATENCY, NOT_CAPTURED, "raw");
	words.weight = words.weight_var2 = 0;
	sample = decoded_words(&machine, &words, PRECIS_EVENT_IBS_OP);
	ABSENT(DCACHE_MISS_LATENCY, NOT_CAPTURED, "raw");
}

static void test_wanted(void)
{
	struct precis_pebs_machine machine = machine_of(&skylake, 0x1cd);
	struct precis_pebs pebs = record_of(PRECIS_PEBS_FORMAT_3, FORMAT_3_WORDS);
	uint64_t wanted[PRECIS_FIELD_WORDS] = { 0 };
	struct precis_pebs_context context;
	struct precis_sample sample;

	precis_fields_add(wanted, PRECIS_FIELD_LOAD_LATENCY);
	precis_fields_add(wanted, PRECIS_FIELD_TSC);
	precis_sample_init(&sample);
	CU_ASSERT_EQUAL(precis_pebs_context_init(&context, &machine), 0);
	/* what was decoded before and is not wanted now is gone */
	CU_ASSERT_EQUAL(precis_pebs_decode(&context, &pebs, NULL, &sample), 0);
	CU_ASSERT_EQUAL(precis_pebs_decode(&context, &pebs, wanted, &sample), 0);
	VALUE(LOAD_LATENCY, pebs.word[PRECIS_PEBS_LATENCY] & 0xffffffff);
	VALUE(TSC, pebs.word[PRECIS_PEBS_TSC]);
	ABSENT(ADDR, NOT_CAPTURED, "not asked for");
	ABSENT(APPLICABLE_COUNTERS, NOT_CAPTURED, "not asked for");
	/* other fields of the same values */
	memset(wanted, 0, sizeof(wanted));
	precis_fields_add(wanted, PRECIS_FIELD_ADDR);
	precis_fields_add(wanted, PRECIS_FIELD_TSC);
	CU_ASSERT_EQUAL(precis_pebs_decode(&context, &pebs, wanted, &sample), 0);
	VALUE(ADDR, pebs.word[PRECIS_PEBS_DATA_ADDRESS]);
	ABSENT(LOAD_LATENCY, NOT_CAPTURED, "not asked for");
}

static void test_arguments(void)
{
	struct precis_pebs_machine machine = machine_of(&skylake, 0x1cd);
	struct precis_pebs pebs = record_of(PRECIS_PEBS_FORMAT_3, 0);
	struct precis_perf_words words = { .size = sizeof(words) };
	struct precis_access access = { .size = sizeof(access) };
	struct precis_pebs_context context;
	struct precis_sample sample;

	precis_sample_init(&sample);
	CU_ASSERT_EQUAL(precis_pebs_context_init(NULL, &machine), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_context_init(&context, NULL), PRECIS_E_ARGUMENT);
	machine.size = 4;
	CU_ASSERT_EQUAL(precis_pebs_context_init(&context, &machine), PRECIS_E_ARGUMENT);
	machine.size = sizeof(machine);
	machine.facility_is_known = 1;
	machine.facility = PRECIS_PEBS_FACILITY_COUNT;
	CU_ASSERT_EQUAL(precis_pebs_context_init(&context, &machine), PRECIS_E_ARGUMENT);
	machine.facility_is_known = 0;
	CU_ASSERT_EQUAL(precis_pebs_context_init(&context, &machine), 0);
	CU_ASSERT_EQUAL(precis_pebs_decode(NULL, &pebs, NULL, &sample), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_decode(&context, NULL, NULL, &sample), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_decode(&context, &pebs, NULL, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_perf_words_decode(NULL, &words, NULL, &sample), PRECIS_E_ARGUMENT);
	words.size = 4;
	CU_ASSERT_EQUAL(precis_perf_words_decode(&context, &words, NULL, &sample),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_data_source_access(0, NULL), PRECIS_E_ARGUMENT);
	access.size = 4;
	CU_ASSERT_EQUAL(precis_data_source_access(0, &access), PRECIS_E_ARGUMENT);
}

static void test_events(void)
{
	static const struct {
		uint32_t core, config;
		int event;
	} rows[] = {
		{ PRECIS_INTEL_NEHALEM, 0x100b, PRECIS_PEBS_FACILITY_LOAD_LATENCY },
		{ PRECIS_INTEL_NEHALEM, 0x1cd, PRECIS_PEBS_FACILITY_OTHER },
		{ PRECIS_INTEL_SANDY_BRIDGE, 0x1cd, PRECIS_PEBS_FACILITY_LOAD_LATENCY },
		{ PRECIS_INTEL_SANDY_BRIDGE, 0x2cd, PRECIS_PEBS_FACILITY_PRECISE_STORE },
		{ PRECIS_INTEL_SANDY_BRIDGE, 0x81d0, PRECIS_E_UNSUPPORTED },
		{ PRECIS_INTEL_SKYLAKE, 0x11d0, PRECIS_PEBS_FACILITY_DATA_LA_LOAD },
		{ PRECIS_INTEL_SKYLAKE, 0x82d0, PRECIS_PEBS_FACILITY_DATA_LA_STORE },
		{ PRECIS_INTEL_SKYLAKE, 0x83d0, PRECIS_PEBS_FACILITY_DATA_LA_OTHER },
		{ PRECIS_INTEL_SKYLAKE, 0x20d1, PRECIS_PEBS_FACILITY_DATA_LA_LOAD },
		{ PRECIS_INTEL_SKYLAKE, 0x02cd, PRECIS_PEBS_FACILITY_OTHER },
		{ PRECIS_INTEL_SKYLAKE, 0x5300c0, PRECIS_PEBS_FACILITY_OTHER },
		{ PRECIS_INTEL_GOLDEN_COVE, 0x2cd, PRECIS_PEBS_FACILITY_STORE_LATENCY },
		{ PRECIS_INTEL_GRACEMONT, 0x5d0, PRECIS_PEBS_FACILITY_LOAD_LATENCY },
		{ PRECIS_INTEL_GRACEMONT, 0x6d0, PRECIS_PEBS_FACILITY_STORE_LATENCY },
		{ PRECIS_INTEL_GRACEMONT, 0x81d0, PRECIS_E_UNSUPPORTED },
		{ PRECIS_INTEL_UNKNOWN, 0x1cd, PRECIS_E_UNSUPPORTED },
		{ PRECIS_INTEL_CORE_COUNT, 0x1cd, PRECIS_E_UNSUPPORTED },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		CU_ASSERT_EQUAL(precis_pebs_facility_of(rows[n].core, rows[n].config), rows[n].event);
	/* inv, cmask, user and kernel bits do not matter */
	CU_ASSERT_EQUAL(precis_pebs_facility_of(PRECIS_INTEL_SKYLAKE, 0x5301cd),
			PRECIS_PEBS_FACILITY_LOAD_LATENCY);
}

static void test_kernels(void)
{
	static const char *const older[] = { "6.2.99-generic", "5.15.0", "6.1.0-37-amd64",
					     "4.6",	       "",	 "rc" };
	static const char *const newer[] = { "6.3.0", "6.3", "6.12.95+deb12-amd64", "7.0.0-rc1" };

	for (size_t n = 0; n < sizeof(older) / sizeof(older[0]); n++)
		CU_ASSERT_FALSE(precis_pebs_kernel_has_retire_latency(older[n]));
	for (size_t n = 0; n < sizeof(newer) / sizeof(newer[0]); n++)
		CU_ASSERT_TRUE(precis_pebs_kernel_has_retire_latency(newer[n]));
	CU_ASSERT_FALSE(precis_pebs_kernel_has_retire_latency(NULL));
}

/* Linux says less of a TLB hit than the newest cores. */
static int agree(uint32_t part, uint32_t direct, uint32_t through)
{
	return direct == through ||
	       (part == PRECIS_ACCESS_TLB_LEVEL && direct == PRECIS_TLB_LEVEL_L2 &&
		through == PRECIS_TLB_LEVEL_L1_OR_L2);
}

/*
 * A data source through the kernel's word says nothing else than itself: of each core,
 * event and value, what both ways tell is equal.
 */
static void test_both_ways_agree(void)
{
	static const uint32_t events[] = { PRECIS_PEBS_FACILITY_LOAD_LATENCY,
					   PRECIS_PEBS_FACILITY_STORE_LATENCY,
					   PRECIS_PEBS_FACILITY_PRECISE_STORE,
					   PRECIS_PEBS_FACILITY_DATA_LA_STORE };
	uint64_t compared = 0, differences = 0;

	for (uint32_t core = 1; core < PRECIS_INTEL_CORE_COUNT; core++) {
		struct precis_dse_encoding encoding = { .size = sizeof(encoding) };

		CU_ASSERT_EQUAL_FATAL(precis_dse_encoding_of(core, &encoding), 0);
		for (uint32_t n = 0; n < 4 * 65536; n++) {
			struct precis_access direct = { .size = sizeof(direct) };
			struct precis_access through = { .size = sizeof(through) };
			uint32_t event = events[n >> 16];
			uint64_t word;

			precis_dse_access(&encoding, event, n & 0xffff, &direct);
			precis_dse_word(&encoding, event, n & 0xffff, &word);
			precis_data_source_access(word, &through);
			for (uint32_t part = 0; part < PRECIS_ACCESS_FIELDS; part++) {
				if (!(direct.present & through.present & 1u << part))
					continue;
				compared++;
				if (agree(part, direct.value[part], through.value[part]))
					continue;
				if (differences++ < 10)
					printf("# %s event %u %#x: %s %u, through %#llx %u\n",
					       precis_intel_core_name(core), event, n & 0xffff,
					       precis_access_field_name(part), direct.value[part],
					       (unsigned long long)word, through.value[part]);
			}
		}
	}
	printf("# %llu values compared\n", (unsigned long long)compared);
	CU_ASSERT_EQUAL(differences, 0);
	CU_ASSERT(compared > 1000000);
}

static const struct tap_case cases[] = {
	{ "a load latency record", test_load_latency },
	{ "latencies of instruction and cache", test_split_latency },
	{ "stores, and events that record the address alone", test_store_events },
	{ "nothing is pretended", test_nothing_pretended },
	{ "a record that says itself what is valid", test_record_that_judges_itself },
	{ "transactions", test_transactions },
	{ "the kernel's words", test_kernel_words },
	{ "the kernel's words of cores that split latencies", test_kernel_words_split },
	{ "the kernel's words of IBS", test_kernel_words_of_ibs },
	{ "fields that are not wanted", test_wanted },
	{ "arguments", test_arguments },
	{ "events of cores", test_events },
	{ "kernels that hand out retire latency", test_kernels },
	{ "a data source says the same through the kernel's word", test_both_ways_agree },
};

int main(void)
{
	return tap_main("PEBS samples", cases, sizeof(cases) / sizeof(cases[0]));
}
