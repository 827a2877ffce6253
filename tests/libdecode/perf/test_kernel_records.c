/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of the kernel's records: what is put in comes out, and nothing behind the end. */
#include <precis/kernel_records.h>

#include "tests/support/records.h"

#define NOTHING ((void)0)

static void build_pair(struct build *build, uint32_t first, uint32_t second)
{
	build_u32(build, first);
	build_u32(build, second);
}

static void build_words(struct build *build, uint64_t first, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++)
		build_u64(build, first + n);
}

static void build_mapping(struct build *build)
{
	build_pair(build, 11, 12);
	build_words(build, 0x400000, 3);
}

static void build_mmap(struct build *build)
{
	build_mapping(build);
	build_bytes(build, "/bin/x\0", 8);
}

static void build_mmap2(struct build *build)
{
	build_mapping(build);
	build_pair(build, 8, 1);
	build_words(build, 77, 2);
	build_pair(build, 5, 2);
	build_bytes(build, "/bin/y\0", 8);
}

static void build_mmap2_build_id(struct build *build)
{
	build_mapping(build);
	build_u32(build, 20);
	build_bytes(build, "abcdefghijklmnopqrst", 20);
	build_pair(build, 5, 2);
	build_bytes(build, "/bin/z\0", 8);
}

static void check_mapping(const struct precis_mmap *map)
{
	CU_ASSERT_EQUAL(map->pid, 11);
	CU_ASSERT_EQUAL(map->tid, 12);
	CU_ASSERT_EQUAL(map->addr, 0x400000);
	CU_ASSERT_EQUAL(map->length, 0x400001);
	CU_ASSERT_EQUAL(map->page_offset, 0x400002);
}

RECORD_PARSER(parse_mmap, struct precis_mmap, precis_mmap_parse, record_touch_text(parsed.filename),
	      check_mapping(&parsed);
	      CU_ASSERT_EQUAL(parsed.present, 0); CU_ASSERT_EQUAL(parsed.protection, 0);
	      CU_ASSERT_EQUAL(parsed.flags, 0); CU_ASSERT_PTR_NULL(parsed.build_id);
	      CU_ASSERT_EQUAL(parsed.build_id_bytes, 0);
	      CU_ASSERT_STRING_EQUAL(parsed.filename, "/bin/x"))

RECORD_PARSER(parse_mmap2, struct precis_mmap, precis_mmap_parse,
	      record_touch_text(parsed.filename), check_mapping(&parsed);
	      CU_ASSERT_EQUAL(parsed.present, PRECIS_MMAP_PROTECTION | PRECIS_MMAP_INODE);
	      CU_ASSERT_EQUAL(parsed.device_major, 8); CU_ASSERT_EQUAL(parsed.device_minor, 1);
	      CU_ASSERT_EQUAL(parsed.inode, 77); CU_ASSERT_EQUAL(parsed.inode_generation, 78);
	      CU_ASSERT_EQUAL(parsed.protection, 5); CU_ASSERT_EQUAL(parsed.flags, 2);
	      CU_ASSERT_PTR_NULL(parsed.build_id); CU_ASSERT_EQUAL(parsed.build_id_bytes, 0);
	      CU_ASSERT_STRING_EQUAL(parsed.filename, "/bin/y"))

RECORD_PARSER(parse_mmap2_build_id, struct precis_mmap, precis_mmap_parse,
	      record_touch_text(parsed.filename), check_mapping(&parsed);
	      CU_ASSERT_EQUAL(parsed.present, PRECIS_MMAP_PROTECTION | PRECIS_MMAP_BUILD_ID);
	      CU_ASSERT_EQUAL_FATAL(parsed.build_id_bytes, 20);
	      CU_ASSERT_EQUAL(memcmp(parsed.build_id, "abcdefghijklmnopqrst", 20), 0);
	      CU_ASSERT_EQUAL(parsed.protection, 5); CU_ASSERT_EQUAL(parsed.flags, 2);
	      CU_ASSERT_STRING_EQUAL(parsed.filename, "/bin/z"))

static void build_comm(struct build *build)
{
	build_pair(build, 3, 4);
	build_bytes(build, "busy\0\0\0", 8);
}

RECORD_PARSER(parse_comm, struct precis_comm, precis_comm_parse, record_touch_text(parsed.name),
	      CU_ASSERT_EQUAL(parsed.pid, 3);
	      CU_ASSERT_EQUAL(parsed.tid, 4); CU_ASSERT_STRING_EQUAL(parsed.name, "busy"))

static void build_task(struct build *build)
{
	build_pair(build, 1, 2);
	build_pair(build, 3, 4);
	build_u64(build, 5);
}

