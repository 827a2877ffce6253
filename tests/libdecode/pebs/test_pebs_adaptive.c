/* SPDX-License-Identifier: BSD-3-Clause */
/* Adaptive records: formats 4 to 6, group by group. */
#include "tests/libdecode/pebs/pebs_bytes.h"

static const struct place basic[] = {
	{ PRECIS_PEBS_EVENTING_IP, 0x08 },
	{ PRECIS_PEBS_APPLICABLE_COUNTERS, 0x10 },
	{ PRECIS_PEBS_TSC, 0x18 },
};

static const struct place memory[] = {
	{ PRECIS_PEBS_DATA_ADDRESS, 0x00 },
	{ PRECIS_PEBS_DATA_SOURCE, 0x08 },
	{ PRECIS_PEBS_LATENCY, 0x10 },
	{ PRECIS_PEBS_TSX, 0x18 },
};

#define BASIC_WORDS                                                                                \
	(1u << PRECIS_PEBS_EVENTING_IP | 1u << PRECIS_PEBS_APPLICABLE_COUNTERS |                   \
	 1u << PRECIS_PEBS_TSC | 1u << PRECIS_PEBS_RETIRE_LATENCY)
#define MEMORY_WORDS                                                                               \
	(1u << PRECIS_PEBS_DATA_ADDRESS | 1u << PRECIS_PEBS_DATA_SOURCE |                          \
	 1u << PRECIS_PEBS_LATENCY | 1u << PRECIS_PEBS_TSX)
#define ALL_WORDS (BASIC_WORDS | MEMORY_WORDS)

/* Bits of the format word as the manual numbers them, and the sizes of the groups. */
static const struct {
	uint32_t formats; /* as 1 << format */
	uint32_t word;
	size_t bytes;
	uint32_t groups, captured, gpr_captured;
	size_t memory, gpr, xmm, lbr; /* their offsets */
	uint32_t lbr_count;
} rows[] = {
	{ 0x70, 0x00000000, 32, PRECIS_PEBS_GROUP_BASIC, BASIC_WORDS, 0, 0, 0, 0, 0, 0 },
	{ 0x70, 0x00000001, 64, PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY, ALL_WORDS, 0,
	  32, 0, 0, 0, 0 },
	{ 0x70, 0x00000002, 176, PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_GPR, BASIC_WORDS,
	  0x3ffff, 0, 32, 0, 0, 0 },
	{ 0x70, 0x00000004, 288, PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_XMM, BASIC_WORDS, 0,
	  0, 0, 32, 0, 0 },
	{ 0x70, 0x00000008, 56, PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_LBR, BASIC_WORDS, 0,
	  0, 0, 0, 32, 1 },
	{ 0x70, 0x1f000008, 32 + 32 * 24, PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_LBR,
	  BASIC_WORDS, 0, 0, 0, 0, 32, 32 },
	{ 0x70, 0xff000008, 32 + 256 * 24, PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_LBR,
	  BASIC_WORDS, 0, 0, 0, 0, 32, 256 },
	/* without LBR the number of entries is none */
	{ 0x70, 0x1f000001, 64, PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY, ALL_WORDS, 0,
	  32, 0, 0, 0, 0 },
	{ 0x70, 0x0300000f, 32 + 32 + 144 + 256 + 96,
	  PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY | PRECIS_PEBS_GROUP_GPR |
		  PRECIS_PEBS_GROUP_XMM | PRECIS_PEBS_GROUP_LBR,
	  ALL_WORDS, 0x3ffff, 32, 64, 208, 464, 4 },
};

static uint64_t format_word(uint32_t bits, uint32_t retire_latency, size_t bytes)
{
	return bits | (uint64_t)retire_latency << 32 | (uint64_t)bytes << 48;
}

