/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of the perf tool's records: what is put in comes out, and nothing behind the end. */
#include <precis/tool_records.h>

#include "tests/support/records.h"

#define NOTHING ((void)0)

static void build_padded(struct build *build, const char *text, size_t room)
{
	static const char zeros[512];
	size_t length = strlen(text);

	build_bytes(build, text, length);
	build_bytes(build, zeros, room - length);
}

static void build_words(struct build *build, uint64_t first, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++)
		build_u64(build, first + n);
}

/* An attr of 72 bytes, and two ids */
static void build_header_attr(struct build *build)
{
	build_u32(build, 4);
	build_u32(build, 72);
	build_words(build, 1000, 8);
	build_words(build, 7001, 2);
}

static void check_header_attr(const struct precis_header_attr *attr)
{
	uint64_t id;

	CU_ASSERT_EQUAL(attr->attr.bytes, 72);
	CU_ASSERT_EQUAL(attr->attr.data[4], 72);
	CU_ASSERT_EQUAL(attr->id_count, 2);
	CU_ASSERT_EQUAL(precis_bytes_u64(attr->ids, 1, &id), 0);
	CU_ASSERT_EQUAL(id, 7002);
	CU_ASSERT_EQUAL(precis_bytes_u64(attr->ids, 2, &id), PRECIS_E_ARGUMENT);
}

static void touch_header_attr(const struct precis_header_attr *attr)
{
	record_touch(attr->attr);
	record_touch(attr->ids);
}

RECORD_PARSER(parse_header_attr, struct precis_header_attr, precis_header_attr_parse,
	      touch_header_attr(&parsed), check_header_attr(&parsed))

static void build_event_type(struct build *build)
{
	build_u64(build, 3);
	build_padded(build, "cycles", 64);
}

RECORD_PARSER(parse_event_type, struct precis_header_event_type, precis_header_event_type_parse,
	      record_touch((struct precis_bytes){ (const uint8_t *)parsed.name,
						  parsed.name_bytes }),
	      CU_ASSERT_EQUAL(parsed.id, 3);
	      CU_ASSERT_EQUAL(parsed.name_bytes, 6);
	      CU_ASSERT_EQUAL(memcmp(parsed.name, "cycles", 6), 0))

static void build_tracing_data(struct build *build)
{
	build_u32(build, 4096);
}

RECORD_PARSER(parse_tracing_data, struct precis_header_tracing_data,
	      precis_header_tracing_data_parse, NOTHING,
	      CU_ASSERT_EQUAL(parsed.following_bytes, 4096))

static void build_build_id(struct build *build)
{
	build_u32(build, (uint32_t)-1);
	build_bytes(build, "abcdefghijklmnopqrst", 20);
	build_u32(build, 16);
	build_bytes(build, "/bin/x\0", 8);
}

static void check_build_id(const struct precis_header_build_id *build_id, uint32_t bytes)
{
	CU_ASSERT_EQUAL(build_id->pid, -1);
	CU_ASSERT_EQUAL(build_id->cpumode, 2);
	CU_ASSERT_EQUAL(build_id->has_size, bytes != 20);
	CU_ASSERT_EQUAL_FATAL(build_id->build_id_bytes, bytes);
	CU_ASSERT_EQUAL(memcmp(build_id->build_id, "abcdefghijklmnopqrst", bytes), 0);
	CU_ASSERT_STRING_EQUAL(build_id->filename, "/bin/x");
}

RECORD_PARSER(parse_build_id, struct precis_header_build_id, precis_header_build_id_parse,
	      record_touch_text(parsed.filename), check_build_id(&parsed, 16))
RECORD_PARSER(parse_build_id_old, struct precis_header_build_id, precis_header_build_id_parse,
	      record_touch_text(parsed.filename), check_build_id(&parsed, 20))

static void build_id_index(struct build *build)
{
	build_u64(build, 2);
	build_words(build, 1, 3);
	build_u64(build, UINT64_MAX);
	build_words(build, 11, 2);
	build_u64(build, UINT64_MAX);
	build_u64(build, 77);
	build_words(build, 0, 1);
	build_u64(build, UINT64_MAX);
	build_words(build, 500, 2);
}

static void touch_id_index(const struct precis_id_index *index)
{
	struct precis_id_index_entry entry = { .size = sizeof(entry) };

	for (uint64_t n = 0; n < index->count; n++) {
		CU_ASSERT_EQUAL(precis_id_index_entry(index, n, &entry), 0);
		CU_ASSERT_EQUAL(entry.has_machine, index->has_machines);
	}
}

