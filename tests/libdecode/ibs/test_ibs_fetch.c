/* SPDX-License-Identifier: BSD-3-Clause */
/* ibs_fetch: each field's value and each gate of it. */
#include <precis/error.h>

#include "tests/libdecode/sample/decode.h"

#define COMPLETE BIT(50)
#define IC_MISS BIT(51)
#define PHYS BIT(52)
#define ITLB_L1_MISS BIT(55)
#define ITLB_L2_MISS BIT(56)

static struct precis_ibs_fetch fetch_with(uint32_t caps, uint64_t ctl)
{
	struct precis_ibs_fetch fetch = make_fetch(caps);

	fetch.fetch_ctl |= ctl | UINT64_C(17) << 32 | 0x186a;
	fetch.fetch_phys_ad = 0x9000;
	fetch.fetch_ctl_extd = 33 | UINT64_C(0xabcd) << 16;
	return fetch;
}

static void always(void)
{
	struct precis_ibs_fetch fetch = fetch_with(CAPS_ZEN2, 0);
	struct precis_sample sample;

	decode_fetch(ZEN2, &fetch, &sample);
	expect_value(&sample, PRECIS_FIELD_PERIOD, 100000, "period");
	expect_value(&sample, PRECIS_FIELD_PERIOD_UNIT, PRECIS_PERIOD_UNIT_FETCHES, "unit");
	expect_value(&sample, PRECIS_FIELD_IP, 0x401000, "ip");
	expect_value(&sample, PRECIS_FIELD_FETCH_LATENCY, 17, "latency");
	expect_value(&sample, PRECIS_FIELD_FETCH_COMPLETED, 0, "given up");
	fetch.fetch_ctl |= COMPLETE;
	decode_fetch(ZEN2, &fetch, &sample);
	expect_value(&sample, PRECIS_FIELD_FETCH_COMPLETED, 1, "completed");
}

static void killed(void)
{
	static const char why[] = "the fetch was killed before it reached instruction cache and TLB";
	static const uint64_t alive[] = { COMPLETE, IC_MISS, PHYS, ITLB_L1_MISS, ITLB_L2_MISS };
	struct precis_ibs_fetch fetch = fetch_with(CAPS_ZEN2, 0);
	struct precis_sample sample;

	decode_fetch(ZEN2, &fetch, &sample);
	expect_absent(&sample, PRECIS_FIELD_ICACHE_MISS, PRECIS_NOT_APPLICABLE, why, "killed");
	expect_absent(&sample, PRECIS_FIELD_ITLB_LEVEL, PRECIS_NOT_APPLICABLE, why, "killed");
	for (unsigned int i = 0; i < 5; i++) {
		fetch = fetch_with(CAPS_ZEN2, alive[i]);
		decode_fetch(ZEN2, &fetch, &sample);
		expect_value(&sample, PRECIS_FIELD_ICACHE_MISS, alive[i] == IC_MISS, "alive");
		CU_ASSERT_TRUE(precis_fields_have(sample.present, PRECIS_FIELD_ITLB_LEVEL));
	}
}

static void misses(void)
{
	struct precis_ibs_fetch fetch = fetch_with(CAPS_ZEN4, COMPLETE | BIT(58) | BIT(60) | BIT(61));
	struct precis_sample sample;

	decode_fetch(ZEN4, &fetch, &sample);
	expect_value(&sample, PRECIS_FIELD_FETCH_L2_MISS, 1, "completed");
	expect_value(&sample, PRECIS_FIELD_FETCH_L3_MISS, 1, "completed");
	expect_value(&sample, PRECIS_FIELD_OPCACHE_MISS, 1, "completed");
	expect_value(&sample, PRECIS_FIELD_L3_MISS_ONLY, 0, "completed");
	fetch.fetch_ctl &= ~COMPLETE;
	fetch.fetch_ctl |= BIT(59);
	decode_fetch(ZEN4, &fetch, &sample);
	expect_absent(&sample, PRECIS_FIELD_FETCH_L2_MISS, PRECIS_NOT_APPLICABLE,
		      "the fetch was given up", "given up");
	expect_absent(&sample, PRECIS_FIELD_FETCH_L3_MISS, PRECIS_NOT_APPLICABLE,
		      "the fetch was given up", "given up");
	expect_value(&sample, PRECIS_FIELD_OPCACHE_MISS, 1, "given up");
	expect_value(&sample, PRECIS_FIELD_L3_MISS_ONLY, 1, "given up");
	fetch = fetch_with(CAPS_ZEN2, COMPLETE | BIT(58));
	decode_fetch(ZEN2, &fetch, &sample);
	expect_value(&sample, PRECIS_FIELD_FETCH_L2_MISS, 1, "Zen 2");
	expect_absent(&sample, PRECIS_FIELD_FETCH_L3_MISS, PRECIS_NOT_SUPPORTED, NULL, "Zen 2");
	expect_absent(&sample, PRECIS_FIELD_OPCACHE_MISS, PRECIS_NOT_SUPPORTED, NULL, "Zen 2");
	fetch = fetch_with(CAPS_OLD, COMPLETE | BIT(58));
	decode_fetch(JAGUAR, &fetch, &sample);
	expect_absent(&sample, PRECIS_FIELD_FETCH_L2_MISS, PRECIS_NOT_SUPPORTED, NULL, "Jaguar");
}

