/* SPDX-License-Identifier: BSD-3-Clause */
/* Data source words of PEBS records, as the kernel's word and as values. */
#include <stdio.h>
#include <string.h>

#include <precis/error.h>
#include <precis/pebs_data_source.h>

#include "tests/support/tap.h"

#define LOAD PRECIS_PEBS_FACILITY_LOAD_LATENCY
#define STORE PRECIS_PEBS_FACILITY_STORE_LATENCY
#define PRECISE_STORE PRECIS_PEBS_FACILITY_PRECISE_STORE
#define LA_LOAD PRECIS_PEBS_FACILITY_DATA_LA_LOAD
#define LA_STORE PRECIS_PEBS_FACILITY_DATA_LA_STORE
#define LA_OTHER PRECIS_PEBS_FACILITY_DATA_LA_OTHER
#define OTHER PRECIS_PEBS_FACILITY_OTHER

/* Absent, for that reason */
#define NO(reason) (-1 - (int)PRECIS_##reason)
#define N_A NO(NOT_APPLICABLE)
#define N_S NO(NOT_SUPPORTED)

static struct precis_dse_encoding encoding_of(uint32_t core)
{
	struct precis_dse_encoding encoding = { .size = sizeof(encoding) };

	CU_ASSERT_EQUAL_FATAL(precis_dse_encoding_of(core, &encoding), 0);
	return encoding;
}

static struct precis_access access_of(uint32_t core, uint32_t event, uint64_t dse)
{
	struct precis_dse_encoding encoding = encoding_of(core);
	struct precis_access access = { .size = sizeof(access) };

	CU_ASSERT_EQUAL_FATAL(precis_dse_access(&encoding, event, dse, &access), 0);
	return access;
}

static uint64_t word_of(uint32_t core, uint32_t event, uint64_t dse)
{
	struct precis_dse_encoding encoding = encoding_of(core);
	uint64_t word = 0;

	CU_ASSERT_EQUAL_FATAL(precis_dse_word(&encoding, event, dse, &word), 0);
	return word;
}

/* A part as a value, or as NO(reason). */
static int part_of(const struct precis_access *access, uint32_t part)
{
	if (access->present >> part & 1)
		return (int)access->value[part];
	CU_ASSERT_EQUAL(access->value[part], UINT32_MAX);
	return -1 - (int)precis_access_why(access, part);
}

/*
 * Sources as the tables have them: level, remote, snoop, L1 miss, L2 miss. One core of each table;
 * of tables that build on another, what is their own and one row of the other.
 */