static void check_id_index(const struct precis_id_index *index)
{
	struct precis_id_index_entry entry = { .size = sizeof(entry) };

	CU_ASSERT_EQUAL(index->count, 2);
	CU_ASSERT_EQUAL(index->has_machines, 1);
	CU_ASSERT_EQUAL(precis_id_index_entry(index, 0, &entry), 0);
	CU_ASSERT_EQUAL(entry.id, 1);
	CU_ASSERT_EQUAL(entry.index, 2);
	CU_ASSERT_EQUAL(entry.cpu, 3);
	CU_ASSERT_EQUAL(entry.tid, -1);
	CU_ASSERT_EQUAL(entry.machine_pid, 0);
	CU_ASSERT_EQUAL(entry.vcpu, -1);
	CU_ASSERT_EQUAL(precis_id_index_entry(index, 1, &entry), 0);
	CU_ASSERT_EQUAL(entry.id, 11);
	CU_ASSERT_EQUAL(entry.index, 12);
	CU_ASSERT_EQUAL(entry.cpu, -1);
	CU_ASSERT_EQUAL(entry.tid, 77);
	CU_ASSERT_EQUAL(entry.machine_pid, 500);
	CU_ASSERT_EQUAL(entry.vcpu, 501);
	CU_ASSERT_EQUAL(precis_id_index_entry(index, 2, &entry), PRECIS_E_ARGUMENT);
}

RECORD_PARSER(parse_id_index, struct precis_id_index, precis_id_index_parse,
	      touch_id_index(&parsed), check_id_index(&parsed))

static void build_auxtrace_info(struct build *build)
{
	build_u32(build, 1);
	build_u32(build, 0);
	build_words(build, 300, 3);
}

static void check_auxtrace_info(const struct precis_auxtrace_info *info)
{
	uint64_t word;

	CU_ASSERT_EQUAL(info->type, 1);
	CU_ASSERT_STRING_EQUAL(precis_auxtrace_type_name(info->type), "intel_pt");
	CU_ASSERT_STRING_EQUAL(precis_auxtrace_type_name(7), "vpa_dtl");
	CU_ASSERT_PTR_NULL(precis_auxtrace_type_name(0));
	CU_ASSERT_PTR_NULL(precis_auxtrace_type_name(8));
	CU_ASSERT_EQUAL(info->private_count, 3);
	CU_ASSERT_EQUAL(precis_bytes_u64(info->private_words, 2, &word), 0);
	CU_ASSERT_EQUAL(word, 302);
}

RECORD_PARSER(parse_auxtrace_info, struct precis_auxtrace_info, precis_auxtrace_info_parse,
	      record_touch(parsed.private_words), check_auxtrace_info(&parsed))

static void build_auxtrace(struct build *build)
{
	build_words(build, 1, 3);
	build_u32(build, 4);
	build_u32(build, (uint32_t)-1);
	build_u32(build, 6);
	build_u32(build, 0);
}

RECORD_PARSER(parse_auxtrace, struct precis_auxtrace, precis_auxtrace_parse, NOTHING,
	      CU_ASSERT_EQUAL(parsed.following_bytes, 1);
	      CU_ASSERT_EQUAL(parsed.aux_offset, 2); CU_ASSERT_EQUAL(parsed.reference, 3);
	      CU_ASSERT_EQUAL(parsed.index, 4); CU_ASSERT_EQUAL(parsed.tid, -1);
	      CU_ASSERT_EQUAL(parsed.cpu, 6))

static void build_auxtrace_error(struct build *build, uint32_t format)
{
	for (uint32_t n = 1; n <= 5; n++)
		build_u32(build, n);
	build_u32(build, format);
	build_u64(build, 0x401000);
	if (format >= 1)
		build_u64(build, 123456789);
	build_padded(build, "no luck", 64);
	if (format >= 2) {
		build_u32(build, 91);
		build_u32(build, 92);
	}
}

static void build_auxtrace_error_0(struct build *build)
{
	build_auxtrace_error(build, 0);
}

static void build_auxtrace_error_1(struct build *build)
{
	build_auxtrace_error(build, 1);
}

static void build_auxtrace_error_2(struct build *build)
{
	build_auxtrace_error(build, 2);
}

static void check_auxtrace_error(const struct precis_auxtrace_error *error, uint32_t format)
{
	CU_ASSERT_EQUAL(error->type, 1);
	CU_ASSERT_EQUAL(error->code, 2);
	CU_ASSERT_EQUAL(error->cpu, 3);
	CU_ASSERT_EQUAL(error->pid, 4);
	CU_ASSERT_EQUAL(error->tid, 5);
	CU_ASSERT_EQUAL(error->ip, 0x401000);
	CU_ASSERT_EQUAL(error->has_time, format >= 1);
	CU_ASSERT_EQUAL(error->has_machine, format >= 2);
	if (format >= 1) {
		CU_ASSERT_EQUAL(error->time, 123456789);
	}
	if (format >= 2) {
		CU_ASSERT_EQUAL(error->machine_pid, 91);
		CU_ASSERT_EQUAL(error->vcpu, 92);
	}
	CU_ASSERT_STRING_EQUAL(error->message, "no luck");
}

RECORD_PARSER(parse_auxtrace_error_0, struct precis_auxtrace_error, precis_auxtrace_error_parse,
	      record_touch_text(parsed.message), check_auxtrace_error(&parsed, 0))
