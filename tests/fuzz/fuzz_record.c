/* SPDX-License-Identifier: BSD-3-Clause */
/* Records. A u16 length and a perf_event_attr of that length, then records. */
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>
#include <precis/kernel_records.h>
#include <precis/tool_records.h>

#include "tests/fuzz/target.h"

/* A view must lie inside the record. Reading it lets a sanitizer have its say. */
static void check_view(const struct precis_record *record, struct precis_bytes view)
{
	volatile uint8_t sum = 0;

	if (!view.bytes)
		return;
	PROMISE(view.data >= record->data && view.bytes <= record->size);
	for (uint32_t i = 0; i < view.bytes; i++)
		sum = (uint8_t)(sum + view.data[i]);
}

/* Every part that is there can be taken apart to its end. */
static void parse_parts(const struct precis_layout *layout, const struct precis_perf_sample *sample)
{
	struct precis_read read = { .size = sizeof(read) };
	struct precis_read_value value = { .size = sizeof(value) };
	struct precis_branch branch = { .size = sizeof(branch) };
	struct precis_callchain_entry entry = { .size = sizeof(entry) };

	if (sample->present & PRECIS_SAMPLE_READ) {
		PROMISE(precis_read_parse(layout->read_format, sample->read, &read) == 0);
		for (uint64_t n = 0; n < read.count; n++)
			PROMISE(precis_read_value(&read, n, &value) == 0);
	}
	if (sample->present & PRECIS_SAMPLE_BRANCH_STACK) {
		for (uint64_t n = 0; n < sample->branch_count; n++)
			PROMISE(precis_branch(sample, n, &branch) == 0);
	}
	if (sample->present & PRECIS_SAMPLE_CALLCHAIN) {
		for (uint64_t n = 0; n < sample->callchain_count; n++)
			PROMISE(precis_callchain_entry(sample->callchain, n, &entry) == 0);
	}
}

static void parse_sample(const struct precis_layout *layout, const struct precis_record *record)
{
	struct precis_perf_sample sample;

	memset(&sample, 0, sizeof(sample));
	sample.size = sizeof(sample);
	precis_perf_sample_parse(layout, record, &sample);
	check_view(record, sample.read);
	check_view(record, sample.callchain);
	check_view(record, sample.raw);
	check_view(record, sample.branches);
	check_view(record, sample.branch_counters);
	check_view(record, sample.regs_user);
	check_view(record, sample.stack_user);
	check_view(record, sample.regs_intr);
	check_view(record, sample.aux);
	parse_parts(layout, &sample);
}

static void check_text(const struct precis_record *record, const char *text)
{
	volatile size_t length = strlen(text);

	PROMISE(length < record->size);
}

/* Fill a struct; what follows happens if that can be done. */
#define TAKE(type, parsed, call)                                                                   \
	type parsed;                                                                               \
	memset(&parsed, 0, sizeof(parsed));                                                        \
	parsed.size = sizeof(parsed);                                                              \
	if ((call) == 0)

static void parse_read(const struct precis_layout *layout, const struct precis_record *record)
{
	struct precis_read_value value = { .size = sizeof(value) };

	TAKE(struct precis_read_record, read, precis_read_record_parse(layout, record, &read))
	for (uint64_t n = 0; n < read.read.count; n++)
		PROMISE(precis_read_value(&read.read, n, &value) == 0);
}

static void parse_kernel(const struct precis_layout *layout, const struct precis_record *record)
{
	struct precis_sample_id id = { .size = sizeof(id) };
	struct precis_namespace namespace = { .size = sizeof(namespace) };

	precis_sample_id_parse(layout, record, &id);
	parse_read(layout, record);
	TAKE(struct precis_mmap, map, precis_mmap_parse(record, &map))
	check_text(record, map.filename);
	TAKE(struct precis_comm, comm, precis_comm_parse(record, &comm))
	check_text(record, comm.name);
	TAKE(struct precis_ksymbol, symbol, precis_ksymbol_parse(record, &symbol))
	check_text(record, symbol.name);
	TAKE(struct precis_cgroup, cgroup, precis_cgroup_parse(record, &cgroup))
	check_text(record, cgroup.path);
	TAKE(struct precis_namespaces, spaces, precis_namespaces_parse(record, &spaces))
	for (uint64_t n = 0; n < spaces.count; n++)
		PROMISE(precis_namespace(&spaces, n, &namespace) == 0);
	TAKE(struct precis_text_poke, poke, precis_text_poke_parse(record, &poke))
	{
		check_view(record, poke.old_code);
		check_view(record, poke.new_code);
	}
	TAKE(struct precis_callchain_deferred, deferred,
	     precis_callchain_deferred_parse(record, &deferred))
	check_view(record, deferred.callchain);
	TAKE(struct precis_bpf_event, bpf, precis_bpf_event_parse(record, &bpf))
	check_view(record, (struct precis_bytes){ bpf.tag, PRECIS_BPF_TAG_BYTES });
}

/* Members only, nothing that points anywhere */
#define PARSE(name)                                                                                \
	do {                                                                                       \
		struct precis_##name parsed;                                                       \
                                                                                                   \
		memset(&parsed, 0, sizeof(parsed));                                                \
		parsed.size = sizeof(parsed);                                                      \
		precis_##name##_parse(record, &parsed);                                            \
	} while (0)

