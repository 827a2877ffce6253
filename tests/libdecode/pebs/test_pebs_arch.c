/* SPDX-License-Identifier: BSD-3-Clause */
/* Architectural PEBS: headers, fragments, null records, all groups. */
#include "tests/libdecode/pebs/pebs_bytes.h"

#define CONTINUED BIT(31)
#define BASIC BIT(63)
#define AUX BIT(62)
#define GPR BIT(61)
#define HI16_ZMM BIT(55)
#define ZMMH BIT(54)
#define OPMASK BIT(53)
#define YMMH BIT(50)
#define XMM BIT(49)

static const struct place basic[] = {
	{ PRECIS_PEBS_EVENTING_IP, 0x00 },
	{ PRECIS_PEBS_APPLICABLE_COUNTERS, 0x08 },
	{ PRECIS_PEBS_TSC, 0x10 },
};

static const struct place aux[] = {
	{ PRECIS_PEBS_DATA_ADDRESS, 0x00 },
	{ PRECIS_PEBS_DATA_SOURCE, 0x28 },
	{ PRECIS_PEBS_LATENCY, 0x30 },
	{ PRECIS_PEBS_TSX, 0x38 },
};

static int parse(const void *bytes, size_t count, struct precis_pebs *pebs,
		 struct precis_pebs_groups *views)
{
	return precis_pebs_parse(PRECIS_PEBS_FORMAT_ARCH, bytes, count, pebs, views);
}

/* One fragment with everything; the groups' sizes from the document. */
static void all_groups(void)
{
	const size_t at_basic = 16, at_aux = 64, at_gpr = 128, at_xer = 288, at_xmm = 304,
		     at_ymmh = 560, at_opmask = 816, at_zmmh = 880, at_hi16 = 1392, at_lbr = 2416,
		     at_entries = 2464, at_counters = 2656, end = 2704;
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct precis_pebs_groups views = { .size = sizeof(views) };
	uint64_t header = BASIC | AUX | GPR | XMM | YMMH | OPMASK | ZMMH | HI16_ZMM | BIT(40) |
			  BIT(36) | BIT(30);
	uint8_t bytes[2712], *at;

	for (unsigned int shift = 0; shift < 8; shift++) {
		at = bytes + shift;
		fill(at, end);
		put64(at, header | end);
		put64(at + at_basic + 0x18, 0x1234567890a1fedc);
		put64(at + at_xer, 0xe7);
		put32(at + at_counters, 0x00000106);
		put32(at + at_counters + 4, 0x00000002);
		put32(at + at_counters + 8, 0);
		CU_ASSERT_EQUAL_FATAL(parse(at, end, &pebs, &views), 0);
		CU_ASSERT_EQUAL(pebs.bytes, end);
		CU_ASSERT_EQUAL(pebs.fragments, 1);
		CU_ASSERT_EQUAL(pebs.groups, 0x3ff);
		CU_ASSERT_EQUAL(pebs.format_word, header | end);
		CU_ASSERT_EQUAL(pebs.flags, PRECIS_PEBS_MODE_64 | PRECIS_PEBS_RETIRE_LATENCY_TOLD |
						    PRECIS_PEBS_RETIRE_LATENCY_VALID);
		CU_ASSERT_EQUAL(pebs.captured, 0x1fe);
		CU_ASSERT_EQUAL(pebs.gpr_captured, 0x7ffff);
		CU_ASSERT_EQUAL(pebs.word[PRECIS_PEBS_RETIRE_LATENCY], 0xfedc);
		check_words(&pebs, basic, COUNT(basic), at_basic);
		check_words(&pebs, aux, COUNT(aux), at_aux);
		check_registers(&pebs, group_registers, COUNT(group_registers), at_gpr);
		CU_ASSERT_EQUAL(pebs.gpr[PRECIS_PEBS_SSP], word_at(at_gpr + 0x90));
		CU_ASSERT_EQUAL(views.xstate, 0xe7);
		CU_ASSERT_PTR_EQUAL(views.xmm, at + at_xmm);
		CU_ASSERT_PTR_EQUAL(views.ymmh, at + at_ymmh);
		CU_ASSERT_PTR_EQUAL(views.opmask, at + at_opmask);
		CU_ASSERT_PTR_EQUAL(views.zmmh, at + at_zmmh);
		CU_ASSERT_PTR_EQUAL(views.hi16_zmm, at + at_hi16);
		CU_ASSERT_EQUAL(views.has_lbr_header, 1);
		CU_ASSERT_PTR_EQUAL(views.lbr_header, at + at_lbr);
		CU_ASSERT_PTR_EQUAL(views.lbr, at + at_entries);
		CU_ASSERT_EQUAL(views.lbr_count, 8);
		CU_ASSERT_EQUAL(views.gp_counters, 0x106);
		CU_ASSERT_EQUAL(views.fixed_counters, 0x2);
		CU_ASSERT_EQUAL(views.metrics, 0);
		CU_ASSERT_PTR_EQUAL(views.counters, at + at_counters + 16);
		for (size_t count = 0; count < end; count++)
			CU_ASSERT_EQUAL(parse(at, count, &pebs, NULL), PRECIS_E_TRUNCATED);
	}
}

