/* SPDX-License-Identifier: BSD-3-Clause */
/* ibs_op: each field's value and each gate of it. */
#include <precis/error.h>

#include "tests/libdecode/sample/decode.h"

/* A load with valid addresses, and what 'data3' adds */
static struct precis_ibs_op load(uint32_t caps, uint64_t data3)
{
	struct precis_ibs_op op = make_op(caps);

	op.op_data3 = LOAD | LIN_VALID | PHYS_VALID | data3;
	op.dc_lin_ad = 0x7ffd00001234;
	op.dc_phys_ad = 0x12345678;
	return op;
}

static void control(void)
{
	struct precis_ibs_op op = make_op(CAPS_ZEN4);
	struct precis_sample sample;

	op.op_ctl |= 0x186a | BIT(19) | UINT64_C(0x55) << 20 | BIT(16);
	decode_op(ZEN4, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_PERIOD, (0x186a << 4) + (0x55 << 20), "27 bits");
	expect_value(&sample, PRECIS_FIELD_PERIOD_UNIT, PRECIS_PERIOD_UNIT_OPS, "ops");
	expect_value(&sample, PRECIS_FIELD_L3_MISS_ONLY, 1, "filter");
	op.op_ctl &= ~(BIT(19) | BIT(16));
	decode_op(ZEN4, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_PERIOD_UNIT, PRECIS_PERIOD_UNIT_CYCLES, "cycles");
	expect_value(&sample, PRECIS_FIELD_L3_MISS_ONLY, 0, "no filter");
	op = make_op(0x1f);
	op.op_ctl |= 0x186a | UINT64_C(0x55) << 20;
	decode_op(GREYHOUND, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_PERIOD, 0x186a << 4, "20 bits");
	expect_absent(&sample, PRECIS_FIELD_L3_MISS_ONLY, PRECIS_NOT_SUPPORTED, NULL, "Greyhound");
	op.caps = 0x7;
	decode_op(GREYHOUND, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_PERIOD_UNIT, PRECIS_NOT_SUPPORTED, NULL, "no OpCnt");
}

static void address_of_instruction(void)
{
	struct precis_ibs_op op = make_op(CAPS_ZEN2);
	struct precis_sample sample;

	op.op_rip = UINT64_C(0xffffffff81143526);
	decode_op(ZEN2, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_IP, UINT64_C(0xffffffff81143526), "valid");
	op.op_data = BIT(38);
	decode_op(ZEN2, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_IP, PRECIS_NOT_APPLICABLE, NULL, "RipInvalid");
	op.caps = 0x1f;
	op.captured = 0x7f;
	decode_op(GREYHOUND, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_IP, UINT64_C(0xffffffff81143526), "bit 38 not defined");
}

static void times(void)
{
	struct precis_ibs_op op = make_op(CAPS_ZEN2);
	struct precis_sample sample;

	op.op_data = 512 | UINT64_C(1271) << 16;
	decode_op(ZEN2, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_COMPLETION_TO_RETIRE, 512, "data");
	expect_value(&sample, PRECIS_FIELD_TAG_TO_RETIRE, 1271, "data");
	expect_value(&sample, PRECIS_FIELD_TAG_TO_COMPLETION, 759, "data");
	op.op_data = 9 | UINT64_C(9) << 16;
	decode_op(ZEN2, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_TAG_TO_COMPLETION, 0, "a nop");
	op.op_data = 10 | UINT64_C(9) << 16;
	decode_op(ZEN2, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_TAG_TO_RETIRE, 9, "contradiction");
	expect_absent(&sample, PRECIS_FIELD_TAG_TO_COMPLETION, PRECIS_MALFORMED, NULL,
		      "contradiction");
	op.op_data = UINT64_C(0xffffffff);
	decode_op(ZEN2, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_TAG_TO_RETIRE, 0xffff, "saturated");
}

static void kinds(void)
{
	static const struct {
		uint64_t data3, data;
		uint64_t on_zen, on_old;
	} rows[] = {
		{ 0, 0, PRECIS_OP_OTHER, PRECIS_OP_OTHER },
		{ LOAD, 0, PRECIS_OP_LOAD, PRECIS_OP_LOAD },
		{ STORE, 0, PRECIS_OP_STORE, PRECIS_OP_STORE },
		{ LOAD | STORE, 0, PRECIS_OP_LOAD_STORE, PRECIS_OP_LOAD_STORE },
		{ LOAD | PREFETCH, 0, PRECIS_OP_PREFETCH, PRECIS_OP_LOAD },
		{ 0, BIT(37), PRECIS_OP_BRANCH, PRECIS_OP_BRANCH },
		{ LOAD, BIT(37) | BIT(34), PRECIS_OP_LOAD, PRECIS_OP_LOAD },
		{ PREFETCH, 0, PRECIS_OP_OTHER, PRECIS_OP_OTHER },
	};
	struct precis_sample sample;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct precis_ibs_op op = make_op(CAPS_OLD);

		op.op_data3 = rows[i].data3;
		op.op_data = rows[i].data;
		decode_op(ZEN2, &op, &sample);
		expect_value(&sample, PRECIS_FIELD_OP, rows[i].on_zen, "Zen 2");
		decode_op(BULLDOZER, &op, &sample);
		expect_value(&sample, PRECIS_FIELD_OP, rows[i].on_old, "Bulldozer");
	}
}

