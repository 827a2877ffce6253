/* SPDX-License-Identifier: BSD-3-Clause */
/* Each erratum: what it takes, when, by name, and from nobody else. */
#include <precis/errata.h>
#include <precis/error.h>

#include "tests/libdecode/sample/decode.h"

static const struct {
	const char *name;
	uint32_t effect, core, unit;
} published[] = {
	{ "AMD-420", PRECIS_ERRATUM_NOTE, PRECIS_AMD_GREYHOUND, PRECIS_IBS_OP },
	{ "AMD-484", PRECIS_ERRATUM_LOSES, PRECIS_AMD_BOBCAT, PRECIS_IBS_OP },
	{ "AMD-717", PRECIS_ERRATUM_LOSES, PRECIS_AMD_BULLDOZER, PRECIS_IBS_OP },
	{ "AMD-718", PRECIS_ERRATUM_LOSES, PRECIS_AMD_BULLDOZER, PRECIS_IBS_OP },
	{ "AMD-718", PRECIS_ERRATUM_LOSES, PRECIS_AMD_PILEDRIVER, PRECIS_IBS_OP },
	{ "AMD-719", PRECIS_ERRATUM_NOTE, PRECIS_AMD_PILEDRIVER, PRECIS_IBS_FETCH },
	{ "AMD-1197", PRECIS_ERRATUM_LOSES, PRECIS_AMD_ZEN3_SERVER, PRECIS_IBS_FETCH },
	{ "AMD-1238", PRECIS_ERRATUM_LOSES, PRECIS_AMD_ZEN3_SERVER, PRECIS_IBS_FETCH },
	{ "AMD-1293", PRECIS_ERRATUM_LOSES, PRECIS_AMD_ZEN3_SERVER, PRECIS_IBS_OP },
	{ "AMD-1347", PRECIS_ERRATUM_REENCODES, PRECIS_AMD_ZEN3_SERVER, PRECIS_IBS_FETCH },
};

static void table(void)
{
	struct precis_erratum row = { .size = sizeof(row) };
	uint32_t count = 0;

	for (; precis_erratum(count, &row) == 0; count++) {
		CU_ASSERT_EQUAL(strncmp(row.name, "AMD-", 4), 0);
		CU_ASSERT_TRUE(*row.models && *row.summary && *row.source);
		CU_ASSERT_TRUE(row.cores && !(row.cores >> PRECIS_AMD_CORE_COUNT));
		CU_ASSERT_TRUE(row.unit <= PRECIS_IBS_FETCH);
		CU_ASSERT_TRUE(row.effect <= PRECIS_ERRATUM_NOTE);
	}
	for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
		int found = 0;

		for (uint32_t n = 0; n < count; n++) {
			precis_erratum(n, &row);
			found |= !strcmp(row.name, published[i].name) &&
				 row.cores == 1u << published[i].core &&
				 row.effect == published[i].effect && row.unit == published[i].unit;
		}
		if (!found)
			printf("# no row for %s\n", published[i].name);
		CU_ASSERT_TRUE(found);
	}
	CU_ASSERT_EQUAL(precis_erratum(count, &row), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_erratum(0, NULL), PRECIS_E_ARGUMENT);
	row.size = 4;
	CU_ASSERT_EQUAL(precis_erratum(0, &row), PRECIS_E_ARGUMENT);
}

/* A load that missed everywhere, with all that can be told of it. */
static struct precis_ibs_op missing_load(uint32_t caps, uint64_t more)
{
	struct precis_ibs_op op = make_op(caps);

	op.op_data2 = 3 | BIT(4);
	op.op_data3 = LOAD | DC_MISS | L2_MISS | LIN_VALID | PHYS_VALID | L1_TLB_MISS | more |
		      (uint64_t)5 << 26 | (uint64_t)4 << 22 | (uint64_t)300 << 32 |
		      (uint64_t)40 << 48;
	op.dc_lin_ad = 0x7000;
	op.dc_phys_ad = 0x9000;
	op.op_data = BIT(37) | BIT(35);
	op.br_target = 0x401234;
	return op;
}