RECORD_PARSER(parse_task, struct precis_task, precis_task_parse, NOTHING,
	      CU_ASSERT_EQUAL(parsed.pid, 1);
	      CU_ASSERT_EQUAL(parsed.parent_pid, 2); CU_ASSERT_EQUAL(parsed.tid, 3);
	      CU_ASSERT_EQUAL(parsed.parent_tid, 4); CU_ASSERT_EQUAL(parsed.time, 5))

static void build_one(struct build *build)
{
	build_words(build, 21, 1);
}

static void build_two(struct build *build)
{
	build_words(build, 21, 2);
}

static void build_three(struct build *build)
{
	build_words(build, 21, 3);
}

RECORD_PARSER(parse_lost, struct precis_lost, precis_lost_parse, NOTHING,
	      CU_ASSERT_EQUAL(parsed.id, 21);
	      CU_ASSERT_EQUAL(parsed.lost, 22))

RECORD_PARSER(parse_lost_samples, struct precis_lost_samples, precis_lost_samples_parse, NOTHING,
	      CU_ASSERT_EQUAL(parsed.lost, 21))

RECORD_PARSER(parse_throttle, struct precis_throttle, precis_throttle_parse, NOTHING,
	      CU_ASSERT_EQUAL(parsed.time, 21);
	      CU_ASSERT_EQUAL(parsed.id, 22); CU_ASSERT_EQUAL(parsed.stream_id, 23))

RECORD_PARSER(parse_aux, struct precis_aux, precis_aux_parse, NOTHING,
	      CU_ASSERT_EQUAL(parsed.aux_offset, 21);
	      CU_ASSERT_EQUAL(parsed.aux_size, 22); CU_ASSERT_EQUAL(parsed.flags, 23))

RECORD_PARSER(parse_aux_output_hw_id, struct precis_aux_output_hw_id, precis_aux_output_hw_id_parse,
	      NOTHING, CU_ASSERT_EQUAL(parsed.hw_id, 21))

static void build_task_pair(struct build *build)
{
	build_pair(build, 31, 32);
}

RECORD_PARSER(parse_itrace_start, struct precis_itrace_start, precis_itrace_start_parse, NOTHING,
	      CU_ASSERT_EQUAL(parsed.pid, 31);
	      CU_ASSERT_EQUAL(parsed.tid, 32))

static void build_nothing(struct build *build)
{
	(void)build;
}

RECORD_PARSER(parse_switch, struct precis_switch, precis_switch_parse, NOTHING,
	      CU_ASSERT_EQUAL(parsed.is_out, 1);
	      CU_ASSERT_EQUAL(parsed.is_preempt, 0); CU_ASSERT_EQUAL(parsed.has_other, 0))

RECORD_PARSER(parse_switch_cpu_wide, struct precis_switch, precis_switch_parse, NOTHING,
	      CU_ASSERT_EQUAL(parsed.is_out, 0);
	      CU_ASSERT_EQUAL(parsed.is_preempt, 1); CU_ASSERT_EQUAL(parsed.has_other, 1);
	      CU_ASSERT_EQUAL(parsed.other_pid, 31); CU_ASSERT_EQUAL(parsed.other_tid, 32))

static void build_namespaces(struct build *build)
{
	build_pair(build, 31, 32);
	build_u64(build, 8);
	build_words(build, 100, 16);
}

static void check_namespaces(const struct precis_namespaces *namespaces)
{
	static const char *const names[] = { "net",  "uts", "ipc",    "pid",
					     "user", "mnt", "cgroup", NULL };
	struct precis_namespace entry = { .size = sizeof(entry) };

	CU_ASSERT_EQUAL(namespaces->pid, 31);
	CU_ASSERT_EQUAL(namespaces->tid, 32);
	CU_ASSERT_EQUAL(namespaces->count, 8);
	for (uint64_t n = 0; n < 8; n++) {
		CU_ASSERT_EQUAL_FATAL(precis_namespace(namespaces, n, &entry), 0);
		CU_ASSERT_EQUAL(entry.device, 100 + 2 * n);
		CU_ASSERT_EQUAL(entry.inode, 101 + 2 * n);
		if (names[n])
			CU_ASSERT_STRING_EQUAL(entry.name, names[n])
		else
			CU_ASSERT_PTR_NULL(entry.name)
	}
	CU_ASSERT_EQUAL(precis_namespace(namespaces, 8, &entry), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_namespace(namespaces, UINT64_MAX, &entry), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_namespace(NULL, 0, &entry), PRECIS_E_ARGUMENT);
	entry.size = 4;
	CU_ASSERT_EQUAL(precis_namespace(namespaces, 0, &entry), PRECIS_E_ARGUMENT);
}

