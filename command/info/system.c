/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine that a recording is of (CPUs, memory, caches, clock) and its groups of events: text has
 * it in sums, JSON and CSV each CPU and cache.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "info.h"

#define SECOND UINT64_C(1000000000)

/* The value of a fact, and what text says of it. @return 0, or a negative enum precis_error */
typedef int part_describer(struct document *document, struct precis_bytes section,
			   const struct info *info);

static int describe_machine(struct document *document, struct precis_bytes section,
			    const struct info *info)
{
	struct precis_machine_type type = { .size = sizeof(type) };
	int code = precis_machine_type_parse(section, &type);

	(void)info;
	if (code)
		return code;
	cell_members(document);
	member_count(document, "machine", type.machine);
	member_address(document, "flags", type.flags);
	close_nest(document);
	fact_label(document, "programs for");
	fact_says(document, "e_machine %u, e_flags 0x%x", type.machine, type.flags);
	return 0;
}

static void entries_texts(struct document *document, const char *name,
			  struct precis_section_list texts)
{
	const char *text;

	member_entries(document, name);
	while (precis_section_text_next(&texts, &text) > 0)
		member_text(document, NULL, text);
	close_nest(document);
}

static void member_id(struct document *document, const char *name, uint32_t id)
{
	if (id == UINT32_MAX)
		member_absent(document, name, NULL);
	else
		member_count(document, name, id);
}

static void entries_places(struct document *document, const struct precis_cpu_topology *topology)
{
	struct precis_cpu_place place = { .size = sizeof(place) };

	member_entries(document, "cpus");
	for (uint32_t cpu = 0; precis_cpu_place(topology, cpu, &place) == 0; cpu++) {
		member_members(document, NULL);
		member_count(document, "cpu", cpu);
		member_id(document, "socket", place.socket);
		member_id(document, "die", place.has_die ? place.die : UINT32_MAX);
		member_id(document, "core", place.core);
		close_nest(document);
	}
	close_nest(document);
}

static int describe_topology(struct document *document, struct precis_bytes section,
			     const struct info *info)
{
	struct precis_cpu_topology topology = { .size = sizeof(topology) };
	int code = precis_cpu_topology_parse(section, info->file.cpus_available, &topology);
	char dies[64] = "";

	if (code)
		return code;
	cell_members(document);
	entries_texts(document, "packages", topology.packages);
	entries_texts(document, "dies", topology.dies);
	entries_texts(document, "cores", topology.cores);
	entries_places(document, &topology);
	close_nest(document);
	fact_label(document, "topology");
	if (topology.has_dies)
		snprintf(dies, sizeof(dies), ", dies %" PRIu64, topology.dies.left);
	fact_says(document, "packages %" PRIu64 "%s, cores %" PRIu64, topology.packages.left, dies,
		  topology.cores.left);
	return 0;
}

static int describe_hybrid(struct document *document, struct precis_bytes section,
			   const struct info *info)
{
	struct precis_hybrid_pmu pmu = { .size = sizeof(pmu) };
	struct precis_section_list list;
	int code = precis_hybrid_pmus(section, &list);

	(void)info;
	cell_entries(document);
	while (!code && (code = precis_hybrid_pmu_next(&list, &pmu)) == 1) {
		member_members(document, NULL);
		member_text(document, "pmu", pmu.pmu);
		member_text(document, "cpus", pmu.cpus);
		close_nest(document);
		fact_label(document, "kinds of core");
		fact_says_line(document, "%s: CPUs %s", pmu.pmu, pmu.cpus);
		code = 0;
	}
	close_nest(document);
	return code;
}

static int describe_memory(struct document *document, struct precis_bytes section,
			   const struct info *info)
{
	uint64_t kibibytes;
	int code = precis_total_memory(section, &kibibytes);

	(void)info;
	if (code)
		return code;
	cell_count(document, kibibytes);
	cell_unit(document, "KiB");
	fact_label(document, "memory");
	return 0;
}

static int describe_numa(struct document *document, struct precis_bytes section,
			 const struct info *info)
{
	struct precis_numa_node node = { .size = sizeof(node) };
	struct precis_section_list list;
	int code = precis_numa_nodes(section, &list);

	(void)info;
	cell_entries(document);
	while (!code && (code = precis_numa_node_next(&list, &node)) == 1) {
		member_members(document, NULL);
		member_count(document, "node", node.node);
		member_text(document, "cpus", node.cpus);
		member_count(document, "total_kib", node.total);
		member_count(document, "free_kib", node.free);
		close_nest(document);
		fact_label(document, "NUMA nodes");
		fact_says_line(document,
			       "%u: %" PRIu64 " KiB, %" PRIu64 " of them free; %s%s", node.node,
			       node.total, node.free, *node.cpus ? "CPUs " : "no CPUs", node.cpus);
		code = 0;
	}
	close_nest(document);
	return code;
}