static const struct {
	uint8_t core, source;
	int8_t level, remote, snoop, l1_miss, l2_miss;
} sources[] = {
#define L(name) PRECIS_MEM_LEVEL_##name
#define S(name) PRECIS_MEM_SNOOP_##name
#define LOCAL PRECIS_MEM_REMOTE_LOCAL
#define NODE PRECIS_MEM_REMOTE_NODE
#define SNB PRECIS_INTEL_SANDY_BRIDGE
	{ SNB, 0x0, N_A, N_A, N_A, 1, 1 },
	{ SNB, 0x1, L(L1), N_A, N_A, 0, N_A },
	{ SNB, 0x2, L(LFB), N_S, N_S, 1, N_S },
	{ SNB, 0x3, L(L2), N_A, N_A, 1, 0 },
	{ SNB, 0x4, L(L3), LOCAL, S(NONE), 1, 1 },
	{ SNB, 0x5, L(L3), LOCAL, S(MISS), 1, 1 },
	{ SNB, 0x6, L(L3), LOCAL, S(HIT), 1, 1 },
	{ SNB, 0x7, L(L3), LOCAL, S(MODIFIED), 1, 1 },
	{ SNB, 0x8, L(FAR_CACHE), NODE, S(HIT), 1, 1 },
	{ SNB, 0x9, L(FAR_CACHE), NODE, S(MODIFIED), 1, 1 },
	{ SNB, 0xa, L(DRAM), LOCAL, S(HIT), 1, 1 },
	{ SNB, 0xb, L(DRAM), NODE, S(HIT), 1, 1 },
	{ SNB, 0xc, L(DRAM), LOCAL, S(NONE_OR_MISS), 1, 1 },
	{ SNB, 0xd, L(DRAM), NODE, S(NONE_OR_MISS), 1, 1 },
	{ SNB, 0xe, L(IO), N_A, N_A, N_A, N_A },
	{ SNB, 0xf, L(UNCACHED), N_A, N_A, N_A, N_A },
#define NHM PRECIS_INTEL_NEHALEM
	{ NHM, 0x4, L(L3), LOCAL, S(NONE), 1, 1 },
	{ NHM, 0x5, L(L3), LOCAL, S(HIT), 1, 1 },
	{ NHM, 0x6, L(L3), LOCAL, S(MODIFIED), 1, 1 },
	{ NHM, 0x7, N_S, N_S, N_S, N_S, N_S },
	{ NHM, 0x9, N_S, N_S, N_S, N_S, N_S },
	{ NHM, 0xe, N_S, N_S, N_S, N_S, N_S },
#define SKL PRECIS_INTEL_SKYLAKE
	{ SKL, 0x7, L(L3), LOCAL, S(MODIFIED), 1, 1 },
	{ SKL, 0x8, L(L4), LOCAL, S(HIT), 1, 1 },
	{ SKL, 0x9, L(L4), NODE, S(HIT), 1, 1 },
	{ SKL, 0xa, L(DRAM), LOCAL, S(HIT), 1, 1 },
	{ SKL, 0xb, L(DRAM), NODE, S(NONE), 1, 1 },
	{ SKL, 0xc, L(FAR_CACHE), NODE, S(FORWARD), 1, 1 },
	{ SKL, 0xd, L(FAR_CACHE), NODE, S(MODIFIED), 1, 1 },
#define SPR PRECIS_INTEL_GOLDEN_COVE_SERVER
	{ SPR, 0x8, L(PMEM), LOCAL, S(HIT), 1, 1 },
	{ SPR, 0x9, L(PMEM), NODE, S(HIT), 1, 1 },
	{ SPR, 0xd, L(FAR_CACHE), NODE, S(MODIFIED), 1, 1 },
#define GRT PRECIS_INTEL_GRACEMONT
	{ GRT, 0x5, L(L3), LOCAL, S(HIT), 1, 1 },
	{ GRT, 0x6, L(L3), LOCAL, S(MODIFIED), 1, 1 },
	{ GRT, 0x8, L(L3), LOCAL, S(FORWARD), 1, 1 },
	{ GRT, 0x9, L(FAR_CACHE), NODE, S(MODIFIED), 1, 1 },
#define CMT PRECIS_INTEL_CRESTMONT
	{ CMT, 0x6, L(L3), LOCAL, S(HIT), 1, 1 },
	{ CMT, 0x7, L(L3), LOCAL, S(FORWARD), 1, 1 },
	{ CMT, 0x8, L(L3), LOCAL, S(MODIFIED), 1, 1 },
	{ CMT, 0xa, L(DRAM), LOCAL, S(NONE), 1, 1 },
	{ CMT, 0xb, L(DRAM), NODE, S(NONE), 1, 1 },
	{ CMT, 0xc, N_S, NODE, S(FORWARD), N_S, N_S },
	{ CMT, 0xd, N_S, NODE, S(MODIFIED), N_S, N_S },
	/* bit 4 belongs to the source, and Linux does not look at it */
	{ CMT, 0x11, N_A, N_A, N_A, N_A, N_A },
#define LNC PRECIS_INTEL_LION_COVE
	{ LNC, 0x00, N_A, N_A, N_A, 1, 1 },
	{ LNC, 0x02, L(L1), N_A, N_A, 0, N_A },
	{ LNC, 0x03, L(LFB), N_S, N_S, 1, N_S },
	{ LNC, 0x04, N_A, N_A, N_A, N_A, N_A },
	{ LNC, 0x05, L(L2), N_A, N_A, 1, 0 },
	{ LNC, 0x06, L(L2_MHB), N_S, N_S, 1, 1 },
	{ LNC, 0x08, L(L3), LOCAL, S(NONE), 1, 1 },
	{ LNC, 0x0c, L(L3), LOCAL, S(FORWARD), 1, 1 },
	{ LNC, 0x0d, L(L3), LOCAL, S(MODIFIED), 1, 1 },
	{ LNC, 0x0f, N_A, N_A, S(MODIFIED), 1, 1 },
	{ LNC, 0x10, L(MSC), N_S, S(NONE), 1, 1 },
	{ LNC, 0x11, L(DRAM), LOCAL, S(NONE), 1, 1 },
	{ LNC, 0x12, N_A, N_A, N_A, N_A, N_A },
	{ LNC, 0x81, N_A, N_A, N_A, N_A, N_A },
#define PNC PRECIS_INTEL_PANTHER_COVE
	{ PNC, 0x0, N_A, N_A, N_A, N_A, N_A },
	{ PNC, 0x1, L(L0), N_A, N_A, 0, N_A },
	{ PNC, 0x2, L(L1), N_A, N_A, 0, N_A },
	{ PNC, 0x3, L(LFB), N_S, N_S, 1, N_S },
	{ PNC, 0x4, L(L2), N_A, N_A, 1, 0 },
	{ PNC, 0x5, N_A, N_A, N_A, N_A, N_A },
	{ PNC, 0x7, L(L2), N_A, S(HIT), 1, 0 },
	{ PNC, 0x8, L(L2), N_A, S(MODIFIED), 1, 0 },
	{ PNC, 0x9, L(L2), N_A, N_S, 1, 0 },
	{ PNC, 0xa, L(L2), N_A, N_S, 1, 0 },
	{ PNC, 0xf, L(UNCACHED), N_A, N_A, N_A, N_A },
	{ PNC, 0x12, N_A, N_A, N_A, N_A, N_A },
#define ARW PRECIS_INTEL_ARCTIC_WOLF
	{ ARW, 0x0, N_A, N_A, N_A, N_A, N_A },
	{ ARW, 0x1, L(L1), N_A, N_A, 0, N_A },
	{ ARW, 0x2, L(LFB), N_S, N_S, 1, N_S },
	{ ARW, 0x3, L(L2), N_A, N_A, 1, 0 },
	{ ARW, 0x4, L(L2), N_A, S(HIT), 1, 0 },
	{ ARW, 0x5, L(L2), N_A, S(MODIFIED), 1, 0 },
	{ ARW, 0x6, L(UNCACHED), N_A, N_A, N_A, N_A },
	{ ARW, 0x7, N_A, N_A, N_A, N_A, N_A },
};

