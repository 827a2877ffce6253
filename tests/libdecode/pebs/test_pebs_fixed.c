/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of one size: offsets from the manuals' tables, written down once more. */
#include "tests/libdecode/pebs/pebs_bytes.h"

/* ax, bx, cx, dx, si, di, bp, sp: not the order of the adaptive GPR group */
static const struct place registers[] = {
	{ PRECIS_PEBS_FLAGS, 0x00 }, { PRECIS_PEBS_IP, 0x08 },	{ PRECIS_PEBS_AX, 0x10 },
	{ PRECIS_PEBS_BX, 0x18 },    { PRECIS_PEBS_CX, 0x20 },	{ PRECIS_PEBS_DX, 0x28 },
	{ PRECIS_PEBS_SI, 0x30 },    { PRECIS_PEBS_DI, 0x38 },	{ PRECIS_PEBS_BP, 0x40 },
	{ PRECIS_PEBS_SP, 0x48 },    { PRECIS_PEBS_R8, 0x50 },	{ PRECIS_PEBS_R9, 0x58 },
	{ PRECIS_PEBS_R10, 0x60 },   { PRECIS_PEBS_R11, 0x68 }, { PRECIS_PEBS_R12, 0x70 },
	{ PRECIS_PEBS_R13, 0x78 },   { PRECIS_PEBS_R14, 0x80 }, { PRECIS_PEBS_R15, 0x88 },
};

static const struct place words_1[] = {
	{ PRECIS_PEBS_STATUS, 0x90 },
	{ PRECIS_PEBS_DATA_ADDRESS, 0x98 },
	{ PRECIS_PEBS_DATA_SOURCE, 0xa0 },
	{ PRECIS_PEBS_LATENCY, 0xa8 },
};

static const struct place words_2[] = {
	{ PRECIS_PEBS_STATUS, 0x90 },	   { PRECIS_PEBS_DATA_ADDRESS, 0x98 },
	{ PRECIS_PEBS_DATA_SOURCE, 0xa0 }, { PRECIS_PEBS_LATENCY, 0xa8 },
	{ PRECIS_PEBS_EVENTING_IP, 0xb0 }, { PRECIS_PEBS_TSX, 0xb8 },
};

static const struct place words_3[] = {
	{ PRECIS_PEBS_APPLICABLE_COUNTERS, 0x90 }, { PRECIS_PEBS_DATA_ADDRESS, 0x98 },
	{ PRECIS_PEBS_DATA_SOURCE, 0xa0 },	   { PRECIS_PEBS_LATENCY, 0xa8 },
	{ PRECIS_PEBS_EVENTING_IP, 0xb0 },	   { PRECIS_PEBS_TSX, 0xb8 },
	{ PRECIS_PEBS_TSC, 0xc0 },
};

static const struct row {
	uint32_t format;
	size_t bytes;
	uint32_t groups;
	const struct place *words;
	size_t word_count;
} rows[] = {
	{ PRECIS_PEBS_FORMAT_NETBURST_64, 144, PRECIS_PEBS_GROUP_GPR, NULL, 0 },
	{ PRECIS_PEBS_FORMAT_0, 144, PRECIS_PEBS_GROUP_GPR, NULL, 0 },
	{ PRECIS_PEBS_FORMAT_1, 176, PRECIS_PEBS_GROUP_GPR | PRECIS_PEBS_GROUP_MEMORY, words_1,
	  COUNT(words_1) },
	{ PRECIS_PEBS_FORMAT_2, 192, PRECIS_PEBS_GROUP_GPR | PRECIS_PEBS_GROUP_MEMORY, words_2,
	  COUNT(words_2) },
	{ PRECIS_PEBS_FORMAT_3, 200, PRECIS_PEBS_GROUP_GPR | PRECIS_PEBS_GROUP_MEMORY, words_3,
	  COUNT(words_3) },
};

static void check_row(const struct row *row, const uint8_t *at, size_t count)
{
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct precis_pebs_groups views = { .size = sizeof(views), .lbr_count = 7 };
	uint32_t captured = 0;

	CU_ASSERT_EQUAL_FATAL(precis_pebs_parse(row->format, at, count, &pebs, &views), 0);
	CU_ASSERT_EQUAL(pebs.format, row->format);
	CU_ASSERT_EQUAL(pebs.bytes, row->bytes);
	CU_ASSERT_EQUAL(pebs.groups, row->groups);
	CU_ASSERT_EQUAL(pebs.gpr_captured, 0x3ffff);
	CU_ASSERT_EQUAL(pebs.flags, 0);
	CU_ASSERT_EQUAL(pebs.fragments, 0);
	CU_ASSERT_EQUAL(pebs.unknown_groups, 0);
	CU_ASSERT_EQUAL(pebs.format_word, 0);
	for (size_t i = 0; i < row->word_count; i++)
		captured |= 1u << row->words[i].name;
	CU_ASSERT_EQUAL(pebs.captured, captured);
	check_registers(&pebs, registers, COUNT(registers), 0);
	check_words(&pebs, row->words, row->word_count, 0);
	CU_ASSERT_EQUAL(views.lbr_count, 0);
	CU_ASSERT_PTR_NULL(views.xmm);
}

static void records(void)
{
	uint8_t bytes[256 + 8];

	for (size_t i = 0; i < COUNT(rows); i++) {
		CU_ASSERT_EQUAL(precis_pebs_format_bytes(rows[i].format), rows[i].bytes);
		for (unsigned int shift = 0; shift < 8; shift++) {
			fill(bytes + shift, 256);
			check_row(&rows[i], bytes + shift, rows[i].bytes);
			check_row(&rows[i], bytes + shift, 256);
		}
	}
}

