/* SPDX-License-Identifier: BSD-3-Clause */
/* Records made by hand, read and written again: the same bytes. */
#include "tests/libdecode/pebs/pebs_bytes.h"

#define BASIC BIT(63)
#define AUX BIT(62)
#define GPR BIT(61)
#define CONTINUED BIT(31)

/* Reads 'count' bytes and writes them again; any smaller room is refused. */
static void again(uint32_t format, const uint8_t *bytes, size_t count, uint32_t split,
		  uint32_t nulls)
{
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct precis_pebs_groups views = { .size = sizeof(views) };
	static uint8_t written[8192];
	int is_arch = format == PRECIS_PEBS_FORMAT_ARCH;

	CU_ASSERT_EQUAL_FATAL(precis_pebs_parse(format, bytes, count, &pebs, &views), 0);
	CU_ASSERT_EQUAL(pebs.bytes, count);
	for (size_t room = 0; room <= count; room++) {
		int rc = is_arch ? precis_pebs_encode_fragments(&pebs, &views, split, nulls,
								written, room) :
				   precis_pebs_encode(&pebs, &views, written, room);

		CU_ASSERT_EQUAL(rc, room < count ? PRECIS_E_NO_SPACE : (int)count);
	}
	for (size_t i = 0; i < count; i++) {
		if (written[i] != bytes[i]) {
			printf("# format %s, offset %zu\n", precis_pebs_format_name(format), i);
			CU_FAIL("other bytes");
			break;
		}
	}
	if (is_arch && !split && !nulls) {
		memset(written, 0xee, sizeof(written));
		CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, &views, written, sizeof(written)),
				(int)count);
		CU_ASSERT_EQUAL(memcmp(written, bytes, count), 0);
	}
}

static void fixed(void)
{
	uint8_t bytes[200];

	fill(bytes, sizeof(bytes));
	again(PRECIS_PEBS_FORMAT_NETBURST_32, bytes, 40, 0, 0);
	again(PRECIS_PEBS_FORMAT_NETBURST_64, bytes, 144, 0, 0);
	again(PRECIS_PEBS_FORMAT_0, bytes, 144, 0, 0);
	again(PRECIS_PEBS_FORMAT_1, bytes, 176, 0, 0);
	again(PRECIS_PEBS_FORMAT_2, bytes, 192, 0, 0);
	again(PRECIS_PEBS_FORMAT_3, bytes, 200, 0, 0);
}

static void adaptive(void)
{
	const size_t at_counters = 32 + 32 + 144 + 256 + 72, end = at_counters + 16 + 48;
	uint8_t bytes[1024];

	fill(bytes, sizeof(bytes));
	put64(bytes, 0x0200000f | UINT64_C(0x1234) << 32 | (uint64_t)at_counters << 48);
	again(PRECIS_PEBS_FORMAT_4, bytes, at_counters, 0, 0);
	again(PRECIS_PEBS_FORMAT_5, bytes, at_counters, 0, 0);
	put64(bytes, 0x0200003f | UINT64_C(0x1234) << 32 | (uint64_t)end << 48);
	put32(bytes + at_counters, 0x80000001);
	put32(bytes + at_counters + 4, 0x00000006);
	put64(bytes + at_counters + 8, 3);
	again(PRECIS_PEBS_FORMAT_6, bytes, end, 0, 0);
}

/* A group of counters behind Basic: which of the header's bits tell of it. */
static void put_counters(uint8_t *bytes, uint64_t header, uint32_t gp, uint32_t fixed,
			 uint32_t metrics, size_t size)
{
	memset(bytes, 0, 512);
	put64(bytes, BASIC | header | size);
	put32(bytes + 64, gp);
	put32(bytes + 68, fixed);
	put32(bytes + 72, metrics);
}

static void arch_counters(void)
{
	uint8_t bytes[512];

	put_counters(bytes, BIT(35), 0, 0, 0, 80);
	again(PRECIS_PEBS_FORMAT_ARCH, bytes, 80, 0, 0);
	put_counters(bytes, BIT(36), 3, 0, 0, 96);
	again(PRECIS_PEBS_FORMAT_ARCH, bytes, 96, 0, 0);
	put_counters(bytes, BIT(37), 0, 3, 0, 96);
	again(PRECIS_PEBS_FORMAT_ARCH, bytes, 96, 0, 0);
	put_counters(bytes, BIT(38), 0, 0, 3, 96);
	again(PRECIS_PEBS_FORMAT_ARCH, bytes, 96, 0, 0);
	/* three counters: padded to a multiple of 16 */
	put_counters(bytes, BIT(36) | BIT(37), 5, 1, 0, 112);
	again(PRECIS_PEBS_FORMAT_ARCH, bytes, 112, 0, 0);
	put_counters(bytes, BIT(36) | BIT(37) | BIT(38), 5, 3, 3, 128);
	again(PRECIS_PEBS_FORMAT_ARCH, bytes, 128, 0, 0);
}

static void arch_branches(void)
{
	static const struct {
		uint64_t bits;
		uint64_t count;
		size_t size;
	} rows[] = {
		{ BIT(40), 8, 304 },
		{ BIT(41), 16, 496 },
		{ BIT(40) | BIT(41), 0, 112 },
		{ BIT(40) | BIT(41), 10, 352 },
		{ BIT(40) | BIT(41), 11, 384 }, /* 8 bytes of padding */
		{ BIT(40) | BIT(41), 32, 880 },
	};
	uint8_t bytes[1024];

	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t used = 112 + 24 * rows[i].count;

		fill(bytes, sizeof(bytes));
		put64(bytes, BASIC | rows[i].bits | rows[i].size);
		put64(bytes + 8, 0);
		put64(bytes + 16 + 0x18, 0x1ffff);
		memset(bytes + 16 + 0x20, 0, 16);
		put64(bytes + 64 + 0x10, rows[i].count);
		memset(bytes + used, 0, sizeof(bytes) - used);
		again(PRECIS_PEBS_FORMAT_ARCH, bytes, rows[i].size, 0, 0);
	}
}