static void op_1293(void)
{
	static const uint64_t strikes[] = { PREFETCH, NO_MAB, PREFETCH | NO_MAB };
	static const enum precis_field lost[] = { PRECIS_FIELD_MEM_REMOTE, PRECIS_FIELD_L2_MISS,
						  PRECIS_FIELD_MISS_BUFFERS_OPEN };
	struct precis_sample sample;
	struct precis_ibs_op op = missing_load(CAPS_ZEN2, 0);

	decode_op(ZEN3_SERVER, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_DRAM, "no erratum");
	expect_value(&sample, PRECIS_FIELD_MEM_REMOTE, PRECIS_MEM_REMOTE_NODE, "no erratum");
	expect_value(&sample, PRECIS_FIELD_MISS_BUFFERS_OPEN, 5, "no erratum");
	for (unsigned int i = 0; i < 3; i++) {
		op = missing_load(CAPS_ZEN2, strikes[i]);
		decode_op(ZEN3_SERVER, &op, &sample);
		for (unsigned int k = 0; k < 3; k++)
			expect_absent(&sample, lost[k], PRECIS_ERRATUM, "AMD-1293", "struck");
		if (strikes[i] & NO_MAB)
			expect_value(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_LFB, "struck");
		else
			expect_absent(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_ERRATUM, "AMD-1293",
				      "struck");
		/* what it does not touch stays */
		expect_value(&sample, PRECIS_FIELD_DCACHE_MISS, 1, "struck");
		expect_value(&sample, PRECIS_FIELD_TLB_REFILL_LATENCY, 40, "struck");
		expect_value(&sample, PRECIS_FIELD_ACCESS_BYTES, 8, "struck");
		/* nor does it touch other cores */
		decode_op(ZEN3_CLIENT, &op, &sample);
		expect_value(&sample, PRECIS_FIELD_L2_MISS, 1, "Zen 3 client");
		expect_value(&sample, PRECIS_FIELD_MISS_BUFFERS_OPEN, 5, "Zen 3 client");
		expect_value(&sample, PRECIS_FIELD_MEM_REMOTE, PRECIS_MEM_REMOTE_NODE,
			     "Zen 3 client");
	}
	/* an L1 hit needs nothing of what is lost; an L2 miss bit must not make it an L2 hit */
	op = missing_load(CAPS_ZEN2, NO_MAB);
	op.op_data3 &= ~DC_MISS;
	decode_op(ZEN3_SERVER, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_L1, "L1 hit");
	op = missing_load(CAPS_ZEN2, PREFETCH);
	op.op_data3 &= ~L2_MISS;
	decode_op(ZEN3_SERVER, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_ERRATUM, "AMD-1293", "no L2 miss bit");
}

/* A data source that an erratum forbids to believe must not turn an uncacheable access into MMIO. */
static void op_1293_uncacheable(void)
{
	struct precis_sample sample;
	struct precis_ibs_op op = missing_load(CAPS_ZEN2, NO_MAB | UNCACHEABLE);

	op.op_data2 = 7;
	decode_op(ZEN3_SERVER, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_ERRATUM, "AMD-1293",
		      "MMIO or memory: only the untrusted source could tell");
	CU_ASSERT_FALSE(precis_fields_have(sample.present, PRECIS_FIELD_DCACHE_MISS));
	CU_ASSERT_FALSE(precis_fields_have(sample.present, PRECIS_FIELD_DCACHE_MISS_LATENCY));
	CU_ASSERT_FALSE(precis_fields_have(sample.present, PRECIS_FIELD_MISS_BUFFER_ALLOCATED));
}

static void op_484(void)
{
	struct precis_sample sample;
	struct precis_ibs_op op = missing_load(CAPS_OLD, BIT(13));

	op.op_data2 = 3;
	decode_op(BOBCAT, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_ERRATUM, "AMD-484", "WC");
	op.op_data3 &= ~BIT(13);
	decode_op(BOBCAT, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_DRAM, "no WC");
	op.op_data3 |= BIT(13);
	decode_op(JAGUAR, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_DRAM, "Jaguar");
}

static void op_717(void)
{
	struct precis_sample sample;
	struct precis_ibs_op op = missing_load(CAPS_OLD, NO_MAB);

	decode_op(BULLDOZER, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_BRANCH_TARGET, PRECIS_ERRATUM, "AMD-717", "target");
	expect_value(&sample, PRECIS_FIELD_BRANCH_TAKEN, 1, "branch");
	expect_value(&sample, PRECIS_FIELD_MISS_BUFFER_ALLOCATED, 0, "miss");
	CU_ASSERT_PTR_NULL(precis_ibs_op_bits_erratum(&decode_context, &op, UINT32_MAX));
	decode_op(PILEDRIVER, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_BRANCH_TARGET, 0x401234, "Piledriver");
	/* DcMabHit without a miss says nothing */
	op.op_data3 &= ~DC_MISS;
	decode_op(BULLDOZER, &op, &sample);
	CU_ASSERT_FALSE(precis_fields_have(sample.present, PRECIS_FIELD_MISS_BUFFER_ALLOCATED));
	expect_value(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_L1, "no miss");
}

