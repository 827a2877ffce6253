/* SPDX-License-Identifier: BSD-3-Clause */
/* Record headers, layouts, trailers and the records of tasks. */
#include <precis/error.h>
#include <precis/kernel_records.h>
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
	layout.size--;
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
	id.size--;
	CU_ASSERT_EQUAL(precis_sample_id_parse(&layout, &record, &id), PRECIS_E_ARGUMENT);
}

static void build_mmap(uint32_t type, uint16_t misc, uint8_t build_id_bytes)
{
	build_begin(&build, type, misc);
	build_u32(&build, 11);
	build_u32(&build, 12);
	build_u64(&build, 0x400000);
	build_u64(&build, 0x1000);
	build_u64(&build, 0x2000);
	if (type == PRECIS_RECORD_MMAP2) {
		build_u32(&build, build_id_bytes);
		for (uint32_t i = 0; i < 5; i++)
			build_u32(&build, 0x01010101 * i);
		build_u32(&build, 5);
		build_u32(&build, 2);
	}
	build_bytes(&build, "/bin/x", 7);
	build_end(&build);
}

static void mmap_records(void)
{
	static const uint32_t types[] = { PRECIS_RECORD_MMAP, PRECIS_RECORD_MMAP2 };

	for (size_t i = 0; i < 2; i++) {
		struct precis_mmap map = { .size = sizeof(map) };
		struct precis_record record;

		build_mmap(types[i], PRECIS_MISC_MMAP_DATA, 0);
		record = build_record(&build);
		CU_ASSERT_EQUAL(precis_mmap_parse(&record, &map), 0);
		CU_ASSERT_EQUAL(map.pid, 11);
		CU_ASSERT_EQUAL(map.tid, 12);
		CU_ASSERT_EQUAL(map.addr, 0x400000);
		CU_ASSERT_EQUAL(map.length, 0x1000);
		CU_ASSERT_EQUAL(map.page_offset, 0x2000);
		CU_ASSERT_EQUAL(map.protection, i ? 5 : 0);
		CU_ASSERT_EQUAL(map.flags, i ? 2 : 0);
		CU_ASSERT_EQUAL(map.build_id_bytes, 0);
		CU_ASSERT_PTR_NULL(map.build_id);
		CU_ASSERT_STRING_EQUAL(map.filename, "/bin/x");
		for (record.size = 8; record.size < build.count; record.size++)
			CU_ASSERT_EQUAL(precis_mmap_parse(&record, &map), PRECIS_E_TRUNCATED);
	}
}

static void mmap_build_id(void)
{
	struct precis_mmap map = { .size = sizeof(map) };
	struct precis_record record;

	build_mmap(PRECIS_RECORD_MMAP2, PRECIS_MISC_MMAP_BUILD_ID, 20);
	record = build_record(&build);
	CU_ASSERT_EQUAL(precis_mmap_parse(&record, &map), 0);
	CU_ASSERT_EQUAL_FATAL(map.build_id_bytes, 20);
	CU_ASSERT_EQUAL(map.build_id[0], 0);
	CU_ASSERT_EQUAL(map.build_id[19], 4);
	build_mmap(PRECIS_RECORD_MMAP2, PRECIS_MISC_MMAP_BUILD_ID, 21);
	record = build_record(&build);
	CU_ASSERT_EQUAL(precis_mmap_parse(&record, &map), PRECIS_E_BAD_SIZE);
	record.type = PRECIS_RECORD_COMM;
	CU_ASSERT_EQUAL(precis_mmap_parse(&record, &map), PRECIS_E_ARGUMENT);
}

static void comm_records(void)
{
	struct precis_comm comm = { .size = sizeof(comm) };
	struct precis_record record;

	build_begin(&build, PRECIS_RECORD_COMM, PRECIS_MISC_COMM_EXEC);
	build_u32(&build, 3);
	build_u32(&build, 4);
	build_bytes(&build, "busy\0\0\0", 8);
	build_end(&build);
	record = build_record(&build);
	CU_ASSERT_EQUAL(precis_comm_parse(&record, &comm), 0);
	CU_ASSERT_EQUAL(comm.pid, 3);
	CU_ASSERT_EQUAL(comm.tid, 4);
	CU_ASSERT_STRING_EQUAL(comm.name, "busy");
	for (record.size = 8; record.size < 21; record.size++)
		CU_ASSERT_EQUAL(precis_comm_parse(&record, &comm), PRECIS_E_TRUNCATED);
	record.type = PRECIS_RECORD_MMAP;
	CU_ASSERT_EQUAL(precis_comm_parse(&record, &comm), PRECIS_E_ARGUMENT);
}

static void task_records(void)
{
	static const uint32_t types[] = { PRECIS_RECORD_FORK, PRECIS_RECORD_EXIT };

	for (size_t i = 0; i < 2; i++) {
		struct precis_task task = { .size = sizeof(task) };
		struct precis_record record;

		build_begin(&build, types[i], 0);
		for (uint32_t n = 1; n <= 4; n++)
			build_u32(&build, n);
		build_u64(&build, 5);
		build_end(&build);
		record = build_record(&build);
		CU_ASSERT_EQUAL(precis_task_parse(&record, &task), 0);
		CU_ASSERT_EQUAL(task.pid, 1);
		CU_ASSERT_EQUAL(task.parent_pid, 2);
		CU_ASSERT_EQUAL(task.tid, 3);
		CU_ASSERT_EQUAL(task.parent_tid, 4);
		CU_ASSERT_EQUAL(task.time, 5);
		for (record.size = 8; record.size < build.count; record.size++)
			CU_ASSERT_EQUAL(precis_task_parse(&record, &task), PRECIS_E_TRUNCATED);
		task.size--;
		CU_ASSERT_EQUAL(precis_task_parse(&record, &task), PRECIS_E_ARGUMENT);
	}
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
		{ "MMAP and MMAP2", mmap_records },
		{ "MMAP2 with a build id", mmap_build_id },
		{ "COMM", comm_records },
		{ "FORK and EXIT", task_records },
	};

	return tap_main("record", cases, sizeof(cases) / sizeof(cases[0]));
}