RECORD_PARSER(parse_auxtrace_error_1, struct precis_auxtrace_error, precis_auxtrace_error_parse,
	      record_touch_text(parsed.message), check_auxtrace_error(&parsed, 1))
RECORD_PARSER(parse_auxtrace_error_2, struct precis_auxtrace_error, precis_auxtrace_error_parse,
	      record_touch_text(parsed.message), check_auxtrace_error(&parsed, 2))

static void build_thread_map(struct build *build)
{
	build_u64(build, 2);
	build_u64(build, UINT64_MAX);
	build_padded(build, "", 16);
	build_u64(build, 77);
	build_bytes(build, "exactly_sixteen_", 16);
}

static void check_thread_map(const struct precis_thread_map *map)
{
	struct precis_thread_map_entry entry = { .size = sizeof(entry) };

	CU_ASSERT_EQUAL(map->count, 2);
	CU_ASSERT_EQUAL(precis_thread_map_entry(map, 0, &entry), 0);
	CU_ASSERT_EQUAL(entry.pid, -1);
	CU_ASSERT_EQUAL(entry.name_bytes, 0);
	CU_ASSERT_EQUAL(precis_thread_map_entry(map, 1, &entry), 0);
	CU_ASSERT_EQUAL(entry.pid, 77);
	CU_ASSERT_EQUAL(entry.name_bytes, 16);
	CU_ASSERT_EQUAL(memcmp(entry.name, "exactly_sixteen_", 16), 0);
	CU_ASSERT_EQUAL(precis_thread_map_entry(map, 2, &entry), PRECIS_E_ARGUMENT);
}

RECORD_PARSER(parse_thread_map, struct precis_thread_map, precis_thread_map_parse,
	      record_touch(parsed.entries), check_thread_map(&parsed))

static void walk_cpus(const struct precis_cpu_map *map, const int32_t *expected, size_t count)
{
	uint32_t position = 0;
	int32_t cpu;

	for (size_t i = 0; i < count; i++) {
		CU_ASSERT_EQUAL_FATAL(precis_cpu_map_next(map, &position, &cpu), 1);
		CU_ASSERT_EQUAL(cpu, expected[i]);
	}
	CU_ASSERT_EQUAL(precis_cpu_map_next(map, &position, &cpu), 0);
	CU_ASSERT_EQUAL(precis_cpu_map_next(map, &position, &cpu), 0);
	CU_ASSERT_EQUAL(precis_cpu_map_next(NULL, &position, &cpu), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_cpu_map_next(map, NULL, &cpu), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_cpu_map_next(map, &position, NULL), PRECIS_E_ARGUMENT);
}

static void build_cpu_list(struct build *build)
{
	build_u16(build, PRECIS_CPU_MAP_LIST);
	build_u16(build, 3);
	build_u16(build, 0xffff);
	build_u16(build, 2);
	build_u16(build, 300);
}

RECORD_PARSER(parse_cpu_list, struct precis_cpu_map, precis_cpu_map_parse,
	      record_touch(parsed.words), CU_ASSERT_EQUAL(parsed.kind, PRECIS_CPU_MAP_LIST);
	      walk_cpus(&parsed, ((const int32_t[]){ -1, 2, 300 }), 3))

static void build_cpu_mask_4(struct build *build)
{
	build_u16(build, PRECIS_CPU_MAP_MASK);
	build_u16(build, 2);
	build_u16(build, 4);
	build_u32(build, 0x80000001);
	build_u32(build, 0x80000004);
}

static void build_cpu_mask_8(struct build *build)
{
	build_u16(build, PRECIS_CPU_MAP_MASK);
	build_u16(build, 2);
	build_u16(build, 8);
	build_u32(build, 0x55555555); /* padding */
	build_u64(build, UINT64_C(1) << 31 | 1);
	build_u64(build, UINT64_C(1) << 63 | 4);
}

RECORD_PARSER(parse_cpu_mask_4, struct precis_cpu_map, precis_cpu_map_parse,
	      record_touch(parsed.words), CU_ASSERT_EQUAL(parsed.word_bytes, 4);
	      walk_cpus(&parsed, ((const int32_t[]){ 0, 31, 34, 63 }), 4))
RECORD_PARSER(parse_cpu_mask_8, struct precis_cpu_map, precis_cpu_map_parse,
	      record_touch(parsed.words), CU_ASSERT_EQUAL(parsed.word_bytes, 8);
	      walk_cpus(&parsed, ((const int32_t[]){ 0, 31, 66, 127 }), 4))

static void build_cpu_range(struct build *build, uint8_t any)
{
	build_u16(build, PRECIS_CPU_MAP_RANGE);
	build_bytes(build, &any, 1);
	build_bytes(build, "x", 1);
	build_u16(build, 4);
	build_u16(build, 6);
}

static void build_cpu_range_any(struct build *build)
{
	build_cpu_range(build, 1);
}

static void build_cpu_range_plain(struct build *build)
{
	build_cpu_range(build, 0);
}