static void tables(void)
{
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		struct precis_access access = access_of(sources[i].core, LOAD, sources[i].source);
		const int got[] = {
			part_of(&access, PRECIS_ACCESS_MEM_LEVEL),
			part_of(&access, PRECIS_ACCESS_MEM_REMOTE),
			part_of(&access, PRECIS_ACCESS_MEM_SNOOP),
			part_of(&access, PRECIS_ACCESS_DCACHE_MISS),
			part_of(&access, PRECIS_ACCESS_L2_MISS),
		};
		const int expected[] = { sources[i].level, sources[i].remote, sources[i].snoop,
					 sources[i].l1_miss, sources[i].l2_miss };

		if (memcmp(got, expected, sizeof(got)))
			printf("# %s, %x: %d %d %d %d %d\n",
			       precis_intel_core_name(sources[i].core), sources[i].source, got[0],
			       got[1], got[2], got[3], got[4]);
		CU_ASSERT_EQUAL(memcmp(got, expected, sizeof(got)), 0);
	}
}

/* Off-module responses: the word but for TLB, lock and blocks; level, remote, snoop, forwarded */
static const struct {
	uint8_t response;
	uint16_t lvl;
	uint8_t lvl_num, linux_snoop, snoopx, region;
	int8_t level, remote, snoop, forwarded;
} responses[] = {
	/* invalid, reserved */
	{ 0x00, 0x1, 15, 3, 0, 0, N_A, N_A, N_A, N_A },
	{ 0x01, 0x0, 0, 2, 0, 0, N_A, N_A, N_A, N_A },
	{ 0xf1, 0x0, 0, 2, 0, 0, N_A, N_A, N_A, N_A },
	/* shared cache: bits 7:6 */
	{ 0x02, 0x42, 3, 1, 0, 2, L(L3), LOCAL, N_S, N_S },
	{ 0x42, 0x42, 3, 8, 0, 2, L(L3), LOCAL, S(MISS), N_S },
	{ 0x82, 0x42, 3, 4, 0, 2, L(L3), LOCAL, S(HIT), N_S },
	{ 0xc2, 0x42, 3, 2, 0, 2, L(L3), LOCAL, S(NONE), N_S },
	{ 0x62, 0x42, 3, 16, 0, 2, L(L3), LOCAL, S(MODIFIED), N_S },
	{ 0x52, 0x442, 3, 8, 0, 2, L(FAR_CACHE), NODE, S(MISS), N_S },
	/* a core's cache, another caching agent */
	{ 0x03, 0x42, 3, 4, 0, 3, L(L3), LOCAL, S(HIT), 0 },
	{ 0x63, 0x42, 3, 16, 1, 3, L(L3), LOCAL, S(MODIFIED), 1 },
	{ 0x04, 0x42, 3, 4, 0, 4, N_S, LOCAL, S(HIT), 0 },
	{ 0x45, 0x42, 3, 4, 1, 5, L(NEAR_CACHE), LOCAL, S(HIT), 1 },
	{ 0x35, 0x442, 3, 16, 0, 5, L(FAR_CACHE), NODE, S(MODIFIED), 0 },
	{ 0x86, 0x42, 3, 4, 0, 6, L(NEAR_CACHE), LOCAL, S(HIT), 0 },
	/* MMIO, memory */
	{ 0x07, 0x2, 13, 2, 0, 7, L(IO), LOCAL, S(NONE), N_S },
	{ 0x17, 0x2, 13, 2, 0, 7, L(IO), NODE, S(NONE), N_S },
	{ 0x08, 0x82, 13, 2, 0, 8, L(DRAM), LOCAL, S(NONE), N_S },
	{ 0x1f, 0x102, 13, 2, 0, 15, L(DRAM), NODE, S(NONE), N_S },
	{ 0x6b, 0x82, 13, 2, 0, 11, L(DRAM), LOCAL, S(NONE), N_S },
};

