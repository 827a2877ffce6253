/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of records that are lists, or bytes, or depend on another member. */
#include "lists.h"

#include <string.h>

#include "command/parts/counts.h"

#define NAME_BYTES 256 /* of names with a fixed room, and more */

static void put_bytes_of(struct record_sink *sink, const char *name, const uint8_t *bytes,
			 size_t count)
{
	record_member(sink, name);
	value_bytes(&sink->value, bytes, count);
}

static void put_words(struct record_sink *sink, const char *name, struct precis_bytes words,
		      void (*put)(struct value_sink *sink, uint64_t value))
{
	uint64_t value;

	record_member(sink, name);
	value_list(&sink->value);
	for (uint64_t n = 0; !precis_bytes_u64(words, n, &value); n++)
		put(&sink->value, value);
	value_list_end(&sink->value);
}

/* Text that need not end in NUL */
static void put_text(struct value_sink *sink, const char *text, size_t count)
{
	char copy[NAME_BYTES];

	if (count >= sizeof(copy))
		count = sizeof(copy) - 1;
	memcpy(copy, text, count);
	copy[count] = '\0';
	value_text(sink, copy);
}

void put_read_record(struct record_sink *sink, const struct precis_event *event,
		     const struct precis_read_record *record)
{
	record_member(sink, "pid");
	value_signed(&sink->value, (int32_t)record->pid);
	record_member(sink, "tid");
	value_signed(&sink->value, (int32_t)record->tid);
	if (record->read.present & PRECIS_FORMAT_TIME_ENABLED) {
		record_member(sink, "time_enabled");
		value_number(&sink->value, record->read.time_enabled);
	}
	if (record->read.present & PRECIS_FORMAT_TIME_RUNNING) {
		record_member(sink, "time_running");
		value_number(&sink->value, record->read.time_running);
	}
	record_member(sink, "values");
	counts_put(sink->file, event, &record->read, &sink->value);
}

void put_mmap_build_id(struct record_sink *sink, const void *body)
{
	const struct precis_mmap *map = body;

	if (map->present & PRECIS_MMAP_BUILD_ID)
		put_bytes_of(sink, "build_id", map->build_id, map->build_id_bytes);
}

void put_namespaces(struct record_sink *sink, const void *body)
{
	struct precis_namespace entry = { .size = sizeof(entry) };
	struct value_sink *value = &sink->value;

	record_member(sink, "namespaces");
	value_list(value);
	for (uint64_t n = 0; !precis_namespace(body, n, &entry); n++) {
		value_members(value);
		if (entry.name) {
			value_key(value, "name");
			value_text(value, entry.name);
		}
		value_key(value, "device");
		value_number(value, entry.device);
		value_key(value, "inode");
		value_number(value, entry.inode);
		value_members_end(value);
	}
	value_list_end(value);
}

void put_bpf_tag(struct record_sink *sink, const void *body)
{
	const struct precis_bpf_event *event = body;

	put_bytes_of(sink, "tag", event->tag, PRECIS_BPF_TAG_BYTES);
}

void put_text_poke(struct record_sink *sink, const void *body)
{
	const struct precis_text_poke *poke = body;

	put_bytes_of(sink, "old_code", poke->old_code.data, poke->old_code.bytes);
	put_bytes_of(sink, "new_code", poke->new_code.data, poke->new_code.bytes);
}

void put_callchain_deferred(struct record_sink *sink, const void *body)
{
	const struct precis_callchain_deferred *deferred = body;

	put_words(sink, "callchain", deferred->callchain, value_hex);
}

void put_header_attr(struct record_sink *sink, const void *body)
{
	const struct precis_header_attr *attr = body;

	put_bytes_of(sink, "attr", attr->attr.data, attr->attr.bytes);
	put_words(sink, "ids", attr->ids, value_number);
}

void put_header_event_type(struct record_sink *sink, const void *body)
{
	const struct precis_header_event_type *type = body;

	record_member(sink, "name");
	put_text(&sink->value, type->name, type->name_bytes);
}

void put_header_build_id(struct record_sink *sink, const void *body)
{
	const struct precis_header_build_id *id = body;

	put_bytes_of(sink, "build_id", id->build_id, id->build_id_bytes);
}