/* Single groups behind Basic: header bits, bytes, what is found. */
static const struct {
	uint64_t bits;
	size_t bytes;
	uint32_t groups;
} rows[] = {
	{ 0, 64, 0 },
	{ AUX, 128, PRECIS_PEBS_GROUP_MEMORY },
	{ GPR, 224, PRECIS_PEBS_GROUP_GPR },
	{ XMM, 336, PRECIS_PEBS_GROUP_XMM },
	{ YMMH, 336, PRECIS_PEBS_GROUP_YMMH },
	{ OPMASK, 144, PRECIS_PEBS_GROUP_OPMASK },
	{ ZMMH, 592, PRECIS_PEBS_GROUP_ZMMH },
	{ HI16_ZMM, 1104, PRECIS_PEBS_GROUP_HI16_ZMM },
	{ BIT(40), 304, PRECIS_PEBS_GROUP_LBR },
	{ BIT(41), 496, PRECIS_PEBS_GROUP_LBR },
	{ BIT(35), 80, PRECIS_PEBS_GROUP_COUNTERS },
	{ BIT(36), 80, PRECIS_PEBS_GROUP_COUNTERS },
	{ BIT(37), 80, PRECIS_PEBS_GROUP_COUNTERS },
	{ BIT(38), 80, PRECIS_PEBS_GROUP_COUNTERS },
	{ BIT(39), 80, PRECIS_PEBS_GROUP_COUNTERS },
};

static void one_group(void)
{
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	uint8_t bytes[2048] = { 0 };

	for (size_t i = 0; i < COUNT(rows); i++) {
		for (size_t size = 0; size <= 1536; size++) {
			int rc, padded = rows[i].bytes % 16 == 8 && size == rows[i].bytes + 8;

			put64(bytes, BASIC | rows[i].bits | size);
			rc = parse(bytes, sizeof(bytes), &pebs, NULL);
			if (size != rows[i].bytes && !padded) {
				CU_ASSERT_EQUAL(rc, PRECIS_E_BAD_SIZE);
				CU_ASSERT_EQUAL(pebs.bytes, 0);
				continue;
			}
			CU_ASSERT_EQUAL(rc, 0);
			CU_ASSERT_EQUAL(pebs.bytes, size);
			CU_ASSERT_EQUAL(pebs.groups, PRECIS_PEBS_GROUP_BASIC | rows[i].groups);
			CU_ASSERT_EQUAL(pebs.flags, PRECIS_PEBS_RETIRE_LATENCY_TOLD);
			CU_ASSERT_EQUAL(pebs.gpr_captured, rows[i].bits == GPR ? 0x7ffff : 0);
		}
	}
}

/* As many branches as the group's header says; a record's size can be 8 short of a unit. */
static void variable_lbr(void)
{
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct precis_pebs_groups views = { .size = sizeof(views) };
	static uint8_t bytes[65536];

	for (uint64_t depth = 0; depth < 70; depth++) {
		size_t size = 112 + 24 * depth;

		put64(bytes + 64 + 0x10, depth);
		put64(bytes, BASIC | BIT(40) | BIT(41) | size);
		CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, &views), 0);
		CU_ASSERT_EQUAL(views.lbr_count, depth);
		CU_ASSERT_PTR_EQUAL(views.lbr, bytes + 112);
		CU_ASSERT_EQUAL(pebs.bytes, size);
		/* padded to a multiple of 16, in which IA32_PEBS_INDEX counts; not further */
		put64(bytes, BASIC | BIT(40) | BIT(41) | (size + 8));
		CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL),
				depth % 2 ? 0 : PRECIS_E_BAD_SIZE);
		put64(bytes, BASIC | BIT(40) | BIT(41) | (size + 16));
		CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_BAD_SIZE);
	}
	put64(bytes, BASIC | BIT(40) | BIT(41) | 112);
	for (unsigned int bit = 0; bit < 64; bit++) {
		put64(bytes + 64 + 0x10, BIT(bit));
		CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_BAD_SIZE);
	}
	/* 24 times this is 8, modulo 2 to the 64 */
	put64(bytes + 64 + 0x10, UINT64_C(0xaaaaaaaaaaaaaaab));
	CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_BAD_SIZE);
}

