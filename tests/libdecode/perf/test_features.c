/* SPDX-License-Identifier: BSD-3-Clause */
/* Feature sections: what is put in comes out, and every shorter section is refused. */
#include <precis/error.h>
#include <precis/features.h>

#include "tests/support/records.h"

static struct build build;

static void build_text(const char *text)
{
	uint32_t length = (uint32_t)strlen(text) + 1, room = (length + 7) / 8 * 8;
	static const char zeros[8];

	build_u32(&build, room);
	build_bytes(&build, text, length);
	build_bytes(&build, zeros, room - length);
}

/* Parsers of a whole section: the number of entries (1 for a section of one value), or negative */
static int walk_hybrid(struct precis_bytes section)
{
	struct precis_hybrid_pmu pmu = { .size = sizeof(pmu) };
	struct precis_section_list list;
	int code = precis_hybrid_pmus(section, &list), count = 0;

	while (!code && (code = precis_hybrid_pmu_next(&list, &pmu)) == 1) {
		CU_ASSERT_STRING_EQUAL(pmu.pmu, count ? "cpu_atom" : "cpu_core");
		CU_ASSERT_STRING_EQUAL(pmu.cpus, count ? "4-11" : "0-3");
		count++;
		code = 0;
	}
	return code ? code : count;
}

static void build_hybrid(void)
{
	build_u32(&build, 2);
	build_text("cpu_core");
	build_text("0-3");
	build_text("cpu_atom");
	build_text("4-11");
}

static int walk_groups(struct precis_bytes section)
{
	struct precis_event_group group = { .size = sizeof(group) };
	struct precis_section_list list;
	int code = precis_event_groups(section, &list), count = 0;

	while (!code && (code = precis_event_group_next(&list, &group)) == 1) {
		CU_ASSERT_STRING_EQUAL(group.name, count ? "mine" : "{anon_group}");
		CU_ASSERT_EQUAL(group.leader, count ? 2u : 0u);
		CU_ASSERT_EQUAL(group.members, count ? 3u : 2u);
		count++;
		code = 0;
	}
	return code ? code : count;
}

static void build_groups(void)
{
	build_u32(&build, 2);
	build_text("{anon_group}");
	build_u32(&build, 0);
	build_u32(&build, 2);
	build_text("mine");
	build_u32(&build, 2);
	build_u32(&build, 3);
}

static int walk_numa(struct precis_bytes section)
{
	struct precis_numa_node node = { .size = sizeof(node) };
	struct precis_section_list list;
	int code = precis_numa_nodes(section, &list), count = 0;

	while (!code && (code = precis_numa_node_next(&list, &node)) == 1) {
		CU_ASSERT_EQUAL(node.node, 7);
		CU_ASSERT_EQUAL(node.total, 1000);
		CU_ASSERT_EQUAL(node.free, 10);
		CU_ASSERT_STRING_EQUAL(node.cpus, "0-7");
		count++;
		code = 0;
	}
	return code ? code : count;
}

static void build_numa(void)
{
	build_u32(&build, 1);
	build_u32(&build, 7);
	build_u64(&build, 1000);
	build_u64(&build, 10);
	build_text("0-7");
}

static int walk_caches(struct precis_bytes section)
{
	struct precis_cache cache = { .size = sizeof(cache) };
	struct precis_section_list list;
	int code = precis_caches(section, &list), count = 0;

	while (!code && (code = precis_cache_next(&list, &cache)) == 1) {
		CU_ASSERT_EQUAL(cache.level, 1);
		CU_ASSERT_EQUAL(cache.line_bytes, 64);
		CU_ASSERT_EQUAL(cache.sets, 128);
		CU_ASSERT_EQUAL(cache.ways, 4);
		CU_ASSERT_STRING_EQUAL(cache.type, "Data");
		CU_ASSERT_STRING_EQUAL(cache.capacity, "32K");
		CU_ASSERT_STRING_EQUAL(cache.cpus, "0-1");
		count++;
		code = 0;
	}
	return code ? code : count;
}

