/* SPDX-License-Identifier: BSD-3-Clause */
/* Record headers, layouts and trailers. */
#include <precis/error.h>
#include <precis/record.h>

#include "tests/support/build.h"
#include "tests/support/tap.h"

static struct build build;

static void header(void)
{
	struct precis_record record = { .offset = 77 };
	uint8_t unaligned[33];

	build_begin(&build, PRECIS_RECORD_MMAP, 2);
	build_u64(&build, 5);
	build_end(&build);
	memcpy(unaligned + 1, build.bytes, build.count);
	CU_ASSERT_EQUAL(precis_record_at(unaligned + 1, 16, &record), 0);
	CU_ASSERT_EQUAL(record.type, PRECIS_RECORD_MMAP);
	CU_ASSERT_EQUAL(record.misc, 2);
	CU_ASSERT_EQUAL(record.size, 16);
	CU_ASSERT_PTR_EQUAL(record.data, unaligned + 1);
	CU_ASSERT_EQUAL(record.offset, 77);
	for (size_t avail = 0; avail < 16; avail++)
		CU_ASSERT_EQUAL(precis_record_at(build.bytes, avail, &record), PRECIS_E_TRUNCATED);
	for (uint8_t size = 0; size < 8; size++) {
		build.bytes[6] = size;
		CU_ASSERT_EQUAL(precis_record_at(build.bytes, 16, &record), PRECIS_E_BAD_SIZE);
	}
	build.bytes[6] = 8;
	CU_ASSERT_EQUAL(precis_record_at(build.bytes, 8, &record), 0);
	CU_ASSERT_EQUAL(precis_record_at(NULL, 8, &record), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_record_at(build.bytes, 8, NULL), PRECIS_E_ARGUMENT);
}

static void names(void)
{
	for (uint32_t type = 0; type < 100; type++) {
		int known = (type >= 1 && type <= 22) || (type >= 64 && type <= 86);

		CU_ASSERT_EQUAL(precis_record_name(type) != NULL, known);
	}
	CU_ASSERT_STRING_EQUAL(precis_record_name(PRECIS_RECORD_SAMPLE), "SAMPLE");
	CU_ASSERT_STRING_EQUAL(precis_record_name(PRECIS_RECORD_SCHEDSTAT_DOMAIN),
			       "SCHEDSTAT_DOMAIN");
	CU_ASSERT_PTR_NULL(precis_record_name(UINT32_MAX));
}

/* All sizes that perf_event_attr ever had, and some that it has not yet */
static void layout_sizes(void)
{
	uint8_t attr[256];

	memset(attr, 0xff, sizeof(attr));
	build_put_u64(attr, BUILD_ATTR_SAMPLE_TYPE, PRECIS_SAMPLE_IP);
	for (size_t bytes = 0; bytes <= sizeof(attr); bytes += 8) {
		struct precis_layout layout = { .size = sizeof(layout) };
		int error = precis_layout_init(attr, bytes, &layout);

		CU_ASSERT_EQUAL(error, bytes < 64 ? PRECIS_E_BAD_SIZE : 0);
		if (error)
			continue;
		CU_ASSERT_EQUAL(layout.sample_type, PRECIS_SAMPLE_IP);
		CU_ASSERT_EQUAL(layout.read_format, UINT64_MAX);
		CU_ASSERT_EQUAL(layout.branch_sample_type, bytes >= 80 ? UINT64_MAX : 0);
		CU_ASSERT_EQUAL(layout.regs_user, bytes >= 88 ? UINT64_MAX : 0);
		CU_ASSERT_EQUAL(layout.regs_intr, bytes >= 104 ? UINT64_MAX : 0);
		CU_ASSERT_EQUAL(layout.unknown_bits, 0);
	}
}

