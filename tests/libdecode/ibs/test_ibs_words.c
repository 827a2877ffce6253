/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * IBS without its registers: what precis makes of the kernel's words, beside what it makes of the
 * registers that they come from. Words, kernels and registers are facts: test_ibs_words_kernel.py
 * runs the kernels' own functions, where their sources are, on all registers.
 */
#include <stdio.h>
#include <string.h>

#include <precis/precis.h>

#include "tests/support/tap.h"

#define LOAD (1u << 0)
#define STORE (1u << 1)
#define L1_TLB_MISS (1u << 2)
#define L2_TLB_MISS (1u << 3)
#define DC_MISS (1u << 7)
#define UNCACHEABLE (1u << 14)
#define LOCKED (1u << 15)
#define NO_MAB (1u << 16)
#define LIN_VALID (1u << 17)
#define VALID (LIN_VALID | 1u << 18)
#define MISSED (DC_MISS | 1u << 20)

static const struct cpu_row {
	const char *cpuid;
	uint32_t caps;
} cpus[] = {
#define BULLDOZER 0
	{ "AuthenticAMD,21,1,2", 0xff },
#define ZEN2 1
	{ "AuthenticAMD,23,49,0", 0x3ff },
#define ZEN3 2
	{ "AuthenticAMD,25,1,1", 0x3ff },
#define ZEN4 3
	{ "AuthenticAMD,25,17,1", 0xbff },
#define ZEN5 4
	{ "AuthenticAMD,26,2,1", 0x81bff },
#define ZEN6 5
	{ "AuthenticAMD,26,80,0", 0xdfbff },
};

/* Kernels: of both kinds of forms, and the first that sees whether a TLB status is valid */
#define K6_1 "6.1.0-49-amd64"
#define K6_12 "6.12.95+deb12-amd64"
#define K7_3 "7.3.4+deb13-amd64"

/*
 * By the words: mem_level, mem_remote, mem_snoop, tlb_level, locked, dcache_miss, l2_miss, - where
 * there is none.
 */