static void branches(void)
{
	static const enum precis_field fields[] = {
		PRECIS_FIELD_BRANCH_TAKEN, PRECIS_FIELD_BRANCH_MISPREDICTED,
		PRECIS_FIELD_BRANCH_RETURN, PRECIS_FIELD_BRANCH_TARGET, PRECIS_FIELD_FUSED_BRANCH,
	};
	struct precis_ibs_op op = make_op(CAPS_ZEN2);
	struct precis_sample sample;

	op.br_target = 0x401000;
	op.op_data = BIT(34) | BIT(35) | BIT(36) | BIT(39) | BIT(40);
	decode_op(ZEN2, &op, &sample);
	for (unsigned int i = 0; i < 5; i++)
		expect_absent(&sample, fields[i], PRECIS_NOT_APPLICABLE, "not a retired branch",
			      "no branch");
	expect_value(&sample, PRECIS_FIELD_MICROCODE, 1, "no branch");
	op.op_data |= BIT(37);
	decode_op(ZEN2, &op, &sample);
	for (unsigned int i = 0; i < 5; i++)
		expect_value(&sample, fields[i], i == 3 ? 0x401000 : 1, "branch");
	op.op_data = BIT(37);
	op.br_target = 0;
	decode_op(ZEN2, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_BRANCH_TAKEN, 0, "not taken");
	expect_absent(&sample, PRECIS_FIELD_BRANCH_TARGET, PRECIS_NOT_APPLICABLE, NULL, "target 0");
	op.captured &= ~(1u << PRECIS_IBS_BR_TARGET);
	decode_op(ZEN2, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_BRANCH_TARGET, PRECIS_MALFORMED, NULL, "cut");
	op = make_op(0x1f);
	op.op_data = BIT(37);
	decode_op(GREYHOUND, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_BRANCH_TARGET, PRECIS_NOT_SUPPORTED, NULL, "caps[5]=0");
	expect_absent(&sample, PRECIS_FIELD_FUSED_BRANCH, PRECIS_NOT_SUPPORTED, NULL, "caps[8]=0");
	expect_absent(&sample, PRECIS_FIELD_MICROCODE, PRECIS_NOT_SUPPORTED, NULL, "Greyhound");
}

static void addresses(void)
{
	struct precis_ibs_op op = load(CAPS_ZEN2, 0);
	struct precis_sample sample;

	decode_op(ZEN2, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_ADDR, 0x7ffd00001234, "valid");
	expect_value(&sample, PRECIS_FIELD_PHYS_ADDR, 0x12345678, "valid");
	op.dc_phys_ad = 0;
	decode_op(ZEN2, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_PHYS_ADDR, PRECIS_SCRUBBED, NULL, "zero");
	op = load(CAPS_ZEN2, 0);
	op.op_data3 &= ~LIN_VALID;
	decode_op(ZEN2, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_ADDR, PRECIS_NOT_APPLICABLE, "DcLinAddrValid=0", "lin");
	expect_value(&sample, PRECIS_FIELD_PHYS_ADDR, 0x12345678, "Zen 2: on its own");
	op.caps = CAPS_ZEN4;
	decode_op(ZEN4, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_PHYS_ADDR, PRECIS_NOT_APPLICABLE, "DcLinAddrValid=0",
		      "Zen 4: only with the linear one");
	op = load(CAPS_ZEN4, 0);
	op.op_data3 &= ~PHYS_VALID;
	decode_op(ZEN4, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_PHYS_ADDR, PRECIS_NOT_APPLICABLE, "PhyAddrValid=0",
		      "phys");
	/* stale registers of an op that accesses no memory */
	op = load(CAPS_ZEN4, 0);
	op.op_data3 &= ~LOAD;
	decode_op(ZEN4, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_ADDR, PRECIS_NOT_APPLICABLE, "neither load nor store",
		      "no memory");
	expect_absent(&sample, PRECIS_FIELD_PHYS_ADDR, PRECIS_NOT_APPLICABLE,
		      "neither load nor store", "no memory");
}