static void unknown_bits(void)
{
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	uint8_t bytes[256] = { 0 };

	for (unsigned int bit = 16; bit < 64; bit++) {
		int reserved = (bit < 30) || (bit >= 32 && bit <= 34) ||
			       (bit >= 42 && bit <= 48) || bit == 51 || bit == 52 ||
			       (bit >= 56 && bit <= 60);

		put64(bytes, BASIC | BIT(bit) | 64);
		put64(bytes + 64, 0);
		if (!reserved) {
			CU_ASSERT_NOT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL),
					    PRECIS_E_UNKNOWN_BITS);
			continue;
		}
		CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_UNKNOWN_BITS);
		CU_ASSERT_EQUAL(pebs.unknown_groups, BIT(bit));
		CU_ASSERT_EQUAL(pebs.bytes, 64);
		CU_ASSERT_EQUAL(pebs.captured, 0);
		/* in a second fragment: the whole record is passed over */
		put64(bytes, BASIC | CONTINUED | 64);
		put64(bytes + 64, AUX | BIT(bit) | 80);
		CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_UNKNOWN_BITS);
		CU_ASSERT_EQUAL(pebs.unknown_groups, BIT(bit));
		CU_ASSERT_EQUAL(pebs.bytes, 144);
	}
}

/* Basic; null; AUX; XMM and YMMH in fragments of their own; null, null; counters with metrics. */
static void fragments(void)
{
	const size_t null_1 = 64, at_aux = 80, at_xmm = 160, at_ymmh = 448, null_2 = 736,
		     null_3 = 752, at_counters = 784, end = 848;
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct precis_pebs_groups views = { .size = sizeof(views) };
	uint8_t bytes[1024];

	fill(bytes, sizeof(bytes));
	put64(bytes, BASIC | CONTINUED | 64);
	put64(bytes + 16 + 0x18, 0xffff);
	put64(bytes + null_1, 16);
	put64(bytes + at_aux, AUX | CONTINUED | 80);
	put64(bytes + at_xmm, XMM | CONTINUED | 288);
	put64(bytes + at_xmm + 16, 0x2);
	put64(bytes + at_ymmh, YMMH | CONTINUED | BIT(30) | 288);
	put64(bytes + at_ymmh + 16, 0x4);
	put64(bytes + null_2, 16);
	put64(bytes + null_3, 32);
	put64(bytes + at_counters, BIT(38) | BIT(36) | 64);
	put32(bytes + at_counters + 16, 1u << 31);
	put32(bytes + at_counters + 20, 1u << 0);
	put32(bytes + at_counters + 24, 3);
	CU_ASSERT_EQUAL_FATAL(parse(bytes, sizeof(bytes), &pebs, &views), 0);
	CU_ASSERT_EQUAL(pebs.bytes, end);
	CU_ASSERT_EQUAL(pebs.fragments, 5);
	CU_ASSERT_EQUAL(pebs.format_word, BASIC | CONTINUED | 64);
	CU_ASSERT_EQUAL(pebs.groups,
			PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY |
				PRECIS_PEBS_GROUP_XMM | PRECIS_PEBS_GROUP_YMMH |
				PRECIS_PEBS_GROUP_COUNTERS | PRECIS_PEBS_GROUP_METRICS);
	CU_ASSERT_EQUAL(pebs.flags, PRECIS_PEBS_MODE_64 | PRECIS_PEBS_RETIRE_LATENCY_TOLD);
	CU_ASSERT_EQUAL(pebs.word[PRECIS_PEBS_RETIRE_LATENCY], 0xffff);
	check_words(&pebs, basic, COUNT(basic), 16);
	check_words(&pebs, aux, COUNT(aux), at_aux + 16);
	CU_ASSERT_PTR_EQUAL(views.xmm, bytes + at_xmm + 32);
	CU_ASSERT_PTR_EQUAL(views.ymmh, bytes + at_ymmh + 32);
	CU_ASSERT_EQUAL(views.xstate, 0x6);
	CU_ASSERT_PTR_EQUAL(views.counters, bytes + at_counters + 32);
	CU_ASSERT_EQUAL(views.gp_counters, 1u << 31);
	CU_ASSERT_EQUAL(views.fixed_counters, 1);
	CU_ASSERT_EQUAL(views.metrics, 1);
	for (size_t count = 0; count < end; count++) {
		CU_ASSERT_EQUAL(parse(bytes, count, &pebs, &views), PRECIS_E_TRUNCATED);
		CU_ASSERT_EQUAL(pebs.bytes, 0);
		CU_ASSERT_PTR_NULL(views.xmm);
	}
	/* a null record in front is part of it, too */
	put64(bytes, 64);
	put64(bytes + null_1, BASIC | 64);
	put64(bytes + null_1 + 64, AUX | 80);
	CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), 0);
	CU_ASSERT_EQUAL(pebs.bytes, 128);
	CU_ASSERT_EQUAL(pebs.fragments, 1);
}