/* Blocks of the map that are the node's, as runs {first, last}. @return how many blocks */
static uint64_t entries_blocks(struct document *document, const struct precis_memory_node *node)
{
	uint64_t first = 0, word = 0, count = 0;
	int is_in = 0;

	member_entries(document, "blocks");
	for (uint64_t block = 0; block <= node->block_count; block++) {
		int is_set = 0;

		if (block < node->block_count && !precis_bytes_u64(node->blocks, block / 64, &word))
			is_set = (int)(word >> block % 64 & 1);
		if (is_set && !is_in)
			first = block;
		if (!is_set && is_in) {
			member_members(document, NULL);
			member_count(document, "first", first);
			member_count(document, "last", block - 1);
			close_nest(document);
		}
		is_in = is_set;
		count += (uint64_t)is_set;
	}
	close_nest(document);
	return count;
}

static int describe_memory_nodes(struct document *document, struct precis_bytes section,
				 const struct info *info)
{
	struct precis_memory_node node = { .size = sizeof(node) };
	struct precis_section_list list;
	uint64_t block_bytes, count;
	int code = precis_memory_nodes(section, &block_bytes, &list);

	(void)info;
	cell_entries(document);
	while (!code && (code = precis_memory_node_next(&list, &node)) == 1) {
		member_members(document, NULL);
		member_count(document, "node", node.node);
		member_count(document, "block_bytes", block_bytes);
		count = entries_blocks(document, &node);
		close_nest(document);
		fact_label(document, "memory blocks");
		fact_says_line(document, "node %" PRIu64 ": %" PRIu64 " of %" PRIu64 " bytes each",
			       node.node, count, block_bytes);
		code = 0;
	}
	close_nest(document);
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

static void entry_cache(struct document *document, const struct precis_cache *cache)
{
	member_members(document, NULL);
	member_count(document, "level", cache->level);
	member_text(document, "type", cache->type);
	member_text(document, "capacity", cache->capacity);
	member_count(document, "line_bytes", cache->line_bytes);
	member_count(document, "sets", cache->sets);
	member_count(document, "ways", cache->ways);
	member_text(document, "cpus", cache->cpus);
	close_nest(document);
}

static int describe_caches(struct document *document, struct precis_bytes section,
			   const struct info *info)
{
	struct cache_kind kinds[CACHE_KINDS] = { 0 };
	struct precis_cache cache = { .size = sizeof(cache) };
	struct precis_section_list list;
	int code = precis_caches(section, &list);

	(void)info;
	cell_entries(document);
	while (!code && (code = precis_cache_next(&list, &cache)) == 1) {
		entry_cache(document, &cache);
		count_cache(kinds, &cache);
		code = 0;
	}
	close_nest(document);
	for (uint32_t n = 0; n < CACHE_KINDS && kinds[n].count; n++) {
		fact_label(document, "caches");
		fact_says_line(document, "%u times L%u %s, %s, %u ways, lines of %u bytes",
			       kinds[n].count, kinds[n].cache.level, kinds[n].cache.type,
			       kinds[n].cache.capacity, kinds[n].cache.ways,
			       kinds[n].cache.line_bytes);
	}
	return code;
}

static int describe_line_size(struct document *document, struct precis_bytes section,
			      const struct info *info)
{
	uint32_t bytes;
	int code = precis_cache_line_size(section, &bytes);

	(void)info;
	if (code)
		return code;
	cell_count(document, bytes);
	cell_unit(document, "bytes");
	fact_label(document, "cache line");
	return 0;
}

static int describe_resolution(struct document *document, struct precis_bytes section,
			       const struct info *info)
{
	uint64_t nanoseconds;
	int code = precis_clock_resolution(section, &nanoseconds);

	(void)info;
	if (code)
		return code;
	cell_count(document, nanoseconds);
	cell_unit(document, "ns");
	fact_label(document, "clock");
	fact_says(document, "resolution %" PRIu64 " ns", nanoseconds);
	return 0;
}

static void say_clock(struct document *document, const struct precis_clock_data *clock)
{
	time_t seconds = (time_t)(clock->wall_ns / SECOND);
	struct tm parts;
	char date[64] = "";

	if (gmtime_r(&seconds, &parts))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &parts);
	fact_label(document, "time of day");
	fact_says(document, "%s.%09" PRIu64 " UTC was %" PRIu64 ".%09" PRIu64 " s of clock %u",
		  date, clock->wall_ns % SECOND, clock->clock_ns / SECOND, clock->clock_ns % SECOND,
		  clock->clock_id);
}