static void widths(void)
{
	struct precis_sample sample;

	for (uint64_t w = 0; w < 16; w++) {
		struct precis_ibs_op op = load(CAPS_ZEN2, w << 22);

		decode_op(ZEN2, &op, &sample);
		if (w >= 1 && w <= 7)
			expect_value(&sample, PRECIS_FIELD_ACCESS_BYTES, UINT64_C(1) << (w - 1), "w");
		else
			expect_absent(&sample, PRECIS_FIELD_ACCESS_BYTES, PRECIS_NOT_APPLICABLE,
				      NULL, "w");
		decode_op(PILEDRIVER, &op, &sample);
		expect_absent(&sample, PRECIS_FIELD_ACCESS_BYTES, PRECIS_NOT_SUPPORTED, NULL,
			      "older than the field");
	}
}

static void memory_types(void)
{
	static const struct {
		uint64_t bits, type;
	} rows[] = {
		{ 0, PRECIS_MEM_TYPE_CACHEABLE },
		{ BIT(13), PRECIS_MEM_TYPE_WRITE_COMBINING },
		{ BIT(14), PRECIS_MEM_TYPE_UNCACHEABLE },
		{ BIT(13) | BIT(14), PRECIS_MEM_TYPE_UNCACHEABLE },
	};
	struct precis_sample sample;

	for (unsigned int i = 0; i < 4; i++) {
		struct precis_ibs_op op = load(CAPS_ZEN2, rows[i].bits);

		decode_op(ZEN2, &op, &sample);
		expect_value(&sample, PRECIS_FIELD_MEM_TYPE, rows[i].type, "type");
	}
	for (unsigned int i = 0; i < 4; i++) {
		struct precis_ibs_op op = load(CAPS_ZEN2, (i & 1 ? BIT(15) : 0) | (i & 2 ? BIT(8) : 0));

		decode_op(ZEN2, &op, &sample);
		expect_value(&sample, PRECIS_FIELD_LOCKED, i & 1, "locked");
		expect_value(&sample, PRECIS_FIELD_MISALIGNED, i >> 1, "misaligned");
	}
}

/* Linux 7.3, arch/x86/events/amd/ibs.c: perf_ibs_get_mem_lvl(); 0: no level */
static const struct {
	uint64_t data3, source;
	uint64_t zen2, zen4;
} levels[] = {
	{ LOAD, 3, PRECIS_MEM_LEVEL_L1, PRECIS_MEM_LEVEL_L1 },
	{ LOAD | DC_MISS, 3, PRECIS_MEM_LEVEL_L2, PRECIS_MEM_LEVEL_L2 },
	{ LOAD | DC_MISS | L2_MISS, 0, 0, 0 },
	{ LOAD | DC_MISS | L2_MISS, 1, 0, PRECIS_MEM_LEVEL_L3 },
	{ LOAD | DC_MISS | L2_MISS, 2, PRECIS_MEM_LEVEL_LOCAL_CACHE, PRECIS_MEM_LEVEL_NEAR_CACHE },
	{ LOAD | DC_MISS | L2_MISS, 3, PRECIS_MEM_LEVEL_DRAM, PRECIS_MEM_LEVEL_DRAM },
	{ LOAD | DC_MISS | L2_MISS, 4, PRECIS_MEM_LEVEL_FAR_CACHE, 0 },
	{ LOAD | DC_MISS | L2_MISS, 5, 0, PRECIS_MEM_LEVEL_FAR_CACHE },
	{ LOAD | DC_MISS | L2_MISS, 6, 0, PRECIS_MEM_LEVEL_PMEM },
	{ LOAD | DC_MISS | L2_MISS, 7, PRECIS_MEM_LEVEL_IO, PRECIS_MEM_LEVEL_IO },
	{ LOAD | DC_MISS | L2_MISS, 8, 0, PRECIS_MEM_LEVEL_CXL },
	{ LOAD | DC_MISS | L2_MISS, 9, 0, 0 },
	{ LOAD | DC_MISS | L2_MISS, 12, 0, PRECIS_MEM_LEVEL_PEER_AGENT },
	{ LOAD | DC_MISS | L2_MISS, 31, PRECIS_MEM_LEVEL_IO, 0 },
	{ LOAD | DC_MISS | L2_MISS | NO_MAB, 0, PRECIS_MEM_LEVEL_LFB, PRECIS_MEM_LEVEL_LFB },
	{ LOAD | DC_MISS | L2_MISS | NO_MAB, 3, PRECIS_MEM_LEVEL_DRAM, PRECIS_MEM_LEVEL_DRAM },
	{ LOAD | STORE | DC_MISS | L2_MISS, 3, PRECIS_MEM_LEVEL_DRAM, PRECIS_MEM_LEVEL_DRAM },
	{ STORE, 3, PRECIS_MEM_LEVEL_L1, PRECIS_MEM_LEVEL_L1 },
	{ STORE | DC_MISS, 3, PRECIS_MEM_LEVEL_L2, PRECIS_MEM_LEVEL_L2 },
	{ STORE | DC_MISS | L2_MISS, 3, 0, 0 },
	{ STORE | DC_MISS | L2_MISS | NO_MAB, 3, PRECIS_MEM_LEVEL_LFB, PRECIS_MEM_LEVEL_LFB },
	{ LOAD | UNCACHEABLE, 0, PRECIS_MEM_LEVEL_UNCACHED, PRECIS_MEM_LEVEL_UNCACHED },
	{ LOAD | UNCACHEABLE | DC_MISS | L2_MISS, 3, PRECIS_MEM_LEVEL_UNCACHED,
	  PRECIS_MEM_LEVEL_UNCACHED },
	{ LOAD | UNCACHEABLE | DC_MISS | L2_MISS, 7, PRECIS_MEM_LEVEL_IO, PRECIS_MEM_LEVEL_IO },
	{ STORE | UNCACHEABLE, 7, PRECIS_MEM_LEVEL_UNCACHED, PRECIS_MEM_LEVEL_UNCACHED },
};

