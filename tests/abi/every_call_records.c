/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that take records and sections apart. Their bytes are made up so that each can be: words
 * of 1, which are counts of one entry and texts of one character, where nothing else is said.
 */
#include "every_call.h"

/* A record of that type with 'words' words of 1, but for one */
static const struct precis_record *record_with(uint32_t type, uint32_t words, uint32_t n,
					       uint64_t value)
{
	static struct precis_record record;
	const uint16_t size = (uint16_t)(8 * (1 + words));

	for (uint32_t word = 1; word <= CALLS_WORDS; word++)
		calls_body[word] = word == n ? value : 1;
	memcpy(calls_body, &type, sizeof(type));
	memset((uint8_t *)calls_body + 4, 0, 2);
	memcpy((uint8_t *)calls_body + 6, &size, sizeof(size));
	precis_record_at(calls_body, sizeof(calls_body), &record);
	return &record;
}

static const struct precis_record *record_of(uint32_t type)
{
	return record_with(type, 32, 0, 0);
}

/* A set of one CPU in the form LIST: {u16 kind, count, cpu} */
#define LIST_OF_ONE_CPU 0x10000

static const struct precis_record *cpu_map_record(void)
{
	return record_with(PRECIS_RECORD_CPU_MAP, 8, 1, LIST_OF_ONE_CPU);
}

static const struct precis_record *cpus_record(void)
{
	const struct precis_record *record =
		record_with(PRECIS_RECORD_EVENT_UPDATE, 8, 1, PRECIS_EVENT_UPDATE_CPUS);

	calls_body[3] = LIST_OF_ONE_CPU;
	return record;
}

/* A program without a name, and one entry, whose texts are empty */
static const struct precis_record *bpf_metadata_record(void)
{
	const uint32_t name_words = 256 / 8, entry_words = (64 + 256) / 8;
	const struct precis_record *record =
		record_with(PRECIS_RECORD_BPF_METADATA, name_words + 1 + entry_words, 0, 0);

	memset(calls_body + 1, 0, 8 * CALLS_WORDS);
	calls_body[1 + name_words] = 1;
	return record;
}