static const struct word_row {
	const char *kernel;
	uint32_t cpu, data2, data3;
	uint64_t word;
	const char *told;
} rows[] = {
	{ K6_1, ZEN4, 0, 0, 0x5080021, "- - - - - - -" },
	{ K6_12, ZEN4, 0, 0, 0x1e05080021, "- - - - - - -" },
	{ K6_1, ZEN4, 0, LOAD | VALID, 0x29080142, "L1 - - L1 0 0 -" },
	{ K6_12, ZEN4, 0, LOAD | VALID, 0x229080142, "L1 - - L1 0 0 -" },
	{ K6_1, ZEN4, 0, LOAD | DC_MISS | VALID, 0x29080442, "L2 - - L1 0 1 0" },
	{ K6_12, ZEN4, 0, LOAD | DC_MISS | VALID, 0x429080442, "L2 - - L1 0 1 0" },
	{ K6_1, ZEN4, 0x01, LOAD | MISSED | VALID, 0x29800842, "L3 local modified L1 0 1 1" },
	{ K6_12, ZEN4, 0x01, LOAD | MISSED | VALID, 0x629800842, "L3 local modified L1 0 1 1" },
	{ K6_1, ZEN4, 0x21, LOAD | MISSED | VALID, 0x29080842, "L3 local owned L1 0 1 1" },
	{ K6_12, ZEN4, 0x21, LOAD | MISSED | VALID, 0x629080842, "L3 local owned L1 0 1 1" },
	{ K6_1, ZEN4, 0x02, LOAD | MISSED | VALID, 0x29808042,
	  "near_cache local modified L1 0 1 1" },
	{ K6_12, ZEN4, 0x02, LOAD | MISSED | VALID, 0x83629808042,
	  "near_cache local modified L1 0 1 1" },
	{ K6_1, ZEN4, 0x22, LOAD | MISSED | VALID, 0x29088042, "near_cache local owned L1 0 1 1" },
	{ K6_12, ZEN4, 0x22, LOAD | MISSED | VALID, 0x83629088042,
	  "near_cache local owned L1 0 1 1" },
	{ K6_1, ZEN4, 0x15, LOAD | MISSED | VALID, 0x29810042,
	  "far_cache remote_node modified L1 0 1 1" },
	{ K6_12, ZEN4, 0x15, LOAD | MISSED | VALID, 0x103629810042,
	  "far_cache remote_node modified L1 0 1 1" },
	{ K6_1, ZEN4, 0x03, LOAD | MISSED | VALID, 0x29081042, "DRAM local - L1 0 1 1" },
	{ K6_12, ZEN4, 0x03, LOAD | MISSED | VALID, 0x1a29081042, "DRAM local - L1 0 1 1" },
	{ K6_1, ZEN4, 0x13, LOAD | MISSED | VALID, 0x29082042, "DRAM remote_node - L1 0 1 1" },
	{ K6_12, ZEN4, 0x13, LOAD | MISSED | VALID, 0x103a29082042, "DRAM remote_node - L1 0 1 1" },
	{ K6_1, ZEN4, 0x06, LOAD | MISSED | VALID, 0x1c29080002, "PMEM local - L1 0 1 1" },
	{ K6_12, ZEN4, 0x16, LOAD | MISSED | VALID, 0x103c29080002, "PMEM remote_node - L1 0 1 1" },
	{ K6_1, ZEN4, 0x40, LOAD | MISSED | VALID, 0x1229080002, "CXL local - L1 0 1 1" },
	{ K6_12, ZEN4, 0x50, LOAD | MISSED | VALID, 0x103229080002, "CXL remote_node - L1 0 1 1" },
	/* perhaps uncacheable, where miss bits mean nothing */
	{ K6_1, ZEN4, 0x07, LOAD | MISSED | VALID, 0x14290a0002, "IO - - L1 0 - -" },
	{ K6_1, ZEN4, 0x17, LOAD | MISSED | UNCACHEABLE | VALID, 0x1034290a0002,
	  "IO - - L1 0 - -" },
	{ K6_12, ZEN4, 0x17, LOAD | MISSED | VALID, 0x14290a0042, "IO - - L1 0 - -" },
	{ K6_1, ZEN4, 0, LOAD | MISSED | NO_MAB | VALID, 0x29080242, "LFB - - L1 0 1 1" },
	{ K6_12, ZEN4, 0, LOAD | MISSED | NO_MAB | VALID, 0x1829080242, "LFB - - L1 0 1 1" },
	{ K6_1, ZEN4, 0, LOAD | MISSED | VALID, 0x29080022, "- - - L1 0 1 1" },
	{ K6_12, ZEN4, 0, LOAD | MISSED | VALID, 0x1e29080022, "- - - L1 0 1 1" },
	{ K6_1, ZEN4, 0, LOAD | UNCACHEABLE | VALID, 0x290c0042, "uncached - - L1 0 - -" },
	{ K6_12, ZEN4, 0, LOAD | UNCACHEABLE | VALID, 0x10290c0042, "uncached - - L1 0 - -" },
	{ K6_1, ZEN4, 0, STORE | VALID, 0x29080144, "L1 - - L1 0 0 -" },
	{ K6_12, ZEN4, 0, STORE | DC_MISS | VALID, 0x429080444, "L2 - - L1 0 1 0" },
	{ K6_1, ZEN4, 0, STORE | MISSED | VALID, 0x29080024, "- - - L1 0 1 1" },
	{ K6_12, ZEN4, 0, STORE | MISSED | NO_MAB | VALID, 0x1829080244, "LFB - - L1 0 1 1" },
	{ K6_12, ZEN4, 0, STORE | UNCACHEABLE | VALID, 0x10290c0044, "uncached - - L1 0 - -" },
	{ K6_1, ZEN4, 0, LOAD | L1_TLB_MISS | VALID, 0x49080142, "L1 - - L2 0 0 -" },
	{ K6_12, ZEN4, 0, LOAD | L1_TLB_MISS | L2_TLB_MISS | VALID, 0x251080142,
	  "L1 - - walk 0 0 -" },
	{ K6_12, ZEN4, 0, LOAD, 0x205080142, "L1 - - - 0 0 -" },
	{ K6_12, ZEN4, 0, LOAD | LOCKED | VALID, 0x22a080142, "L1 - - L1 1 0 -" },
	/* without caps[11] an L3 and another cache of the node are one source */
	{ K6_1, ZEN2, 0x02, LOAD | MISSED | VALID, 0x29808842,
	  "local_cache local modified L1 0 1 1" },
	{ K6_1, ZEN2, 0x22, LOAD | MISSED | VALID, 0x29088842, "local_cache local owned L1 0 1 1" },
	{ K6_1, ZEN2, 0x22, LOAD | MISSED | L1_TLB_MISS | VALID, 0x49088842,
	  "local_cache local owned L2 0 1 1" },
	{ K6_12, ZEN2, 0x22, LOAD | MISSED | VALID, 0x81629088842,
	  "local_cache local owned L1 0 1 1" },
	{ K6_12, ZEN2, 0x14, LOAD | MISSED | VALID, 0x103629090042,
	  "far_cache remote_node - L1 0 1 1" },
	/* Zen 3: no state of lines; AMD-1293 takes IbsL2Miss and the data source */
	{ K6_1, ZEN3, 0x02, LOAD | MISSED | VALID, 0x29088842, "local_cache local - L1 0 1 1" },
	{ K6_12, ZEN3, 0x02, LOAD | MISSED | NO_MAB | VALID, 0x1829080242, "LFB - - L1 0 1 -" },
	{ K6_12, ZEN3, 0, LOAD | UNCACHEABLE | VALID, 0x10290c0042, "- - - L1 0 - -" },
	/* no IbsL2Miss, and yet the kernel asks for it: a load from DRAM is called an L2 hit */
	{ K6_1, BULLDOZER, 0x03, LOAD | DC_MISS | VALID, 0x29080442, "- - - L1 0 1 -" },
	/* nor is its L2 TLB miss to be believed: AMD-718 */
	{ K6_1, BULLDOZER, 0x03, LOAD | L1_TLB_MISS | VALID, 0x49080142, "L1 - - - 0 0 -" },
	/* a TLB status that is not valid, which kernels before 6.15 do not see */
	{ K6_12, ZEN5, 0x02, LOAD | MISSED | LIN_VALID, 0x83629808042,
	  "near_cache local modified - 0 1 1" },
	{ K7_3, ZEN5, 0x02, LOAD | MISSED | LIN_VALID, 0x83605808042,
	  "near_cache local modified - 0 1 1" },
	{ K7_3, ZEN5, 0x02, LOAD | MISSED | VALID, 0x83629808042,
	  "near_cache local modified L1 0 1 1" },
	/* perhaps another socket, which no kernel says */
	{ K7_3, ZEN6, 0x13, LOAD | MISSED | VALID, 0x103a29082042, "DRAM - - L1 0 1 1" },
	{ K7_3, ZEN6, 0x213, LOAD | MISSED | VALID, 0x103a29082042, "DRAM - - L1 0 1 1" },
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

#define ADDRESS 0x7f1234567890
#define MISS_LATENCY 321
#define TAG_TO_RETIRE 400

static const uint8_t told_fields[] = {
	PRECIS_FIELD_MEM_LEVEL, PRECIS_FIELD_MEM_REMOTE,  PRECIS_FIELD_MEM_SNOOP,
	PRECIS_FIELD_TLB_LEVEL, PRECIS_FIELD_LOCKED,	  PRECIS_FIELD_DCACHE_MISS,
	PRECIS_FIELD_L2_MISS,
};

static struct precis_cpu cpu_of(uint32_t cpu)
{
	struct precis_cpu parsed = { .size = sizeof(parsed) };

	CU_ASSERT_EQUAL_FATAL(precis_cpu_parse(cpus[cpu].cpuid, &parsed), 0);
	return parsed;
}

static struct precis_sample from_words(const struct precis_cpu *cpu, const char *kernel,
				       uint64_t word, uint32_t weight)
{
	uint32_t dtlb = precis_data_source_member(word, PRECIS_DATA_SOURCE_DTLB);
	const struct precis_pebs_machine machine = {
		.size = sizeof(machine),
		.cpu = *cpu,
		.kernel = precis_kernel_number(kernel),
	};
	const struct precis_perf_words words = {
		.size = sizeof(words),
		.captured =
			PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_DATA_SRC | PRECIS_SAMPLE_WEIGHT_STRUCT,
		.addr = dtlb == PRECIS_DATA_DTLB_NA ? 0 : ADDRESS,
		.data_src = word,
		.weight = weight,
		.weight_var2 = weight ? TAG_TO_RETIRE : 0,
	};
	struct precis_pebs_context context;
	struct precis_sample sample;

	precis_sample_init(&sample);
	memset(sample.wanted, 0xff, sizeof(sample.wanted));
	sample.event_kind = PRECIS_EVENT_IBS_OP;
	CU_ASSERT_EQUAL_FATAL(precis_pebs_context_init(&context, &machine), 0);
	CU_ASSERT_EQUAL_FATAL(precis_perf_words_decode(&context, &words, NULL, &sample), 0);
	return sample;
}

static struct precis_sample from_registers(const struct precis_cpu *cpu, const struct word_row *row)
{
	const struct precis_ibs_op op = {
		.size = sizeof(op),
		.caps = cpus[row->cpu].caps,
		.captured = 0xff,
		.op_data = (uint64_t)TAG_TO_RETIRE << 16 | 50,
		.op_data2 = row->data2,
		.op_data3 = (uint64_t)MISS_LATENCY << 32 | row->data3,
		.dc_lin_ad = ADDRESS,
		.dc_phys_ad = ADDRESS,
	};
	struct precis_ibs_context context;
	struct precis_sample sample;

	precis_sample_init(&sample);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_context_init(&context, cpu), 0);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_op_decode(&context, &op, NULL, &sample), 0);
	return sample;
}