static void records(void)
{
	static uint8_t bytes[8192];

	for (size_t i = 0; i < COUNT(rows); i++) {
		for (uint32_t format = 4; format <= 6; format++) {
			struct precis_pebs pebs = { .size = sizeof(pebs) };
			struct precis_pebs_groups views = { .size = sizeof(views) };
			uint8_t *at = bytes + (i + format) % 8;

			if (!(rows[i].formats >> format & 1))
				continue;
			fill(at, sizeof(bytes) - 8);
			put64(at, format_word(rows[i].word, 0xabcd, rows[i].bytes));
			CU_ASSERT_EQUAL_FATAL(precis_pebs_parse(format, at, sizeof(bytes) - 8,
								&pebs, &views), 0);
			CU_ASSERT_EQUAL(precis_pebs_parse(format, at, rows[i].bytes, &pebs, NULL),
					0);
			CU_ASSERT_EQUAL(pebs.bytes, rows[i].bytes);
			CU_ASSERT_EQUAL(pebs.groups, rows[i].groups);
			CU_ASSERT_EQUAL(pebs.captured, rows[i].captured);
			CU_ASSERT_EQUAL(pebs.gpr_captured, rows[i].gpr_captured);
			CU_ASSERT_EQUAL(pebs.format_word,
					format_word(rows[i].word, 0xabcd, rows[i].bytes));
			CU_ASSERT_EQUAL(pebs.flags, 0);
			CU_ASSERT_EQUAL(pebs.word[PRECIS_PEBS_RETIRE_LATENCY], 0xabcd);
			check_words(&pebs, basic, COUNT(basic), 0);
			if (rows[i].memory)
				check_words(&pebs, memory, COUNT(memory), rows[i].memory);
			if (rows[i].gpr)
				check_registers(&pebs, group_registers, COUNT(group_registers),
						rows[i].gpr);
			CU_ASSERT_PTR_EQUAL(views.xmm, rows[i].xmm ? at + rows[i].xmm : NULL);
			CU_ASSERT_PTR_EQUAL(views.lbr, rows[i].lbr ? at + rows[i].lbr : NULL);
			CU_ASSERT_EQUAL(views.lbr_count, rows[i].lbr_count);
			CU_ASSERT_EQUAL(views.has_lbr_header, 0);
			CU_ASSERT_PTR_NULL(views.lbr_header);
			CU_ASSERT_PTR_NULL(views.counters);
		}
	}
}

/* Headers of the counters, and how many words follow. */
static const struct {
	uint32_t word, gp, fixed, metrics;
	size_t words;
	uint32_t groups;
} counter_rows[] = {
	{ 0x10, 0x3, 0x0, 0, 2, PRECIS_PEBS_GROUP_COUNTERS },
	{ 0x10, 0xff, 0x7, 0, 11, PRECIS_PEBS_GROUP_COUNTERS },
	{ 0x10, 0x80000000, 0x80000001, 0, 3, PRECIS_PEBS_GROUP_COUNTERS },
	{ 0x30, 0x5, 0x8, 3, 5, PRECIS_PEBS_GROUP_COUNTERS | PRECIS_PEBS_GROUP_METRICS },
	{ 0x20, 0x0, 0x0, 3, 2, PRECIS_PEBS_GROUP_METRICS },
	{ 0x10, 0x0, 0x0, 0, 0, PRECIS_PEBS_GROUP_COUNTERS },
	{ 0x10, 0xffffffff, 0xffffffff, 0, 64, PRECIS_PEBS_GROUP_COUNTERS },
};