RECORD_PARSER(parse_namespaces, struct precis_namespaces, precis_namespaces_parse,
	      record_touch(parsed.entries), check_namespaces(&parsed))

static void build_ksymbol(struct build *build)
{
	build_u64(build, 0xffffffff81000000);
	build_u32(build, 99);
	build_u16(build, PRECIS_KSYMBOL_OUT_OF_LINE);
	build_u16(build, PRECIS_KSYMBOL_UNREGISTER);
	build_bytes(build, "bpf_prog", 9);
}

RECORD_PARSER(parse_ksymbol, struct precis_ksymbol, precis_ksymbol_parse,
	      record_touch_text(parsed.name), CU_ASSERT_EQUAL(parsed.addr, 0xffffffff81000000);
	      CU_ASSERT_EQUAL(parsed.length, 99); CU_ASSERT_EQUAL(parsed.type, PRECIS_KSYMBOL_OUT_OF_LINE);
	      CU_ASSERT_EQUAL(parsed.flags, PRECIS_KSYMBOL_UNREGISTER);
	      CU_ASSERT_STRING_EQUAL(parsed.name, "bpf_prog"))

static void build_bpf_event(struct build *build)
{
	build_u16(build, PRECIS_BPF_EVENT_UNLOAD);
	build_u16(build, 7);
	build_u32(build, 42);
	build_bytes(build, "tagtagta", 8);
}

RECORD_PARSER(parse_bpf_event, struct precis_bpf_event, precis_bpf_event_parse,
	      record_touch((struct precis_bytes){ parsed.tag, PRECIS_BPF_TAG_BYTES }),
	      CU_ASSERT_EQUAL(parsed.type, PRECIS_BPF_EVENT_UNLOAD);
	      CU_ASSERT_EQUAL(parsed.flags, 7); CU_ASSERT_EQUAL(parsed.id, 42);
	      CU_ASSERT_EQUAL(memcmp(parsed.tag, "tagtagta", 8), 0))

static void build_cgroup(struct build *build)
{
	build_u64(build, 4321);
	build_bytes(build, "/a.slice", 9);
}

RECORD_PARSER(parse_cgroup, struct precis_cgroup, precis_cgroup_parse,
	      record_touch_text(parsed.path), CU_ASSERT_EQUAL(parsed.id, 4321);
	      CU_ASSERT_STRING_EQUAL(parsed.path, "/a.slice"))

static void build_text_poke(struct build *build)
{
	build_u64(build, 0xffffffff81000010);
	build_u16(build, 2);
	build_u16(build, 5);
	build_bytes(build, "\x66\x90\xe8wxyz", 7);
}

static void touch_text_poke(const struct precis_text_poke *poke)
{
	record_touch(poke->old_code);
	record_touch(poke->new_code);
}

RECORD_PARSER(parse_text_poke, struct precis_text_poke, precis_text_poke_parse,
	      touch_text_poke(&parsed), CU_ASSERT_EQUAL(parsed.addr, 0xffffffff81000010);
	      CU_ASSERT_EQUAL(parsed.old_code.bytes, 2); CU_ASSERT_EQUAL(parsed.new_code.bytes, 5);
	      CU_ASSERT_EQUAL(parsed.old_code.data[0], 0x66);
	      CU_ASSERT_EQUAL(parsed.new_code.data[0], 0xe8))

static void build_deferred(struct build *build)
{
	build_u64(build, 0xc001e);
	build_u64(build, 3);
	build_words(build, 0x1000, 3);
}

static void check_deferred(const struct precis_callchain_deferred *deferred)
{
	struct precis_callchain_entry entry = { .size = sizeof(entry) };

	CU_ASSERT_EQUAL(deferred->cookie, 0xc001e);
	CU_ASSERT_EQUAL(deferred->count, 3);
	CU_ASSERT_EQUAL_FATAL(precis_callchain_entry(deferred->callchain, 2, &entry), 0);
	CU_ASSERT_EQUAL(entry.kind, PRECIS_CALLCHAIN_ADDRESS);
	CU_ASSERT_EQUAL(entry.value, 0x1002);
	CU_ASSERT_EQUAL(precis_callchain_entry(deferred->callchain, 3, &entry), PRECIS_E_ARGUMENT);
}

RECORD_PARSER(parse_deferred, struct precis_callchain_deferred, precis_callchain_deferred_parse,
	      record_touch(parsed.callchain), check_deferred(&parsed))