/* The struct that a parser fills is called as the parser. */
#define PARSES(what, type)                                                                         \
	FILLS(precis_##what, precis_##what##_parse, ,                                              \
	      precis_##what##_parse(record_of(PRECIS_RECORD_##type), s))

static void kernel_records(struct calls *calls, const struct precis_layout *layout)
{
	PARSES(mmap, MMAP2);
	PARSES(comm, COMM);
	PARSES(task, FORK);
	PARSES(lost, LOST);
	PARSES(lost_samples, LOST_SAMPLES);
	PARSES(throttle, THROTTLE);
	PARSES(aux, AUX);
	PARSES(itrace_start, ITRACE_START);
	PARSES(aux_output_hw_id, AUX_OUTPUT_HW_ID);
	PARSES(switch, SWITCH_CPU_WIDE);
	PARSES(namespaces, NAMESPACES);
	PARSES(ksymbol, KSYMBOL);
	PARSES(bpf_event, BPF_EVENT);
	PARSES(cgroup, CGROUP);
	FILLS(precis_text_poke, precis_text_poke_parse, ,
	      precis_text_poke_parse(record_with(PRECIS_RECORD_TEXT_POKE, 32, 2, 0x20002), s));
	PARSES(callchain_deferred, CALLCHAIN_DEFERRED);
	FILLS(precis_sample_id, precis_sample_id_parse, memset(s, 0, sizeof(*s));
	      s->size = sizeof(*s),
	      precis_sample_id_parse(layout, record_of(PRECIS_RECORD_COMM), s));
}

static void tool_records(struct calls *calls)
{
	FILLS(precis_header_attr, precis_header_attr_parse, ,
	      precis_header_attr_parse(
		      record_with(PRECIS_RECORD_HEADER_ATTR, 20, 1, UINT64_C(64) << 32), s));
	PARSES(header_event_type, HEADER_EVENT_TYPE);
	PARSES(header_tracing_data, HEADER_TRACING_DATA);
	PARSES(header_build_id, HEADER_BUILD_ID);
	PARSES(id_index, ID_INDEX);
	PARSES(auxtrace_info, AUXTRACE_INFO);
	PARSES(auxtrace, AUXTRACE);
	PARSES(auxtrace_error, AUXTRACE_ERROR);
	PARSES(thread_map, THREAD_MAP);
	FILLS(precis_cpu_map, precis_cpu_map_parse, , precis_cpu_map_parse(cpu_map_record(), s));
	PARSES(stat_config, STAT_CONFIG);
	PARSES(stat, STAT);
	PARSES(stat_round, STAT_ROUND);
	PARSES(time_conv, TIME_CONV);
	PARSES(header_feature, HEADER_FEATURE);
	PARSES(compressed, COMPRESSED);
	FILLS(precis_bpf_metadata, precis_bpf_metadata_parse, ,
	      precis_bpf_metadata_parse(bpf_metadata_record(), s));
	FILLS(precis_schedstat, precis_schedstat_parse, ,
	      precis_schedstat_parse(record_with(PRECIS_RECORD_SCHEDSTAT_CPU, 32, 2,
						 UINT64_C(15) << 32),
				     s));
}

/* Entry 0 of what another record holds */
#define ENTRY_OF(what, record, name, entry)                                                        \
	do {                                                                                       \
		struct precis_##what *list = NEW(precis_##what);                                   \
		precis_##what##_parse(record, list);                                               \
		FILLS(entry, name, , name(list, 0, s));                                            \
		calls_drop(list);                                                                  \
	} while (0)

static void entries(struct calls *calls)
{
	struct precis_schedstat *schedstat = NEW(precis_schedstat);
	struct precis_cpu_map *map = NEW(precis_cpu_map);
	uint32_t position = 0;
	const char *name;
	uint64_t value;
	int32_t cpu;

	ENTRY_OF(namespaces, record_of(PRECIS_RECORD_NAMESPACES), precis_namespace,
		 precis_namespace);
	ENTRY_OF(id_index, record_of(PRECIS_RECORD_ID_INDEX), precis_id_index_entry,
		 precis_id_index_entry);
	ENTRY_OF(thread_map, record_of(PRECIS_RECORD_THREAD_MAP), precis_thread_map_entry,
		 precis_thread_map_entry);
	ENTRY_OF(stat_config, record_of(PRECIS_RECORD_STAT_CONFIG), precis_stat_config_entry,
		 precis_stat_config_entry);
	ENTRY_OF(bpf_metadata, bpf_metadata_record(), precis_bpf_metadata_entry,
		 precis_bpf_metadata_entry);
	precis_cpu_map_parse(cpu_map_record(), map);
	RETURNS(precis_cpu_map_next, precis_cpu_map_next(map, &position, &cpu));
	precis_schedstat_parse(record_with(PRECIS_RECORD_SCHEDSTAT_CPU, 32, 2, UINT64_C(15) << 32),
			       schedstat);
	RETURNS(precis_schedstat_value, precis_schedstat_value(schedstat, 0, &name, &value));
	GIVES(precis_schedstat_value, (uintptr_t)name);
	calls_drop(schedstat);
	calls_drop(map);
}

/* Structs that end in another one with a size, which must not say more than there is. */
static void nested(struct calls *calls, const struct precis_layout *layout)
{
	struct precis_event_update *update = NEW(precis_event_update);
	struct precis_read_record *read = NEW(precis_read_record);
	struct precis_read_value *value = NEW(precis_read_value);

	RETURNS(precis_read_record_parse,
		precis_read_record_parse(layout, record_of(PRECIS_RECORD_READ), read));
	RETURNS(precis_read_value, precis_read_value(&read->read, 0, value));
	GIVES(precis_read_value, value->value);
	GIVES(precis_read_record_parse, read->read.size <= sizeof(read->read));
	FILLS(precis_read, precis_read_parse, ,
	      precis_read_parse(0, (struct precis_bytes){ (const uint8_t *)calls_body, 8 }, s));
	RETURNS(precis_event_update_parse,
		precis_event_update_parse(cpus_record(), update));
	GIVES(precis_event_update_parse, update->cpus.size <= sizeof(update->cpus));
	calls_drop(update);
	calls_drop(read);
	calls_drop(value);
}

static struct precis_layout *new_layout(const uint8_t *attr, size_t bytes)
{
	struct precis_layout *layout = NEW(precis_layout);

	precis_layout_init(attr, bytes, layout);
	return layout;
}

static void samples(struct calls *calls, const struct precis_layout *layout, const uint8_t *attr,
		    size_t bytes)
{
	const struct precis_record *record = record_of(PRECIS_RECORD_SAMPLE);
	const struct precis_bytes chain = { (const uint8_t *)calls_body, 16 };
	struct precis_perf_sample *perf = NEW(precis_perf_sample);
	struct precis_sample *sample = CALLS_OF(_new_sample)();
	struct precis_decoder decoder;
	int code;

	FILLS(precis_layout, precis_layout_init, , precis_layout_init(attr, bytes, s));
	FILLS(precis_perf_sample, precis_perf_sample_parse, ,
	      precis_perf_sample_parse(layout, record, s));
	precis_perf_sample_parse(layout, record, perf);
	FILLS(precis_branch, precis_branch, , precis_branch(perf, 0, s));
	FILLS(precis_callchain_entry, precis_callchain_entry, ,
	      precis_callchain_entry(chain, 1, s));
	memset(&decoder, 0, sizeof(decoder));
	decoder.size = sizeof(decoder);
	RETURNS(precis_decoder_init, precis_decoder_init(&decoder, attr, bytes));
	code = precis_decoder_sample(&decoder, record, NULL, perf, sample);
	CALLS_OF(_sample)(calls, "precis_decoder_sample", code, sample);
	sample = CALLS_OF(_new_sample)();
	code = precis_decoder_sample(&decoder, record, NULL, NULL, sample);
	CALLS_OF(_sample)(calls, "precis_decoder_sample", code, sample);
	calls_drop(perf);
}

/* Words of 1 as a section; 'first' is its first one. */
static struct precis_bytes section_with(uint64_t first)
{
	record_with(1, CALLS_WORDS, 1, first);
	return (struct precis_bytes){ (const uint8_t *)(calls_body + 1), 8 * CALLS_WORDS };
}

/* {u32 count = 1; {u32 length = 4, "\1"}, {u32 1, …}}: what most lists have as their first entry */
static struct precis_bytes list_section(void)
{
	for (uint32_t n = 0; n < 64; n++)
		calls_words[n] = n % 2 ? 4 : 1;
	return (struct precis_bytes){ (const uint8_t *)calls_words, sizeof(calls_words) };
}

static void lists(struct calls *calls)
{
	struct precis_section_list list;
	uint64_t block;

	precis_hybrid_pmus(list_section(), &list);
	FILLS(precis_hybrid_pmu, precis_hybrid_pmu_next, , precis_hybrid_pmu_next(&list, s));
	precis_event_groups(list_section(), &list);
	FILLS(precis_event_group, precis_event_group_next, , precis_event_group_next(&list, s));
	precis_numa_nodes(section_with(1), &list);
	FILLS(precis_numa_node, precis_numa_node_next, , precis_numa_node_next(&list, s) >= 0);
	precis_caches(section_with(UINT64_C(1) << 32 | 1), &list);
	FILLS(precis_cache, precis_cache_next, , precis_cache_next(&list, s) + 5);
	precis_memory_nodes(section_with(1), &block, &list);
	FILLS(precis_memory_node, precis_memory_node_next, , precis_memory_node_next(&list, s));
	record_of(PRECIS_RECORD_HEADER_BUILD_ID);
	precis_build_ids((struct precis_bytes){ (const uint8_t *)calls_body, 8 * 33 }, &list);
	FILLS(precis_header_build_id, precis_build_id_next, , precis_build_id_next(&list, s));
}

static void sections(struct calls *calls)
{
	static const uint32_t words[] = { 1, 4, 1, 1, 4, 1, 7, 8, 1, 4, 1, 9 };
	const struct precis_bytes topology_section = { (const uint8_t *)calls_words,
						       sizeof(words) };
	struct precis_cpu_topology *topology = NEW(precis_cpu_topology);

	memcpy(calls_words, words, sizeof(words));
	FILLS(precis_clock_data, precis_clock_data_parse, ,
	      precis_clock_data_parse(section_with(1), s));
	FILLS(precis_compression, precis_compression_parse, ,
	      precis_compression_parse(section_with(1), s));
	FILLS(precis_machine_type, precis_machine_type_parse, ,
	      precis_machine_type_parse(section_with(1), s));
	FILLS(precis_cpu_topology, precis_cpu_topology_parse, ,
	      precis_cpu_topology_parse(topology_section, 1, s));
	precis_cpu_topology_parse(topology_section, 1, topology);
	FILLS(precis_cpu_place, precis_cpu_place, , precis_cpu_place(topology, 0, s) >= 0);
	calls_drop(topology);
}

void CALLS_OF(_records)(struct calls *calls)
{
	static uint64_t attr[16] = { UINT64_C(128) << 32, 0, 1000 };
	struct precis_layout *layout;

	/* sample_type, and sample_id_all */
	attr[3] = PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME |
		  PRECIS_SAMPLE_BRANCH_STACK | PRECIS_SAMPLE_CPU;
	attr[5] = 1u << 18;
	layout = new_layout((const uint8_t *)attr, sizeof(attr));
	kernel_records(calls, layout);
	tool_records(calls);
	entries(calls);
	nested(calls, layout);
	samples(calls, layout, (const uint8_t *)attr, sizeof(attr));
	lists(calls);
	sections(calls);
	calls_drop(layout);
}