static const char *level_why(uint32_t core, uint64_t dse)
{
	static struct precis_access access;

	access = access_of(core, LOAD, dse);
	return precis_access_why_detail(&access, PRECIS_ACCESS_MEM_LEVEL);
}

/* Bits of the number that Linux ignores: no value, by that reason, and the core's row says so. */
static void ignored_bits(void)
{
	static const struct {
		uint32_t core, event;
		uint64_t dse;
	} rows[] = {
		{ PNC, LOAD, 0x12 },
		{ PNC, STORE, 0x84 },
		{ PRECIS_INTEL_COYOTE_COVE, LOAD, 0xf1 },
		{ ARW, LOAD, 0x21 },
		{ ARW, STORE, 0xf4 },
		{ CMT, LOAD, 0x11 },
	};
	static const uint32_t parts[] = { PRECIS_ACCESS_MEM_LEVEL, PRECIS_ACCESS_MEM_REMOTE,
					  PRECIS_ACCESS_MEM_SNOOP, PRECIS_ACCESS_LINE_FORWARDED,
					  PRECIS_ACCESS_DCACHE_MISS, PRECIS_ACCESS_L2_MISS };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct precis_access access = access_of(rows[i].core, rows[i].event, rows[i].dse);
		struct precis_intel_core_info info = { .size = sizeof(info) };

		for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
			CU_ASSERT_FALSE(access.present >> parts[k] & 1);
			CU_ASSERT_EQUAL(precis_access_why(&access, parts[k]), PRECIS_NOT_APPLICABLE);
			CU_ASSERT_STRING_EQUAL(precis_access_why_detail(&access, parts[k]),
					       "bits of the data source are set that Linux ignores "
					       "and no table explains");
		}
		/* the other bits of the word stay */
		CU_ASSERT_TRUE(access.present >> PRECIS_ACCESS_TLB_LEVEL & 1);
		CU_ASSERT_EQUAL_FATAL(precis_intel_core_info(rows[i].core, &info), 0);
		CU_ASSERT_PTR_NOT_NULL(strstr(info.uncertain, "which Linux ignores"));
		/* with the L2 miss bit the upper half is the response's */
		if (rows[i].core != CMT) {
			access = access_of(rows[i].core, rows[i].event, 0x1f | 1u << 8);
			CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_MEM_LEVEL), L(DRAM));
		}
	}
	/* a number of four bits that the table lacks is reserved */
	CU_ASSERT_STRING_EQUAL(level_why(PNC, 0x5), "a reserved data source");
	CU_ASSERT_STRING_EQUAL(level_why(ARW, 0x7), "a reserved data source");
}

static void off_module(void)
{
	static const uint32_t cores[] = { PNC, PRECIS_INTEL_COYOTE_COVE, ARW };

	for (size_t i = 0; i < sizeof(responses) / sizeof(responses[0]); i++) {
		for (size_t c = 0; c < sizeof(cores) / sizeof(cores[0]); c++) {
			uint64_t dse = responses[i].response | 1u << 8;
			struct precis_access access = access_of(cores[c], LOAD, dse);
			struct precis_data_source word = { .size = sizeof(word) };

			precis_data_source_decode(word_of(cores[c], LOAD, dse), &word);
			CU_ASSERT_EQUAL(word.lvl, responses[i].lvl);
			CU_ASSERT_EQUAL(word.lvl_num, responses[i].lvl_num);
			CU_ASSERT_EQUAL(word.snoop, responses[i].linux_snoop);
			CU_ASSERT_EQUAL(word.snoopx, responses[i].snoopx);
			CU_ASSERT_EQUAL(word.region, responses[i].region);
			CU_ASSERT_EQUAL(word.remote, dse >> 4 & 1);
			CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_MEM_LEVEL), responses[i].level);
			CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_MEM_REMOTE),
					responses[i].remote);
			CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_MEM_SNOOP), responses[i].snoop);
			CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_LINE_FORWARDED),
					responses[i].forwarded);
			CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_REGION),
					responses[i].region ? responses[i].region : N_A);
			if (!responses[i].region)
				CU_ASSERT_STRING_EQUAL(
					precis_access_why_detail(&access, PRECIS_ACCESS_REGION),
					"a reserved data source");
			CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_DCACHE_MISS), 1);
			CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_L2_MISS), 1);
		}
	}
}

/* The bits beside the source: which is which on each layout; -1: the core has none such. */
static const struct {
	uint8_t core, event;
	int8_t stlb_miss, locked, data_blocked, address_blocked, buffer_full;
} layouts[] = {
	{ NHM, LOAD, -1, -1, -1, -1, -1 },
	{ PRECIS_INTEL_WESTMERE, LOAD, 4, 5, -1, -1, -1 },
	{ SNB, LOAD, 4, 5, -1, -1, -1 },
	{ PRECIS_INTEL_WILLOW_COVE, LOAD, 4, 5, -1, -1, -1 },
	{ SPR, LOAD, 4, 5, 6, 7, -1 },
	{ SPR, STORE, 4, 5, -1, -1, -1 },
	{ GRT, LOAD, 5, 4, 6, -1, -1 },
	{ GRT, STORE, 5, 4, 6, -1, -1 },
	{ CMT, LOAD, 6, 5, 7, -1, -1 },
	{ LNC, LOAD, 10, 11, 12, 13, -1 },
	{ LNC, STORE, 10, 11, 12, 13, -1 },
	{ PNC, LOAD, 11, 12, 13, 14, 15 },
	{ ARW, STORE, 11, 12, 13, 14, 15 },
};