/* A group of two, with everything, and a sample_id of one word behind it */
static void build_read(struct build *build)
{
	build_pair(build, 31, 32);
	build_u64(build, 2);
	build_words(build, 50, 8);
	build_u64(build, 9999);
}

static int call_read(const struct precis_record *record, struct precis_read_record *read)
{
	static const struct precis_layout layout = { .size = sizeof(layout),
						     .read_format = 31,
						     .trailer_bytes = 8 };

	return precis_read_record_parse(&layout, record, read);
}

static void check_read(const struct precis_read_record *record)
{
	struct precis_read_value value = { .size = sizeof(value) };

	CU_ASSERT_EQUAL(record->pid, 31);
	CU_ASSERT_EQUAL(record->tid, 32);
	CU_ASSERT_EQUAL(record->read.count, 2);
	CU_ASSERT_EQUAL(record->read.time_enabled, 50);
	CU_ASSERT_EQUAL(record->read.time_running, 51);
	CU_ASSERT_EQUAL_FATAL(precis_read_value(&record->read, 1, &value), 0);
	CU_ASSERT_EQUAL(value.value, 55);
	CU_ASSERT_EQUAL(value.id, 56);
	CU_ASSERT_EQUAL(value.lost, 57);
}

RECORD_PARSER(parse_read, struct precis_read_record, call_read, record_touch(parsed.read.block),
	      check_read(&parsed))

static const struct record_case cases[] = {
	{ "MMAP", PRECIS_RECORD_MMAP, 0, build_mmap, parse_mmap, 32 + 7, 0, 0, 0 },
	{ "LOST", PRECIS_RECORD_LOST, 0, build_two, parse_lost, 16, 0, 0, 0 },
	{ "COMM", PRECIS_RECORD_COMM, 0, build_comm, parse_comm, 8 + 5, 0, 0, 0 },
	{ "EXIT", PRECIS_RECORD_EXIT, 0, build_task, parse_task, 24, 0, 0, 0 },
	{ "THROTTLE", PRECIS_RECORD_THROTTLE, 0, build_three, parse_throttle, 24, 0, 0, 0 },
	{ "UNTHROTTLE", PRECIS_RECORD_UNTHROTTLE, 0, build_three, parse_throttle, 24, 0, 0, 0 },
	{ "FORK", PRECIS_RECORD_FORK, 0, build_task, parse_task, 24, 0, 0, 0 },
	{ "READ", PRECIS_RECORD_READ, 0, build_read, parse_read, 8 + 72 + 8, 0, 0, 0 },
	{ "MMAP2", PRECIS_RECORD_MMAP2, 0, build_mmap2, parse_mmap2, 64 + 7, 0, 0, 0 },
	{ "MMAP2 with a build id", PRECIS_RECORD_MMAP2, PRECIS_MISC_MMAP_BUILD_ID,
	  build_mmap2_build_id, parse_mmap2_build_id, 64 + 7, 0, 0, 0 },
	{ "AUX", PRECIS_RECORD_AUX, 0, build_three, parse_aux, 24, 0, 0, 0 },
	{ "ITRACE_START", PRECIS_RECORD_ITRACE_START, 0, build_task_pair, parse_itrace_start, 8, 0,
	  0, 0 },
	{ "LOST_SAMPLES", PRECIS_RECORD_LOST_SAMPLES, 0, build_one, parse_lost_samples, 8, 0, 0,
	  0 },
	{ "SWITCH", PRECIS_RECORD_SWITCH, PRECIS_MISC_SWITCH_OUT, build_nothing, parse_switch, 0, 0,
	  0, 0 },
	{ "SWITCH_CPU_WIDE", PRECIS_RECORD_SWITCH_CPU_WIDE, PRECIS_MISC_SWITCH_OUT_PREEMPT,
	  build_task_pair, parse_switch_cpu_wide, 8, 0, 0, 0 },
	{ "NAMESPACES", PRECIS_RECORD_NAMESPACES, 0, build_namespaces, parse_namespaces, 16 + 128,
	  0, 0, 0 },
	{ "KSYMBOL", PRECIS_RECORD_KSYMBOL, 0, build_ksymbol, parse_ksymbol, 16 + 9, 0, 0, 0 },
	{ "BPF_EVENT", PRECIS_RECORD_BPF_EVENT, 0, build_bpf_event, parse_bpf_event, 16, 0, 0, 0 },
	{ "CGROUP", PRECIS_RECORD_CGROUP, 0, build_cgroup, parse_cgroup, 8 + 9, 0, 0, 0 },
	{ "TEXT_POKE", PRECIS_RECORD_TEXT_POKE, 0, build_text_poke, parse_text_poke, 12 + 7, 0, 0,
	  0 },
	{ "AUX_OUTPUT_HW_ID", PRECIS_RECORD_AUX_OUTPUT_HW_ID, 0, build_one, parse_aux_output_hw_id,
	  8, 0, 0, 0 },
	{ "CALLCHAIN_DEFERRED", PRECIS_RECORD_CALLCHAIN_DEFERRED, 0, build_deferred, parse_deferred,
	  16 + 24, 0, 0, 0 },
};
#define CASES (sizeof(cases) / sizeof(cases[0]))