static void tlb(void)
{
	static const struct {
		uint64_t misses, level;
	} rows[] = {
		{ 0, PRECIS_TLB_LEVEL_L1 },
		{ ITLB_L1_MISS, PRECIS_TLB_LEVEL_L2 },
		{ ITLB_L1_MISS | ITLB_L2_MISS, PRECIS_TLB_LEVEL_WALK },
	};
	struct precis_sample sample;

	for (unsigned int i = 0; i < 3; i++) {
		struct precis_ibs_fetch fetch = fetch_with(CAPS_ZEN2, COMPLETE | rows[i].misses);

		decode_fetch(ZEN2, &fetch, &sample);
		expect_value(&sample, PRECIS_FIELD_ITLB_LEVEL, rows[i].level, "level");
		if (rows[i].misses)
			expect_value(&sample, PRECIS_FIELD_ITLB_REFILL_LATENCY, 33, "refill");
		else
			expect_absent(&sample, PRECIS_FIELD_ITLB_REFILL_LATENCY,
				      PRECIS_NOT_APPLICABLE, "no L1 TLB miss", "refill");
		fetch.fetch_ctl &= ~COMPLETE;
		decode_fetch(ZEN2, &fetch, &sample);
		expect_absent(&sample, PRECIS_FIELD_ITLB_REFILL_LATENCY, PRECIS_NOT_APPLICABLE,
			      "the fetch was given up", "refill");
		/* a kernel before 5.10 did not hand it over */
		fetch.captured &= ~(1u << PRECIS_IBS_FETCH_CTL_EXTD);
		decode_fetch(ZEN2, &fetch, &sample);
		expect_absent(&sample, PRECIS_FIELD_ITLB_REFILL_LATENCY, PRECIS_NOT_CAPTURED, NULL,
			      "refill");
		fetch.caps = CAPS_OLD;
		decode_fetch(JAGUAR, &fetch, &sample);
		expect_absent(&sample, PRECIS_FIELD_ITLB_REFILL_LATENCY, PRECIS_NOT_SUPPORTED, NULL,
			      "refill");
	}
}

static void pages(void)
{
	static const uint64_t sizes[] = { 1u << 12, 1u << 21, 1u << 30 };
	struct precis_sample sample;

	for (uint64_t size = 0; size < 4; size++) {
		struct precis_ibs_fetch fetch = fetch_with(CAPS_ZEN2, PHYS | size << 53);

		decode_fetch(ZEN2, &fetch, &sample);
		expect_value(&sample, PRECIS_FIELD_FETCH_PAGE_SIZE, size < 3 ? sizes[size] : 1u << 14,
			     "family 17h");
		fetch.caps = CAPS_ZEN4;
		decode_fetch(ZEN4, &fetch, &sample);
		if (size < 3)
			expect_value(&sample, PRECIS_FIELD_FETCH_PAGE_SIZE, sizes[size], "Zen 4");
		else
			expect_absent(&sample, PRECIS_FIELD_FETCH_PAGE_SIZE, PRECIS_NOT_APPLICABLE,
				      NULL, "Zen 4");
		fetch.fetch_ctl &= ~PHYS;
		decode_fetch(ZEN4, &fetch, &sample);
		expect_absent(&sample, PRECIS_FIELD_FETCH_PAGE_SIZE, PRECIS_NOT_APPLICABLE,
			      "PhyAddrValid=0", "Zen 4");
	}
}

