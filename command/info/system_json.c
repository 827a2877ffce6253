/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recording's machine in precis info --format json: a key for each feature, null where the
 * recording does not have it.
 */
#include "system.h"

/* Print the value of the key. @return 0, or a negative enum precis_error */
typedef int part_printer(struct json *json, const char *key, struct precis_bytes section,
			 const struct info *info);

static int print_memory(struct json *json, const char *key, struct precis_bytes section,
			const struct info *info)
{
	uint64_t kibibytes;
	int code = precis_total_memory(section, &kibibytes);

	(void)info;
	if (code)
		json_text(json, key, NULL);
	else
		json_number(json, key, kibibytes);
	return code;
}

static int print_line_size(struct json *json, const char *key, struct precis_bytes section,
			   const struct info *info)
{
	uint32_t bytes;
	int code = precis_cache_line_size(section, &bytes);

	(void)info;
	if (code)
		json_text(json, key, NULL);
	else
		json_number(json, key, bytes);
	return code;
}

static int print_machine(struct json *json, const char *key, struct precis_bytes section,
			 const struct info *info)
{
	struct precis_machine_type type = { .size = sizeof(type) };
	int code = precis_machine_type_parse(section, &type);

	(void)info;
	if (code) {
		json_text(json, key, NULL);
		return code;
	}
	json_object(json, key);
	json_number(json, "machine", type.machine);
	json_hex(json, "flags", type.flags);
	json_object_end(json);
	return 0;
}

static void print_texts(struct json *json, const char *key, struct precis_section_list texts)
{
	const char *text;

	json_array(json, key);
	while (precis_section_text_next(&texts, &text) > 0)
		json_text(json, NULL, text);
	json_array_end(json);
}

static void print_id(struct json *json, const char *key, uint32_t id)
{
	if (id == UINT32_MAX)
		json_text(json, key, NULL);
	else
		json_number(json, key, id);
}

static void print_places(struct json *json, const struct precis_cpu_topology *topology)
{
	struct precis_cpu_place place = { .size = sizeof(place) };

	json_array(json, "cpus");
	for (uint32_t cpu = 0; precis_cpu_place(topology, cpu, &place) == 0; cpu++) {
		json_object(json, NULL);
		json_number(json, "cpu", cpu);
		print_id(json, "socket", place.socket);
		print_id(json, "die", place.has_die ? place.die : UINT32_MAX);
		print_id(json, "core", place.core);
		json_object_end(json);
	}
	json_array_end(json);
}

static int print_topology(struct json *json, const char *key, struct precis_bytes section,
			  const struct info *info)
{
	struct precis_cpu_topology topology = { .size = sizeof(topology) };
	int code = precis_cpu_topology_parse(section, info->file.cpus_available, &topology);

	if (code) {
		json_text(json, key, NULL);
		return code;
	}
	json_object(json, key);
	print_texts(json, "packages", topology.packages);
	print_texts(json, "dies", topology.dies);
	print_texts(json, "cores", topology.cores);
	print_places(json, &topology);
	json_object_end(json);
	return 0;
}

static int print_hybrid(struct json *json, const char *key, struct precis_bytes section,
			const struct info *info)
{
	struct precis_hybrid_pmu pmu = { .size = sizeof(pmu) };
	struct precis_section_list list;
	int code = precis_hybrid_pmus(section, &list);

	(void)info;
	json_array(json, key);
	while (!code && (code = precis_hybrid_pmu_next(&list, &pmu)) == 1) {
		json_object(json, NULL);
		json_text(json, "pmu", pmu.pmu);
		json_text(json, "cpus", pmu.cpus);
		json_object_end(json);
		code = 0;
	}
	json_array_end(json);
	return code;
}

static int print_numa(struct json *json, const char *key, struct precis_bytes section,
		      const struct info *info)
{
	struct precis_numa_node node = { .size = sizeof(node) };
	struct precis_section_list list;
	int code = precis_numa_nodes(section, &list);

	(void)info;
	json_array(json, key);
	while (!code && (code = precis_numa_node_next(&list, &node)) == 1) {
		json_object(json, NULL);
		json_number(json, "node", node.node);
		json_text(json, "cpus", node.cpus);
		json_number(json, "total_kib", node.total);
		json_number(json, "free_kib", node.free);
		json_object_end(json);
		code = 0;
	}
	json_array_end(json);
	return code;
}

/* Blocks of the map that are the node's, as runs {first, last} */
static void print_blocks(struct json *json, const struct precis_memory_node *node)
{
	uint64_t first = 0, word = 0;
	int is_in = 0;

	json_array(json, "blocks");
	for (uint64_t block = 0; block <= node->block_count; block++) {
		int is_set = 0;

		if (block < node->block_count && !precis_bytes_u64(node->blocks, block / 64, &word))
			is_set = (int)(word >> block % 64 & 1);
		if (is_set && !is_in)
			first = block;
		if (!is_set && is_in) {
			json_object(json, NULL);
			json_number(json, "first", first);
			json_number(json, "last", block - 1);
			json_object_end(json);
		}
		is_in = is_set;
	}
	json_array_end(json);
}

static int print_memory_nodes(struct json *json, const char *key, struct precis_bytes section,
			      const struct info *info)
{
	struct precis_memory_node node = { .size = sizeof(node) };
	struct precis_section_list list;
	uint64_t block_bytes;
	int code = precis_memory_nodes(section, &block_bytes, &list);

	(void)info;
	json_array(json, key);
	while (!code && (code = precis_memory_node_next(&list, &node)) == 1) {
		json_object(json, NULL);
		json_number(json, "node", node.node);
		json_number(json, "block_bytes", block_bytes);
		print_blocks(json, &node);
		json_object_end(json);
		code = 0;
	}
	json_array_end(json);
	return code;
}