static void build_caches(void)
{
	build_u32(&build, 1);
	build_u32(&build, 1);
	build_u32(&build, 1);
	build_u32(&build, 64);
	build_u32(&build, 128);
	build_u32(&build, 4);
	build_text("Data");
	build_text("32K");
	build_text("0-1");
}

static int walk_memory(struct precis_bytes section)
{
	struct precis_memory_node node = { .size = sizeof(node) };
	struct precis_section_list list;
	uint64_t block_bytes, word;
	int code = precis_memory_nodes(section, &block_bytes, &list), count = 0;

	while (!code && (code = precis_memory_node_next(&list, &node)) == 1) {
		CU_ASSERT_EQUAL(block_bytes, 0x8000000);
		CU_ASSERT_EQUAL(node.node, 3);
		CU_ASSERT_EQUAL(node.block_count, 65);
		CU_ASSERT_EQUAL(node.blocks.bytes, 16);
		CU_ASSERT_EQUAL(precis_bytes_u64(node.blocks, 1, &word), 0);
		CU_ASSERT_EQUAL(word, 1);
		record_touch(node.blocks);
		count++;
		code = 0;
	}
	return code ? code : count;
}

static void build_memory(void)
{
	build_u64(&build, 1);
	build_u64(&build, 0x8000000);
	build_u64(&build, 1);
	build_u64(&build, 3);
	build_u64(&build, 65);
	build_u64(&build, 65);
	build_u64(&build, 0x55);
	build_u64(&build, 1);
}

static int walk_build_ids(struct precis_bytes section)
{
	struct precis_header_build_id build_id = { .size = sizeof(build_id) };
	struct precis_section_list list;
	int code = precis_build_ids(section, &list), count = 0;

	while (!code && (code = precis_build_id_next(&list, &build_id)) == 1) {
		CU_ASSERT_EQUAL(build_id.pid, -1);
		CU_ASSERT_EQUAL(build_id.cpumode, 1);
		CU_ASSERT_EQUAL(build_id.build_id_bytes, 20);
		CU_ASSERT_STRING_EQUAL(build_id.filename, "[kernel]");
		count++;
		code = 0;
	}
	return code ? code : count;
}

static void build_build_ids(void)
{
	build_u32(&build, 0);
	build_u16(&build, 1);
	build_u16(&build, 8 + 28 + 16);
	build_u32(&build, (uint32_t)-1);
	build_bytes(&build, "abcdefghijklmnopqrst\0\0\0", 24);
	build_bytes(&build, "[kernel]\0\0\0\0\0\0\0", 16);
}

static int walk_clock_data(struct precis_bytes section)
{
	struct precis_clock_data clock = { .size = sizeof(clock) };
	int code = precis_clock_data_parse(section, &clock);

	if (code)
		return code;
	CU_ASSERT_EQUAL(clock.clock_id, 4);
	CU_ASSERT_EQUAL(clock.wall_ns, 5);
	CU_ASSERT_EQUAL(clock.clock_ns, 6);
	return 1;
}

static void build_clock_data(void)
{
	build_u32(&build, 1);
	build_u32(&build, 4);
	build_u64(&build, 5);
	build_u64(&build, 6);
}

static int walk_compression(struct precis_bytes section)
{
	struct precis_compression compression = { .size = sizeof(compression) };
	int code = precis_compression_parse(section, &compression);

	if (code)
		return code;
	CU_ASSERT_EQUAL(compression.version, 0);
	CU_ASSERT_EQUAL(compression.type, 1);
	CU_ASSERT_EQUAL(compression.level, 2);
	CU_ASSERT_EQUAL(compression.ratio, 3);
	CU_ASSERT_EQUAL(compression.buffer_bytes, 4);
	return 1;
}