static void physical(void)
{
	struct precis_ibs_fetch fetch = fetch_with(CAPS_ZEN4, PHYS);
	struct precis_sample sample;

	decode_fetch(ZEN4, &fetch, &sample);
	expect_value(&sample, PRECIS_FIELD_FETCH_PHYS_ADDR, 0x9000, "valid");
	fetch.fetch_phys_ad = 0;
	decode_fetch(ZEN4, &fetch, &sample);
	expect_absent(&sample, PRECIS_FIELD_FETCH_PHYS_ADDR, PRECIS_SCRUBBED, NULL, "zero");
	fetch = fetch_with(CAPS_ZEN4, 0);
	decode_fetch(ZEN4, &fetch, &sample);
	expect_absent(&sample, PRECIS_FIELD_FETCH_PHYS_ADDR, PRECIS_NOT_APPLICABLE, "PhyAddrValid=0",
		      "invalid");
}

/* Zen 6: no status at all without PhyAddrValid (Linux 7.3 tools/perf/util/amd-sample-raw.c) */
static void zen6(void)
{
	static const enum precis_field status[] = {
		PRECIS_FIELD_FETCH_LATENCY, PRECIS_FIELD_ICACHE_MISS,	  PRECIS_FIELD_OPCACHE_MISS,
		PRECIS_FIELD_FETCH_L2_MISS, PRECIS_FIELD_FETCH_L3_MISS,	  PRECIS_FIELD_ITLB_LEVEL,
		PRECIS_FIELD_FETCH_PAGE_SIZE, PRECIS_FIELD_ITLB_REFILL_LATENCY,
	};
	struct precis_ibs_fetch fetch = fetch_with(CAPS_ZEN6, COMPLETE | IC_MISS | ITLB_L1_MISS);
	struct precis_sample sample;

	decode_fetch(ZEN6, &fetch, &sample);
	for (unsigned int i = 0; i < 8; i++)
		expect_absent(&sample, status[i], PRECIS_NOT_APPLICABLE, NULL, "Zen 6");
	expect_value(&sample, PRECIS_FIELD_FETCH_COMPLETED, 1, "Zen 6");
	expect_value(&sample, PRECIS_FIELD_PERIOD, 100000, "Zen 6");
	expect_value(&sample, PRECIS_FIELD_L3_MISS_ONLY, 0, "Zen 6");
	fetch.fetch_ctl |= PHYS;
	decode_fetch(ZEN6, &fetch, &sample);
	for (unsigned int i = 0; i < 8; i++)
		CU_ASSERT_TRUE(precis_fields_have(sample.present, status[i]));
	/* one generation before */
	fetch.fetch_ctl &= ~PHYS;
	fetch.caps = CAPS_ZEN5;
	decode_fetch(ZEN5, &fetch, &sample);
	expect_value(&sample, PRECIS_FIELD_FETCH_LATENCY, 17, "Zen 5");
}

static void arguments(void)
{
	struct precis_ibs_fetch fetch = make_fetch(CAPS_ZEN2);
	struct precis_sample sample;
	uint32_t field = PRECIS_FIELD_ADDR;
	uint64_t column, *columns = &column, first, set[PRECIS_FIELD_WORDS];
	uint64_t *const present[PRECIS_FIELD_WORDS] = { &first },
			*const none[PRECIS_FIELD_WORDS] = { NULL };

	use_cpu(ZEN2);
	precis_sample_init(&sample);
	CU_ASSERT_EQUAL(precis_ibs_fetch_decode(NULL, &fetch, NULL, &sample), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_fetch_decode(&decode_context, NULL, NULL, &sample),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_fetch_decode(&decode_context, &fetch, NULL, NULL),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(
		precis_ibs_fetch_columns(&decode_context, &fetch, 1, &field, 1, &columns, present),
		PRECIS_E_NO_FIELD);
	field = PRECIS_FIELD_IP;
	CU_ASSERT_EQUAL(
		precis_ibs_fetch_columns(&decode_context, &fetch, 1, &field, 1, &columns, none),
		PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_fetch_present(&decode_context, &fetch, set), 0);
	CU_ASSERT_EQUAL(precis_ibs_fetch_present(NULL, &fetch, set), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_fetch_present(&decode_context, NULL, set), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_fetch_present(&decode_context, &fetch, NULL), PRECIS_E_ARGUMENT);
}

static const struct tap_case cases[] = {
	{ "what every fetch has", always },
	{ "killed fetches", killed },
	{ "cache misses", misses },
	{ "instruction TLB and its refill latency", tlb },
	{ "page sizes", pages },
	{ "physical address", physical },
	{ "Zen 6 without a physical address", zen6 },
	{ "bad arguments", arguments },
};

int main(void)
{
	return tap_main("ibs_fetch", cases, sizeof(cases) / sizeof(cases[0]));
}