static int describe_clock(struct document *document, struct precis_bytes section,
			  const struct info *info)
{
	struct precis_clock_data clock = { .size = sizeof(clock) };
	int code = precis_clock_data_parse(section, &clock);

	(void)info;
	if (code)
		return code;
	cell_members(document);
	member_count(document, "clock_id", clock.clock_id);
	member_count(document, "clock_ns", clock.clock_ns);
	member_count(document, "wall_ns", clock.wall_ns);
	close_nest(document);
	say_clock(document, &clock);
	return 0;
}

static int describe_compression(struct document *document, struct precis_bytes section,
				const struct info *info)
{
	struct precis_compression compression = { .size = sizeof(compression) };
	int code = precis_compression_parse(section, &compression);
	char type[32] = "zstd";

	(void)info;
	if (code)
		return code;
	cell_members(document);
	member_count(document, "type", compression.type);
	member_count(document, "level", compression.level);
	member_count(document, "ratio", compression.ratio);
	member_count(document, "buffer_bytes", compression.buffer_bytes);
	close_nest(document);
	if (compression.type != 1)
		snprintf(type, sizeof(type), "type %u", compression.type);
	fact_label(document, "compression");
	fact_says(document, "%s, level %u, ratio %u", type, compression.level, compression.ratio);
	return 0;
}

static int describe_groups(struct document *document, struct precis_bytes section,
			   const struct info *info)
{
	struct precis_event_group group = { .size = sizeof(group) };
	struct precis_section_list list;
	int code = precis_event_groups(section, &list);

	(void)info;
	cell_entries(document);
	while (!code && (code = precis_event_group_next(&list, &group)) == 1) {
		member_members(document, NULL);
		member_text(document, "name", group.name);
		member_count(document, "leader", group.leader);
		member_count(document, "members", group.members);
		close_nest(document);
		fact_label(document, "groups");
		fact_says_line(document, "%s: %u events from event %u on", group.name,
			       group.members, group.leader);
		code = 0;
	}
	close_nest(document);
	return code;
}

static const struct part {
	const char *name;
	enum precis_feature feature;
	const char *feature_name;
	part_describer *describe;
} parts[] = {
	{ "e_machine", PRECIS_FEATURE_E_MACHINE, "E_MACHINE", describe_machine },
	{ "topology", PRECIS_FEATURE_CPU_TOPOLOGY, "CPU_TOPOLOGY", describe_topology },
	{ "hybrid_pmus", PRECIS_FEATURE_HYBRID_TOPOLOGY, "HYBRID_TOPOLOGY", describe_hybrid },
	{ "total_memory_kib", PRECIS_FEATURE_TOTAL_MEM, "TOTAL_MEM", describe_memory },
	{ "numa_nodes", PRECIS_FEATURE_NUMA_TOPOLOGY, "NUMA_TOPOLOGY", describe_numa },
	{ "memory_nodes", PRECIS_FEATURE_MEM_TOPOLOGY, "MEM_TOPOLOGY", describe_memory_nodes },
	{ "caches", PRECIS_FEATURE_CACHE, "CACHE", describe_caches },
	{ "cache_line_bytes", PRECIS_FEATURE_CLN_SIZE, "CLN_SIZE", describe_line_size },
	{ "clock_resolution_ns", PRECIS_FEATURE_CLOCKID, "CLOCKID", describe_resolution },
	{ "clock", PRECIS_FEATURE_CLOCK_DATA, "CLOCK_DATA", describe_clock },
	{ "compression", PRECIS_FEATURE_COMPRESSED, "COMPRESSED", describe_compression },
	{ "groups", PRECIS_FEATURE_GROUP_DESC, "GROUP_DESC", describe_groups },
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

/* @return 0, or what is wrong with that part of the recording */
static int describe(const struct info *info, const struct part *part, struct document *document)
{
	struct precis_bytes section;
	int code;

	fact(document, part->name);
	if (precis_file_feature(info->recording->file, part->feature, &section))
		return 0;
	code = part->describe(document, section, info);
	if (!code)
		return 0;
	cell_why_absent(document, precis_strerror(code));
	fact(document, "");
	fact_label(document, "broken");
	fact_says(document, "feature %s: %s", part->feature_name, precis_strerror(code));
	return code;
}

void info_describe_system(const struct info *info, struct document *document)
{
	int codes[PARTS];

	for (size_t i = 0; i < PARTS; i++)
		codes[i] = describe(info, &parts[i], document);
	fact(document, "broken_features");
	cell_entries(document);
	for (size_t i = 0; i < PARTS; i++) {
		if (!codes[i])
			continue;
		member_members(document, NULL);
		member_text(document, "feature", parts[i].feature_name);
		member_text(document, "error", precis_strerror(codes[i]));
		close_nest(document);
	}
	close_nest(document);
}