static void every_length(void)
{
	for (size_t i = 0; i < CASES; i++)
		record_case_run(&cases[i]);
}

static void every_type(void)
{
	for (uint32_t type = 0; type < PRECIS_RECORD_USER_FIRST; type++) {
		int has_case = type == PRECIS_RECORD_SAMPLE;

		for (size_t i = 0; i < CASES; i++)
			has_case |= cases[i].type == type;
		CU_ASSERT_EQUAL(has_case, precis_record_name(type) != NULL);
	}
}

/* A count that cannot be */
static void lying_counts(void)
{
	static const struct {
		uint32_t type;
		uint32_t at; /* of the count, in the record */
		uint64_t count;
		int (*parse)(const struct precis_record *record, enum parse_mode mode);
		void (*build)(struct build *build);
	} lies[] = {
		{ PRECIS_RECORD_NAMESPACES, 16, 9, parse_namespaces, build_namespaces },
		{ PRECIS_RECORD_NAMESPACES, 16, UINT64_MAX, parse_namespaces, build_namespaces },
		{ PRECIS_RECORD_NAMESPACES, 16, UINT64_MAX / 16 + 2, parse_namespaces,
		  build_namespaces },
		{ PRECIS_RECORD_CALLCHAIN_DEFERRED, 16, 4, parse_deferred, build_deferred },
		{ PRECIS_RECORD_CALLCHAIN_DEFERRED, 16, UINT64_C(1) << 61, parse_deferred,
		  build_deferred },
		{ PRECIS_RECORD_READ, 16, 3, parse_read, build_read },
		{ PRECIS_RECORD_READ, 16, (UINT64_MAX / 24) + 2, parse_read, build_read },
		{ PRECIS_RECORD_TEXT_POKE, 16, 0xffffffff, parse_text_poke, build_text_poke },
	};
	static struct build build;

	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		struct precis_record record;
		uint8_t *copy;

		build_begin(&build, lies[i].type, 0);
		lies[i].build(&build);
		build_end(&build);
		build_patch(&build, lies[i].at, lies[i].count);
		record = record_cut(&build, (uint32_t)build.count - 8, &copy);
		CU_ASSERT_EQUAL(lies[i].parse(&record, PARSE_ONLY), PRECIS_E_TRUNCATED);
		free(copy);
	}
}

static void build_id_too_long(void)
{
	struct precis_mmap map = { .size = sizeof(map) };
	static struct build build;
	struct precis_record record;

	build_begin(&build, PRECIS_RECORD_MMAP2, PRECIS_MISC_MMAP_BUILD_ID);
	build_mmap2_build_id(&build);
	build_end(&build);
	record = build_record(&build);
	build.bytes[8 + 32] = 21;
	CU_ASSERT_EQUAL(precis_mmap_parse(&record, &map), PRECIS_E_BAD_SIZE);
	build.bytes[8 + 32] = 0;
	CU_ASSERT_EQUAL(precis_mmap_parse(&record, &map), 0);
	CU_ASSERT_EQUAL(map.build_id_bytes, 0);
}

static void read_needs_layout(void)
{
	struct precis_read_record read = { .size = sizeof(read) };
	struct precis_layout layout = { .size = sizeof(layout), .read_format = 1u << 5 };
	static struct build build;
	struct precis_record record;

	build_begin(&build, PRECIS_RECORD_READ, 0);
	build_read(&build);
	build_end(&build);
	record = build_record(&build);
	CU_ASSERT_EQUAL(precis_read_record_parse(NULL, &record, &read), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_read_record_parse(&layout, &record, &read), PRECIS_E_UNKNOWN_BITS);
}

int main(void)
{
	static const struct tap_case all[] = {
		{ "every type and every length of its body", every_length },
		{ "every type of the kernel has a parser", every_type },
		{ "counts that cannot be", lying_counts },
		{ "a build id that is too long for its place", build_id_too_long },
		{ "READ needs a layout that is known", read_needs_layout },
	};

	return tap_main("kernel_records", all, sizeof(all) / sizeof(all[0]));
}