static void refused(void)
{
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	uint8_t bytes[512] = { 0 };

	/* a fragment whose record began elsewhere */
	put64(bytes, AUX | 80);
	CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_FRAGMENT);
	CU_ASSERT_EQUAL(pebs.bytes, 80);
	put64(bytes, AUX | CONTINUED | 80);
	put64(bytes + 80, BASIC | 64);
	CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_FRAGMENT);
	CU_ASSERT_EQUAL(pebs.bytes, 80);
	/* not null: bit 30 is among those that must be 0 */
	put64(bytes, BIT(30) | 16);
	CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_FRAGMENT);
	CU_ASSERT_EQUAL(pebs.bytes, 16);
	/* a record whose rest is missing: the next one begins */
	put64(bytes, BASIC | CONTINUED | 64);
	put64(bytes + 64, BASIC | 64);
	CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_UNKNOWN_BITS);
	CU_ASSERT_EQUAL(pebs.unknown_groups, BASIC);
	CU_ASSERT_EQUAL(pebs.bytes, 64);
	/* a group twice */
	put64(bytes, BASIC | AUX | CONTINUED | 128);
	put64(bytes + 128, AUX | 80);
	CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_UNKNOWN_BITS);
	CU_ASSERT_EQUAL(pebs.unknown_groups, AUX);
	CU_ASSERT_EQUAL(pebs.bytes, 208);
	/* … also with another one between */
	put64(bytes + 128, CONTINUED | GPR | 176);
	put64(bytes + 304, AUX | 80);
	CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_UNKNOWN_BITS);
	CU_ASSERT_EQUAL(pebs.unknown_groups, AUX);
	CU_ASSERT_EQUAL(pebs.bytes, 384);
	/* a fragment of nothing but its header, at the very end */
	put64(bytes, BASIC | CONTINUED | 64);
	put64(bytes + 64, BIT(30) | 16);
	CU_ASSERT_EQUAL(parse(bytes, 80, &pebs, NULL), 0);
	CU_ASSERT_EQUAL(pebs.bytes, 80);
	CU_ASSERT_EQUAL(pebs.fragments, 2);
	/* sizes that are none, first or later */
	for (unsigned int size = 0; size < 16; size++) {
		put64(bytes, BASIC | size);
		CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_BAD_SIZE);
		put64(bytes, size);
		CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_BAD_SIZE);
		put64(bytes, BASIC | CONTINUED | 64);
		put64(bytes + 64, AUX | size);
		CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_BAD_SIZE);
		CU_ASSERT_EQUAL(pebs.bytes, 0);
	}
	/* the end of the bytes where a fragment must follow */
	put64(bytes, BASIC | CONTINUED | 64);
	CU_ASSERT_EQUAL(parse(bytes, 64, &pebs, NULL), PRECIS_E_TRUNCATED);
	put64(bytes, 512);
	CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(pebs.bytes, 0);
	/* metrics of an unknown kind */
	memset(bytes, 0, sizeof(bytes));
	put64(bytes, BASIC | BIT(38) | 80);
	put32(bytes + 64 + 8, 1);
	CU_ASSERT_EQUAL(parse(bytes, sizeof(bytes), &pebs, NULL), PRECIS_E_UNKNOWN_BITS);
	CU_ASSERT_EQUAL(pebs.unknown_groups, BIT(38));
	CU_ASSERT_EQUAL(pebs.bytes, 80);
}

/* A chain that never ends is not walked for ever, and its length fits where it is told. */
static void endless(void)
{
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	const size_t size = 3u << 20;
	uint8_t *bytes = (uint8_t *)calloc(size, 1);

	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	put64(bytes, BASIC | CONTINUED | 64);
	for (size_t at = 64; at < size; at += 16)
		put64(bytes + at, 16);
	CU_ASSERT_EQUAL(parse(bytes, size, &pebs, NULL), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(pebs.bytes, 0);
	free(bytes);
}

static const struct tap_case cases[] = {
	{ "all groups in one fragment", all_groups },
	{ "each group, and each size beside its own", one_group },
	{ "as many branches as the header says", variable_lbr },
	{ "header bits without a known group", unknown_bits },
	{ "fragments and null records", fragments },
	{ "what is refused", refused },
	{ "a chain without an end", endless },
};

int main(void)
{
	return tap_main("pebs arch", cases, COUNT(cases));
}
