/* SPDX-License-Identifier: BSD-3-Clause */
/* The register view: names and places of bit fields, on which CPU with which caps. */
#include <precis/error.h>

#include "tests/libdecode/sample/decode.h"

static uint64_t unused[PRECIS_FIELD_WORDS]; /* the context is to know the op's caps */

/* Is a bit field of that name defined at that place, on that CPU? */
static int defined(const char *cpuid, uint32_t caps, uint32_t reg, uint32_t low, uint32_t width,
		   const char *name)
{
	struct precis_ibs_bits row = { .size = sizeof(row) };
	struct precis_ibs_op op = make_op(caps);

	use_cpu(cpuid);
	precis_ibs_op_present(&decode_context, &op, unused);
	for (uint32_t n = 0; precis_ibs_bits(n, &row) == 0; n++) {
		if (row.reg == reg && row.low == low && row.width == width &&
		    !strcmp(row.name, name) && precis_ibs_bits_defined(&decode_context, n))
			return 1;
	}
	return 0;
}

static const struct {
	uint32_t reg, low, width;
	const char *name;
	const char *cpuid;
	uint32_t caps;
	int defined;
} rows[] = {
	{ PRECIS_IBS_OP_CTL, 0, 16, "IbsOpMaxCnt", ZEN2, CAPS_ZEN2, 1 },
	{ PRECIS_IBS_OP_CTL, 16, 1, "IbsL3MissOnly", ZEN4, CAPS_ZEN4, 1 },
	{ PRECIS_IBS_OP_CTL, 16, 1, "IbsL3MissOnly", ZEN2, CAPS_ZEN2, 0 },
	{ PRECIS_IBS_OP_CTL, 20, 7, "IbsOpMaxCntExt", ZEN2, CAPS_ZEN2, 1 },
	{ PRECIS_IBS_OP_CTL, 20, 7, "IbsOpMaxCntExt", GREYHOUND, 0x1f, 0 },
	{ PRECIS_IBS_OP_CTL, 32, 27, "IbsOpCurCnt", ZEN2, CAPS_ZEN2, 1 },
	{ PRECIS_IBS_OP_CTL, 32, 20, "IbsOpCurCnt", ZEN2, CAPS_ZEN2, 0 },
	{ PRECIS_IBS_OP_CTL, 32, 20, "IbsOpCurCnt", GREYHOUND, 0x1f, 1 },
	{ PRECIS_IBS_OP_CTL, 59, 4, "IbsOpLdLatThrsh", ZEN5, CAPS_ZEN5, 1 },
	{ PRECIS_IBS_OP_CTL, 63, 1, "IbsOpLdLatEn", ZEN5, CAPS_ZEN5, 1 },
	{ PRECIS_IBS_OP_CTL, 63, 1, "IbsOpLdLatEn", ZEN4, CAPS_ZEN4, 0 },
	{ PRECIS_IBS_OP_DATA, 32, 1, "IbsOpBrnResync", BULLDOZER, CAPS_OLD, 1 },
	{ PRECIS_IBS_OP_DATA, 32, 1, "IbsOpBrnResync", ZEN2, CAPS_ZEN2, 0 },
	{ PRECIS_IBS_OP_DATA, 38, 1, "IbsRipInvalid", ZEN2, CAPS_ZEN2, 1 },
	{ PRECIS_IBS_OP_DATA, 38, 1, "IbsRipInvalid", GREYHOUND, 0x1f, 0 },
	{ PRECIS_IBS_OP_DATA2, 0, 3, "NbIbsReqSrc", BULLDOZER, CAPS_OLD, 1 },
	{ PRECIS_IBS_OP_DATA2, 0, 3, "DataSrcLo", ZEN2, CAPS_ZEN2, 1 },
	{ PRECIS_IBS_OP_DATA2, 0, 3, "DataSrcLo", BULLDOZER, CAPS_OLD, 0 },
	{ PRECIS_IBS_OP_DATA2, 6, 2, "DataSrcHi", ZEN4, CAPS_ZEN4, 1 },
	{ PRECIS_IBS_OP_DATA2, 6, 2, "DataSrcHi", ZEN2, CAPS_ZEN2, 0 },
	{ PRECIS_IBS_OP_DATA2, 4, 1, "RmtNode", JAGUAR, CAPS_OLD, 0 },
	{ PRECIS_IBS_OP_DATA2, 4, 1, "NbIbsReqDstNode", JAGUAR, CAPS_OLD, 0 },
	{ PRECIS_IBS_OP_DATA2, 5, 1, "CacheHitSt", ZEN2, CAPS_ZEN2, 1 },
	{ PRECIS_IBS_OP_DATA2, 5, 1, "CacheHitSt", ZEN3_SERVER, CAPS_ZEN2, 0 },
	{ PRECIS_IBS_OP_DATA2, 5, 1, "CacheHitSt", ZEN3_CLIENT, CAPS_ZEN2, 0 },
	{ PRECIS_IBS_OP_DATA2, 8, 1, "StrmSt", ZEN6, CAPS_ZEN6, 1 },
	{ PRECIS_IBS_OP_DATA2, 9, 1, "RmtSocket", ZEN5, CAPS_ZEN5, 0 },
	{ PRECIS_IBS_OP_DATA3, 4, 1, "IbsDcL1TlbHit2M", ZEN4, CAPS_ZEN4, 1 },
	{ PRECIS_IBS_OP_DATA3, 4, 1, "IbsDcL1TlbHit2M", ZEN5, CAPS_ZEN5, 0 },
	{ PRECIS_IBS_OP_DATA3, 4, 2, "IbsDcPageSize", ZEN5, CAPS_ZEN5, 1 },
	{ PRECIS_IBS_OP_DATA3, 4, 2, "IbsDcPageSize", ZEN4, CAPS_ZEN4, 0 },
	{ PRECIS_IBS_OP_DATA3, 19, 1, "IbsDcL2TlbHit1G", ZEN5, CAPS_ZEN5, 0 },
	{ PRECIS_IBS_OP_DATA3, 16, 1, "IbsDcMabHit", GREYHOUND, 0x1f, 1 },
	{ PRECIS_IBS_OP_DATA3, 16, 1, "DcMissNoMabAlloc", ZEN4, CAPS_ZEN4, 1 },
	{ PRECIS_IBS_OP_DATA3, 20, 1, "IbsL2Miss", STEAMROLLER, CAPS_OLD, 1 },
	{ PRECIS_IBS_OP_DATA3, 20, 1, "IbsL2Miss", PILEDRIVER, CAPS_OLD, 0 },
	{ PRECIS_IBS_OP_DATA3, 48, 16, "IbsTlbRefillLat", JAGUAR, CAPS_OLD, 1 },
	{ PRECIS_IBS_OP_DATA4, 0, 1, "IbsOpLdResync", EXCAVATOR, 0x7ff, 1 },
	{ PRECIS_IBS_OP_DATA4, 0, 1, "IbsOpLdResync", ZEN2, 0x7ff, 0 },
	{ PRECIS_IBS_FETCH_CTL, 58, 1, "IbsFetchL2Miss", ZEN2, CAPS_ZEN2, 1 },
	{ PRECIS_IBS_FETCH_CTL, 58, 1, "IbsFetchL2Miss", JAGUAR, CAPS_OLD, 0 },
	{ PRECIS_IBS_FETCH_CTL, 61, 1, "IbsFetchL3Miss", ZEN4, CAPS_ZEN4, 1 },
	{ PRECIS_IBS_FETCH_CTL, 61, 1, "IbsFetchL3Miss", ZEN2, CAPS_ZEN2, 0 },
	{ PRECIS_IBS_FETCH_CTL_EXTD, 0, 16, "IbsItlbRefillLat", ZEN2, CAPS_ZEN2, 1 },
	{ PRECIS_IBS_FETCH_CTL_EXTD, 0, 16, "IbsItlbRefillLat", JAGUAR, CAPS_OLD, 0 },
	/* without a CPU only what all candidates have */
	{ PRECIS_IBS_OP_DATA2, 5, 1, "CacheHitSt", NULL, CAPS_ZEN2, 0 },
	{ PRECIS_IBS_OP_DATA2, 0, 3, "DataSrcLo", NULL, CAPS_ZEN4, 1 },
	{ PRECIS_IBS_OP_DATA3, 7, 1, "IbsDcMiss", NULL, CAPS_ZEN2, 1 },
	/* a CPU that has no IBS is not believed: its payload's caps decide */
	{ PRECIS_IBS_OP_DATA3, 7, 1, "IbsDcMiss", "GenuineIntel,6,143,8", CAPS_ZEN2, 1 },
	{ PRECIS_IBS_OP_DATA3, 9, 1, "IbsDcLdBnkCon", "GenuineIntel,6,143,8", CAPS_ZEN2, 0 },
};