/* The kernel hands the latency out of loads that missed alone. */
static struct precis_sample words_of(const struct precis_cpu *cpu, const struct word_row *row)
{
	int has_weight = (row->data3 & LOAD) && (row->data3 & DC_MISS);

	return from_words(cpu, row->kernel, row->word, has_weight ? MISS_LATENCY : 0);
}

static void tell(const struct precis_sample *sample, char *text, size_t room)
{
	size_t at = 0;

	for (size_t n = 0; n < sizeof(told_fields); n++) {
		struct precis_field_info info = { .size = sizeof(info) };
		char value[PRECIS_VALUE_TEXT] = "-";
		uint64_t number;

		precis_field_info(told_fields[n], &info);
		if (precis_get(sample, (enum precis_field)told_fields[n], &number))
			precis_value_format(info.type, number, value);
		at += (size_t)snprintf(text + at, room - at, "%s%s", n ? " " : "", value);
	}
}

static void rows_are_told(void)
{
	for (size_t n = 0; n < ROWS; n++) {
		struct precis_cpu cpu = cpu_of(rows[n].cpu);
		struct precis_sample sample = words_of(&cpu, &rows[n]);
		char told[200];

		tell(&sample, told, sizeof(told));
		if (strcmp(told, rows[n].told))
			printf("# %s, %s, %#llx: expected %s, found %s\n", cpus[rows[n].cpu].cpuid,
			       rows[n].kernel, (unsigned long long)rows[n].word, rows[n].told, told);
		CU_ASSERT_STRING_EQUAL(told, rows[n].told);
	}
}