RECORD_PARSER(parse_cpu_range_any, struct precis_cpu_map, precis_cpu_map_parse, NOTHING,
	      CU_ASSERT_EQUAL(parsed.has_any, 1);
	      CU_ASSERT_EQUAL(parsed.first, 4); CU_ASSERT_EQUAL(parsed.last, 6);
	      walk_cpus(&parsed, ((const int32_t[]){ -1, 4, 5, 6 }), 4))
RECORD_PARSER(parse_cpu_range_plain, struct precis_cpu_map, precis_cpu_map_parse, NOTHING,
	      CU_ASSERT_EQUAL(parsed.has_any, 0);
	      walk_cpus(&parsed, ((const int32_t[]){ 4, 5, 6 }), 3))

static void build_stat_config(struct build *build)
{
	build_u64(build, 5);
	for (uint64_t tag = 0; tag < 5; tag++)
		build_words(build, tag, 2);
}

static void check_stat_config(const struct precis_stat_config *config)
{
	static const char *const names[] = { "aggr_mode", "interval", "scale", "aggr_level", NULL };
	struct precis_stat_config_entry entry = { .size = sizeof(entry) };

	CU_ASSERT_EQUAL(config->count, 5);
	for (uint64_t n = 0; n < 5; n++) {
		CU_ASSERT_EQUAL_FATAL(precis_stat_config_entry(config, n, &entry), 0);
		CU_ASSERT_EQUAL(entry.tag, n);
		CU_ASSERT_EQUAL(entry.value, n + 1);
		if (names[n])
			CU_ASSERT_STRING_EQUAL(entry.name, names[n])
		else
			CU_ASSERT_PTR_NULL(entry.name)
	}
	CU_ASSERT_EQUAL(precis_stat_config_entry(config, 5, &entry), PRECIS_E_ARGUMENT);
}

RECORD_PARSER(parse_stat_config, struct precis_stat_config, precis_stat_config_parse,
	      record_touch(parsed.entries), check_stat_config(&parsed))

static void build_stat(struct build *build)
{
	build_u64(build, 9);
	build_u32(build, (uint32_t)-1);
	build_u32(build, 3);
	build_words(build, 100, 3);
}

RECORD_PARSER(parse_stat, struct precis_stat, precis_stat_parse, NOTHING,
	      CU_ASSERT_EQUAL(parsed.id, 9);
	      CU_ASSERT_EQUAL(parsed.cpu, -1); CU_ASSERT_EQUAL(parsed.thread, 3);
	      CU_ASSERT_EQUAL(parsed.value, 100); CU_ASSERT_EQUAL(parsed.time_enabled, 101);
	      CU_ASSERT_EQUAL(parsed.time_running, 102))

static void build_stat_round(struct build *build)
{
	build_words(build, 1, 2);
}

RECORD_PARSER(parse_stat_round, struct precis_stat_round, precis_stat_round_parse, NOTHING,
	      CU_ASSERT_EQUAL(parsed.type, 1);
	      CU_ASSERT_EQUAL(parsed.time, 2))

static void build_update_name(struct build *build)
{
	build_u64(build, PRECIS_EVENT_UPDATE_NAME);
	build_u64(build, 7001);
	build_bytes(build, "cycles", 7);
}

static void build_update_unit(struct build *build)
{
	build_u64(build, PRECIS_EVENT_UPDATE_UNIT);
	build_u64(build, 7001);
	build_bytes(build, "Joules", 7);
}

static void build_update_scale(struct build *build)
{
	double scale = 2.5e-10;
	uint64_t word;

	memcpy(&word, &scale, sizeof(word));
	build_u64(build, PRECIS_EVENT_UPDATE_SCALE);
	build_u64(build, 7001);
	build_u64(build, word);
}

static void build_update_cpus(struct build *build)
{
	build_u64(build, PRECIS_EVENT_UPDATE_CPUS);
	build_u64(build, 7001);
	build_cpu_mask_8(build);
}

static void check_update(const struct precis_event_update *update, uint64_t type, const char *text,
			 double scale)
{
	CU_ASSERT_EQUAL(update->type, type);
	CU_ASSERT_EQUAL(update->id, 7001);
	if (text)
		CU_ASSERT_STRING_EQUAL(update->text, text)
	else
		CU_ASSERT_PTR_NULL(update->text)
	CU_ASSERT_EQUAL(memcmp(&update->scale, &scale, sizeof(scale)), 0);
}

RECORD_PARSER(parse_update_name, struct precis_event_update, precis_event_update_parse,
	      record_touch_text(parsed.text),
	      check_update(&parsed, PRECIS_EVENT_UPDATE_NAME, "cycles", 0))
RECORD_PARSER(parse_update_unit, struct precis_event_update, precis_event_update_parse,
	      record_touch_text(parsed.text),
	      check_update(&parsed, PRECIS_EVENT_UPDATE_UNIT, "Joules", 0))
RECORD_PARSER(parse_update_scale, struct precis_event_update, precis_event_update_parse, NOTHING,
	      check_update(&parsed, PRECIS_EVENT_UPDATE_SCALE, NULL, 2.5e-10))