static void definitions(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int is = defined(rows[i].cpuid, rows[i].caps, rows[i].reg, rows[i].low,
				 rows[i].width, rows[i].name);

		if (is != rows[i].defined)
			printf("# %s on %s: %d\n", rows[i].name, rows[i].cpuid, is);
		CU_ASSERT_EQUAL(is, rows[i].defined);
	}
}

/* The worked example of perf-amd-ibs.txt (Linux, tools/perf/Documentation) */
static const struct {
	const char *name; /* perf's */
	uint64_t value;
} example[] = {
	{ "L3MissOnly", 0 },   { "En", 1 },	     { "Val", 1 },	 { "CntCtl", 0 },
	{ "CurCnt", 707 },     { "CompToRetCtr", 1 }, { "TagToRetCtr", 597 }, { "BrnRet", 0 },
	{ "RipInvalid", 0 },   { "BrnFuse", 0 },     { "Microcode", 1 }, { "DataSrc", 3 },
	{ "RmtNode", 1 },      { "LdOp", 0 },	     { "StOp", 1 },	 { "DcL1TlbMiss", 0 },
	{ "DcL1TlbHit2M", 1 }, { "DcMiss", 1 },	     { "DcMissNoMabAlloc", 0 },
	{ "DcLinAddrValid", 1 }, { "DcPhyAddrValid", 1 }, { "L2Miss", 1 }, { "SwPf", 0 },
	{ "OpMemWidth", 6 },   { "OpDcMissOpenMemReqs", 12 }, { "DcMissLat", 0 },
	{ "TlbRefillLat", 0 },
};