static void parse_fixed(const struct precis_record *record)
{
	PARSE(task);
	PARSE(lost);
	PARSE(lost_samples);
	PARSE(throttle);
	PARSE(aux);
	PARSE(itrace_start);
	PARSE(aux_output_hw_id);
	PARSE(switch);
	PARSE(auxtrace);
	PARSE(stat);
	PARSE(stat_round);
	PARSE(time_conv);
	PARSE(header_tracing_data);
}

static void walk_cpus(const struct precis_record *record, const struct precis_cpu_map *map)
{
	uint32_t position = 0, steps = 0;
	int32_t cpu;

	check_view(record, map->words);
	while (precis_cpu_map_next(map, &position, &cpu) == 1)
		PROMISE(++steps <= (1u << 19));
}

static void parse_header(const struct precis_record *record)
{
	TAKE(struct precis_header_attr, attr, precis_header_attr_parse(record, &attr))
	{
		check_view(record, attr.attr);
		check_view(record, attr.ids);
	}
	TAKE(struct precis_header_event_type, type, precis_header_event_type_parse(record, &type))
	check_view(record, (struct precis_bytes){ (const uint8_t *)type.name, type.name_bytes });
	TAKE(struct precis_header_build_id, build_id,
	     precis_header_build_id_parse(record, &build_id))
	{
		check_text(record, build_id.filename);
		check_view(record,
			   (struct precis_bytes){ build_id.build_id, build_id.build_id_bytes });
	}
	TAKE(struct precis_header_feature, feature, precis_header_feature_parse(record, &feature))
	check_view(record, feature.section);
	TAKE(struct precis_event_update, update, precis_event_update_parse(record, &update))
	{
		if (update.text)
			check_text(record, update.text);
		if (update.type == PRECIS_EVENT_UPDATE_CPUS)
			walk_cpus(record, &update.cpus);
	}
}

static void parse_lists(const struct precis_record *record)
{
	struct precis_id_index_entry id = { .size = sizeof(id) };
	struct precis_thread_map_entry thread = { .size = sizeof(thread) };
	struct precis_stat_config_entry config_entry = { .size = sizeof(config_entry) };
	struct precis_bpf_metadata_entry constant = { .size = sizeof(constant) };
	const char *name;
	uint64_t value;

	TAKE(struct precis_id_index, index, precis_id_index_parse(record, &index))
	for (uint64_t n = 0; n < index.count; n++)
		PROMISE(precis_id_index_entry(&index, n, &id) == 0);
	TAKE(struct precis_thread_map, threads, precis_thread_map_parse(record, &threads))
	for (uint64_t n = 0; n < threads.count; n++)
		PROMISE(precis_thread_map_entry(&threads, n, &thread) == 0);
	TAKE(struct precis_stat_config, config, precis_stat_config_parse(record, &config))
	for (uint64_t n = 0; n < config.count; n++)
		PROMISE(precis_stat_config_entry(&config, n, &config_entry) == 0);
	TAKE(struct precis_bpf_metadata, metadata, precis_bpf_metadata_parse(record, &metadata))
	for (uint64_t n = 0; n < metadata.count; n++)
		PROMISE(precis_bpf_metadata_entry(&metadata, n, &constant) == 0);
	TAKE(struct precis_schedstat, schedstat, precis_schedstat_parse(record, &schedstat))
	for (uint32_t n = 0; n < schedstat.count; n++)
		PROMISE(precis_schedstat_value(&schedstat, n, &name, &value) == 0);
	TAKE(struct precis_cpu_map, cpus, precis_cpu_map_parse(record, &cpus))
	walk_cpus(record, &cpus);
	TAKE(struct precis_auxtrace_info, info, precis_auxtrace_info_parse(record, &info))
	check_view(record, info.private_words);
	TAKE(struct precis_auxtrace_error, error, precis_auxtrace_error_parse(record, &error))
	check_text(record, error.message);
	TAKE(struct precis_compressed, compressed, precis_compressed_parse(record, &compressed))
	check_view(record, compressed.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct precis_layout layout = { .size = sizeof(layout) };
	struct precis_record record;
	size_t attr_bytes;

	if (size < 2)
		return 0;
	attr_bytes = data[0] | (size_t)data[1] << 8;
	if (attr_bytes > size - 2 || precis_layout_init(data + 2, attr_bytes, &layout))
		return 0;
	data += 2 + attr_bytes;
	size -= 2 + attr_bytes;
	memset(&record, 0, sizeof(record));
	while (precis_record_at(data, size, &record) == 0) {
		/* a copy of exactly its size: nothing behind it may be touched */
		uint8_t *copy = malloc(record.size);
		size_t step = record.size;

		if (!copy)
			return 0;
		PROMISE(step >= 8 && step <= size);
		memcpy(copy, data, step);
		if (precis_record_at(copy, step, &record) == 0) {
			precis_record_name(record.type);
			parse_sample(&layout, &record);
			parse_kernel(&layout, &record);
			parse_fixed(&record);
			parse_header(&record);
			parse_lists(&record);
		}
		free(copy);
		data += step;
		size -= step;
	}
	return 0;
}