static void build_compression(void)
{
	for (uint32_t n = 0; n < 5; n++)
		build_u32(&build, n);
}

static int walk_machine(struct precis_bytes section)
{
	struct precis_machine_type type = { .size = sizeof(type) };
	int code = precis_machine_type_parse(section, &type);

	if (code)
		return code;
	CU_ASSERT_EQUAL(type.machine, 62);
	CU_ASSERT_EQUAL(type.flags, 9);
	return 1;
}

static void build_machine(void)
{
	build_u32(&build, 62);
	build_u32(&build, 9);
}

static int walk_memory_size(struct precis_bytes section)
{
	uint64_t value;
	int code = precis_total_memory(section, &value);

	if (code)
		return code;
	CU_ASSERT_EQUAL(value, 16384);
	return 1;
}

static int walk_resolution(struct precis_bytes section)
{
	uint64_t value;
	int code = precis_clock_resolution(section, &value);

	if (code)
		return code;
	CU_ASSERT_EQUAL(value, 16384);
	return 1;
}

static void build_word(void)
{
	build_u64(&build, 16384);
}

static int walk_line_size(struct precis_bytes section)
{
	uint32_t value;
	int code = precis_cache_line_size(section, &value);

	if (code)
		return code;
	CU_ASSERT_EQUAL(value, 128);
	return 1;
}

static void build_line_size(void)
{
	build_u32(&build, 128);
}

static const struct section_case {
	const char *name;
	void (*build)(void);
	int (*walk)(struct precis_bytes section);
	int entries;
	uint32_t count_at, count_bytes; /* where a count is; no count: 0 bytes */
	uint32_t version_bytes; /* the version that it begins with */
} sections[] = {
	{ "HYBRID_TOPOLOGY", build_hybrid, walk_hybrid, 2, 0, 4, 0 },
	{ "GROUP_DESC", build_groups, walk_groups, 2, 0, 4, 0 },
	{ "NUMA_TOPOLOGY", build_numa, walk_numa, 1, 0, 4, 0 },
	{ "CACHE", build_caches, walk_caches, 1, 4, 4, 4 },
	{ "MEM_TOPOLOGY", build_memory, walk_memory, 1, 16, 8, 8 },
	{ "BUILD_ID", build_build_ids, walk_build_ids, 1, 0, 0, 0 },
	{ "CLOCK_DATA", build_clock_data, walk_clock_data, 1, 0, 0, 4 },
	{ "COMPRESSED", build_compression, walk_compression, 1, 0, 0, 0 },
	{ "E_MACHINE", build_machine, walk_machine, 1, 0, 0, 0 },
	{ "TOTAL_MEM", build_word, walk_memory_size, 1, 0, 0, 0 },
	{ "CLOCKID", build_word, walk_resolution, 1, 0, 0, 0 },
	{ "CLN_SIZE", build_line_size, walk_line_size, 1, 0, 0, 0 },
};
#define SECTIONS (sizeof(sections) / sizeof(sections[0]))

/* What a section gives that is cut to so many bytes, in memory that ends there */
static int walk_cut(const struct section_case *row, size_t bytes)
{
	uint8_t *copy = malloc(bytes + !bytes);
	struct precis_bytes section = { copy, (uint32_t)bytes };
	int code;

	if (!copy)
		abort();
	memcpy(copy, build.bytes, bytes);
	code = row->walk(section);
	free(copy);
	return code;
}

static void every_length(void)
{
	for (size_t i = 0; i < SECTIONS; i++) {
		const struct section_case *row = &sections[i];

		build.count = 0;
		row->build();
		CU_ASSERT_EQUAL(walk_cut(row, build.count), row->entries);
		for (size_t bytes = 0; bytes < build.count; bytes++) {
			int expected = PRECIS_E_TRUNCATED, code = walk_cut(row, bytes);

			/* build ids have no count: none is none */
			if (!bytes && row->walk == walk_build_ids)
				expected = 0;
			if (code != expected)
				printf("# %s: %zu bytes: %d\n", row->name, bytes, code);
			CU_ASSERT_EQUAL(code, expected);
		}
	}
}