static void bits(void)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		const struct {
			uint8_t part;
			int8_t bit;
		} parts[] = {
			{ PRECIS_ACCESS_LOCKED, layouts[i].locked },
			{ PRECIS_ACCESS_DATA_BLOCKED, layouts[i].data_blocked },
			{ PRECIS_ACCESS_ADDRESS_BLOCKED, layouts[i].address_blocked },
			{ PRECIS_ACCESS_FILL_BUFFER_FULL, layouts[i].buffer_full },
		};

		for (int bit = 4; bit < 16; bit++) {
			struct precis_access access =
				access_of(layouts[i].core, layouts[i].event, UINT64_C(1) << bit);
			int hits = layouts[i].core == PNC && (bit == 9 || bit == 10);

			for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++)
				CU_ASSERT_EQUAL(part_of(&access, parts[p].part),
						parts[p].bit < 0 ? N_S : parts[p].bit == bit);
			CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_TLB_LEVEL),
					layouts[i].stlb_miss < 0    ? N_S :
					layouts[i].stlb_miss == bit ? PRECIS_TLB_LEVEL_WALK :
					hits			    ? PRECIS_TLB_LEVEL_L2 :
								      PRECIS_TLB_LEVEL_L1_OR_L2);
		}
	}
}

/* An STLB that hit and missed */
static void contradiction(void)
{
	struct precis_access access = access_of(PNC, LOAD, 1u << 11 | 1u << 10);

	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_TLB_LEVEL), NO(MALFORMED));
	CU_ASSERT_STRING_EQUAL(precis_access_why_detail(&access, PRECIS_ACCESS_TLB_LEVEL),
			       "bits of the data source contradict each other");
}

static void other_stores(void)
{
	struct precis_access access = access_of(SNB, PRECISE_STORE, 0x31);

	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_MEM_LEVEL), L(L1));
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_DCACHE_MISS), 0);
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_TLB_LEVEL), PRECIS_TLB_LEVEL_WALK);
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_LOCKED), 1);
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_MEM_SNOOP), N_A);
	access = access_of(SNB, PRECISE_STORE, 0);
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_MEM_LEVEL), N_A);
	CU_ASSERT_STRING_EQUAL(precis_access_why_detail(&access, PRECIS_ACCESS_MEM_LEVEL),
			       "it missed the L1; what had it is not recorded");
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_DCACHE_MISS), 1);
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_TLB_LEVEL), PRECIS_TLB_LEVEL_L1_OR_L2);
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_LOCKED), 0);

	access = access_of(SKL, LA_STORE, 0x31);
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_MEM_LEVEL), L(L1));
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_TLB_LEVEL), N_A);
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_LOCKED), N_A);
	access = access_of(SKL, LA_STORE, 0x30);
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_DCACHE_MISS), 1);
	for (uint32_t event = LA_LOAD; event <= LA_OTHER; event += LA_OTHER - LA_LOAD) {
		access = access_of(SKL, event, UINT64_MAX);
		CU_ASSERT_EQUAL(access.present, 0);
		CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_DCACHE_MISS), N_A);
	}
}

/* Which core and event have nothing to say, and why. */
static const struct {
	uint8_t core, event;
	const char *detail;
	int8_t reason;
} nothing[] = {
	{ PRECIS_INTEL_UNKNOWN, LOAD, "the CPU model is not known: give its cpuid", NO(NOT_CAPTURED) },
	{ PRECIS_INTEL_UNKNOWN, LA_LOAD, "the CPU model is not known: give its cpuid",
	  NO(NOT_CAPTURED) },
	{ PRECIS_INTEL_CORE_COUNT, LOAD, "the CPU model is not known: give its cpuid",
	  NO(NOT_CAPTURED) },
	{ PRECIS_INTEL_SILVERMONT, LOAD, "the core leaves the data source undefined", N_S },
	{ PRECIS_INTEL_GOLDMONT, LA_STORE, "the core leaves the data source undefined", N_S },
	{ PRECIS_INTEL_CORE_2, LOAD, "the core has no such event", N_S },
	{ SKL, STORE, "the core has no such event", N_S },
	{ SKL, PRECISE_STORE, "the core has no such event", N_S },
	{ SNB, LA_STORE, "the core has no such event", N_S },
	{ SPR, PRECISE_STORE, "the core has no such event", N_S },
	{ SPR, OTHER, "the event does not record it", N_A },
};

