#ifndef PRECIS_FEATURES_H
#define PRECIS_FEATURES_H

#include <precis/export.h>
#include <precis/record.h>
#include <precis/tool_records.h>

PRECIS_BEGIN_DECLS

struct precis_section_list {
	uint64_t left;
	const uint8_t *at, *end;
};

PRECIS_API int precis_section_text_next(struct precis_section_list *texts, const char **text);

struct precis_hybrid_pmu {
	uint32_t size;
	uint32_t reserved;
	const char *pmu;
};
PRECIS_API int precis_hybrid_pmus(struct precis_bytes section, struct precis_section_list *pmus);

PRECIS_API int precis_hybrid_pmu_next(struct precis_section_list *pmus,
				      struct precis_hybrid_pmu *pmu);

struct precis_event_group {
	uint32_t size;
	uint32_t leader;
	uint32_t members;
	uint32_t reserved;
};
PRECIS_API int precis_event_groups(struct precis_bytes section, struct precis_section_list *groups);

PRECIS_API int precis_event_group_next(struct precis_section_list *groups,
				       struct precis_event_group *group);

struct precis_cpu_topology {
	uint32_t size;
	uint32_t has_ids;
	uint32_t has_dies;
	uint32_t cpu_count;
	struct precis_section_list packages;
	struct precis_section_list dies;
	struct precis_section_list cores;
	struct precis_bytes ids, die_ids;
};

struct precis_cpu_place {
	uint32_t size;
	uint32_t has_die;
	uint32_t socket, die, core;
};

PRECIS_API int precis_cpu_topology_parse(struct precis_bytes section, uint32_t cpus_available,
					 struct precis_cpu_topology *topology);

PRECIS_API int precis_cpu_place(const struct precis_cpu_topology *topology, uint32_t cpu,
				struct precis_cpu_place *place);

struct precis_numa_node {
	uint32_t size;
	uint32_t node;
	uint64_t total, free;
};
PRECIS_API int precis_numa_nodes(struct precis_bytes section, struct precis_section_list *nodes);

PRECIS_API int precis_numa_node_next(struct precis_section_list *nodes,
				     struct precis_numa_node *node);

struct precis_cache {
	uint32_t size;
	uint32_t level;
	uint32_t line_bytes, sets, ways;
	uint32_t reserved;
	const char *type;
	const char *capacity;
};
PRECIS_API int precis_caches(struct precis_bytes section, struct precis_section_list *caches);

PRECIS_API int precis_cache_next(struct precis_section_list *caches, struct precis_cache *cache);

struct precis_memory_node {
	uint32_t size;
	uint32_t reserved;
	uint64_t node;
	uint64_t block_count;
};

PRECIS_API int precis_memory_nodes(struct precis_bytes section, uint64_t *block_bytes,
				   struct precis_section_list *nodes);

PRECIS_API int precis_memory_node_next(struct precis_section_list *nodes,
				       struct precis_memory_node *node);

PRECIS_API int precis_build_ids(struct precis_bytes section, struct precis_section_list *build_ids);

PRECIS_API int precis_build_id_next(struct precis_section_list *build_ids,
				    struct precis_header_build_id *build_id);

struct precis_clock_data {
	uint32_t size;
	uint32_t clock_id;
	uint64_t wall_ns;
};
PRECIS_API int precis_clock_data_parse(struct precis_bytes section,
				       struct precis_clock_data *clock);

struct precis_compression {
	uint32_t size;
	uint32_t version;
	uint32_t type;
	uint32_t level;
	uint32_t ratio;
};
PRECIS_API int precis_compression_parse(struct precis_bytes section,
					struct precis_compression *compression);

struct precis_machine_type {
	uint32_t size;
	uint32_t machine;
	uint32_t flags;
};
PRECIS_API int precis_machine_type_parse(struct precis_bytes section,
					 struct precis_machine_type *type);

PRECIS_API int precis_total_memory(struct precis_bytes section, uint64_t *kibibytes);

PRECIS_API int precis_clock_resolution(struct precis_bytes section, uint64_t *nanoseconds);

PRECIS_API int precis_cache_line_size(struct precis_bytes section, uint32_t *bytes);

PRECIS_END_DECLS

#endif