static void lies(void)
{
	for (size_t i = 0; i < SECTIONS; i++) {
		const struct section_case *row = &sections[i];
		uint64_t lie = UINT64_MAX;

		build.count = 0;
		row->build();
		if (row->count_bytes) {
			memcpy(build.bytes + row->count_at, &lie, row->count_bytes);
			CU_ASSERT_EQUAL(walk_cut(row, build.count), PRECIS_E_TRUNCATED);
			lie = (uint64_t)row->entries + 1;
			memcpy(build.bytes + row->count_at, &lie, row->count_bytes);
			CU_ASSERT_EQUAL(walk_cut(row, build.count), PRECIS_E_TRUNCATED);
		}
		lie = 2;
		if (row->version_bytes) {
			memcpy(build.bytes, &lie, row->version_bytes);
			CU_ASSERT_EQUAL(walk_cut(row, build.count), PRECIS_E_UNSUPPORTED);
		}
	}
	/* a bitmap of more blocks than memory has bytes */
	build.count = 0;
	build_memory();
	build_patch(&build, 40, UINT64_MAX);
	CU_ASSERT_EQUAL(walk_cut(&sections[4], build.count), PRECIS_E_TRUNCATED);
	/* a build id whose record ends before it begins */
	build.count = 0;
	build_build_ids();
	build.bytes[6] = 7;
	CU_ASSERT_EQUAL(walk_cut(&sections[5], build.count), PRECIS_E_BAD_SIZE);
}