static void no_source(void)
{
	for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++) {
		struct precis_access access = access_of(nothing[i].core, nothing[i].event, 0x21);

		CU_ASSERT_EQUAL(access.present, 0);
		for (uint32_t part = 0; part < PRECIS_ACCESS_FIELDS; part++) {
			CU_ASSERT_EQUAL(part_of(&access, part), nothing[i].reason);
			CU_ASSERT_STRING_EQUAL(precis_access_why_detail(&access, part),
					       nothing[i].detail);
		}
		CU_ASSERT_EQUAL(word_of(nothing[i].core, nothing[i].event, 0x21),
				PRECIS_DATA_SOURCE_NA);
	}
}

/* Words that real machines' kernels wrote for loads of these sources. */
static void words(void)
{
	CU_ASSERT_EQUAL(word_of(SKL, LOAD, 0x01), 0x10268100142);
	CU_ASSERT_EQUAL(word_of(SKL, LOAD, 0x02), 0x11868100242);
	CU_ASSERT_EQUAL(word_of(SKL, LOAD, 0x14), 0x10650100842);
	CU_ASSERT_EQUAL(word_of(SPR, LOAD, 0xa1), 0x4026a100142);
	/* the reserved ones of Lion Cove */
	CU_ASSERT_EQUAL(word_of(LNC, LOAD, 0x04), 0x11e68080002);
	CU_ASSERT_EQUAL(word_of(LNC, STORE, 0x04), 0x11e68080004);
	/* source 11h of Crestmont is to Linux 1, and so are others whose upper bits it drops */
	CU_ASSERT_EQUAL(word_of(CMT, LOAD, 0x11), word_of(CMT, LOAD, 0x01));
	CU_ASSERT_EQUAL(word_of(PNC, LOAD, 0x12), word_of(PNC, LOAD, 0x02));
	CU_ASSERT_EQUAL(word_of(ARW, STORE, 0xf4), word_of(ARW, STORE, 0x04));
}

/* Also where no kernel's source judges: the fields of Linux' word while the L2 miss bit is 0 */
static const struct {
	uint8_t core, source;
	uint16_t lvl;
	uint8_t lvl_num, snoop;
} l2_hits[] = {
	{ PNC, 0x0, 0x1, 15, 1 }, /* no access to a cache */
	{ PNC, 0x1, 0x2, 7, 2 },  /* L0 */
	{ PNC, 0x2, 0xa, 1, 2 },  /* L1 */
	{ PNC, 0x3, 0x12, 12, 2 }, /* LFB */
	{ PNC, 0x4, 0x22, 2, 2 },
	{ PNC, 0x5, 0x0, 15, 1 }, /* reserved */
	{ PNC, 0x7, 0x22, 2, 4 },
	{ PNC, 0x8, 0x22, 2, 16 },
	{ PNC, 0x9, 0x22, 2, 2 },
	{ PNC, 0xa, 0x22, 2, 2 },
	{ PNC, 0xf, 0x2002, 15, 2 }, /* uncached */
	{ ARW, 0x0, 0x1, 15, 1 },
	{ ARW, 0x1, 0xa, 1, 2 },
	{ ARW, 0x2, 0x12, 12, 2 },
	{ ARW, 0x3, 0x22, 2, 2 },
	{ ARW, 0x4, 0x22, 2, 4 },
	{ ARW, 0x5, 0x22, 2, 16 },
	{ ARW, 0x6, 0x2002, 15, 2 },
	{ ARW, 0x7, 0x0, 15, 1 },
};

static void newest_words(void)
{
	for (size_t i = 0; i < sizeof(l2_hits) / sizeof(l2_hits[0]); i++) {
		struct precis_data_source word = { .size = sizeof(word) };

		precis_data_source_decode(word_of(l2_hits[i].core, LOAD, l2_hits[i].source), &word);
		CU_ASSERT_EQUAL(word.lvl, l2_hits[i].lvl);
		CU_ASSERT_EQUAL(word.lvl_num, l2_hits[i].lvl_num);
		CU_ASSERT_EQUAL(word.snoop, l2_hits[i].snoop);
		CU_ASSERT_EQUAL(word.snoopx | word.remote | word.region, 0);
	}
}