static void worked_example(void)
{
	struct precis_ibs_bits row = { .size = sizeof(row) };
	struct precis_ibs_op op = make_op(CAPS_ZEN4);
	int captured;

	op.op_ctl = UINT64_C(0x000002c30006186a);
	op.op_data = UINT64_C(0x0000010002550001);
	op.op_data2 = 0x13;
	op.op_data3 = 0x31960092;
	use_cpu(ZEN4);
	precis_ibs_op_present(&decode_context, &op, unused);
	for (size_t i = 0; i < sizeof(example) / sizeof(example[0]); i++) {
		unsigned int found = 0;

		for (uint32_t n = 0; precis_ibs_bits(n, &row) == 0; n++) {
			uint64_t value;

			if (!row.perf_name || strcmp(row.perf_name, example[i].name) ||
			    row.reg >= PRECIS_IBS_FETCH_CTL ||
			    !precis_ibs_bits_defined(&decode_context, n))
				continue;
			value = precis_ibs_op_register(&op, row.reg, &captured) >> row.low;
			CU_ASSERT_TRUE(captured);
			CU_ASSERT_EQUAL(value & ((UINT64_C(1) << row.width) - 1), example[i].value);
			found++;
		}
		CU_ASSERT_EQUAL(found, 1);
	}
}