/* Null; Basic, AUX; GPR; null; XMM and k0 to k7; k is not a fragment of its own. */
static void fragments(void)
{
	const size_t at_basic = 16, at_gpr = 144, at_null = 320, at_xmm = 336, end = 688;
	uint8_t bytes[1024];

	fill(bytes, sizeof(bytes));
	put64(bytes, 16);
	put64(bytes + 8, 0);
	put64(bytes + at_basic, BASIC | AUX | CONTINUED | BIT(30) | 128);
	put64(bytes + at_basic + 8, 0);
	put64(bytes + at_basic + 16 + 0x18, 0x0abcd);
	memset(bytes + at_basic + 16 + 0x20, 0, 16);
	memset(bytes + at_basic + 64 + 0x08, 0, 32);
	put64(bytes + at_gpr, GPR | CONTINUED | BIT(30) | 176);
	put64(bytes + at_gpr + 8, 0);
	put64(bytes + at_gpr + 16 + 0x98, 0);
	put64(bytes + at_null, 16);
	put64(bytes + at_null + 8, 0);
	put64(bytes + at_xmm, BIT(49) | BIT(53) | BIT(30) | (end - at_xmm));
	put64(bytes + at_xmm + 8, 0);
	put64(bytes + at_xmm + 24, 0);
	again(PRECIS_PEBS_FORMAT_ARCH, bytes, end, PRECIS_PEBS_GROUP_GPR | PRECIS_PEBS_GROUP_LBR,
	      PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_XMM);
}

static void refused(void)
{
	struct precis_pebs pebs = { .size = sizeof(pebs), .captured = 0x1ff,
				    .gpr_captured = 0x7ffff };
	struct precis_pebs_groups views = { .size = sizeof(views) };
	static uint8_t bytes[256], many[48 + 24 * 2730], room[80000];

	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, NULL, bytes, 256), 144);
	CU_ASSERT_EQUAL(precis_pebs_encode(NULL, NULL, bytes, 256), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, NULL, NULL, 256), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_encode_fragments(&pebs, NULL, 0, 0, bytes, 256),
			PRECIS_E_ARGUMENT);
	pebs.format = 7;
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, NULL, bytes, 256), PRECIS_E_ARGUMENT);
	pebs.format = UINT32_MAX;
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, NULL, bytes, 256), PRECIS_E_ARGUMENT);
	/* more branches than a fragment has bytes, and a depth that is not theirs */
	pebs.format = PRECIS_PEBS_FORMAT_ARCH;
	pebs.groups = PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_LBR;
	pebs.flags = PRECIS_PEBS_RETIRE_LATENCY_TOLD;
	views.has_lbr_header = 1;
	views.lbr_header = many;
	views.lbr = many;
	views.lbr_count = 2730;
	put64(many + 0x10, 2730);
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, &views, room, sizeof(room)),
			PRECIS_E_BAD_SIZE);
	views.lbr_count = UINT32_MAX;
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, &views, room, sizeof(room)),
			PRECIS_E_BAD_SIZE);
	views.lbr_count = 9;
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, &views, room, sizeof(room)),
			PRECIS_E_ARGUMENT);
	put64(many + 0x10, 9);
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, &views, room, sizeof(room)), 336);
	/* nothing outside the record is needed, and of another format it is no fragment */
	pebs.groups = PRECIS_PEBS_GROUP_BASIC;
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, NULL, bytes, 256), 64);
	CU_ASSERT_EQUAL(precis_pebs_encode_fragments(&pebs, NULL, 0, 0, bytes, 256), 64);
	pebs.format = PRECIS_PEBS_FORMAT_4;
	CU_ASSERT_EQUAL(precis_pebs_encode_fragments(&pebs, NULL, 0, 0, bytes, 256),
			PRECIS_E_ARGUMENT);
	pebs.groups |= PRECIS_PEBS_GROUP_LBR;
	/* an adaptive record has 1 to 256 of them */
	views.lbr_count = 0;
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, &views, bytes, 256), PRECIS_E_ARGUMENT);
	views.lbr_count = 257;
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, &views, bytes, 256), PRECIS_E_ARGUMENT);
	views.lbr_count = 1;
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, &views, bytes, 256), 56);
	/* counters that the groups do not tell of */
	pebs.format = PRECIS_PEBS_FORMAT_6;
	pebs.groups = PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_METRICS;
	views.metrics = 1;
	views.counters = many;
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, &views, bytes, 256), 64);
	views.fixed_counters = 1;
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, &views, bytes, 256), PRECIS_E_ARGUMENT);
	views.fixed_counters = 0;
	views.metrics = 0;
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, &views, bytes, 256), PRECIS_E_ARGUMENT);
	views.size = 4;
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, &views, bytes, 256), PRECIS_E_ARGUMENT);
	pebs.size = 4;
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, NULL, bytes, 256), PRECIS_E_ARGUMENT);
}

static const struct tap_case cases[] = {
	{ "fixed formats", fixed },
	{ "adaptive formats", adaptive },
	{ "architectural: counters", arch_counters },
	{ "architectural: branches", arch_branches },
	{ "architectural: fragments and null records", fragments },
	{ "what is refused", refused },
};

int main(void)
{
	return tap_main("pebs encode", cases, COUNT(cases));
}
