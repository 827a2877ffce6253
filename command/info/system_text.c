/* SPDX-License-Identifier: BSD-3-Clause */
/* The recording's machine in precis info as text: in sums, where JSON has each CPU and cache. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "document/quote.h"
#include "system.h"

#define SECOND UINT64_C(1000000000)

/* @return 0, or a negative enum precis_error */
typedef int part_printer(struct output *output, struct precis_bytes section,
			 const struct info *info);

static int print_machine(struct output *output, struct precis_bytes section,
			 const struct info *info)
{
	struct precis_machine_type type = { .size = sizeof(type) };
	int code = precis_machine_type_parse(section, &type);

	(void)info;
	if (code)
		return code;
	info_label(output, 0, "programs for");
	output_format(output, "e_machine %u, e_flags 0x%x\n", type.machine, type.flags);
	return 0;
}

static int print_topology(struct output *output, struct precis_bytes section,
			  const struct info *info)
{
	struct precis_cpu_topology topology = { .size = sizeof(topology) };
	int code = precis_cpu_topology_parse(section, info->file.cpus_available, &topology);

	if (code)
		return code;
	info_label(output, 0, "topology");
	output_format(output, "packages %" PRIu64, topology.packages.left);
	if (topology.has_dies)
		output_format(output, ", dies %" PRIu64, topology.dies.left);
	output_format(output, ", cores %" PRIu64 "\n", topology.cores.left);
	return 0;
}

static int print_hybrid(struct output *output, struct precis_bytes section, const struct info *info)
{
	struct precis_hybrid_pmu pmu = { .size = sizeof(pmu) };
	struct precis_section_list list;
	int code = precis_hybrid_pmus(section, &list);
	const char *name = "kinds of core";

	(void)info;
	while (!code && (code = precis_hybrid_pmu_next(&list, &pmu)) == 1) {
		info_label(output, 0, name);
		output_plain(output, pmu.pmu);
		output_text(output, ": CPUs ");
		output_plain(output, pmu.cpus);
		output_bytes(output, "\n", 1);
		name = "";
		code = 0;
	}
	return code;
}

static int print_memory(struct output *output, struct precis_bytes section, const struct info *info)
{
	uint64_t kibibytes;
	int code = precis_total_memory(section, &kibibytes);

	(void)info;
	if (code)
		return code;
	info_label(output, 0, "memory");
	output_format(output, "%" PRIu64 " KiB\n", kibibytes);
	return 0;
}

static int print_numa(struct output *output, struct precis_bytes section, const struct info *info)
{
	struct precis_numa_node node = { .size = sizeof(node) };
	struct precis_section_list list;
	int code = precis_numa_nodes(section, &list);
	const char *name = "NUMA nodes";

	(void)info;
	while (!code && (code = precis_numa_node_next(&list, &node)) == 1) {
		info_label(output, 0, name);
		output_format(output, "%u: %" PRIu64 " KiB, %" PRIu64 " of them free; ", node.node,
			      node.total, node.free);
		output_text(output, *node.cpus ? "CPUs " : "no CPUs");
		output_plain(output, node.cpus);
		output_bytes(output, "\n", 1);
		name = "";
		code = 0;
	}
	return code;
}

static uint64_t count_blocks(const struct precis_memory_node *node)
{
	uint64_t count = 0, word;

	for (uint64_t n = 0; precis_bytes_u64(node->blocks, n, &word) == 0; n++)
		count += (uint64_t)__builtin_popcountll(word);
	return count;
}

static int print_memory_nodes(struct output *output, struct precis_bytes section,
			      const struct info *info)
{
	struct precis_memory_node node = { .size = sizeof(node) };
	struct precis_section_list list;
	uint64_t block_bytes;
	int code = precis_memory_nodes(section, &block_bytes, &list);
	const char *name = "memory blocks";

	(void)info;
	while (!code && (code = precis_memory_node_next(&list, &node)) == 1) {
		info_label(output, 0, name);
		output_format(output, "node %" PRIu64 ": %" PRIu64 " of %" PRIu64 " bytes each\n",
			      node.node, count_blocks(&node), block_bytes);
		name = "";
		code = 0;
	}
	return code;
}

/* Caches that differ in nothing but the CPUs */
struct cache_kind {
	struct precis_cache cache;
	uint32_t count;
};
#define CACHE_KINDS 16u

static int is_alike(const struct precis_cache *a, const struct precis_cache *b)
{
	return a->level == b->level && a->line_bytes == b->line_bytes && a->sets == b->sets &&
	       a->ways == b->ways && !strcmp(a->type, b->type) && !strcmp(a->capacity, b->capacity);
}

/* More kinds than any machine has are counted with the last. */
static void count_cache(struct cache_kind kinds[CACHE_KINDS], const struct precis_cache *cache)
{
	uint32_t n = 0;

	while (n < CACHE_KINDS - 1 && kinds[n].count && !is_alike(&kinds[n].cache, cache))
		n++;
	if (!kinds[n].count)
		kinds[n].cache = *cache;
	kinds[n].count++;
}

