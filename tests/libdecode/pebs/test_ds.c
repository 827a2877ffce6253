/* SPDX-License-Identifier: BSD-3-Clause */
/* The DS management area and its buffers. */
#include <precis/ds.h>

#include "tests/support/guarded.h"
#include "tests/libdecode/pebs/pebs_bytes.h"

/* Sizes and the offsets of reset values, as the manuals and Linux have them. */
static const struct {
	uint32_t layout;
	uint32_t word;
	size_t bytes;
	uint32_t gp, fixed; /* how many */
	size_t gp_offset, fixed_offset;
} rows[] = {
	{ PRECIS_DS_32, 4, 0x28, 1, 0, 0x20, 0 },
	{ PRECIS_DS_64, 8, 0x48, 1, 0, 0x40, 0 },
	{ PRECIS_DS_64_4, 8, 0x60, 4, 0, 0x40, 0 },
	{ PRECIS_DS_64_8, 8, 0x100, 8, 16, 0x40, 0x80 },
	{ PRECIS_DS_64_32, 8, 0x1c0, 32, 16, 0x40, 0x140 },
};

static uint32_t mask_of(uint32_t count)
{
	return count == 32 ? UINT32_MAX : (1u << count) - 1;
}

static void areas(void)
{
	uint8_t bytes[512 + 8], again[512];

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct precis_ds ds = { .size = sizeof(ds) };
		uint8_t *at = bytes + i;
		uint64_t word[8];

		fill(at, 512);
		for (uint32_t n = 0; n < 8; n++) {
			word[n] = word_at(8 * (size_t)n);
			if (rows[i].word == 4) {
				word[n] = 0xf0e1d200 | n;
				put32(at + 4 * (size_t)n, (uint32_t)word[n]);
			}
		}
		CU_ASSERT_EQUAL_FATAL(precis_ds_parse(rows[i].layout, at, 512, &ds), 0);
		CU_ASSERT_EQUAL(ds.layout, rows[i].layout);
		CU_ASSERT_EQUAL(ds.bts.base, word[0]);
		CU_ASSERT_EQUAL(ds.bts.index, word[1]);
		CU_ASSERT_EQUAL(ds.bts.maximum, word[2]);
		CU_ASSERT_EQUAL(ds.bts.threshold, word[3]);
		CU_ASSERT_EQUAL(ds.pebs.base, word[4]);
		CU_ASSERT_EQUAL(ds.pebs.index, word[5]);
		CU_ASSERT_EQUAL(ds.pebs.maximum, word[6]);
		CU_ASSERT_EQUAL(ds.pebs.threshold, word[7]);
		CU_ASSERT_EQUAL(ds.gp_captured, mask_of(rows[i].gp));
		CU_ASSERT_EQUAL(ds.fixed_captured, mask_of(rows[i].fixed));
		for (uint32_t n = 0; n < rows[i].gp; n++)
			CU_ASSERT_EQUAL(ds.gp_reset[n], word_at(rows[i].gp_offset + 8 * n));
		for (uint32_t n = 0; n < rows[i].fixed; n++)
			CU_ASSERT_EQUAL(ds.fixed_reset[n], word_at(rows[i].fixed_offset + 8 * n));
		memset(again, 0xee, sizeof(again));
		CU_ASSERT_EQUAL(precis_ds_encode(&ds, again, rows[i].bytes), (int)rows[i].bytes);
		CU_ASSERT_EQUAL(memcmp(again, at, rows[i].bytes), 0);
		CU_ASSERT_EQUAL(again[rows[i].bytes], 0xee);
		CU_ASSERT_EQUAL(precis_ds_encode(&ds, again, rows[i].bytes - 1),
				PRECIS_E_NO_SPACE);
	}
}