/* An entry that cannot be read ends its list: nobody runs in circles. */
static void list_ends_at_error(void)
{
	struct precis_hybrid_pmu pmu = { .size = sizeof(pmu) };
	struct precis_header_build_id build_id = { .size = sizeof(build_id) };
	struct precis_section_list list;
	struct precis_bytes section = { build.bytes, 0 };

	build.count = 0;
	build_hybrid();
	section.bytes = (uint32_t)build.count - 1;
	CU_ASSERT_EQUAL(precis_hybrid_pmus(section, &list), 0);
	CU_ASSERT_EQUAL(precis_hybrid_pmu_next(&list, &pmu), 1);
	CU_ASSERT_EQUAL(precis_hybrid_pmu_next(&list, &pmu), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(precis_hybrid_pmu_next(&list, &pmu), 0);
	build_patch(&build, 0, 0x7fffffff);
	CU_ASSERT_EQUAL(precis_hybrid_pmus(section, &list), PRECIS_E_TRUNCATED);
	build.count = 0;
	build_build_ids();
	section.bytes = (uint32_t)build.count - 1;
	CU_ASSERT_EQUAL(precis_build_ids(section, &list), 0);
	CU_ASSERT_EQUAL(precis_build_id_next(&list, &build_id), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(precis_build_id_next(&list, &build_id), 0);
	CU_ASSERT_EQUAL(precis_hybrid_pmus(section, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_hybrid_pmu_next(NULL, &pmu), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_hybrid_pmu_next(&list, NULL), PRECIS_E_ARGUMENT);
	pmu.size = 4;
	CU_ASSERT_EQUAL(precis_hybrid_pmu_next(&list, &pmu), PRECIS_E_ARGUMENT);
}

#define CPUS 2

/* As perf 2.6.39 (0), 4.1 (1) and 5.3 (2) wrote it. @return the length of what each wrote */
static void build_topology(size_t ends[3])
{
	build.count = 0;
	build_u32(&build, 1);
	build_text("0-1");
	build_u32(&build, 2);
	build_text("0");
	build_text("1");
	ends[0] = build.count;
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		build_u32(&build, 10 + cpu);
		build_u32(&build, cpu ? UINT32_MAX : 3);
	}
	ends[1] = build.count;
	build_u32(&build, 1);
	build_text("0-1");
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		build_u32(&build, 20 + cpu);
	ends[2] = build.count;
}

static int text_is(struct precis_section_list *texts, const char *expected)
{
	const char *text;

	return precis_section_text_next(texts, &text) == 1 && !strcmp(text, expected);
}

static void check_topology(struct precis_cpu_topology *topology, int version)
{
	struct precis_cpu_place place = { .size = sizeof(place) };

	CU_ASSERT_EQUAL(topology->has_ids, version >= 1);
	CU_ASSERT_EQUAL(topology->has_dies, version >= 2);
	CU_ASSERT_EQUAL(topology->cpu_count, version >= 1 ? CPUS : 0);
	CU_ASSERT_TRUE(text_is(&topology->packages, "0-1"));
	CU_ASSERT_EQUAL(precis_section_text_next(&topology->packages, &(const char *){ NULL }), 0);
	CU_ASSERT_TRUE(text_is(&topology->cores, "0"));
	CU_ASSERT_TRUE(text_is(&topology->cores, "1"));
	CU_ASSERT_EQUAL(precis_section_text_next(&topology->cores, &(const char *){ NULL }), 0);
	if (version >= 2)
		CU_ASSERT_TRUE(text_is(&topology->dies, "0-1"))
	CU_ASSERT_EQUAL(precis_section_text_next(&topology->dies, &(const char *){ NULL }), 0);
	CU_ASSERT_EQUAL(precis_section_text_next(NULL, &(const char *){ NULL }), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_section_text_next(&topology->dies, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_cpu_place(topology, 1, &place),
			version >= 1 ? 0 : PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_cpu_place(topology, CPUS, &place), PRECIS_E_ARGUMENT);
	if (version >= 1) {
		CU_ASSERT_EQUAL(place.core, 11);
		CU_ASSERT_EQUAL(place.socket, UINT32_MAX);
		CU_ASSERT_EQUAL(place.has_die, version >= 2);
	}
	if (version >= 2) {
		CU_ASSERT_EQUAL(place.die, 21);
	}
}

static void topology(void)
{
	struct precis_cpu_topology topology = { .size = sizeof(topology) };
	struct precis_bytes section;
	size_t ends[3];

	build_topology(ends);
	for (size_t bytes = 0; bytes <= ends[2]; bytes++) {
		uint8_t *copy = malloc(bytes + !bytes);
		int version = bytes == ends[0]   ? 0
			      : bytes == ends[1] ? 1
			      : bytes == ends[2] ? 2
						 : -1;
		int code;

		memcpy(copy, build.bytes, bytes);
		section = (struct precis_bytes){ copy, (uint32_t)bytes };
		code = precis_cpu_topology_parse(section, CPUS, &topology);
		CU_ASSERT_EQUAL(code, version < 0 ? PRECIS_E_TRUNCATED : 0);
		if (!code && version >= 0)
			check_topology(&topology, version);
		free(copy);
	}
	section = (struct precis_bytes){ build.bytes, (uint32_t)ends[2] };
	CU_ASSERT_EQUAL(precis_cpu_topology_parse(section, 0, &topology), 0);
	CU_ASSERT_EQUAL(topology.has_ids, 0);
	CU_ASSERT_EQUAL(precis_cpu_topology_parse(section, UINT32_MAX, &topology),
			PRECIS_E_TRUNCATED);
	topology.size = 4;
	CU_ASSERT_EQUAL(precis_cpu_topology_parse(section, CPUS, &topology), PRECIS_E_ARGUMENT);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "every section at every length", every_length },
		{ "counts and versions that cannot be", lies },
		{ "a list ends where it cannot be read", list_ends_at_error },
		{ "CPU_TOPOLOGY of all versions, at every length", topology },
	};

	return tap_main("features", cases, sizeof(cases) / sizeof(cases[0]));
}