static void ends(void)
{
	struct precis_ibs_bits row = { .size = sizeof(row) };
	uint32_t count = 0;

	while (precis_ibs_bits(count, &row) == 0)
		count++;
	CU_ASSERT_TRUE(count > 60);
	CU_ASSERT_EQUAL(precis_ibs_bits(count, &row), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_bits(0, NULL), PRECIS_E_ARGUMENT);
	row.size = 4;
	CU_ASSERT_EQUAL(precis_ibs_bits(0, &row), PRECIS_E_ARGUMENT);
	use_cpu(ZEN2);
	CU_ASSERT_EQUAL(precis_ibs_bits_defined(&decode_context, count), 0);
	CU_ASSERT_STRING_EQUAL(precis_ibs_register_name(PRECIS_IBS_OP_DATA3), "IbsOpData3");
	CU_ASSERT_STRING_EQUAL(precis_ibs_register_name(PRECIS_IBS_FETCH_CTL_EXTD),
			       "IbsFetchCtlExtd");
	CU_ASSERT_PTR_NULL(precis_ibs_register_name(PRECIS_IBS_REGISTER_COUNT));
}

/* The bits that decide over a field, spelled out for a few. */
static const struct {
	enum precis_ibs_unit unit;
	enum precis_field field;
	enum precis_ibs_register reg;
	uint64_t value, all;
} decide[] = {
	{ PRECIS_IBS_OP, PRECIS_FIELD_TAG_TO_RETIRE, PRECIS_IBS_OP_DATA, 0xffff0000, 0xffff0000 },
	{ PRECIS_IBS_OP, PRECIS_FIELD_TAG_TO_RETIRE, PRECIS_IBS_OP_DATA3, 0, 0 },
	{ PRECIS_IBS_OP, PRECIS_FIELD_PERIOD, PRECIS_IBS_OP_CTL, 0x07f0ffff, 0x07f0ffff },
	{ PRECIS_IBS_FETCH, PRECIS_FIELD_PERIOD, PRECIS_IBS_FETCH_CTL, 0xffff, 0xffff },
	{ PRECIS_IBS_OP, PRECIS_FIELD_BRANCH_TAKEN, PRECIS_IBS_OP_DATA, BIT(35), BIT(35) | BIT(37) },
	{ PRECIS_IBS_OP, PRECIS_FIELD_ADDR, PRECIS_IBS_OP_DATA3, 0, LOAD | STORE | LIN_VALID },
	{ PRECIS_IBS_OP, PRECIS_FIELD_PHYS_ADDR, PRECIS_IBS_FETCH_CTL, 0, 0 },
	{ PRECIS_IBS_OP, PRECIS_FIELD_FETCH_LATENCY, PRECIS_IBS_FETCH_CTL, 0, 0 },
	{ PRECIS_IBS_OP, PRECIS_FIELD_TIME, PRECIS_IBS_OP_CTL, 0, 0 },
};

static void deciding_bits(void)
{
	for (size_t i = 0; i < sizeof(decide) / sizeof(decide[0]); i++) {
		uint64_t value = 77;
		uint64_t all = precis_ibs_field_bits(decide[i].unit, decide[i].field, decide[i].reg,
						     &value);

		if (value != decide[i].value || all != decide[i].all)
			printf("# %s of %s: 0x%llx, 0x%llx\n", precis_field_name(decide[i].field),
			       precis_ibs_register_name(decide[i].reg), (unsigned long long)value,
			       (unsigned long long)all);
		CU_ASSERT_EQUAL(value, decide[i].value);
		CU_ASSERT_EQUAL(all, decide[i].all);
		CU_ASSERT_EQUAL(precis_ibs_field_bits(decide[i].unit, decide[i].field, decide[i].reg,
						      NULL), decide[i].all);
	}
	CU_ASSERT_EQUAL(precis_ibs_field_bits(PRECIS_IBS_OP, PRECIS_FIELD_COUNT, PRECIS_IBS_OP_CTL,
					      NULL), 0);
}

static const struct tap_case cases[] = {
	{ "which CPU defines which bit field", definitions },
	{ "perf's worked example", worked_example },
	{ "past the last row", ends },
	{ "the bits that decide over a field", deciding_bits },
};

int main(void)
{
	return tap_main("ibs bits", cases, sizeof(cases) / sizeof(cases[0]));
}