/* Values and word speak of the same access: every source of 16 bits of every core and event */
static void agreement(void)
{
	uint64_t seen = 0;

	for (uint32_t core = 1; core < PRECIS_INTEL_CORE_COUNT; core++) {
		struct precis_dse_encoding encoding = encoding_of(core);
		struct precis_access access = { .size = sizeof(access) };

		for (uint32_t n = 0; n < PRECIS_PEBS_FACILITY_COUNT * 0x10000u; n++) {
			uint32_t event = n >> 16, dse = n & 0xffff;
			struct precis_data_source word = { .size = sizeof(word) };
			uint64_t bits;
			int wrong = precis_dse_access(&encoding, event, dse, &access);

			wrong |= precis_dse_word(&encoding, event, dse, &bits);
			precis_data_source_decode(bits, &word);
			for (uint32_t part = 0; part < PRECIS_ACCESS_FIELDS; part++) {
				int present = access.present >> part & 1;

				wrong |= present != (access.value[part] != UINT32_MAX);
				wrong |= present !=
					 (precis_access_why(&access, part) == PRECIS_PRESENT);
				wrong |= present != !*precis_access_why_detail(&access, part);
			}
#define HAS(part) (access.present >> PRECIS_ACCESS_##part & 1)
#define VALUE(part) access.value[PRECIS_ACCESS_##part]
			if (HAS(LOCKED))
				wrong |= VALUE(LOCKED) != (word.lock == PRECIS_DATA_LOCK_LOCKED);
			if (HAS(TLB_LEVEL))
				wrong |= (VALUE(TLB_LEVEL) == PRECIS_TLB_LEVEL_WALK) !=
					 !!(word.dtlb & PRECIS_DATA_DTLB_MISS);
			if (HAS(DATA_BLOCKED))
				wrong |= VALUE(DATA_BLOCKED) !=
					 !!(word.blk & PRECIS_DATA_BLK_DATA);
			if (HAS(ADDRESS_BLOCKED))
				wrong |= VALUE(ADDRESS_BLOCKED) !=
					 !!(word.blk & PRECIS_DATA_BLK_ADDRESS);
			if (!HAS(DATA_BLOCKED))
				wrong |= word.blk & PRECIS_DATA_BLK_DATA;
			if (!HAS(ADDRESS_BLOCKED))
				wrong |= word.blk & PRECIS_DATA_BLK_ADDRESS;
			if (HAS(MEM_REMOTE))
				wrong |= VALUE(MEM_REMOTE) != word.remote;
			if (HAS(MEM_SNOOP))
				wrong |= (VALUE(MEM_SNOOP) == PRECIS_MEM_SNOOP_MODIFIED) !=
					 !!(word.snoop & PRECIS_DATA_SNOOP_HITM);
			if (HAS(LINE_FORWARDED))
				wrong |= VALUE(LINE_FORWARDED) != word.snoopx;
			if (HAS(REGION))
				wrong |= VALUE(REGION) != word.region;
			if (HAS(MEM_LEVEL) && VALUE(MEM_LEVEL) <= PRECIS_MEM_LEVEL_L2)
				wrong |= !(word.lvl & PRECIS_DATA_LVL_HIT);
			if (wrong)
				printf("# core %u event %u source %x\n", core, event, dse);
			CU_ASSERT_FALSE_FATAL(wrong);
			if (HAS(MEM_LEVEL))
				seen |= UINT64_C(1) << VALUE(MEM_LEVEL);
		}
	}
	/* each level that Intel knows occurs */
	CU_ASSERT_EQUAL(seen, 0x3f3de);
}

/* Who knows better than the core's row says so. */
static void overridden(void)
{
	struct precis_dse_encoding encoding = encoding_of(SKL);
	struct precis_access access = { .size = sizeof(access) };
	uint64_t word = 7;

	encoding.load_table = PRECIS_DSE_TABLE_SKL_PMEM;
	CU_ASSERT_EQUAL(precis_dse_access(&encoding, LOAD, 8, &access), 0);
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_MEM_LEVEL), L(PMEM));
	encoding = encoding_of(PRECIS_INTEL_UNKNOWN);
	encoding.load_layout = PRECIS_DSE_LAYOUT_LNC;
	encoding.load_table = PRECIS_DSE_TABLE_LNC;
	CU_ASSERT_EQUAL(precis_dse_access(&encoding, LOAD, 0x10, &access), 0);
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_MEM_LEVEL), L(MSC));
	/* a layout without a table: all is reserved */
	encoding.load_table = PRECIS_DSE_TABLE_NONE;
	CU_ASSERT_EQUAL(precis_dse_access(&encoding, LOAD, 0x10, &access), 0);
	CU_ASSERT_EQUAL(part_of(&access, PRECIS_ACCESS_MEM_LEVEL), N_A);

	encoding.load_table = PRECIS_DSE_TABLE_COUNT;
	CU_ASSERT_EQUAL(precis_dse_access(&encoding, LOAD, 0, &access), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_dse_word(&encoding, LOAD, 0, &word), PRECIS_E_ARGUMENT);
	encoding = encoding_of(SKL);
	encoding.store_table = PRECIS_DSE_TABLE_COUNT;
	CU_ASSERT_EQUAL(precis_dse_word(&encoding, LOAD, 0, &word), PRECIS_E_ARGUMENT);
	encoding = encoding_of(SKL);
	encoding.load_layout = PRECIS_DSE_LAYOUT_COUNT;
	CU_ASSERT_EQUAL(precis_dse_word(&encoding, LOAD, 0, &word), PRECIS_E_ARGUMENT);
	encoding = encoding_of(SKL);
	encoding.store_layout = UINT32_MAX;
	CU_ASSERT_EQUAL(precis_dse_word(&encoding, LOAD, 0, &word), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(word, 7);
}