static void layout_arguments(void)
{
	struct precis_layout layout = { .size = sizeof(layout) };
	uint8_t attr[BUILD_ATTR_BYTES];

	build_attr(attr, 4, UINT64_C(1) << 25, 0);
	CU_ASSERT_EQUAL(precis_layout_init(attr, sizeof(attr), &layout), 0);
	CU_ASSERT_EQUAL(layout.unknown_bits, 1);
	CU_ASSERT_EQUAL(precis_layout_init(NULL, 64, &layout), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_layout_init(attr, 64, NULL), PRECIS_E_ARGUMENT);
	layout.size = 4;
	CU_ASSERT_EQUAL(precis_layout_init(attr, 64, &layout), PRECIS_E_ARGUMENT);
}

static void layout_ids(void)
{
	static const struct {
		uint64_t type, flags;
		uint32_t id_offset, id_from_end, trailer;
	} rows[] = {
		{ PRECIS_SAMPLE_IP, BUILD_ATTR_SAMPLE_ID_ALL, 0, 0, 0 },
		{ PRECIS_SAMPLE_ID, 0, 8, 0, 0 },
		{ PRECIS_SAMPLE_ID, BUILD_ATTR_SAMPLE_ID_ALL, 8, 8, 8 },
		{ PRECIS_SAMPLE_IDENTIFIER, BUILD_ATTR_SAMPLE_ID_ALL, 8, 8, 8 },
		{ PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_ADDR |
			  PRECIS_SAMPLE_ID | PRECIS_SAMPLE_STREAM_ID | PRECIS_SAMPLE_CPU |
			  PRECIS_SAMPLE_PERIOD,
		  BUILD_ATTR_SAMPLE_ID_ALL, 40, 24, 40 },
		{ PRECIS_SAMPLE_IP | PRECIS_SAMPLE_ID | PRECIS_SAMPLE_CPU |
			  PRECIS_SAMPLE_IDENTIFIER,
		  BUILD_ATTR_SAMPLE_ID_ALL, 8, 8, 24 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct precis_layout layout = { .size = sizeof(layout) };
		uint8_t attr[BUILD_ATTR_BYTES];

		build_attr(attr, 4, rows[i].type, rows[i].flags);
		CU_ASSERT_EQUAL(precis_layout_init(attr, sizeof(attr), &layout), 0);
		CU_ASSERT_EQUAL(layout.id_offset, rows[i].id_offset);
		CU_ASSERT_EQUAL(layout.id_from_end, rows[i].id_from_end);
		CU_ASSERT_EQUAL(layout.trailer_bytes, rows[i].trailer);
		CU_ASSERT_EQUAL(layout.sample_id_all, rows[i].flags != 0);
	}
}

static struct precis_layout layout_of(uint64_t sample_type, uint64_t flags)
{
	struct precis_layout layout = { .size = sizeof(layout) };
	uint8_t attr[BUILD_ATTR_BYTES];

	build_attr(attr, 4, sample_type, flags);
	CU_ASSERT_EQUAL_FATAL(precis_layout_init(attr, sizeof(attr), &layout), 0);
	return layout;
}

/* Every combination of the trailer's parts */
static void sample_id(void)
{
	static const uint32_t parts[] = { PRECIS_SAMPLE_TID, PRECIS_SAMPLE_TIME,
					  PRECIS_SAMPLE_ID,  PRECIS_SAMPLE_STREAM_ID,
					  PRECIS_SAMPLE_CPU, PRECIS_SAMPLE_IDENTIFIER };

	for (uint32_t choice = 0; choice < 64; choice++) {
		struct precis_sample_id id = { .size = sizeof(id) };
		struct precis_record record;
		struct precis_layout layout;
		uint32_t type = 0;

		build_begin(&build, PRECIS_RECORD_COMM, 0);
		build_u64(&build, 0x5555); /* a body */
		for (uint32_t i = 0; i < 6; i++) {
			if (!(choice >> i & 1))
				continue;
			type |= parts[i];
			build_u32(&build, 10 + i);
			build_u32(&build, 20 + i);
		}
		build_end(&build);
		layout = layout_of(type | PRECIS_SAMPLE_IP, BUILD_ATTR_SAMPLE_ID_ALL);
		record = build_record(&build);
		CU_ASSERT_EQUAL(precis_sample_id_parse(&layout, &record, &id), 0);
		CU_ASSERT_EQUAL(id.present, type);
		if (type & PRECIS_SAMPLE_TID) {
			CU_ASSERT_EQUAL(id.pid, 10);
			CU_ASSERT_EQUAL(id.tid, 20);
		}
		if (type & PRECIS_SAMPLE_TIME) {
			CU_ASSERT_EQUAL(id.time, 11 | UINT64_C(21) << 32);
		}
		if (type & PRECIS_SAMPLE_IDENTIFIER) {
			CU_ASSERT_EQUAL(id.id, 15 | UINT64_C(25) << 32);
		} else if (type & PRECIS_SAMPLE_ID) {
			CU_ASSERT_EQUAL(id.id, 12 | UINT64_C(22) << 32);
		}
		if (type & PRECIS_SAMPLE_STREAM_ID) {
			CU_ASSERT_EQUAL(id.stream_id, 13 | UINT64_C(23) << 32);
		}
		if (type & PRECIS_SAMPLE_CPU) {
			CU_ASSERT_EQUAL(id.cpu, 14);
			CU_ASSERT_EQUAL(id.reserved, 24);
		}
	}
}

static void sample_id_limits(void)
{
	struct precis_layout layout = layout_of(PRECIS_SAMPLE_TIME, BUILD_ATTR_SAMPLE_ID_ALL);
	struct precis_layout without = layout_of(PRECIS_SAMPLE_TIME, 0);
	struct precis_sample_id id = { .size = sizeof(id), .present = 1 };
	struct precis_record record;

	build_begin(&build, PRECIS_RECORD_SWITCH, 0);
	build_end(&build);
	record = build_record(&build);
	CU_ASSERT_EQUAL(precis_sample_id_parse(&layout, &record, &id), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(id.present, 0);
	CU_ASSERT_EQUAL(precis_sample_id_parse(&without, &record, &id), 0);
	record.type = PRECIS_RECORD_FINISHED_ROUND;
	CU_ASSERT_EQUAL(precis_sample_id_parse(&layout, &record, &id), 0);
	CU_ASSERT_EQUAL(id.present, 0);
	record.type = PRECIS_RECORD_SAMPLE;
	CU_ASSERT_EQUAL(precis_sample_id_parse(&layout, &record, &id), PRECIS_E_ARGUMENT);
	record.type = PRECIS_RECORD_SWITCH;
	id.size = 4;
	CU_ASSERT_EQUAL(precis_sample_id_parse(&layout, &record, &id), PRECIS_E_ARGUMENT);
}

static void words_of_a_view(void)
{
	uint8_t bytes[1 + 16] = { 0 };
	struct precis_bytes view = { bytes + 1, 16 };
	uint64_t value = 0;

	bytes[1 + 8] = 7;
	CU_ASSERT_EQUAL(precis_bytes_u64(view, 1, &value), 0);
	CU_ASSERT_EQUAL(value, 7);
	CU_ASSERT_EQUAL(precis_bytes_u64(view, 2, &value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_bytes_u64(view, UINT64_MAX, &value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_bytes_u64(view, 0, NULL), PRECIS_E_ARGUMENT);
	view.bytes = 15;
	CU_ASSERT_EQUAL(precis_bytes_u64(view, 1, &value), PRECIS_E_ARGUMENT);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "record header", header },
		{ "record names", names },
		{ "layout of attrs of every size", layout_sizes },
		{ "layout refuses bad arguments", layout_arguments },
		{ "where ids stand", layout_ids },
		{ "sample_id: every combination", sample_id },
		{ "sample_id: limits", sample_id_limits },
		{ "words of a view", words_of_a_view },
	};

	return tap_main("record", cases, sizeof(cases) / sizeof(cases[0]));
}