static void netburst_32(void)
{
	static const uint8_t bytes[] = {
		0x46, 0x02, 0x00, 0x80, /* EFLAGS = 0x80000246 */
		0x10, 0x20, 0x40, 0xc0, /* EIP = 0xc0402010 */
		0xa1, 0xa2, 0xa3, 0xa4, /* EAX = 0xa4a3a2a1 */
		0xb1, 0xb2, 0xb3, 0xb4, /* EBX = 0xb4b3b2b1 */
		0xc1, 0xc2, 0xc3, 0xc4, /* ECX = 0xc4c3c2c1 */
		0xd1, 0xd2, 0xd3, 0xd4, /* EDX = 0xd4d3d2d1 */
		0x51, 0x52, 0x53, 0x54, /* ESI = 0x54535251 */
		0xe1, 0xe2, 0xe3, 0xe4, /* EDI = 0xe4e3e2e1 */
		0xbb, 0xbc, 0xbd, 0xbe, /* EBP = 0xbebdbcbb */
		0xf0, 0xff, 0xff, 0xbf, /* ESP = 0xbffffff0 */
	};
	struct precis_pebs pebs = { .size = sizeof(pebs) };

	CU_ASSERT_EQUAL(precis_pebs_format_bytes(PRECIS_PEBS_FORMAT_NETBURST_32), 40);
	CU_ASSERT_EQUAL_FATAL(precis_pebs_parse(PRECIS_PEBS_FORMAT_NETBURST_32, bytes,
						sizeof(bytes), &pebs, NULL), 0);
	CU_ASSERT_EQUAL(pebs.bytes, 40);
	CU_ASSERT_EQUAL(pebs.groups, PRECIS_PEBS_GROUP_GPR);
	CU_ASSERT_EQUAL(pebs.captured, 0);
	CU_ASSERT_EQUAL(pebs.gpr_captured, 0x3ff);
	CU_ASSERT_EQUAL(pebs.flags, PRECIS_PEBS_REGISTERS_32);
	CU_ASSERT_EQUAL(pebs.gpr[PRECIS_PEBS_FLAGS], 0x80000246);
	CU_ASSERT_EQUAL(pebs.gpr[PRECIS_PEBS_IP], 0xc0402010);
	CU_ASSERT_EQUAL(pebs.gpr[PRECIS_PEBS_AX], 0xa4a3a2a1);
	CU_ASSERT_EQUAL(pebs.gpr[PRECIS_PEBS_BX], 0xb4b3b2b1);
	CU_ASSERT_EQUAL(pebs.gpr[PRECIS_PEBS_CX], 0xc4c3c2c1);
	CU_ASSERT_EQUAL(pebs.gpr[PRECIS_PEBS_DX], 0xd4d3d2d1);
	CU_ASSERT_EQUAL(pebs.gpr[PRECIS_PEBS_SI], 0x54535251);
	CU_ASSERT_EQUAL(pebs.gpr[PRECIS_PEBS_DI], 0xe4e3e2e1);
	CU_ASSERT_EQUAL(pebs.gpr[PRECIS_PEBS_BP], 0xbebdbcbb);
	CU_ASSERT_EQUAL(pebs.gpr[PRECIS_PEBS_SP], 0xbffffff0);
	CU_ASSERT_EQUAL(precis_pebs_parse(PRECIS_PEBS_FORMAT_NETBURST_32, bytes, 39, &pebs, NULL),
			PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(pebs.gpr_captured, 0);
	CU_ASSERT_EQUAL(pebs.flags, 0);
}

static void refused(void)
{
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct precis_pebs_groups views = { .size = sizeof(views) };
	uint8_t bytes[256];

	fill(bytes, sizeof(bytes));
	for (size_t i = 0; i < COUNT(rows); i++) {
		for (size_t count = 0; count < rows[i].bytes; count++) {
			CU_ASSERT_EQUAL(precis_pebs_parse(rows[i].format, bytes, count, &pebs,
							  NULL), PRECIS_E_TRUNCATED);
			CU_ASSERT_EQUAL(pebs.bytes, 0);
			CU_ASSERT_EQUAL(pebs.groups, 0);
			CU_ASSERT_EQUAL(pebs.captured, 0);
			CU_ASSERT_EQUAL(pebs.gpr_captured, 0);
		}
	}
	CU_ASSERT_EQUAL(precis_pebs_parse(0, NULL, 0, &pebs, NULL), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(precis_pebs_parse(0, NULL, 144, &pebs, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_parse(0, bytes, 256, NULL, NULL), PRECIS_E_ARGUMENT);
	for (uint32_t format = 7; format < 40; format++) {
		if (format == 15 || format == 16 || format == 17)
			continue;
		CU_ASSERT_EQUAL(precis_pebs_parse(format, bytes, 256, &pebs, NULL),
				PRECIS_E_ARGUMENT);
		CU_ASSERT_EQUAL(precis_pebs_format_bytes(format), 0);
	}
	CU_ASSERT_EQUAL(precis_pebs_parse(UINT32_MAX, bytes, 256, &pebs, NULL), PRECIS_E_ARGUMENT);
	views.size = 4;
	CU_ASSERT_EQUAL(precis_pebs_parse(0, bytes, 256, &pebs, &views), PRECIS_E_ARGUMENT);
	pebs.size = 4;
	CU_ASSERT_EQUAL(precis_pebs_parse(0, bytes, 256, &pebs, NULL), PRECIS_E_ARGUMENT);
}

static const struct tap_case cases[] = {
	{ "NetBurst 64, formats 0 to 3", records },
	{ "NetBurst 32", netburst_32 },
	{ "records that are refused", refused },
};

int main(void)
{
	return tap_main("pebs fixed", cases, COUNT(cases));
}