static void refusals(void)
{
	struct precis_dse_encoding encoding = encoding_of(SKL);
	struct precis_access access = { .size = sizeof(access) };
	struct precis_dse_row row = { .size = sizeof(row) };
	uint64_t word;

	CU_ASSERT_EQUAL(precis_dse_encoding_of(SKL, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_dse_access(NULL, LOAD, 0, &access), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_dse_access(&encoding, LOAD, 0, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_dse_access(&encoding, PRECIS_PEBS_FACILITY_COUNT, 0, &access),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_dse_word(&encoding, PRECIS_PEBS_FACILITY_COUNT, 0, &word),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_dse_word(&encoding, LOAD, 0, NULL), PRECIS_E_ARGUMENT);
	access.why[0] = UINT32_MAX;
	CU_ASSERT_EQUAL(precis_access_why(&access, 0), PRECIS_NOT_APPLICABLE);
	access.size = 4;
	CU_ASSERT_EQUAL(precis_dse_access(&encoding, LOAD, 0, &access), PRECIS_E_ARGUMENT);
	encoding.size = 4;
	CU_ASSERT_EQUAL(precis_dse_encoding_of(SKL, &encoding), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_dse_word(&encoding, LOAD, 0, &word), PRECIS_E_ARGUMENT);
	CU_ASSERT_NOT_EQUAL(precis_access_why(NULL, 0), PRECIS_PRESENT);
	CU_ASSERT_NOT_EQUAL(precis_access_why(&access, PRECIS_ACCESS_FIELDS), PRECIS_PRESENT);
	CU_ASSERT_PTR_NULL(precis_access_field_name(PRECIS_ACCESS_FIELDS));
	CU_ASSERT_PTR_NULL(precis_dse_table_name(PRECIS_DSE_TABLE_COUNT));
	CU_ASSERT_EQUAL(precis_dse_row(PRECIS_DSE_TABLE_NONE, 0, &row), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_dse_row(PRECIS_DSE_TABLE_COUNT, 0, &row), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_dse_row(PRECIS_DSE_TABLE_LNC, 4, &row), PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(precis_dse_row(PRECIS_DSE_TABLE_SNB, 16, &row), PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(precis_dse_row(PRECIS_DSE_TABLE_GRT, 8, &row), 0);
	CU_ASSERT_STRING_EQUAL(row.meaning, "L3, forwarded by another core");
	CU_ASSERT_EQUAL(row.table, PRECIS_DSE_TABLE_GRT);
	CU_ASSERT_EQUAL(precis_dse_row(PRECIS_DSE_TABLE_GRT, 9, &row), 0);
	CU_ASSERT_EQUAL(row.table, PRECIS_DSE_TABLE_SNB);
	CU_ASSERT_STRING_EQUAL(row.read_in, "6.1");
	CU_ASSERT_EQUAL(precis_dse_row(PRECIS_DSE_TABLE_SKL_L4, 0xc, &row), 0);
	CU_ASSERT_EQUAL(row.table, PRECIS_DSE_TABLE_SKL_L4);
	CU_ASSERT_EQUAL(row.value, 0xc);
}

/* Parts that are fields of the catalogue have its names and types. */
static void parts_of_the_catalogue(void)
{
	for (uint32_t part = 0; part <= PRECIS_ACCESS_LOCKED; part++) {
		const char *name = precis_access_field_name(part);
		struct precis_field_info info = { .size = sizeof(info) };
		int field = precis_field_find(name, strlen(name));

		CU_ASSERT_FATAL(field >= 0);
		CU_ASSERT_EQUAL(precis_field_info((uint32_t)field, &info), 0);
		CU_ASSERT_EQUAL(info.type, precis_access_field_type(part));
	}
	CU_ASSERT_EQUAL(precis_access_field_type(PRECIS_ACCESS_DATA_BLOCKED), PRECIS_TYPE_BOOL);
}

static const struct tap_case cases[] = {
	{ "sources of each table", tables },
	{ "off-module responses", off_module },
	{ "bits of the source that Linux ignores", ignored_bits },
	{ "bits of each layout", bits },
	{ "a contradiction is no value", contradiction },
	{ "stores without a latency", other_stores },
	{ "no data source, and why", no_source },
	{ "words that kernels wrote", words },
	{ "words of the newest cores", newest_words },
	{ "values and word agree, all cores, events and sources", agreement },
	{ "the caller's layout and table", overridden },
	{ "what is none is refused", refusals },
	{ "names and types are the catalogue's", parts_of_the_catalogue },
};

int main(void)
{
	return tap_main("PEBS data source", cases, sizeof(cases) / sizeof(cases[0]));
}