static void expect_level(const struct precis_sample *sample, uint64_t level, size_t row)
{
	char where[32];

	snprintf(where, sizeof(where), "row %zu", row);
	if (level)
		expect_value(sample, PRECIS_FIELD_MEM_LEVEL, level, where);
	else
		expect_absent(sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_NOT_APPLICABLE,
			      "the hardware reports no data source for it", where);
}

static void memory_levels(void)
{
	struct precis_sample sample;

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		struct precis_ibs_op op = make_op(CAPS_ZEN2);

		op.op_data3 = levels[i].data3;
		op.op_data2 = (levels[i].source & 7) | (levels[i].source >> 3) << 6;
		decode_op(ZEN2, &op, &sample);
		/* the high bits of DataSrc are reserved without caps[11] */
		if (levels[i].source < 8 || levels[i].source == 31)
			expect_level(&sample, levels[i].zen2, i);
		op.caps = CAPS_ZEN4;
		decode_op(ZEN4, &op, &sample);
		expect_level(&sample, levels[i].zen4, i);
	}
}

/* Cores that do not tell an L2 miss, and one more source on two of them. */
static void memory_levels_of_old_cores(void)
{
	struct precis_ibs_op op = make_op(CAPS_OLD);
	struct precis_sample sample;

	op.op_data3 = LOAD | DC_MISS;
	op.op_data2 = 1;
	decode_op(BULLDOZER, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_L3, "Bulldozer");
	expect_absent(&sample, PRECIS_FIELD_L2_MISS, PRECIS_NOT_SUPPORTED, NULL, "Bulldozer");
	decode_op(PILEDRIVER, &op, &sample);
	CU_ASSERT_FALSE(precis_fields_have(sample.present, PRECIS_FIELD_MEM_LEVEL));
	op.op_data2 = 2;
	decode_op(PILEDRIVER, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_LOCAL_CACHE, "Piledriver");
	decode_op(STEAMROLLER, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_L2, "Steamroller");
	expect_value(&sample, PRECIS_FIELD_L2_MISS, 0, "Steamroller");
}