RECORD_PARSER(parse_update_cpus, struct precis_event_update, precis_event_update_parse,
	      record_touch(parsed.cpus.words),
	      check_update(&parsed, PRECIS_EVENT_UPDATE_CPUS, NULL, 0);
	      walk_cpus(&parsed.cpus, ((const int32_t[]){ 0, 31, 66, 127 }), 4))

static void build_time_conv(struct build *build)
{
	build_words(build, 1, 5);
	build_padded(build, "\1", 8);
}

static void check_time_conv(const struct precis_time_conv *conv)
{
	CU_ASSERT_EQUAL(conv->time_shift, 1);
	CU_ASSERT_EQUAL(conv->time_mult, 2);
	CU_ASSERT_EQUAL(conv->time_zero, 3);
	CU_ASSERT_EQUAL(conv->has_cycles, 1);
	CU_ASSERT_EQUAL(conv->time_cycles, 4);
	CU_ASSERT_EQUAL(conv->time_mask, 5);
	CU_ASSERT_EQUAL(conv->is_zero_usable, 1);
	CU_ASSERT_EQUAL(conv->is_counter_short, 0);
}

RECORD_PARSER(parse_time_conv, struct precis_time_conv, precis_time_conv_parse,
	      CU_ASSERT_EQUAL(parsed.has_cycles, record->size > 8 + 24), check_time_conv(&parsed))

static void build_feature(struct build *build)
{
	build_u64(build, 9);
	build_bytes(build, "section!", 8);
}

RECORD_PARSER(parse_feature, struct precis_header_feature, precis_header_feature_parse,
	      record_touch(parsed.section), CU_ASSERT_EQUAL(parsed.feature, 9);
	      CU_ASSERT_EQUAL(parsed.section.bytes, 8);
	      CU_ASSERT_EQUAL(memcmp(parsed.section.data, "section!", 8), 0))

static void build_compressed(struct build *build)
{
	build_bytes(build, "zstandard", 9);
}

RECORD_PARSER(parse_compressed, struct precis_compressed, precis_compressed_parse,
	      record_touch(parsed.data), CU_ASSERT_EQUAL(parsed.data.bytes, 9);
	      CU_ASSERT_EQUAL(memcmp(parsed.data.data, "zstandard", 9), 0))

static void build_compressed2(struct build *build)
{
	build_u64(build, 9);
	build_padded(build, "zstandard", 16);
}

static void build_metadata(struct build *build, size_t room)
{
	build_padded(build, "bpf_prog_abc", room);
	build_u64(build, 2);
	build_padded(build, "version", 64);
	build_padded(build, "1.2", 256);
	build_padded(build, "owner", 64);
	build_padded(build, "me", 256);
	build_words(build, 0, 2); /* of a sample_id */
}

static void build_metadata_256(struct build *build)
{
	build_metadata(build, 256);
}

static void build_metadata_512(struct build *build)
{
	build_metadata(build, 512);
}

static void touch_metadata(const struct precis_bpf_metadata *metadata)
{
	record_touch((struct precis_bytes){ (const uint8_t *)metadata->program,
					    metadata->program_bytes });
	record_touch(metadata->entries);
}

static void check_metadata(const struct precis_bpf_metadata *metadata)
{
	struct precis_bpf_metadata_entry entry = { .size = sizeof(entry) };

	CU_ASSERT_EQUAL(metadata->program_bytes, 12);
	CU_ASSERT_EQUAL(memcmp(metadata->program, "bpf_prog_abc", 12), 0);
	CU_ASSERT_EQUAL_FATAL(metadata->count, 2);
	CU_ASSERT_EQUAL(precis_bpf_metadata_entry(metadata, 1, &entry), 0);
	CU_ASSERT_EQUAL(entry.key_bytes, 5);
	CU_ASSERT_EQUAL(memcmp(entry.key, "owner", 5), 0);
	CU_ASSERT_EQUAL(entry.value_bytes, 2);
	CU_ASSERT_EQUAL(memcmp(entry.value, "me", 2), 0);
	CU_ASSERT_EQUAL(precis_bpf_metadata_entry(metadata, 2, &entry), PRECIS_E_ARGUMENT);
}

RECORD_PARSER(parse_metadata, struct precis_bpf_metadata, precis_bpf_metadata_parse,
	      touch_metadata(&parsed), check_metadata(&parsed))

static void build_schedstat(struct build *build, uint16_t version, uint32_t values)
{
	build_u64(build, 1234);
	build_u32(build, 5);
	build_u16(build, version);
	build_u16(build, 3);
	for (uint32_t n = 0; n < values; n++)
		build_u32(build, 1000 + n);
}

static void build_schedstat_cpu(struct build *build)
{
	build_schedstat(build, 15, 6);
	build_words(build, UINT64_C(1) << 40, 3);
}

static void build_schedstat_domain_15(struct build *build)
{
	build_schedstat(build, 15, 36);
}