/* @return 1 if a value is another's, or where the registers have none, or denied to them */
static int contradicts(const struct precis_sample *words, const struct precis_sample *registers,
		       uint32_t number)
{
	enum precis_field field = (enum precis_field)number;
	uint64_t ours = 0, theirs = 0;
	int has_theirs = precis_get(registers, field, &theirs);

	if (precis_get(words, field, &ours))
		return !has_theirs || ours != theirs;
	return has_theirs && precis_why(words, field) == PRECIS_NOT_APPLICABLE;
}

static void no_row_contradicts_its_registers(void)
{
	for (size_t n = 0; n < ROWS; n++) {
		struct precis_cpu cpu = cpu_of(rows[n].cpu);
		struct precis_sample words = words_of(&cpu, &rows[n]);
		struct precis_sample registers = from_registers(&cpu, &rows[n]);

		for (uint32_t field = 0; field < 64; field++) {
			int wrong = contradicts(&words, &registers, field);

			if (wrong)
				printf("# %s, %s, %#llx: %s (%s)\n", cpus[rows[n].cpu].cpuid,
				       rows[n].kernel, (unsigned long long)rows[n].word,
				       precis_field_name(field),
				       precis_why_detail(&words, (enum precis_field)field));
			CU_ASSERT_FALSE(wrong);
		}
	}
}