static void nodes(void)
{
	struct precis_ibs_op op = load(CAPS_ZEN4, DC_MISS | L2_MISS);
	struct precis_sample sample;

	op.op_data2 = 3;
	decode_op(ZEN4, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_MEM_REMOTE, PRECIS_MEM_REMOTE_LOCAL, "local");
	op.op_data2 = 3 | BIT(4) | BIT(9);
	decode_op(ZEN4, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_MEM_REMOTE, PRECIS_MEM_REMOTE_NODE, "no RmtSocket bit");
	op.caps = CAPS_ZEN6;
	op.captured |= 1u << PRECIS_IBS_OP_DATA4;
	decode_op(ZEN6, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_MEM_REMOTE, PRECIS_MEM_REMOTE_SOCKET, "RmtSocket");
	op.op_data2 = BIT(4);
	decode_op(ZEN6, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_MEM_REMOTE, PRECIS_NOT_APPLICABLE,
		      "DataSrc 0 (no valid source) or 7 (I/O): it has no node and no line", "source 0");
	op = load(CAPS_ZEN4, DC_MISS);
	op.op_data2 = 3;
	decode_op(ZEN4, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_MEM_REMOTE, PRECIS_NOT_APPLICABLE, "the L2 had it",
		      "L2 hit");
	op.op_data3 &= ~DC_MISS;
	decode_op(ZEN4, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_MEM_REMOTE, PRECIS_NOT_APPLICABLE,
		      "no L1 data cache miss", "L1 hit");
	op = load(CAPS_ZEN4, DC_MISS | L2_MISS);
	op.op_data2 = 3;
	op.op_data3 ^= LOAD | STORE;
	decode_op(ZEN4, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_MEM_REMOTE, PRECIS_NOT_APPLICABLE, "not a load", "store");
	op = load(CAPS_OLD, DC_MISS | L2_MISS);
	op.op_data2 = 3;
	decode_op(JAGUAR, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_MEM_REMOTE, PRECIS_NOT_SUPPORTED, NULL, "Jaguar");
	expect_absent(&sample, PRECIS_FIELD_MEM_SNOOP, PRECIS_NOT_SUPPORTED, NULL, "Jaguar");
}

static void line_states(void)
{
	/* DataSrc values that are caches: Linux's CacheHitSt rule */
	static const uint32_t caches[2] = { 1u << 2, 1u << 1 | 1u << 2 | 1u << 5 };
	struct precis_sample sample;

	for (uint64_t source = 0; source < 32; source++) {
		struct precis_ibs_op op = load(CAPS_ZEN4, DC_MISS | L2_MISS);

		op.op_data2 = (source & 7) | (source >> 3) << 6 | BIT(5);
		decode_op(ZEN4, &op, &sample);
		if (caches[1] >> source & 1)
			expect_value(&sample, PRECIS_FIELD_MEM_SNOOP, PRECIS_MEM_SNOOP_OWNED, "Zen 4");
		else
			expect_absent(&sample, PRECIS_FIELD_MEM_SNOOP, PRECIS_NOT_APPLICABLE, NULL,
				      "Zen 4");
		op.caps = CAPS_ZEN2;
		op.op_data2 &= ~BIT(5);
		decode_op(ZEN2, &op, &sample);
		if (caches[0] >> (source & 7) & 1)
			expect_value(&sample, PRECIS_FIELD_MEM_SNOOP, PRECIS_MEM_SNOOP_MODIFIED,
				     "Zen 2");
		else
			expect_absent(&sample, PRECIS_FIELD_MEM_SNOOP, PRECIS_NOT_APPLICABLE, NULL,
				      "Zen 2");
		decode_op(ZEN3_SERVER, &op, &sample);
		expect_absent(&sample, PRECIS_FIELD_MEM_SNOOP, PRECIS_NOT_SUPPORTED, NULL, "Zen 3");
		decode_op(ZEN3_CLIENT, &op, &sample);
		expect_absent(&sample, PRECIS_FIELD_MEM_SNOOP, PRECIS_NOT_SUPPORTED, NULL, "Zen 3");
	}
}

static void misses(void)
{
	struct precis_ibs_op op = load(CAPS_ZEN4, DC_MISS | L2_MISS | UINT64_C(476) << 32 |
							  UINT64_C(5) << 26);
	struct precis_sample sample;

	decode_op(ZEN4, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_DCACHE_MISS, 1, "miss");
	expect_value(&sample, PRECIS_FIELD_L2_MISS, 1, "miss");
	expect_value(&sample, PRECIS_FIELD_DCACHE_MISS_LATENCY, 476, "miss");
	expect_value(&sample, PRECIS_FIELD_MISS_BUFFERS_OPEN, 5, "miss");
	expect_value(&sample, PRECIS_FIELD_MISS_BUFFER_ALLOCATED, 1, "miss");
	op.op_data3 |= NO_MAB;
	decode_op(ZEN4, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_MISS_BUFFER_ALLOCATED, 0, "a miss on a line on its way");
	op.op_data3 &= ~(UINT64_C(63) << 26);
	decode_op(ZEN4, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_MISS_BUFFERS_OPEN, PRECIS_NOT_APPLICABLE,
		      "the hardware reports no count", "0 buffers");
	op.op_data3 |= PREFETCH;
	decode_op(ZEN4, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_DCACHE_MISS_LATENCY, PRECIS_NOT_APPLICABLE,
		      "not measured for software prefetches", "prefetch");
	op = load(CAPS_ZEN4, UINT64_C(476) << 32 | UINT64_C(5) << 26 | L2_MISS);
	decode_op(ZEN4, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_DCACHE_MISS, 0, "hit");
	for (unsigned int i = 0; i < 4; i++) {
		static const enum precis_field fields[] = { PRECIS_FIELD_L2_MISS,
							    PRECIS_FIELD_DCACHE_MISS_LATENCY,
							    PRECIS_FIELD_MISS_BUFFERS_OPEN,
							    PRECIS_FIELD_MISS_BUFFER_ALLOCATED };

		expect_absent(&sample, fields[i], PRECIS_NOT_APPLICABLE, "no L1 data cache miss", "hit");
	}
	op = load(CAPS_ZEN4, DC_MISS | UINT64_C(476) << 32);
	op.op_data3 ^= LOAD | STORE;
	decode_op(ZEN4, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_DCACHE_MISS_LATENCY, PRECIS_NOT_APPLICABLE, "not a load",
		      "store");
	expect_value(&sample, PRECIS_FIELD_DCACHE_MISS, 1, "store");
	op = load(CAPS_ZEN4, DC_MISS | L2_MISS | UNCACHEABLE | UINT64_C(476) << 32);
	decode_op(ZEN4, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_DCACHE_MISS, PRECIS_NOT_APPLICABLE, NULL, "uncacheable");
	expect_absent(&sample, PRECIS_FIELD_DCACHE_MISS_LATENCY, PRECIS_NOT_APPLICABLE, NULL,
		      "uncacheable");
}