static void build_schedstat_domain_17(struct build *build)
{
	build_schedstat(build, 17, 45);
}

static void check_schedstat(const struct precis_schedstat *schedstat, uint16_t version,
			    uint32_t count)
{
	const char *name;
	uint64_t value;

	CU_ASSERT_EQUAL(schedstat->timestamp, 1234);
	CU_ASSERT_EQUAL(schedstat->cpu, 5);
	CU_ASSERT_EQUAL(schedstat->version, version);
	CU_ASSERT_EQUAL(schedstat->count, count);
	CU_ASSERT_EQUAL(precis_schedstat_value(schedstat, count, &name, &value), PRECIS_E_ARGUMENT);
	for (uint32_t n = 0; n < count; n++) {
		CU_ASSERT_EQUAL_FATAL(precis_schedstat_value(schedstat, n, &name, &value), 0);
		if (schedstat->is_domain || n < 6) {
			CU_ASSERT_EQUAL(value, 1000 + n);
		}
	}
	if (schedstat->is_domain) {
		CU_ASSERT_EQUAL(schedstat->domain, 3);
		CU_ASSERT_STRING_EQUAL(name, "ttwu_move_balance");
		precis_schedstat_value(schedstat, 3, &name, &value);
		CU_ASSERT_STRING_EQUAL(name, version == 17 ? "busy_lb_imbalance_load"
							   : "idle_lb_imbalance");
	} else {
		CU_ASSERT_STRING_EQUAL(name, "pcount");
		CU_ASSERT_EQUAL(value, (UINT64_C(1) << 40) + 2);
	}
}

RECORD_PARSER(parse_schedstat_cpu, struct precis_schedstat, precis_schedstat_parse,
	      record_touch(parsed.values), check_schedstat(&parsed, 15, 9))
RECORD_PARSER(parse_schedstat_domain_15, struct precis_schedstat, precis_schedstat_parse,
	      record_touch(parsed.values), check_schedstat(&parsed, 15, 36))
RECORD_PARSER(parse_schedstat_domain_17, struct precis_schedstat, precis_schedstat_parse,
	      record_touch(parsed.values), check_schedstat(&parsed, 17, 45))