static int print_caches(struct output *output, struct precis_bytes section, const struct info *info)
{
	struct cache_kind kinds[CACHE_KINDS] = { 0 };
	struct precis_cache cache = { .size = sizeof(cache) };
	struct precis_section_list list;
	int code = precis_caches(section, &list);

	(void)info;
	while (!code && (code = precis_cache_next(&list, &cache)) == 1) {
		count_cache(kinds, &cache);
		code = 0;
	}
	for (uint32_t n = 0; n < CACHE_KINDS && kinds[n].count; n++) {
		info_label(output, 0, n ? "" : "caches");
		output_format(output, "%u times L%u ", kinds[n].count, kinds[n].cache.level);
		output_plain(output, kinds[n].cache.type);
		output_text(output, ", ");
		output_plain(output, kinds[n].cache.capacity);
		output_format(output, ", %u ways, lines of %u bytes\n", kinds[n].cache.ways,
			      kinds[n].cache.line_bytes);
	}
	return code;
}

static int print_line_size(struct output *output, struct precis_bytes section,
			   const struct info *info)
{
	uint32_t bytes;
	int code = precis_cache_line_size(section, &bytes);

	(void)info;
	if (code)
		return code;
	info_label(output, 0, "cache line");
	output_format(output, "%u bytes\n", bytes);
	return 0;
}

static int print_resolution(struct output *output, struct precis_bytes section,
			    const struct info *info)
{
	uint64_t nanoseconds;
	int code = precis_clock_resolution(section, &nanoseconds);

	(void)info;
	if (code)
		return code;
	info_label(output, 0, "clock");
	output_format(output, "resolution %" PRIu64 " ns\n", nanoseconds);
	return 0;
}

static int print_clock(struct output *output, struct precis_bytes section, const struct info *info)
{
	struct precis_clock_data clock = { .size = sizeof(clock) };
	int code = precis_clock_data_parse(section, &clock);
	time_t seconds;
	struct tm parts;
	char date[64] = "";

	(void)info;
	if (code)
		return code;
	seconds = (time_t)(clock.wall_ns / SECOND);
	if (gmtime_r(&seconds, &parts))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &parts);
	info_label(output, 0, "time of day");
	output_format(output, "%s.%09" PRIu64 " UTC was %" PRIu64 ".%09" PRIu64 " s of clock %u\n",
		      date, clock.wall_ns % SECOND, clock.clock_ns / SECOND,
		      clock.clock_ns % SECOND, clock.clock_id);
	return 0;
}

static int print_compression(struct output *output, struct precis_bytes section,
			     const struct info *info)
{
	struct precis_compression compression = { .size = sizeof(compression) };
	int code = precis_compression_parse(section, &compression);

	(void)info;
	if (code)
		return code;
	info_label(output, 0, "compression");
	if (compression.type == 1)
		output_text(output, "zstd");
	else
		output_format(output, "type %u", compression.type);
	output_format(output, ", level %u, ratio %u\n", compression.level, compression.ratio);
	return 0;
}

static int print_groups(struct output *output, struct precis_bytes section, const struct info *info)
{
	struct precis_event_group group = { .size = sizeof(group) };
	struct precis_section_list list;
	int code = precis_event_groups(section, &list);
	const char *name = "groups";

	(void)info;
	while (!code && (code = precis_event_group_next(&list, &group)) == 1) {
		info_label(output, 0, name);
		output_plain(output, group.name);
		output_format(output, ": %u events from event %u on\n", group.members,
			      group.leader);
		name = "";
		code = 0;
	}
	return code;
}

static const struct part {
	enum precis_feature feature;
	const char *name;
	part_printer *print;
} parts[] = {
	{ PRECIS_FEATURE_E_MACHINE, "E_MACHINE", print_machine },
	{ PRECIS_FEATURE_CPU_TOPOLOGY, "CPU_TOPOLOGY", print_topology },
	{ PRECIS_FEATURE_HYBRID_TOPOLOGY, "HYBRID_TOPOLOGY", print_hybrid },
	{ PRECIS_FEATURE_TOTAL_MEM, "TOTAL_MEM", print_memory },
	{ PRECIS_FEATURE_NUMA_TOPOLOGY, "NUMA_TOPOLOGY", print_numa },
	{ PRECIS_FEATURE_MEM_TOPOLOGY, "MEM_TOPOLOGY", print_memory_nodes },
	{ PRECIS_FEATURE_CACHE, "CACHE", print_caches },
	{ PRECIS_FEATURE_CLN_SIZE, "CLN_SIZE", print_line_size },
	{ PRECIS_FEATURE_CLOCKID, "CLOCKID", print_resolution },
	{ PRECIS_FEATURE_CLOCK_DATA, "CLOCK_DATA", print_clock },
	{ PRECIS_FEATURE_COMPRESSED, "COMPRESSED", print_compression },
	{ PRECIS_FEATURE_GROUP_DESC, "GROUP_DESC", print_groups },
};

void info_print_system_text(const struct info *info, struct output *output)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct precis_bytes section;
		int code;

		if (precis_file_feature(info->recording->file, parts[i].feature, &section))
			continue;
		code = parts[i].print(output, section, info);
		if (!code)
			continue;
		info_label(output, 0, "broken");
		output_format(output, "feature %s: %s\n", parts[i].name, precis_strerror(code));
	}
}