/* Who does not know the CPU or the kernel tells less, and nothing else. */
static void ignorance_tells_nothing_else(void)
{
	const struct precis_cpu nothing = { .size = sizeof(nothing) };
	uint64_t told = 0, told_at_all = 0;

	for (size_t n = 0; n < ROWS; n++) {
		struct precis_cpu cpu = cpu_of(rows[n].cpu);
		struct precis_sample registers = from_registers(&cpu, &rows[n]);
		struct precis_sample words = words_of(&cpu, &rows[n]);
		struct precis_sample less = from_words(&nothing, NULL, rows[n].word, MISS_LATENCY);

		for (size_t i = 0; i < sizeof(told_fields); i++)
			CU_ASSERT_FALSE(contradicts(&less, &registers, told_fields[i]));
		told_at_all += (uint64_t)__builtin_popcountll(words.present[0]);
		told += (uint64_t)__builtin_popcountll(less.present[0]);
	}
	CU_ASSERT(told > ROWS && told < told_at_all);
}

static void is_absent(const struct precis_sample *sample, enum precis_field field,
		      enum precis_reason reason, const char *words)
{
	if (precis_why(sample, field) != reason || !strstr(precis_why_detail(sample, field), words)) {
		printf("# %s: expected %s (%s), found %s (%s)\n", precis_field_name(field),
		       precis_reason_name(reason), words,
		       precis_reason_name(precis_why(sample, field)),
		       precis_why_detail(sample, field));
		CU_FAIL("a reason");
	}
}
#define ABSENT(field, reason, words) is_absent(&sample, PRECIS_FIELD_##field, PRECIS_##reason, words)