void put_id_index(struct record_sink *sink, const void *body)
{
	struct precis_id_index_entry entry = { .size = sizeof(entry) };
	struct value_sink *value = &sink->value;

	record_member(sink, "entries");
	value_list(value);
	for (uint64_t n = 0; !precis_id_index_entry(body, n, &entry); n++) {
		value_members(value);
		value_key(value, "id");
		value_number(value, entry.id);
		value_key(value, "index");
		value_number(value, entry.index);
		value_key(value, "cpu");
		value_signed(value, entry.cpu);
		value_key(value, "tid");
		value_signed(value, entry.tid);
		if (entry.has_machine) {
			value_key(value, "machine_pid");
			value_number(value, entry.machine_pid);
			value_key(value, "vcpu");
			value_signed(value, entry.vcpu);
		}
		value_members_end(value);
	}
	value_list_end(value);
}

void put_auxtrace_info(struct record_sink *sink, const void *body)
{
	const struct precis_auxtrace_info *info = body;
	const char *name = precis_auxtrace_type_name(info->type);

	record_member(sink, "type");
	if (name)
		value_text(&sink->value, name);
	else
		value_number(&sink->value, info->type);
	put_words(sink, "private", info->private_words, value_hex);
}

void put_thread_map(struct record_sink *sink, const void *body)
{
	struct precis_thread_map_entry entry = { .size = sizeof(entry) };
	struct value_sink *value = &sink->value;

	record_member(sink, "threads");
	value_list(value);
	for (uint64_t n = 0; !precis_thread_map_entry(body, n, &entry); n++) {
		value_members(value);
		value_key(value, "pid");
		value_signed(value, entry.pid);
		value_key(value, "name");
		put_text(value, entry.name, entry.name_bytes);
		value_members_end(value);
	}
	value_list_end(value);
}

void put_cpu_map(struct record_sink *sink, const void *body)
{
	uint32_t position = 0;
	int32_t cpu;

	record_member(sink, "cpus");
	value_list(&sink->value);
	while (precis_cpu_map_next(body, &position, &cpu) > 0)
		value_signed(&sink->value, cpu);
	value_list_end(&sink->value);
}

void put_stat_config(struct record_sink *sink, const void *body)
{
	struct precis_stat_config_entry entry = { .size = sizeof(entry) };
	struct value_sink *value = &sink->value;

	record_member(sink, "config");
	value_list(value);
	for (uint64_t n = 0; !precis_stat_config_entry(body, n, &entry); n++) {
		value_members(value);
		if (entry.name) {
			value_key(value, "name");
			value_text(value, entry.name);
		}
		value_key(value, "tag");
		value_number(value, entry.tag);
		value_key(value, "value");
		value_number(value, entry.value);
		value_members_end(value);
	}
	value_list_end(value);
}

void put_event_update(struct record_sink *sink, const void *body)
{
	const struct precis_event_update *update = body;

	if (update->type == PRECIS_EVENT_UPDATE_SCALE) {
		record_member(sink, "scale");
		value_real(&sink->value, update->scale);
	} else if (update->type == PRECIS_EVENT_UPDATE_CPUS) {
		put_cpu_map(sink, &update->cpus);
	}
}

void put_header_feature(struct record_sink *sink, const void *body)
{
	const struct precis_header_feature *feature = body;

	record_member(sink, "section_bytes");
	value_number(&sink->value, feature->section.bytes);
}

void put_compressed(struct record_sink *sink, const void *body)
{
	const struct precis_compressed *compressed = body;

	record_member(sink, "data_bytes");
	value_number(&sink->value, compressed->data.bytes);
}

void put_bpf_metadata(struct record_sink *sink, const void *body)
{
	struct precis_bpf_metadata_entry entry = { .size = sizeof(entry) };
	const struct precis_bpf_metadata *metadata = body;
	struct value_sink *value = &sink->value;

	record_member(sink, "program");
	put_text(value, metadata->program, metadata->program_bytes);
	record_member(sink, "metadata");
	value_list(value);
	for (uint64_t n = 0; !precis_bpf_metadata_entry(metadata, n, &entry); n++) {
		value_members(value);
		value_key(value, "key");
		put_text(value, entry.key, entry.key_bytes);
		value_key(value, "value");
		put_text(value, entry.value, entry.value_bytes);
		value_members_end(value);
	}
	value_list_end(value);
}

void put_schedstat(struct record_sink *sink, const void *body)
{
	const struct precis_schedstat *schedstat = body;
	const char *name;
	uint64_t number;

	record_member(sink, "values");
	value_members(&sink->value);
	for (uint32_t n = 0; !precis_schedstat_value(schedstat, n, &name, &number); n++) {
		value_key(&sink->value, name);
		value_number(&sink->value, number);
	}
	value_members_end(&sink->value);
}