static void data_tlb(void)
{
	static const struct {
		uint64_t data3;
		uint64_t level, size;
	} rows[] = {
		{ 0, PRECIS_TLB_LEVEL_L1, 1u << 12 },
		{ BIT(4), PRECIS_TLB_LEVEL_L1, 1u << 21 },
		{ BIT(5), PRECIS_TLB_LEVEL_L1, 1u << 30 },
		{ L2_TLB_MISS, PRECIS_TLB_LEVEL_L1, 1u << 12 },
		{ BIT(6) | BIT(19), PRECIS_TLB_LEVEL_L1, 1u << 12 },
		{ L1_TLB_MISS, PRECIS_TLB_LEVEL_L2, 1u << 12 },
		{ L1_TLB_MISS | BIT(6), PRECIS_TLB_LEVEL_L2, 1u << 21 },
		{ L1_TLB_MISS | BIT(19), PRECIS_TLB_LEVEL_L2, 1u << 30 },
		{ L1_TLB_MISS | BIT(4) | BIT(5), PRECIS_TLB_LEVEL_L2, 1u << 12 },
		{ L1_TLB_MISS | L2_TLB_MISS, PRECIS_TLB_LEVEL_WALK, 0 },
	};
	struct precis_sample sample;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct precis_ibs_op op = load(CAPS_ZEN4, rows[i].data3 | UINT64_C(77) << 48);

		decode_op(ZEN4, &op, &sample);
		expect_value(&sample, PRECIS_FIELD_TLB_LEVEL, rows[i].level, "Zen 4");
		if (rows[i].size)
			expect_value(&sample, PRECIS_FIELD_PAGE_SIZE, rows[i].size, "Zen 4");
		else
			expect_absent(&sample, PRECIS_FIELD_PAGE_SIZE, PRECIS_NOT_APPLICABLE, NULL,
				      "Zen 4");
		if (rows[i].data3 & L1_TLB_MISS)
			expect_value(&sample, PRECIS_FIELD_TLB_REFILL_LATENCY, 77, "Zen 4");
		else
			expect_absent(&sample, PRECIS_FIELD_TLB_REFILL_LATENCY,
				      PRECIS_NOT_APPLICABLE, "no L1 TLB miss", "Zen 4");
	}
}