static const struct record_case cases[] = {
	{ "HEADER_ATTR", PRECIS_RECORD_HEADER_ATTR, 0, build_header_attr, parse_header_attr, 72, 0,
	  0, 8 },
	{ "HEADER_EVENT_TYPE", PRECIS_RECORD_HEADER_EVENT_TYPE, 0, build_event_type,
	  parse_event_type, 8, 0, 0, 0 },
	{ "HEADER_TRACING_DATA", PRECIS_RECORD_HEADER_TRACING_DATA, 0, build_tracing_data,
	  parse_tracing_data, 4, 0, 0, 0 },
	{ "HEADER_BUILD_ID", PRECIS_RECORD_HEADER_BUILD_ID, 2 | PRECIS_MISC_BUILD_ID_SIZE,
	  build_build_id, parse_build_id, 28 + 7, 0, 0, 0 },
	{ "HEADER_BUILD_ID without a size", PRECIS_RECORD_HEADER_BUILD_ID, 2, build_build_id,
	  parse_build_id_old, 28 + 7, 0, 0, 0 },
	{ "ID_INDEX", PRECIS_RECORD_ID_INDEX, 0, build_id_index, parse_id_index, 8 + 64, 8 + 64,
	  8 + 96, 0 },
	{ "AUXTRACE_INFO", PRECIS_RECORD_AUXTRACE_INFO, 0, build_auxtrace_info, parse_auxtrace_info,
	  8, 0, 0, 8 },
	{ "AUXTRACE", PRECIS_RECORD_AUXTRACE, 0, build_auxtrace, parse_auxtrace, 40, 0, 0, 0 },
	{ "AUXTRACE_ERROR, fmt 0", PRECIS_RECORD_AUXTRACE_ERROR, 0, build_auxtrace_error_0,
	  parse_auxtrace_error_0, 32 + 8, 0, 0, 0 },
	{ "AUXTRACE_ERROR, fmt 1", PRECIS_RECORD_AUXTRACE_ERROR, 0, build_auxtrace_error_1,
	  parse_auxtrace_error_1, 40 + 8, 0, 0, 0 },
	{ "AUXTRACE_ERROR, fmt 2", PRECIS_RECORD_AUXTRACE_ERROR, 0, build_auxtrace_error_2,
	  parse_auxtrace_error_2, 40 + 64 + 8, 0, 0, 0 },
	{ "THREAD_MAP", PRECIS_RECORD_THREAD_MAP, 0, build_thread_map, parse_thread_map, 8 + 48, 0,
	  0, 0 },
	{ "CPU_MAP, list", PRECIS_RECORD_CPU_MAP, 0, build_cpu_list, parse_cpu_list, 10, 0, 0, 0 },
	{ "CPU_MAP, mask of u32s", PRECIS_RECORD_CPU_MAP, 0, build_cpu_mask_4, parse_cpu_mask_4, 14,
	  0, 0, 0 },
	{ "CPU_MAP, mask of u64s", PRECIS_RECORD_CPU_MAP, 0, build_cpu_mask_8, parse_cpu_mask_8, 26,
	  0, 0, 0 },
	{ "CPU_MAP, range and any", PRECIS_RECORD_CPU_MAP, 0, build_cpu_range_any,
	  parse_cpu_range_any, 8, 0, 0, 0 },
	{ "CPU_MAP, range", PRECIS_RECORD_CPU_MAP, 0, build_cpu_range_plain, parse_cpu_range_plain,
	  8, 0, 0, 0 },
	{ "STAT_CONFIG", PRECIS_RECORD_STAT_CONFIG, 0, build_stat_config, parse_stat_config, 8 + 80,
	  0, 0, 0 },
	{ "STAT", PRECIS_RECORD_STAT, 0, build_stat, parse_stat, 40, 0, 0, 0 },
	{ "STAT_ROUND", PRECIS_RECORD_STAT_ROUND, 0, build_stat_round, parse_stat_round, 16, 0, 0,
	  0 },
	{ "EVENT_UPDATE, name", PRECIS_RECORD_EVENT_UPDATE, 0, build_update_name, parse_update_name,
	  16 + 7, 0, 0, 0 },
	{ "EVENT_UPDATE, unit", PRECIS_RECORD_EVENT_UPDATE, 0, build_update_unit, parse_update_unit,
	  16 + 7, 0, 0, 0 },
	{ "EVENT_UPDATE, scale", PRECIS_RECORD_EVENT_UPDATE, 0, build_update_scale,
	  parse_update_scale, 16 + 8, 0, 0, 0 },
	{ "EVENT_UPDATE, cpus", PRECIS_RECORD_EVENT_UPDATE, 0, build_update_cpus, parse_update_cpus,
	  16 + 26, 0, 0, 0 },
	{ "TIME_CONV", PRECIS_RECORD_TIME_CONV, 0, build_time_conv, parse_time_conv, 24, 24, 42,
	  0 },
	{ "HEADER_FEATURE", PRECIS_RECORD_HEADER_FEATURE, 0, build_feature, parse_feature, 8, 0, 0,
	  0 },
	{ "COMPRESSED", PRECIS_RECORD_COMPRESSED, 0, build_compressed, parse_compressed, 0, 0, 0,
	  0 },
	{ "COMPRESSED2", PRECIS_RECORD_COMPRESSED2, 0, build_compressed2, parse_compressed, 8 + 9,
	  0, 0, 0 },
	{ "BPF_METADATA", PRECIS_RECORD_BPF_METADATA, 0, build_metadata_256, parse_metadata,
	  256 + 8 + 640, 0, 0, 0 },
	/* Cut in the middle of the name's room it is one with the shorter room and no entries. */
	{ "BPF_METADATA, longer name", PRECIS_RECORD_BPF_METADATA, 0, build_metadata_512,
	  parse_metadata, 256 + 8, 256 + 8 + 48, 512 + 8 + 640, 0 },
	{ "SCHEDSTAT_CPU", PRECIS_RECORD_SCHEDSTAT_CPU, 0, build_schedstat_cpu, parse_schedstat_cpu,
	  16 + 48, 0, 0, 0 },
	{ "SCHEDSTAT_DOMAIN, 15", PRECIS_RECORD_SCHEDSTAT_DOMAIN, 0, build_schedstat_domain_15,
	  parse_schedstat_domain_15, 16 + 144, 0, 0, 0 },
	{ "SCHEDSTAT_DOMAIN, 17", PRECIS_RECORD_SCHEDSTAT_DOMAIN, 0, build_schedstat_domain_17,
	  parse_schedstat_domain_17, 16 + 180, 0, 0, 0 },
};
#define CASES (sizeof(cases) / sizeof(cases[0]))

static void every_length(void)
{
	for (size_t i = 0; i < CASES; i++)
		record_case_run(&cases[i]);
}

static void every_type(void)
{
	for (uint32_t type = PRECIS_RECORD_USER_FIRST; type < 200; type++) {
		int has_case =
			type == PRECIS_RECORD_FINISHED_ROUND || type == PRECIS_RECORD_FINISHED_INIT;

		for (size_t i = 0; i < CASES; i++)
			has_case |= cases[i].type == type;
		CU_ASSERT_EQUAL(has_case, precis_record_name(type) != NULL);
	}
}