static void reasons(void)
{
	struct precis_cpu zen4 = cpu_of(ZEN4), zen5 = cpu_of(ZEN5), zen6 = cpu_of(ZEN6);
	struct precis_cpu zen3 = cpu_of(ZEN3), bulldozer = cpu_of(BULLDOZER);
	struct precis_cpu nothing = { .size = sizeof(nothing) };
	/* an L1 hit: there was no miss to measure */
	struct precis_sample sample = from_words(&zen4, K6_1, 0x29080142, 0);

	ABSENT(DCACHE_MISS_LATENCY, NOT_APPLICABLE, "no L1 data cache miss");
	ABSENT(MISS_BUFFERS_OPEN, NOT_APPLICABLE, "no L1 data cache miss");
	ABSENT(TLB_REFILL_LATENCY, NOT_APPLICABLE, "no L1 TLB miss");
	ABSENT(ACCESS_BYTES, NOT_CAPTURED, "--raw-samples");
	ABSENT(BRANCH_RESYNC, NOT_SUPPORTED, "only old cores");
	ABSENT(LOAD_LATENCY, NOT_SUPPORTED, "IBS does not measure it");
	ABSENT(LINE_FORWARDED, NOT_SUPPORTED, "does not record it");
	/* an uncacheable one: what stands in the register means nothing */
	sample = from_words(&zen4, K6_1, 0x290c0042, MISS_LATENCY);
	ABSENT(DCACHE_MISS_LATENCY, NOT_APPLICABLE, "uncacheable");
	sample = from_words(&zen4, K6_1, 0x29080144, 0);
	ABSENT(DCACHE_MISS_LATENCY, NOT_APPLICABLE, "not a load");
	ABSENT(MEM_REMOTE, NOT_APPLICABLE, "not a load");
	sample = from_words(&zen4, K6_1, 0x51080142, 0);
	ABSENT(PAGE_SIZE, NOT_APPLICABLE, "no TLB held the page");
	ABSENT(TLB_REFILL_LATENCY, NOT_CAPTURED, "--raw-samples");
	sample = from_words(&zen4, K6_1, 0x5080142, 0);
	ABSENT(TLB_LEVEL, NOT_APPLICABLE, "DcLinAddrValid=0");
	/* neither load nor store, if the kernel can tell */
	sample = from_words(&zen4, K6_1, PRECIS_DATA_SOURCE_NA_OLD, 0);
	ABSENT(MEM_LEVEL, NOT_APPLICABLE, "neither load nor store");
	ABSENT(ACCESS_BYTES, NOT_APPLICABLE, "neither load nor store");
	ABSENT(OP, NOT_CAPTURED, "--raw-samples");
	/* fields that registers do not have, but words */
	ABSENT(LINE_FORWARDED, NOT_APPLICABLE, "neither load nor store");
	ABSENT(DATA_BLOCKED, NOT_APPLICABLE, "neither load nor store");
	ABSENT(FILL_BUFFER_FULL, NOT_CAPTURED, "does not hand it out");
	sample = from_words(&zen4, "5.15.0-91-generic", PRECIS_DATA_SOURCE_NA_OLD, 0);
	ABSENT(MEM_LEVEL, NOT_CAPTURED, "before 6.1");
	ABSENT(ACCESS_BYTES, NOT_CAPTURED, "--raw-samples");
	/* what this CPU, this kernel, nobody knows */
	sample = from_words(&zen5, K6_12, 0x229080142, 0);
	ABSENT(TLB_LEVEL, NOT_CAPTURED, "before 6.15");
	sample = from_words(&zen6, K7_3, 0x103a29082042, MISS_LATENCY);
	ABSENT(MEM_REMOTE, NOT_CAPTURED, "another socket");
	sample = from_words(&zen3, K6_12, 0x10290c0042, 0);
	ABSENT(MEM_LEVEL, ERRATUM, "AMD-1293");
	sample = from_words(&zen3, K6_1, 0x29088842, MISS_LATENCY);
	ABSENT(MEM_SNOOP, NOT_SUPPORTED, "on Zen 3 it is not valid");
	sample = from_words(&bulldozer, K6_1, 0x29080442, MISS_LATENCY);
	ABSENT(MEM_LEVEL, NOT_SUPPORTED, "IbsL2Miss");
	ABSENT(L2_MISS, NOT_SUPPORTED, "older than the field");
	sample = from_words(&nothing, NULL, 0x29080442, MISS_LATENCY);
	ABSENT(MEM_LEVEL, NOT_CAPTURED, "give its cpuid");
	/* a word that no kernel writes of IBS */
	sample = from_words(&zen4, K6_12, 0x29080000 | PRECIS_DATA_OP_LOAD, MISS_LATENCY);
	ABSENT(MEM_LEVEL, NOT_SUPPORTED, "no known kernel");
}

static void latencies(void)
{
	struct precis_cpu zen4 = cpu_of(ZEN4);
	struct precis_sample sample = from_words(&zen4, K6_1, 0x29808042, MISS_LATENCY);
	uint64_t value = 0;

	CU_ASSERT(precis_get_dcache_miss_latency(&sample, &value) && value == MISS_LATENCY);
	CU_ASSERT(precis_get_tag_to_retire(&sample, &value) && value == TAG_TO_RETIRE);
	/* the time to retirement is that of any op */
	sample = from_words(&zen4, K6_1, 0x290c0042, MISS_LATENCY);
	CU_ASSERT_FALSE(precis_get_dcache_miss_latency(&sample, &value));
	CU_ASSERT(precis_get_tag_to_retire(&sample, &value) && value == TAG_TO_RETIRE);
}