static void counters(void)
{
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct precis_pebs_groups views = { .size = sizeof(views) };
	uint8_t bytes[1024];

	for (size_t i = 0; i < COUNT(counter_rows); i++) {
		size_t size = 32 + 16 + 8 * counter_rows[i].words;

		fill(bytes, sizeof(bytes));
		put64(bytes, format_word(counter_rows[i].word, 0, size));
		put32(bytes + 32, counter_rows[i].gp);
		put32(bytes + 36, counter_rows[i].fixed);
		put32(bytes + 40, counter_rows[i].metrics);
		CU_ASSERT_EQUAL_FATAL(precis_pebs_parse(6, bytes, size, &pebs, &views), 0);
		CU_ASSERT_EQUAL(pebs.bytes, size);
		CU_ASSERT_EQUAL(pebs.groups, PRECIS_PEBS_GROUP_BASIC | counter_rows[i].groups);
		CU_ASSERT_EQUAL(views.gp_counters, counter_rows[i].gp);
		CU_ASSERT_EQUAL(views.fixed_counters, counter_rows[i].fixed);
		CU_ASSERT_EQUAL(views.metrics, counter_rows[i].metrics == 3);
		CU_ASSERT_PTR_EQUAL(views.counters, bytes + 48);
		/* formats 4 and 5 do not have these bits */
		for (uint32_t format = 4; format <= 5; format++) {
			CU_ASSERT_EQUAL(precis_pebs_parse(format, bytes, size, &pebs, &views),
					PRECIS_E_UNKNOWN_BITS);
			CU_ASSERT_EQUAL(pebs.unknown_groups, counter_rows[i].word);
			CU_ASSERT_EQUAL(pebs.bytes, size);
			CU_ASSERT_EQUAL(pebs.captured, 0);
			CU_ASSERT_PTR_NULL(views.counters);
		}
		put64(bytes, format_word(counter_rows[i].word, 0, size + 8));
		CU_ASSERT_EQUAL(precis_pebs_parse(6, bytes, size + 8, &pebs, &views),
				PRECIS_E_BAD_SIZE);
		put64(bytes, format_word(counter_rows[i].word, 0, size - 8));
		CU_ASSERT_EQUAL(precis_pebs_parse(6, bytes, size, &pebs, &views),
				PRECIS_E_BAD_SIZE);
		CU_ASSERT_EQUAL(pebs.bytes, 0);
	}
	/* metrics of a kind that nobody has published: how many words they take is not known */
	for (uint32_t metrics = 1; metrics < 10; metrics++) {
		if (metrics == 3)
			continue;
		put64(bytes, format_word(0x20, 0, 64));
		put32(bytes + 32, 0);
		put32(bytes + 36, 0);
		put32(bytes + 40, metrics);
		CU_ASSERT_EQUAL(precis_pebs_parse(6, bytes, 64, &pebs, &views),
				PRECIS_E_UNKNOWN_BITS);
		CU_ASSERT_EQUAL(pebs.unknown_groups, 0x20);
		CU_ASSERT_EQUAL(pebs.bytes, 64);
	}
}

static void sizes(void)
{
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	uint8_t bytes[1024];

	fill(bytes, sizeof(bytes));
	/* only the size of the groups is the size */
	for (uint32_t size = 0; size < 0x10000; size++) {
		int rc;

		put64(bytes, format_word(3, 0, size));
		rc = precis_pebs_parse(4, bytes, sizeof(bytes), &pebs, NULL);
		if (size == 208)
			CU_ASSERT_EQUAL(rc, 0)
		else if (size >= 32 && size % 8 == 0 && size > sizeof(bytes))
			CU_ASSERT_EQUAL(rc, PRECIS_E_TRUNCATED)
		else
			CU_ASSERT_EQUAL(rc, PRECIS_E_BAD_SIZE);
		CU_ASSERT_EQUAL(pebs.bytes, rc ? 0 : 208);
		CU_ASSERT_EQUAL(pebs.groups == 0, rc != 0);
	}
	put64(bytes, format_word(3, 0, 208));
	for (size_t count = 0; count < 208; count++) {
		CU_ASSERT_EQUAL(precis_pebs_parse(4, bytes, count, &pebs, NULL),
				PRECIS_E_TRUNCATED);
		CU_ASSERT_EQUAL(pebs.bytes, 0);
		CU_ASSERT_EQUAL(pebs.captured, 0);
	}
}

static void unknown_bits(void)
{
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	uint8_t bytes[64];

	fill(bytes, sizeof(bytes));
	for (uint32_t format = 4; format <= 6; format++) {
		for (unsigned int bit = 4; bit < 24; bit++) {
			if (format == 6 && bit < 6)
				continue;
			put64(bytes, format_word(1u | 1u << bit, 0, 64));
			CU_ASSERT_EQUAL(precis_pebs_parse(format, bytes, 64, &pebs, NULL),
					PRECIS_E_UNKNOWN_BITS);
			CU_ASSERT_EQUAL(pebs.unknown_groups, 1u << bit);
			CU_ASSERT_EQUAL(pebs.bytes, 64);
			CU_ASSERT_EQUAL(pebs.captured, 0);
			CU_ASSERT_EQUAL(pebs.groups, 0);
		}
	}
}

static const struct tap_case cases[] = {
	{ "groups and where they stand", records },
	{ "counters and metrics, format 6", counters },
	{ "sizes that contradict the groups", sizes },
	{ "bits without a known group", unknown_bits },
};

int main(void)
{
	return tap_main("pebs adaptive", cases, COUNT(cases));
}