static void op_718(void)
{
	static const char *const struck[] = { BULLDOZER, PILEDRIVER };
	struct precis_ibs_op op = missing_load(CAPS_OLD, 0);
	struct precis_sample sample;

	for (unsigned int i = 0; i < 2; i++) {
		decode_op(struck[i], &op, &sample);
		expect_absent(&sample, PRECIS_FIELD_TLB_LEVEL, PRECIS_ERRATUM, "AMD-718", struck[i]);
		expect_absent(&sample, PRECIS_FIELD_PAGE_SIZE, PRECIS_ERRATUM, "AMD-718", struck[i]);
	}
	decode_op(STEAMROLLER, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_TLB_LEVEL, PRECIS_TLB_LEVEL_L2, "Steamroller");
	expect_value(&sample, PRECIS_FIELD_PAGE_SIZE, 4096, "Steamroller");
}

/* A hit of the L1 TLB, and the page size that it had, do not hang on the bits that stick. */
static void op_718_hit(void)
{
	static const uint64_t sticking[] = { 0, L2_TLB_MISS, BIT(6), BIT(19),
					     L2_TLB_MISS | BIT(6) | BIT(19) };
	static const char *const struck[] = { BULLDOZER, PILEDRIVER };
	struct precis_sample sample;

	for (unsigned int i = 0; i < 2 * 5; i++) {
		struct precis_ibs_op op = missing_load(CAPS_OLD, sticking[i / 2]);

		op.op_data3 &= ~L1_TLB_MISS;
		decode_op(struck[i % 2], &op, &sample);
		expect_value(&sample, PRECIS_FIELD_TLB_LEVEL, PRECIS_TLB_LEVEL_L1, struck[i % 2]);
		expect_value(&sample, PRECIS_FIELD_PAGE_SIZE, 4096, struck[i % 2]);
		op.op_data3 |= BIT(4);
		decode_op(struck[i % 2], &op, &sample);
		expect_value(&sample, PRECIS_FIELD_PAGE_SIZE, 1u << 21, struck[i % 2]);
		op.op_data3 |= L1_TLB_MISS;
		decode_op(struck[i % 2], &op, &sample);
		expect_absent(&sample, PRECIS_FIELD_TLB_LEVEL, PRECIS_ERRATUM, "AMD-718", "miss");
		expect_absent(&sample, PRECIS_FIELD_PAGE_SIZE, PRECIS_ERRATUM, "AMD-718", "miss");
	}
}

static struct precis_ibs_fetch full_fetch(uint32_t page_size)
{
	struct precis_ibs_fetch fetch = make_fetch(CAPS_ZEN2);

	fetch.fetch_ctl |= 0x1000 | (uint64_t)17 << 32 | BIT(50) | BIT(51) | BIT(52) | BIT(55) |
			   (uint64_t)page_size << 53 | BIT(58);
	fetch.fetch_phys_ad = 0x9000;
	fetch.fetch_ctl_extd = 21;
	return fetch;
}

static void fetch_1238(void)
{
	struct precis_ibs_fetch fetch = full_fetch(0);
	struct precis_sample sample;

	decode_fetch(ZEN3_SERVER, &fetch, &sample);
	expect_absent(&sample, PRECIS_FIELD_ICACHE_MISS, PRECIS_ERRATUM, "AMD-1238", "Zen 3 server");
	expect_value(&sample, PRECIS_FIELD_FETCH_L2_MISS, 1, "Zen 3 server");
	expect_value(&sample, PRECIS_FIELD_ITLB_REFILL_LATENCY, 21, "Zen 3 server");
	decode_fetch(ZEN3_CLIENT, &fetch, &sample);
	expect_value(&sample, PRECIS_FIELD_ICACHE_MISS, 1, "Zen 3 client");
}

