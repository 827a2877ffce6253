/* SPDX-License-Identifier: BSD-3-Clause */
/* What the large groups hold, read one by one. */
#include "tests/libdecode/pebs/pebs_bytes.h"

static uint8_t bytes[2048];

static struct precis_pebs_groups make_views(void)
{
	struct precis_pebs_groups views = { .size = sizeof(views) };

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 7 + (i >> 8));
	return views;
}

static void branches(void)
{
	struct precis_pebs_groups views = make_views();
	struct precis_pebs_branch branch = { 1, 2, 3 };

	CU_ASSERT_EQUAL(precis_pebs_branch(&views, 0, &branch), 0);
	CU_ASSERT_EQUAL(branch.from, 1);
	fill(bytes + 3, 512);
	views.lbr = bytes + 3;
	views.lbr_count = 5;
	for (uint32_t n = 0; n < 5; n++) {
		CU_ASSERT_EQUAL(precis_pebs_branch(&views, n, &branch), 1);
		CU_ASSERT_EQUAL(branch.from, word_at(24 * n));
		CU_ASSERT_EQUAL(branch.to, word_at(24 * n + 8));
		CU_ASSERT_EQUAL(branch.info, word_at(24 * n + 16));
	}
	CU_ASSERT_EQUAL(precis_pebs_branch(&views, 5, &branch), 0);
	CU_ASSERT_EQUAL(precis_pebs_branch(&views, UINT32_MAX, &branch), 0);
	CU_ASSERT_EQUAL(precis_pebs_branch(&views, 0, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_branch(NULL, 0, &branch), PRECIS_E_ARGUMENT);
	views.size = 4;
	CU_ASSERT_EQUAL(precis_pebs_branch(&views, 0, &branch), PRECIS_E_ARGUMENT);
}

static void lbr_header(void)
{
	struct precis_pebs_groups views = make_views();
	struct precis_pebs_lbr_header header = { .size = sizeof(header) };

	CU_ASSERT_EQUAL(precis_pebs_lbr_header(&views, &header), 0);
	fill(bytes + 5, 48);
	views.lbr_header = bytes + 5;
	views.has_lbr_header = 1;
	CU_ASSERT_EQUAL(precis_pebs_lbr_header(&views, &header), 1);
	CU_ASSERT_EQUAL(header.lbr_ctl, word_at(0x08));
	CU_ASSERT_EQUAL(header.depth, word_at(0x10));
	CU_ASSERT_EQUAL(header.ler_from, word_at(0x18));
	CU_ASSERT_EQUAL(header.ler_to, word_at(0x20));
	CU_ASSERT_EQUAL(header.ler_info, word_at(0x28));
	CU_ASSERT_EQUAL(precis_pebs_lbr_header(NULL, &header), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_lbr_header(&views, NULL), PRECIS_E_ARGUMENT);
	header.size = 4;
	CU_ASSERT_EQUAL(precis_pebs_lbr_header(&views, &header), PRECIS_E_ARGUMENT);
}

/* Values stand in the order of the bits: general-purpose, fixed, then the metrics. */
static void counters(void)
{
	static const struct {
		uint32_t gp, fixed;
	} masks[] = {
		{ 0x00000001, 0x00000000 }, { 0x800000a5, 0x80000003 }, { 0, 0x4 },
		{ 0xffffffff, 0xffffffff }, { 0, 0 },
	};
	struct precis_pebs_groups views = make_views();
	uint64_t value = 77, slots, metrics;

	CU_ASSERT_EQUAL(precis_pebs_counter(&views, 0, &value), 0);
	CU_ASSERT_EQUAL(precis_pebs_metrics(&views, &slots, &metrics), 0);
	fill(bytes + 1, 1024);
	views.counters = bytes + 1;
	for (size_t i = 0; i < COUNT(masks); i++) {
		uint64_t both = masks[i].gp | (uint64_t)masks[i].fixed << 32;
		size_t at = 0;

		views.gp_counters = masks[i].gp;
		views.fixed_counters = masks[i].fixed;
		for (uint32_t n = 0; n < 64; n++) {
			value = 77;
			CU_ASSERT_EQUAL(precis_pebs_counter(&views, n, &value),
					(int)(both >> n & 1));
			if (!(both >> n & 1)) {
				CU_ASSERT_EQUAL(value, 77);
				continue;
			}
			CU_ASSERT_EQUAL(value, word_at(at));
			at += 8;
		}
		views.metrics = 0;
		CU_ASSERT_EQUAL(precis_pebs_metrics(&views, &slots, &metrics), 0);
		views.metrics = 1;
		CU_ASSERT_EQUAL(precis_pebs_metrics(&views, &slots, &metrics), 1);
		CU_ASSERT_EQUAL(slots, word_at(at));
		CU_ASSERT_EQUAL(metrics, word_at(at + 8));
	}
	CU_ASSERT_EQUAL(precis_pebs_counter(&views, 64, &value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_counter(&views, UINT32_MAX, &value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_counter(&views, 0, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_counter(NULL, 0, &value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_metrics(&views, NULL, &metrics), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_metrics(&views, &slots, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_metrics(NULL, &slots, &metrics), PRECIS_E_ARGUMENT);
}

static const struct {
	uint32_t group;
	uint32_t registers;
	int bytes;
} groups[] = {
	{ PRECIS_PEBS_GROUP_XMM, 16, 16 },	{ PRECIS_PEBS_GROUP_YMMH, 16, 16 },
	{ PRECIS_PEBS_GROUP_OPMASK, 8, 8 },	{ PRECIS_PEBS_GROUP_ZMMH, 16, 32 },
	{ PRECIS_PEBS_GROUP_HI16_ZMM, 16, 64 },
};

static void registers(void)
{
	struct precis_pebs_groups views = make_views();
	const uint8_t **places[] = { &views.xmm, &views.ymmh, &views.opmask, &views.zmmh,
				     &views.hi16_zmm };
	uint8_t value[PRECIS_PEBS_VECTOR_MAX + 1];

	for (size_t i = 0; i < COUNT(groups); i++) {
		uint32_t count = groups[i].registers;

		CU_ASSERT_EQUAL(precis_pebs_register(&views, groups[i].group, 0, value), 0);
		*places[i] = bytes + i;
		for (uint32_t n = 0; n < count; n++) {
			memset(value, 0xee, sizeof(value));
			CU_ASSERT_EQUAL(precis_pebs_register(&views, groups[i].group, n, value),
					groups[i].bytes);
			CU_ASSERT_EQUAL(memcmp(value, bytes + i + n * (size_t)groups[i].bytes,
					       (size_t)groups[i].bytes), 0);
			CU_ASSERT_EQUAL(value[groups[i].bytes], 0xee);
		}
		CU_ASSERT_EQUAL(precis_pebs_register(&views, groups[i].group, count, value),
				PRECIS_E_ARGUMENT);
		*places[i] = NULL;
	}
	CU_ASSERT_EQUAL(precis_pebs_register(&views, PRECIS_PEBS_GROUP_GPR, 0, value),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_register(&views, 0, 0, value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_register(NULL, PRECIS_PEBS_GROUP_XMM, 0, value),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_register(&views, PRECIS_PEBS_GROUP_XMM, 0, NULL),
			PRECIS_E_ARGUMENT);
}

/* A whole register is as long as its pieces follow one another without a gap. */
static void vectors(void)
{
	struct precis_pebs_groups views = make_views();
	uint8_t value[PRECIS_PEBS_VECTOR_MAX];

	CU_ASSERT_EQUAL(precis_pebs_vector(&views, 3, value), 0);
	CU_ASSERT_EQUAL(precis_pebs_vector(&views, 19, value), 0);
	views.zmmh = bytes + 512;
	CU_ASSERT_EQUAL(precis_pebs_vector(&views, 3, value), 0);
	views.xmm = bytes;
	CU_ASSERT_EQUAL(precis_pebs_vector(&views, 3, value), 16);
	CU_ASSERT_EQUAL(memcmp(value, bytes + 48, 16), 0);
	views.ymmh = bytes + 256;
	CU_ASSERT_EQUAL(precis_pebs_vector(&views, 15, value), 64);
	CU_ASSERT_EQUAL(memcmp(value, bytes + 240, 16), 0);
	CU_ASSERT_EQUAL(memcmp(value + 16, bytes + 256 + 240, 16), 0);
	CU_ASSERT_EQUAL(memcmp(value + 32, bytes + 512 + 480, 32), 0);
	views.zmmh = NULL;
	CU_ASSERT_EQUAL(precis_pebs_vector(&views, 3, value), 32);
	CU_ASSERT_EQUAL(precis_pebs_vector(&views, 16, value), 0);
	views.hi16_zmm = bytes + 1024;
	CU_ASSERT_EQUAL(precis_pebs_vector(&views, 16, value), 64);
	CU_ASSERT_EQUAL(memcmp(value, bytes + 1024, 64), 0);
	CU_ASSERT_EQUAL(precis_pebs_vector(&views, 31, value), 64);
	CU_ASSERT_EQUAL(memcmp(value, bytes + 1984, 64), 0);
	CU_ASSERT_EQUAL(precis_pebs_vector(&views, 32, value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_vector(NULL, 0, value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_vector(&views, 0, NULL), PRECIS_E_ARGUMENT);
}

static const struct tap_case cases[] = {
	{ "branches", branches },
	{ "the header of architectural LBRs", lbr_header },
	{ "counters and metrics by number", counters },
	{ "registers of a group", registers },
	{ "whole vector registers", vectors },
};

int main(void)
{
	return tap_main("pebs views", cases, COUNT(cases));
}