static int print_caches(struct json *json, const char *key, struct precis_bytes section,
			const struct info *info)
{
	struct precis_cache cache = { .size = sizeof(cache) };
	struct precis_section_list list;
	int code = precis_caches(section, &list);

	(void)info;
	json_array(json, key);
	while (!code && (code = precis_cache_next(&list, &cache)) == 1) {
		json_object(json, NULL);
		json_number(json, "level", cache.level);
		json_text(json, "type", cache.type);
		json_text(json, "capacity", cache.capacity);
		json_number(json, "line_bytes", cache.line_bytes);
		json_number(json, "sets", cache.sets);
		json_number(json, "ways", cache.ways);
		json_text(json, "cpus", cache.cpus);
		json_object_end(json);
		code = 0;
	}
	json_array_end(json);
	return code;
}

static int print_resolution(struct json *json, const char *key, struct precis_bytes section,
			    const struct info *info)
{
	uint64_t nanoseconds;
	int code = precis_clock_resolution(section, &nanoseconds);

	(void)info;
	if (code)
		json_text(json, key, NULL);
	else
		json_number(json, key, nanoseconds);
	return code;
}

static int print_clock(struct json *json, const char *key, struct precis_bytes section,
		       const struct info *info)
{
	struct precis_clock_data clock = { .size = sizeof(clock) };
	int code = precis_clock_data_parse(section, &clock);

	(void)info;
	if (code) {
		json_text(json, key, NULL);
		return code;
	}
	json_object(json, key);
	json_number(json, "clock_id", clock.clock_id);
	json_number(json, "clock_ns", clock.clock_ns);
	json_number(json, "wall_ns", clock.wall_ns);
	json_object_end(json);
	return 0;
}

static int print_compression(struct json *json, const char *key, struct precis_bytes section,
			     const struct info *info)
{
	struct precis_compression compression = { .size = sizeof(compression) };
	int code = precis_compression_parse(section, &compression);

	(void)info;
	if (code) {
		json_text(json, key, NULL);
		return code;
	}
	json_object(json, key);
	json_number(json, "type", compression.type);
	json_number(json, "level", compression.level);
	json_number(json, "ratio", compression.ratio);
	json_number(json, "buffer_bytes", compression.buffer_bytes);
	json_object_end(json);
	return 0;
}

static int print_groups(struct json *json, const char *key, struct precis_bytes section,
			const struct info *info)
{
	struct precis_event_group group = { .size = sizeof(group) };
	struct precis_section_list list;
	int code = precis_event_groups(section, &list);

	(void)info;
	json_array(json, key);
	while (!code && (code = precis_event_group_next(&list, &group)) == 1) {
		json_object(json, NULL);
		json_text(json, "name", group.name);
		json_number(json, "leader", group.leader);
		json_number(json, "members", group.members);
		json_object_end(json);
		code = 0;
	}
	json_array_end(json);
	return code;
}

static const struct part {
	const char *key;
	enum precis_feature feature;
	const char *feature_name;
	part_printer *print;
} parts[] = {
	{ "e_machine", PRECIS_FEATURE_E_MACHINE, "E_MACHINE", print_machine },
	{ "topology", PRECIS_FEATURE_CPU_TOPOLOGY, "CPU_TOPOLOGY", print_topology },
	{ "hybrid_pmus", PRECIS_FEATURE_HYBRID_TOPOLOGY, "HYBRID_TOPOLOGY", print_hybrid },
	{ "total_memory_kib", PRECIS_FEATURE_TOTAL_MEM, "TOTAL_MEM", print_memory },
	{ "numa_nodes", PRECIS_FEATURE_NUMA_TOPOLOGY, "NUMA_TOPOLOGY", print_numa },
	{ "memory_nodes", PRECIS_FEATURE_MEM_TOPOLOGY, "MEM_TOPOLOGY", print_memory_nodes },
	{ "caches", PRECIS_FEATURE_CACHE, "CACHE", print_caches },
	{ "cache_line_bytes", PRECIS_FEATURE_CLN_SIZE, "CLN_SIZE", print_line_size },
	{ "clock_resolution_ns", PRECIS_FEATURE_CLOCKID, "CLOCKID", print_resolution },
	{ "clock", PRECIS_FEATURE_CLOCK_DATA, "CLOCK_DATA", print_clock },
	{ "compression", PRECIS_FEATURE_COMPRESSED, "COMPRESSED", print_compression },
	{ "groups", PRECIS_FEATURE_GROUP_DESC, "GROUP_DESC", print_groups },
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

void info_print_system_json(const struct info *info, struct json *json)
{
	int codes[PARTS] = { 0 };

	for (size_t i = 0; i < PARTS; i++) {
		struct precis_bytes section;

		if (precis_file_feature(info->recording->file, parts[i].feature, &section))
			json_text(json, parts[i].key, NULL);
		else
			codes[i] = parts[i].print(json, parts[i].key, section, info);
	}
	json_array(json, "broken_features");
	for (size_t i = 0; i < PARTS; i++) {
		if (!codes[i])
			continue;
		json_object(json, NULL);
		json_text(json, "feature", parts[i].feature_name);
		json_text(json, "error", precis_strerror(codes[i]));
		json_object_end(json);
	}
	json_array_end(json);
}