static void fetch_1197(void)
{
	struct precis_ibs_fetch fetch = full_fetch(0);
	struct precis_sample sample;
	uint64_t left;

	fetch.fetch_lin_ad = 0;
	decode_fetch(ZEN3_SERVER, &fetch, &sample);
	expect_absent(&sample, PRECIS_FIELD_IP, PRECIS_ERRATUM, "AMD-1197", "bogus");
	expect_absent(&sample, PRECIS_FIELD_FETCH_LATENCY, PRECIS_ERRATUM, "AMD-1197", "bogus");
	expect_absent(&sample, PRECIS_FIELD_FETCH_PHYS_ADDR, PRECIS_ERRATUM, "AMD-1197", "bogus");
	expect_absent(&sample, PRECIS_FIELD_ITLB_REFILL_LATENCY, PRECIS_ERRATUM, "AMD-1197", "bogus");
	left = sample.present[0] & ~PRECIS_FIELD_BIT(PRECIS_FIELD_PERIOD_UNIT);
	CU_ASSERT_EQUAL(left, 0);
	decode_fetch(ZEN3_CLIENT, &fetch, &sample);
	expect_value(&sample, PRECIS_FIELD_IP, 0, "Zen 3 client");
	expect_value(&sample, PRECIS_FIELD_FETCH_LATENCY, 17, "Zen 3 client");
}

static void fetch_1347(void)
{
	static const uint64_t sizes[2][4] = { { 1u << 12, 1u << 14, 1u << 21, 1u << 30 },
					      { 1u << 12, 1u << 21, 1u << 30, 0 } };
	struct precis_sample sample;

	for (uint32_t size = 0; size < 4; size++) {
		struct precis_ibs_fetch fetch = full_fetch(size);

		decode_fetch(ZEN3_SERVER, &fetch, &sample);
		expect_value(&sample, PRECIS_FIELD_FETCH_PAGE_SIZE, sizes[0][size], "Zen 3 server");
		decode_fetch(ZEN3_CLIENT, &fetch, &sample);
		if (sizes[1][size])
			expect_value(&sample, PRECIS_FIELD_FETCH_PAGE_SIZE, sizes[1][size],
				     "Zen 3 client");
		else
			expect_absent(&sample, PRECIS_FIELD_FETCH_PAGE_SIZE, PRECIS_NOT_APPLICABLE,
				      NULL, "Zen 3 client");
	}
}

/* The register view names the erratum that a bit field suffers from. */
static void bits(void)
{
	struct precis_ibs_bits row = { .size = sizeof(row) };
	struct precis_ibs_op op = missing_load(CAPS_ZEN2, NO_MAB);
	struct precis_ibs_fetch fetch = full_fetch(0);

	use_cpu(ZEN3_SERVER);
	for (uint32_t n = 0; precis_ibs_bits(n, &row) == 0; n++) {
		const char *of_op = precis_ibs_op_bits_erratum(&decode_context, &op, n);
		const char *of_fetch = precis_ibs_fetch_bits_erratum(&decode_context, &fetch, n);

		if (row.reg == PRECIS_IBS_OP_DATA2 || !strcmp(row.name, "IbsL2Miss") ||
		    !strcmp(row.name, "IbsOpDcMissOpenMemReqs")) {
			CU_ASSERT_PTR_NOT_NULL_FATAL(of_op);
			CU_ASSERT_STRING_EQUAL(of_op, "AMD-1293");
		} else {
			CU_ASSERT_PTR_NULL(of_op);
		}
		if (!strcmp(row.name, "IbsIcMiss")) {
			CU_ASSERT_PTR_NOT_NULL_FATAL(of_fetch);
			CU_ASSERT_STRING_EQUAL(of_fetch, "AMD-1238");
		} else {
			CU_ASSERT_PTR_NULL(of_fetch);
		}
	}
	op.op_data3 &= ~NO_MAB;
	for (uint32_t n = 0; precis_ibs_bits(n, &row) == 0; n++)
		CU_ASSERT_PTR_NULL(precis_ibs_op_bits_erratum(&decode_context, &op, n));
}

static const struct tap_case cases[] = {
	{ "the table has the published rows", table },
	{ "AMD-1293: data source, L2 miss, open requests", op_1293 },
	{ "AMD-1293: an untrusted data source decides nothing", op_1293_uncacheable },
	{ "AMD-484: data source of write-combining accesses", op_484 },
	{ "AMD-717: branch target, miss buffer hit", op_717 },
	{ "AMD-718: TLB bits that stick", op_718 },
	{ "AMD-718: not after a hit of the L1 TLB", op_718_hit },
	{ "AMD-1238: instruction cache miss", fetch_1238 },
	{ "AMD-1197: fetch samples without an address", fetch_1197 },
	{ "AMD-1347: fetch page size", fetch_1347 },
	{ "the register view names them", bits },
};

int main(void)
{
	return tap_main("errata", cases, sizeof(cases) / sizeof(cases[0]));
}