/* caps[19]: bits 5:4 are the page size whatever the TLBs did; nothing without DcPhyAddrValid */
static void data_tlb_of_zen5(void)
{
	static const uint64_t sizes[4] = { 1u << 12, 1u << 21, 1u << 30, 0 };
	struct precis_sample sample;

	for (uint64_t bits = 0; bits < 16; bits++) {
		uint64_t misses = (bits & 3) << 2;
		struct precis_ibs_op op = load(CAPS_ZEN5, misses | (bits >> 2) << 4 | BIT(6) | BIT(19) |
								  UINT64_C(9) << 48);

		decode_op(ZEN5, &op, &sample);
		expect_value(&sample, PRECIS_FIELD_TLB_LEVEL,
			     !(misses & L1_TLB_MISS) ? PRECIS_TLB_LEVEL_L1 :
			     misses & L2_TLB_MISS    ? PRECIS_TLB_LEVEL_WALK :
						       PRECIS_TLB_LEVEL_L2, "Zen 5");
		if (sizes[bits >> 2])
			expect_value(&sample, PRECIS_FIELD_PAGE_SIZE, sizes[bits >> 2], "Zen 5");
		else
			expect_absent(&sample, PRECIS_FIELD_PAGE_SIZE, PRECIS_NOT_APPLICABLE, NULL,
				      "Zen 5, reserved");
		op.op_data3 &= ~PHYS_VALID;
		decode_op(ZEN5, &op, &sample);
		for (unsigned int i = 0; i < 3; i++) {
			static const enum precis_field fields[] = { PRECIS_FIELD_TLB_LEVEL,
								    PRECIS_FIELD_PAGE_SIZE,
								    PRECIS_FIELD_TLB_REFILL_LATENCY };

			expect_absent(&sample, fields[i], PRECIS_NOT_APPLICABLE, "DcPhyAddrValid=0",
				      "Zen 5, no physical address");
		}
		/* a hypervisor may hide caps[11]: caps[19] says it all the same */
		op.caps = CAPS_ZEN5 & ~PRECIS_IBS_CAPS_ZEN4_EXT;
		decode_op(ZEN5, &op, &sample);
		expect_absent(&sample, PRECIS_FIELD_TLB_REFILL_LATENCY, PRECIS_NOT_APPLICABLE, NULL,
			      "Zen 5, caps[11] hidden");
	}
}

static void refill_latency(void)
{
	struct precis_ibs_op op = load(CAPS_ZEN4, L1_TLB_MISS | UINT64_C(77) << 48);
	struct precis_sample sample;

	op.op_data3 &= ~PHYS_VALID;
	decode_op(ZEN4, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_TLB_REFILL_LATENCY, PRECIS_NOT_APPLICABLE,
		      "DcPhyAddrValid=0", "Zen 4");
	expect_value(&sample, PRECIS_FIELD_TLB_LEVEL, PRECIS_TLB_LEVEL_L2, "Zen 4");
	op.caps = CAPS_ZEN2;
	decode_op(ZEN2, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_TLB_REFILL_LATENCY, 77, "Zen 2");
	decode_op(PILEDRIVER, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_TLB_REFILL_LATENCY, PRECIS_NOT_SUPPORTED, NULL,
		      "Piledriver");
	op.op_data3 &= ~LIN_VALID;
	op.caps = CAPS_ZEN4;
	decode_op(ZEN4, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_TLB_LEVEL, PRECIS_NOT_APPLICABLE, "DcLinAddrValid=0",
		      "no linear address");
}

static void streaming_stores(void)
{
	struct precis_ibs_op op = load(CAPS_ZEN6, 0);
	struct precis_sample sample;

	op.op_data2 = BIT(8);
	decode_op(ZEN6, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_STREAMING_STORE, PRECIS_NOT_APPLICABLE, "not a store",
		      "load");
	op.op_data3 ^= LOAD | STORE;
	decode_op(ZEN6, &op, &sample);
	expect_value(&sample, PRECIS_FIELD_STREAMING_STORE, 1, "store");
	op.caps = CAPS_ZEN5;
	decode_op(ZEN5, &op, &sample);
	expect_absent(&sample, PRECIS_FIELD_STREAMING_STORE, PRECIS_NOT_SUPPORTED, NULL, "Zen 5");
}

/* Bits that only old cores have: {cpuid, has it} for each */
static void old_bits(void)
{
	static const char *const cpus[] = { GREYHOUND, LLANO,	    BOBCAT, BULLDOZER, PILEDRIVER,
					    STEAMROLLER, EXCAVATOR, JAGUAR, ZEN2 };
	static const struct {
		enum precis_field field;
		const char *has; /* one character for each of the cpus */
	} rows[] = {
		{ PRECIS_FIELD_BRANCH_RESYNC, "yyyynnnnn" },
		{ PRECIS_FIELD_MISPREDICTED_RETURN, "yyyynnnnn" },
		{ PRECIS_FIELD_LOAD_BANK_CONFLICT, "yynynnnnn" },
		{ PRECIS_FIELD_STORE_BANK_CONFLICT, "yynnnnnnn" },
		{ PRECIS_FIELD_STORE_FORWARDED, "yyyynnnyn" },
		{ PRECIS_FIELD_STORE_FORWARD_CANCELLED, "yynynnnnn" },
		{ PRECIS_FIELD_LOAD_RESYNC, "nnnnnnynn" },
		{ PRECIS_FIELD_MICROCODE, "nnnnnnyny" },
		{ PRECIS_FIELD_MISS_BUFFERS_OPEN, "nnnnnyyyy" },
		{ PRECIS_FIELD_MEM_REMOTE, "yynyyyyny" },
		{ PRECIS_FIELD_MEM_SNOOP, "yynyyyyny" },
	};
	struct precis_sample sample;

	for (size_t cpu = 0; cpu < sizeof(cpus) / sizeof(cpus[0]); cpu++) {
		struct precis_ibs_op op = load(0x7ff, DC_MISS | L2_MISS | STORE | UINT64_C(0xf) << 9 |
							      UINT64_C(3) << 26);

		op.op_data3 &= ~BIT(13);
		op.op_data = BIT(32) | BIT(33) | BIT(40);
		op.op_data2 = 2;
		op.op_data4 = 1;
		decode_op(cpus[cpu], &op, &sample);
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			int has = rows[i].has[cpu] == 'y';

			if (has != precis_fields_have(sample.present, rows[i].field))
				printf("# %s: %s\n", cpus[cpu], precis_field_name(rows[i].field));
			CU_ASSERT_EQUAL(has, precis_fields_have(sample.present, rows[i].field));
			if (!has)
				expect_absent(&sample, rows[i].field, PRECIS_NOT_SUPPORTED, NULL,
					      cpus[cpu]);
		}
	}
}