/* A count, a size or a kind that cannot be: 'width' bytes of it at 'at' in the record */
static void lies(void)
{
	static const struct {
		const char *name; /* of the case */
		uint32_t at, width;
		uint64_t value;
		int code;
	} rows[] = {
		{ "HEADER_ATTR", 12, 4, 56, PRECIS_E_BAD_SIZE },
		{ "HEADER_ATTR", 12, 4, 96, PRECIS_E_TRUNCATED },
		{ "HEADER_ATTR", 12, 4, 0xffffffff, PRECIS_E_TRUNCATED },
		{ "HEADER_BUILD_ID", 32, 1, 21, PRECIS_E_BAD_SIZE },
		{ "ID_INDEX", 8, 8, 4, PRECIS_E_TRUNCATED },
		{ "ID_INDEX", 8, 8, UINT64_MAX / 32 + 2, PRECIS_E_TRUNCATED },
		{ "AUXTRACE_ERROR, fmt 1", 28, 4, 2, PRECIS_E_TRUNCATED },
		{ "THREAD_MAP", 8, 8, 3, PRECIS_E_TRUNCATED },
		{ "THREAD_MAP", 8, 8, UINT64_MAX, PRECIS_E_TRUNCATED },
		{ "CPU_MAP, list", 8, 2, 3, PRECIS_E_UNSUPPORTED },
		{ "CPU_MAP, list", 10, 2, 4, PRECIS_E_TRUNCATED },
		{ "CPU_MAP, mask of u32s", 10, 2, 3, PRECIS_E_TRUNCATED },
		{ "CPU_MAP, mask of u32s", 12, 2, 0, PRECIS_E_BAD_SIZE },
		{ "CPU_MAP, mask of u64s", 12, 2, 16, PRECIS_E_BAD_SIZE },
		{ "CPU_MAP, range", 12, 2, 7, PRECIS_E_BAD_SIZE },
		{ "STAT_CONFIG", 8, 8, 6, PRECIS_E_TRUNCATED },
		{ "STAT_CONFIG", 8, 8, UINT64_MAX / 16 + 2, PRECIS_E_TRUNCATED },
		{ "EVENT_UPDATE, name", 8, 8, 4, PRECIS_E_UNSUPPORTED },
		{ "EVENT_UPDATE, cpus", 24, 2, 9, PRECIS_E_UNSUPPORTED },
		{ "COMPRESSED2", 8, 8, 17, PRECIS_E_TRUNCATED },
		{ "COMPRESSED2", 8, 8, UINT64_MAX, PRECIS_E_TRUNCATED },
		{ "BPF_METADATA", 264, 8, 3, PRECIS_E_TRUNCATED },
		{ "BPF_METADATA", 264, 8, 1, PRECIS_E_TRUNCATED },
		{ "BPF_METADATA", 264, 8, UINT64_MAX / 320 + 2, PRECIS_E_TRUNCATED },
		{ "SCHEDSTAT_DOMAIN, 15", 20, 2, 17, PRECIS_E_TRUNCATED },
	};
	static struct build build;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct record_case *row = cases;
		struct precis_record record;
		uint8_t *copy;

		while (strcmp(row->name, rows[i].name))
			row++;
		build_begin(&build, row->type, row->misc);
		row->build(&build);
		build_end(&build);
		memcpy(build.bytes + rows[i].at, &rows[i].value, rows[i].width);
		record = record_cut(&build, (uint32_t)build.count - 8, &copy);
		CU_ASSERT_EQUAL(row->parse(&record, PARSE_ONLY), rows[i].code);
		free(copy);
	}
}

/* An attr that says no size is one of the first version. */
static void attr_without_size(void)
{
	struct precis_header_attr attr = { .size = sizeof(attr) };
	static struct build build;
	struct precis_record record;

	build_begin(&build, PRECIS_RECORD_HEADER_ATTR, 0);
	build_header_attr(&build);
	build_end(&build);
	memset(build.bytes + 12, 0, 4);
	record = build_record(&build);
	CU_ASSERT_EQUAL(precis_header_attr_parse(&record, &attr), 0);
	CU_ASSERT_EQUAL(attr.attr.bytes, 64);
	CU_ASSERT_EQUAL(attr.id_count, 3);
}

/* Bytes that are there, values that nobody can name */
static void schedstat_of_tomorrow(void)
{
	struct precis_schedstat schedstat = { .size = sizeof(schedstat) };
	static struct build build;
	struct precis_record record;
	const char *name;
	uint64_t value;

	build_begin(&build, PRECIS_RECORD_SCHEDSTAT_DOMAIN, 0);
	build_schedstat(&build, 18, 50);
	build_end(&build);
	record = build_record(&build);
	CU_ASSERT_EQUAL(precis_schedstat_parse(&record, &schedstat), 0);
	CU_ASSERT_EQUAL(schedstat.count, 0);
	CU_ASSERT_EQUAL(schedstat.values.bytes, 200);
	CU_ASSERT_EQUAL(precis_schedstat_value(&schedstat, 0, &name, &value), PRECIS_E_ARGUMENT);
}

int main(void)
{
	static const struct tap_case all[] = {
		{ "every type and every length of its body", every_length },
		{ "every type of the tool has a parser or no body", every_type },
		{ "counts, sizes and kinds that cannot be", lies },
		{ "an attr that says no size", attr_without_size },
		{ "counts of a version that is not known", schedstat_of_tomorrow },
	};

	return tap_main("tool_records", all, sizeof(all) / sizeof(all[0]));
}