/* A shorter area has fewer reset values, and none without the addresses. */
static void short_areas(void)
{
	struct precis_ds ds = { .size = sizeof(ds) };
	uint8_t bytes[512];

	fill(bytes, sizeof(bytes));
	for (size_t i = 0; i < COUNT(rows); i++) {
		for (size_t count = 0; count <= rows[i].bytes; count++) {
			int rc = precis_ds_parse(rows[i].layout, guarded(bytes, count), count, &ds);
			size_t gp, all;

			if (count < 8 * (size_t)rows[i].word) {
				CU_ASSERT_EQUAL(rc, PRECIS_E_TRUNCATED);
				CU_ASSERT_EQUAL(ds.gp_captured | ds.fixed_captured, 0);
				continue;
			}
			all = (count - 8 * (size_t)rows[i].word) / 8;
			gp = all < rows[i].gp ? all : rows[i].gp;
			CU_ASSERT_EQUAL(rc, 0);
			CU_ASSERT_EQUAL(ds.gp_captured, mask_of((uint32_t)gp));
			CU_ASSERT_EQUAL(ds.fixed_captured, mask_of((uint32_t)(all - gp)));
		}
	}
	CU_ASSERT_EQUAL(precis_ds_parse(5, bytes, 512, &ds), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ds_parse(0, NULL, 512, &ds), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ds_parse(0, NULL, 0, &ds), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(precis_ds_parse(0, bytes, 512, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ds_encode(NULL, bytes, 512), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ds_encode(&ds, NULL, 512), PRECIS_E_ARGUMENT);
	ds.layout = PRECIS_DS_32;
	ds.pebs.index = UINT64_C(1) << 32;
	CU_ASSERT_EQUAL(precis_ds_encode(&ds, bytes, 512), PRECIS_E_ARGUMENT);
	ds.layout = 5;
	CU_ASSERT_EQUAL(precis_ds_encode(&ds, bytes, 512), PRECIS_E_ARGUMENT);
	ds.size = 4;
	CU_ASSERT_EQUAL(precis_ds_parse(0, bytes, 512, &ds), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ds_encode(&ds, bytes, 512), PRECIS_E_ARGUMENT);
}

static void layouts_of(void)
{
	static const int expected[] = { 1, 2, 2, 2, 3, 4, 4 };

	for (uint32_t format = 0; format < COUNT(expected); format++)
		CU_ASSERT_EQUAL(precis_ds_layout_of(format), expected[format]);
	CU_ASSERT_EQUAL(precis_ds_layout_of(PRECIS_PEBS_FORMAT_NETBURST_32), PRECIS_DS_32);
	CU_ASSERT_EQUAL(precis_ds_layout_of(PRECIS_PEBS_FORMAT_NETBURST_64), PRECIS_DS_64);
	CU_ASSERT_EQUAL(precis_ds_layout_of(PRECIS_PEBS_FORMAT_ARCH), PRECIS_E_UNSUPPORTED);
	CU_ASSERT_EQUAL(precis_ds_layout_of(7), PRECIS_E_ARGUMENT);
}

#define BASE UINT64_C(0xfffffe0000010000)

/* Buffers of 4000 bytes for records of 200. */
static const struct {
	struct precis_ds_buffer buffer;
	enum precis_ds_fault fault;
	int rc;
	uint64_t records;
	int last; /* what the walk ends with */
} faults[] = {
	{ { BASE, BASE + 600, BASE + 4000, BASE + 3800 }, PRECIS_DS_SOUND, 0, 3, 0 },
	{ { BASE, BASE, BASE + 4000, BASE + 3800 }, PRECIS_DS_SOUND, 0, 0, 0 },
	{ { BASE, BASE + 4000, BASE + 4000, BASE + 4000 }, PRECIS_DS_SOUND, 0, 20, 0 },
	{ { BASE, BASE + 600, BASE + 4000, BASE }, PRECIS_DS_SOUND, 0, 3, 0 },
	{ { 0, 0, 0, 0 }, PRECIS_DS_NO_BUFFER, 0, 0, 0 },
	{ { BASE, BASE, BASE - 8, BASE }, PRECIS_DS_MAXIMUM_BELOW_BASE, PRECIS_E_BAD_SIZE, 0, 0 },
	{ { BASE, BASE - 200, BASE + 4000, BASE }, PRECIS_DS_INDEX_BELOW_BASE, PRECIS_E_BAD_SIZE,
	  0, 0 },
	{ { BASE, BASE + 4200, BASE + 4000, BASE }, PRECIS_DS_INDEX_BEYOND_MAXIMUM,
	  PRECIS_E_BAD_SIZE, 0, 0 },
	{ { BASE, BASE + 4001, BASE + 4000, BASE }, PRECIS_DS_INDEX_BEYOND_MAXIMUM,
	  PRECIS_E_BAD_SIZE, 0, 0 },
	{ { BASE + 4, BASE + 604, BASE + 4000, BASE + 8 }, PRECIS_DS_MISALIGNED,
	  PRECIS_E_BAD_SIZE, 0, 0 },
	{ { BASE, BASE + 601, BASE + 4000, BASE }, PRECIS_DS_MISALIGNED, PRECIS_E_BAD_SIZE, 0, 0 },
	{ { BASE + 4000, BASE + 4800, BASE + 8000, BASE + 4000 }, PRECIS_DS_NOT_IN_MEMORY,
	  PRECIS_E_TRUNCATED, 0, 0 },
	{ { BASE + 3400, BASE + 4200, BASE + 8000, BASE + 8000 }, PRECIS_DS_NOT_IN_MEMORY,
	  PRECIS_E_TRUNCATED, 0, 0 },
	{ { BASE - 200, BASE + 600, BASE + 4000, BASE }, PRECIS_DS_NOT_IN_MEMORY,
	  PRECIS_E_TRUNCATED, 0, 0 },
	{ { BASE, BASE + 608, BASE + 4000, BASE + 3800 }, PRECIS_DS_PARTIAL_RECORD, 0, 3,
	  PRECIS_E_TRUNCATED },
	{ { BASE, BASE + 600, BASE + 4000, BASE - 8 }, PRECIS_DS_THRESHOLD_OUTSIDE, 0, 3, 0 },
	{ { BASE, BASE + 600, BASE + 4000, BASE + 4008 }, PRECIS_DS_THRESHOLD_OUTSIDE, 0, 3, 0 },
	{ { BASE + 200, BASE + 600, BASE + 4000, BASE + 400 }, PRECIS_DS_SOUND, 0, 2, 0 },
};

static void pebs_buffers(void)
{
	static uint8_t memory[4000];

	fill(memory, sizeof(memory));
	for (size_t i = 0; i < COUNT(faults); i++) {
		struct precis_ds ds = { .size = sizeof(ds), .layout = PRECIS_DS_64_4 };
		struct precis_pebs pebs = { .size = sizeof(pebs) };
		struct precis_pebs_buffer buffer;
		uint64_t records = 0, from = faults[i].buffer.base - BASE;
		uint32_t fault = 99;
		int rc;

		ds.pebs = faults[i].buffer;
		CU_ASSERT_EQUAL(precis_ds_pebs(&ds, 3, memory, sizeof(memory), BASE, &buffer, NULL),
				faults[i].rc);
		rc = precis_ds_pebs(&ds, 3, memory, sizeof(memory), BASE, &buffer, &fault);
		if (fault != faults[i].fault)
			printf("# row %zu: %s\n", i, precis_ds_fault_text(fault));
		CU_ASSERT_EQUAL(rc, faults[i].rc);
		CU_ASSERT_EQUAL(fault, faults[i].fault);
		if (rc < 0)
			continue;
		for (; (rc = precis_pebs_buffer_next(&buffer, &pebs, NULL)) > 0; records++)
			CU_ASSERT_EQUAL(pebs.gpr[PRECIS_PEBS_FLAGS],
					word_at(from + 200 * records));
		CU_ASSERT_EQUAL(records, faults[i].records);
		CU_ASSERT_EQUAL(rc, faults[i].last);
	}
}

static void pebs_arguments(void)
{
	struct precis_ds ds = { .size = sizeof(ds), .layout = PRECIS_DS_64 };
	struct precis_pebs_buffer buffer;
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	uint8_t memory[8] = { 0 };
	uint32_t fault;

	/* an empty buffer needs no memory */
	ds.pebs.base = ds.pebs.index = ds.pebs.threshold = BASE;
	ds.pebs.maximum = BASE + 4000;
	CU_ASSERT_EQUAL(precis_ds_pebs(&ds, 0, NULL, 0, 0, &buffer, &fault), 0);
	CU_ASSERT_EQUAL(fault, PRECIS_DS_SOUND);
	CU_ASSERT_EQUAL(precis_pebs_buffer_next(&buffer, &pebs, NULL), 0);
	ds.pebs.index += 144;
	CU_ASSERT_EQUAL(precis_ds_pebs(&ds, 0, NULL, 0, 0, &buffer, &fault), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(precis_ds_pebs(&ds, 0, memory, 8, UINT64_MAX, &buffer, &fault),
			PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(precis_ds_pebs(&ds, 0, NULL, 8, 0, &buffer, &fault), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ds_pebs(NULL, 0, memory, 8, 0, &buffer, &fault),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ds_pebs(&ds, 0, memory, 8, 0, NULL, &fault), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ds_pebs(&ds, PRECIS_PEBS_FORMAT_NETBURST_32, memory, 8, 0, &buffer,
				       &fault), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(precis_ds_pebs(&ds, PRECIS_PEBS_FORMAT_ARCH, memory, 8, 0, &buffer, &fault),
			PRECIS_E_ARGUMENT);
	ds.layout = 9;
	CU_ASSERT_EQUAL(precis_ds_pebs(&ds, 0, memory, 8, 0, &buffer, &fault), PRECIS_E_ARGUMENT);
	for (uint32_t n = 0; n <= PRECIS_DS_THRESHOLD_OUTSIDE; n++) {
		CU_ASSERT_PTR_NOT_NULL_FATAL(precis_ds_fault_text(n));
		for (uint32_t m = 0; m < n; m++)
			CU_ASSERT_STRING_NOT_EQUAL(precis_ds_fault_text(n),
						   precis_ds_fault_text(m));
	}
	CU_ASSERT_PTR_NULL(precis_ds_fault_text(PRECIS_DS_THRESHOLD_OUTSIDE + 1));
}

static void branches_32(void)
{
	static const uint8_t bytes[] = {
		0x10, 0x00, 0x40, 0x00, /* from = 0x400010 */
		0x00, 0x10, 0x00, 0xc0, /* to = 0xc0001000 */
		0x10, 0x00, 0x00, 0x00, /* predicted */
		0x44, 0x33, 0x22, 0x11, /* from = 0x11223344 */
		0x88, 0x77, 0x66, 0x55, /* to = 0x55667788 */
		0x00, 0x00, 0x00, 0x80, /* bit 31 */
	};
	struct precis_bts_buffer buffer;
	struct precis_bts_branch branch;
	uint8_t again[12];

	CU_ASSERT_EQUAL(precis_bts_record_bytes(PRECIS_DS_32), 12);
	CU_ASSERT_EQUAL_FATAL(precis_bts_init(&buffer, PRECIS_DS_32, bytes, 24), 0);
	CU_ASSERT_EQUAL(precis_bts_next(&buffer, &branch), 1);
	CU_ASSERT_EQUAL(branch.from, 0x400010);
	CU_ASSERT_EQUAL(branch.to, 0xc0001000);
	CU_ASSERT_EQUAL(branch.flags, PRECIS_BTS_PREDICTED);
	CU_ASSERT_EQUAL(precis_bts_next(&buffer, &branch), 1);
	CU_ASSERT_EQUAL(buffer.offset, 12);
	CU_ASSERT_EQUAL(branch.from, 0x11223344);
	CU_ASSERT_EQUAL(branch.to, 0x55667788);
	CU_ASSERT_EQUAL(branch.flags, UINT64_C(1) << 31);
	CU_ASSERT_EQUAL(precis_bts_encode(&branch, PRECIS_DS_32, again, 12), 12);
	CU_ASSERT_EQUAL(memcmp(again, bytes + 12, 12), 0);
	CU_ASSERT_EQUAL(precis_bts_encode(&branch, PRECIS_DS_32, again, 11), PRECIS_E_NO_SPACE);
	CU_ASSERT_EQUAL(precis_bts_next(&buffer, &branch), 0);
	CU_ASSERT_EQUAL(buffer.branches, 2);
	for (size_t count = 13; count < 24; count++) {
		CU_ASSERT_EQUAL_FATAL(
			precis_bts_init(&buffer, PRECIS_DS_32, guarded(bytes, count), count), 0);
		CU_ASSERT_EQUAL(precis_bts_next(&buffer, &branch), 1);
		CU_ASSERT_EQUAL(precis_bts_next(&buffer, &branch), PRECIS_E_TRUNCATED);
		CU_ASSERT_EQUAL(buffer.offset, 12);
		CU_ASSERT_EQUAL(precis_bts_next(&buffer, &branch), 0);
	}
	branch.to = UINT64_C(1) << 32;
	CU_ASSERT_EQUAL(precis_bts_encode(&branch, PRECIS_DS_32, again, 12), PRECIS_E_ARGUMENT);
}

static void branches_64(void)
{
	struct precis_ds ds = { .size = sizeof(ds), .layout = PRECIS_DS_64_32 };
	struct precis_bts_buffer buffer;
	struct precis_bts_branch branch;
	uint8_t memory[256], again[24];
	uint32_t fault;

	fill(memory, sizeof(memory));
	ds.bts.base = BASE + 8;
	ds.bts.index = BASE + 8 + 72;
	ds.bts.maximum = BASE + 8 + 240;
	ds.bts.threshold = BASE + 0x1000; /* circular */
	CU_ASSERT_EQUAL_FATAL(precis_ds_bts(&ds, memory, 256, BASE, &buffer, &fault), 0);
	CU_ASSERT_EQUAL(fault, PRECIS_DS_THRESHOLD_OUTSIDE);
	for (size_t n = 0; n < 3; n++) {
		CU_ASSERT_EQUAL(precis_bts_next(&buffer, &branch), 1);
		CU_ASSERT_EQUAL(buffer.offset, 24 * n);
		CU_ASSERT_EQUAL(branch.from, word_at(8 + 24 * n));
		CU_ASSERT_EQUAL(branch.to, word_at(16 + 24 * n));
		CU_ASSERT_EQUAL(branch.flags, word_at(24 + 24 * n));
		CU_ASSERT_EQUAL(precis_bts_encode(&branch, PRECIS_DS_64, again, 24), 24);
		CU_ASSERT_EQUAL(memcmp(again, memory + 8 + 24 * n, 24), 0);
	}
	CU_ASSERT_EQUAL(precis_bts_next(&buffer, &branch), 0);
	ds.bts.index = ds.bts.maximum + 24;
	CU_ASSERT_EQUAL(precis_ds_bts(&ds, memory, 256, BASE, &buffer, &fault), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(fault, PRECIS_DS_INDEX_BEYOND_MAXIMUM);
	ds.bts.index = BASE + 8 + 80;
	CU_ASSERT_EQUAL(precis_ds_bts(&ds, memory, 256, BASE, &buffer, &fault), 0);
	CU_ASSERT_EQUAL(fault, PRECIS_DS_PARTIAL_RECORD);
	CU_ASSERT_EQUAL(precis_ds_bts(NULL, memory, 256, BASE, &buffer, &fault),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ds_bts(&ds, memory, 256, BASE, NULL, &fault), PRECIS_E_ARGUMENT);
	ds.layout = 5;
	CU_ASSERT_EQUAL(precis_ds_bts(&ds, memory, 256, BASE, &buffer, &fault),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_bts_record_bytes(5), 0);
	CU_ASSERT_EQUAL(precis_bts_init(&buffer, 5, memory, 24), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_bts_init(&buffer, 1, NULL, 24), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_bts_init(NULL, 1, memory, 24), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_bts_next(NULL, &branch), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_bts_next(&buffer, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_bts_encode(NULL, 1, again, 24), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_bts_encode(&branch, 5, again, 24), PRECIS_E_ARGUMENT);
}

static const struct tap_case cases[] = {
	{ "management areas of every layout", areas },
	{ "areas that are cut short", short_areas },
	{ "layouts by format", layouts_of },
	{ "PEBS buffers, sound and not", pebs_buffers },
	{ "PEBS buffers: memory and arguments", pebs_arguments },
	{ "branches of 12 bytes", branches_32 },
	{ "branches of 24 bytes, by the area", branches_64 },
};

int main(void)
{
	return tap_main("ds", cases, COUNT(cases));
}