static void arguments(void)
{
	struct precis_ibs_op op = make_op(CAPS_ZEN2);
	struct precis_sample sample;
	uint32_t field = PRECIS_FIELD_TIME;
	uint64_t column, *columns = &column, first, set[PRECIS_FIELD_WORDS];
	uint64_t *const present[PRECIS_FIELD_WORDS] = { &first },
			*const none[PRECIS_FIELD_WORDS] = { NULL };

	use_cpu(ZEN2);
	precis_sample_init(&sample);
	CU_ASSERT_EQUAL(precis_ibs_op_decode(NULL, &op, NULL, &sample), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_op_decode(&decode_context, NULL, NULL, &sample),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_op_decode(&decode_context, &op, NULL, NULL), PRECIS_E_ARGUMENT);
	sample.size = 4;
	CU_ASSERT_EQUAL(precis_ibs_op_decode(&decode_context, &op, NULL, &sample),
			PRECIS_E_ARGUMENT);
	sample.size = sizeof(sample);
	op.size = 4;
	CU_ASSERT_EQUAL(precis_ibs_op_decode(&decode_context, &op, NULL, &sample),
			PRECIS_E_ARGUMENT);
	op.size = sizeof(op);
	CU_ASSERT_EQUAL(
		precis_ibs_op_columns(&decode_context, &op, 1, &field, 1, &columns, present),
		PRECIS_E_NO_FIELD);
	field = PRECIS_FIELD_COUNT;
	CU_ASSERT_EQUAL(
		precis_ibs_op_columns(&decode_context, &op, 1, &field, 1, &columns, present),
		PRECIS_E_NO_FIELD);
	field = PRECIS_FIELD_TAG_TO_RETIRE;
	CU_ASSERT_EQUAL(
		precis_ibs_op_columns(&decode_context, NULL, 1, &field, 1, &columns, present),
		PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(
		precis_ibs_op_columns(&decode_context, NULL, 0, &field, 1, &columns, present), 0);
	CU_ASSERT_EQUAL(precis_ibs_op_columns(&decode_context, &op, 1, &field, 1, &columns, none),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_op_present(&decode_context, &op, set), 0);
	CU_ASSERT_EQUAL(precis_ibs_op_present(NULL, &op, set), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_op_present(&decode_context, NULL, set), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_op_present(&decode_context, &op, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ibs_context_init(NULL, NULL), PRECIS_E_ARGUMENT);
}

static const struct tap_case cases[] = {
	{ "period, its unit, the L3 miss filter", control },
	{ "address of the instruction", address_of_instruction },
	{ "retirement times", times },
	{ "kinds of ops", kinds },
	{ "branches", branches },
	{ "data addresses", addresses },
	{ "access widths", widths },
	{ "memory types, locks, misalignment", memory_types },
	{ "where the data came from", memory_levels },
	{ "the same on cores before Steamroller", memory_levels_of_old_cores },
	{ "which node", nodes },
	{ "state of the line", line_states },
	{ "cache misses, their latency and buffers", misses },
	{ "data TLB level and page size", data_tlb },
	{ "the same with caps[19]", data_tlb_of_zen5 },
	{ "TLB refill latency", refill_latency },
	{ "streaming stores", streaming_stores },
	{ "fields of some cores only", old_bits },
	{ "bad arguments", arguments },
};

int main(void)
{
	return tap_main("ibs_op", cases, sizeof(cases) / sizeof(cases[0]));
}
