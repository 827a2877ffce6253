/* SPDX-License-Identifier: BSD-3-Clause */
/* Every parser of a kind of records, on a record of any kind. */
#include <precis/precis.h>

#include "tests/hostile/full_pass_parts.h"
#include "tests/hostile/view.h"

/* Parse into a struct of that name, and look at what it points to. */
#define PARSE(name, look)                                                                          \
	do {                                                                                       \
		struct precis_##name parsed = { .size = sizeof(parsed) };                          \
		int code = precis_##name##_parse(record, &parsed);                                 \
                                                                                                   \
		PROMISE(code <= 0 && code != PRECIS_E_NO_MEMORY);                                  \
		if (!code) {                                                                       \
			look;                                                                      \
		}                                                                                  \
	} while (0)

#define NOTHING (void)0

/* Entries: as long as there is one. There are never more than bytes. */
#define ENTRIES(type, next)                                                                        \
	do {                                                                                       \
		struct precis_##type entry = { .size = sizeof(entry) };                            \
                                                                                                   \
		for (uint32_t n = 0; (next) == 0; n++)                                             \
			PROMISE(n < record->size);                                                 \
	} while (0)

static void parse_tasks(const struct precis_record *record)
{
	PARSE(mmap, read_text(parsed.filename));
	PARSE(comm, read_text(parsed.name));
	PARSE(task, NOTHING);
	PARSE(switch, NOTHING);
	PARSE(namespaces, read_view(record, parsed.entries);
	      ENTRIES(namespace, precis_namespace(&parsed, n, &entry)));
	PARSE(cgroup, read_text(parsed.path));
	PARSE(itrace_start, NOTHING);
}

static void parse_kernel(const struct precis_record *record)
{
	PARSE(lost, NOTHING);
	PARSE(lost_samples, NOTHING);
	PARSE(throttle, NOTHING);
	PARSE(aux, NOTHING);
	PARSE(aux_output_hw_id, NOTHING);
	PARSE(ksymbol, read_text(parsed.name));
	PARSE(bpf_event, NOTHING);
	PARSE(text_poke, read_view(record, parsed.old_code); read_view(record, parsed.new_code));
	PARSE(callchain_deferred, read_view(record, parsed.callchain);
	      ENTRIES(callchain_entry, precis_callchain_entry(parsed.callchain, n, &entry)));
}

static void read_cpus(const struct precis_record *record, const struct precis_cpu_map *map)
{
	uint32_t position = 0;
	int32_t cpu;

	read_view(record, map->words);
	/* a mask has a bit for each CPU, a range at most all of a u16's */
	for (uint32_t n = 0; precis_cpu_map_next(map, &position, &cpu) > 0; n++)
		PROMISE(n < 8u * 65536u);
}

static void read_threads(const struct precis_record *record, const struct precis_thread_map *map)
{
	struct precis_thread_map_entry entry = { .size = sizeof(entry) };

	read_view(record, map->entries);
	for (uint32_t n = 0; precis_thread_map_entry(map, n, &entry) == 0; n++) {
		PROMISE(n < record->size);
		read_name(entry.name, entry.name_bytes);
	}
}

static void parse_headers(const struct precis_record *record)
{
	PARSE(header_attr, read_view(record, parsed.attr); read_view(record, parsed.ids));
	PARSE(header_event_type, read_name(parsed.name, parsed.name_bytes));
	PARSE(header_tracing_data, NOTHING);
	PARSE(header_build_id, read_text(parsed.filename));
	PARSE(header_feature, read_view(record, parsed.section));
	PARSE(id_index, read_view(record, parsed.entries); read_view(record, parsed.machines);
	      ENTRIES(id_index_entry, precis_id_index_entry(&parsed, n, &entry)));
	PARSE(event_update, read_text(parsed.text));
	PARSE(thread_map, read_threads(record, &parsed));
	PARSE(cpu_map, read_cpus(record, &parsed));
	PARSE(time_conv, NOTHING);
}

static void read_schedstat(const struct precis_record *record,
			   const struct precis_schedstat *schedstat)
{
	const char *name;
	uint64_t value;

	read_view(record, schedstat->values);
	for (uint32_t n = 0; precis_schedstat_value(schedstat, n, &name, &value) == 0; n++) {
		PROMISE(n < record->size);
		read_text(name);
	}
}

static void read_metadata(const struct precis_record *record,
			  const struct precis_bpf_metadata *metadata)
{
	struct precis_bpf_metadata_entry entry = { .size = sizeof(entry) };

	read_name(metadata->program, metadata->program_bytes);
	read_view(record, metadata->entries);
	for (uint32_t n = 0; precis_bpf_metadata_entry(metadata, n, &entry) == 0; n++) {
		PROMISE(n < record->size);
		read_name(entry.key, entry.key_bytes);
		read_name(entry.value, entry.value_bytes);
	}
}

static void parse_tool(const struct precis_record *record)
{
	PARSE(auxtrace_info, read_view(record, parsed.private_words);
	      precis_auxtrace_type_name(parsed.type));
	PARSE(auxtrace, NOTHING);
	PARSE(auxtrace_error, read_text(parsed.message));
	PARSE(stat_config, read_view(record, parsed.entries);
	      ENTRIES(stat_config_entry, precis_stat_config_entry(&parsed, n, &entry)));
	PARSE(stat, NOTHING);
	PARSE(stat_round, NOTHING);
	PARSE(compressed, read_view(record, parsed.data));
	PARSE(bpf_metadata, read_metadata(record, &parsed));
	PARSE(schedstat, read_schedstat(record, &parsed));
}

void full_pass_values(const struct precis_read *read, uint32_t most)
{
	struct precis_read_value value = { .size = sizeof(value) };

	for (uint32_t n = 0; precis_read_value(read, n, &value) == 0; n++)
		PROMISE(n < most);
}

void full_pass_kinds(const struct precis_layout *layout, const struct precis_record *record)
{
	struct precis_read_record read = { .size = sizeof(read) };
	struct precis_sample_id id = { .size = sizeof(id) };

	parse_tasks(record);
	parse_kernel(record);
	parse_headers(record);
	parse_tool(record);
	if (!layout)
		return;
	precis_sample_id_parse(layout, record, &id);
	read.read.size = sizeof(read.read);
	if (precis_read_record_parse(layout, record, &read) == 0)
		full_pass_values(&read.read, record->size);
}