/* Who is asked for the word alone goes by its form. */
static void word_alone(void)
{
	static const struct {
		uint64_t word;
		int level, remote, tlb; /* -1: absent */
	} alone[] = {
		{ 0x29808042, PRECIS_MEM_LEVEL_NEAR_CACHE, PRECIS_MEM_REMOTE_LOCAL,
		  PRECIS_TLB_LEVEL_L1 },
		{ 0x83629808042, PRECIS_MEM_LEVEL_NEAR_CACHE, PRECIS_MEM_REMOTE_LOCAL,
		  PRECIS_TLB_LEVEL_L1 },
		{ 0x49088842, PRECIS_MEM_LEVEL_LOCAL_CACHE, PRECIS_MEM_REMOTE_LOCAL,
		  PRECIS_TLB_LEVEL_L2 },
		{ 0x81629088842, PRECIS_MEM_LEVEL_LOCAL_CACHE, PRECIS_MEM_REMOTE_LOCAL,
		  PRECIS_TLB_LEVEL_L1 },
		{ 0x29810042, PRECIS_MEM_LEVEL_FAR_CACHE, PRECIS_MEM_REMOTE_NODE,
		  PRECIS_TLB_LEVEL_L1 },
		/* Intel's before Linux 4.14: another socket, L1 or L2 TLB */
		{ 0x68108042, PRECIS_MEM_LEVEL_FAR_CACHE, PRECIS_MEM_REMOTE_NODE,
		  PRECIS_TLB_LEVEL_L1_OR_L2 },
		/* locked, modified, no TLB had it: IBS and Intel's have the same word */
		{ 0x52808042, -1, -1, PRECIS_TLB_LEVEL_WALK },
		{ 0x5808042, -1, -1, -1 },
		/* a precise store of Intel's, and one of IBS */
		{ 0x48080144, PRECIS_MEM_LEVEL_L1, -1, PRECIS_TLB_LEVEL_L1_OR_L2 },
		{ 0x49080144, PRECIS_MEM_LEVEL_L1, -1, PRECIS_TLB_LEVEL_L2 },
	};
	static const uint32_t parts[] = { PRECIS_ACCESS_MEM_LEVEL, PRECIS_ACCESS_MEM_REMOTE,
					  PRECIS_ACCESS_TLB_LEVEL };

	for (size_t n = 0; n < sizeof(alone) / sizeof(alone[0]); n++) {
		const int expected[] = { alone[n].level, alone[n].remote, alone[n].tlb };
		struct precis_access access = { .size = sizeof(access) };

		CU_ASSERT_EQUAL(precis_data_source_access(alone[n].word, &access), 0);
		for (size_t i = 0; i < 3; i++) {
			int found = access.present >> parts[i] & 1 ? (int)access.value[parts[i]] :
								     -1;

			if (found != expected[i])
				printf("# %#llx: part %u: expected %d, found %d\n",
				       (unsigned long long)alone[n].word, parts[i], expected[i], found);
			CU_ASSERT_EQUAL(found, expected[i]);
		}
	}
}

static void kernel_numbers(void)
{
	CU_ASSERT_EQUAL(precis_kernel_number("6.1.0-49-amd64"), 0x060100);
	CU_ASSERT_EQUAL(precis_kernel_number("6.12.95+deb12"), 0x060c5f);
	CU_ASSERT_EQUAL(precis_kernel_number("4.19.325"), 0x0413ff);
	CU_ASSERT_EQUAL(precis_kernel_number("7.3"), 0x070300);
	CU_ASSERT_EQUAL(precis_kernel_number("7.3.x"), 0x070300);
	CU_ASSERT_EQUAL(precis_kernel_number("linux"), 0);
	CU_ASSERT_EQUAL(precis_kernel_number(NULL), 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "words of 6.1, 6.12 and 7.3", rows_are_told },
		{ "no word contradicts its registers", no_row_contradicts_its_registers },
		{ "neither CPU nor kernel known", ignorance_tells_nothing_else },
		{ "why there is no value", reasons },
		{ "latencies", latencies },
		{ "words without their sample", word_alone },
		{ "numbers of kernels", kernel_numbers },
	};

	return tap_main("words of IBS", cases, sizeof(cases) / sizeof(cases[0]));
}
