/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What feature sections of a recording hold: the machine's CPUs, memory and
 * caches, groups of events, clocks. What of them precis_file_info() and its
 * neighbours in file.h have is not repeated here.
 *
 * Each parser takes a section's bytes, as precis_file_feature() or a
 * HEADER_FEATURE record gives them, and keeps pointing into them. Sections that
 * are lists are read through a struct precis_section_list: one function starts
 * the list, another gives one entry after the other.
 *
 * Every parser returns 0, or
 *   PRECIS_E_ARGUMENT     a null pointer, a struct whose size is not set;
 *   PRECIS_E_TRUNCATED    the section ends before what it says it holds;
 *   PRECIS_E_UNSUPPORTED  it has a version that is not known.
 *
 * Source: tools/perf/util/header.c of Linux 7.3 (write_NAME()) and
 * tools/perf/Documentation/perf.data-file-format.txt.
 */
#ifndef PRECIS_FEATURES_H
#define PRECIS_FEATURES_H

#include <precis/export.h>
#include <precis/record.h>
#include <precis/tool_records.h>

PRECIS_BEGIN_DECLS

/** Entries of a section that are still to be read. Its members are the library's. */
struct precis_section_list {
	uint64_t left;
	const uint8_t *at, *end;
};

/** Strings of a section: the next one. @return 1 with a text, 0 past the last, or a negative error */
PRECIS_API int precis_section_text_next(struct precis_section_list *texts, const char **text);

/** HYBRID_TOPOLOGY: the CPUs of one of the PMUs of a CPU with different cores. */
struct precis_hybrid_pmu {
	uint32_t size; /* sizeof(struct precis_hybrid_pmu), set by the caller */
	uint32_t reserved;
	const char *pmu; /* "cpu_core" */
	const char *cpus; /* "0-3,8" */
};
PRECIS_API int precis_hybrid_pmus(struct precis_bytes section, struct precis_section_list *pmus);
/** @return 1 with an entry, 0 past the last, or a negative error */
PRECIS_API int precis_hybrid_pmu_next(struct precis_section_list *pmus,
				      struct precis_hybrid_pmu *pmu);

/** GROUP_DESC: a group of events. */
struct precis_event_group {
	uint32_t size; /* sizeof(struct precis_event_group), set by the caller */
	uint32_t leader; /* index of its first event */
	uint32_t members; /* how many events it has, the leader included */
	uint32_t reserved;
	const char *name; /* "{anon_group}" if it was given none */
};
PRECIS_API int precis_event_groups(struct precis_bytes section, struct precis_section_list *groups);
/** @return 1 with an entry, 0 past the last, or a negative error */
PRECIS_API int precis_event_group_next(struct precis_section_list *groups,
				       struct precis_event_group *group);

/** CPU_TOPOLOGY: which CPUs share a package, a die, a core. */
struct precis_cpu_topology {
	uint32_t size; /* sizeof(struct precis_cpu_topology), set by the caller */
	uint32_t has_ids; /* 1: cores and sockets of single CPUs are there (perf 4.1) */
	uint32_t has_dies; /* 1: dies, too (perf 5.3) */
	uint32_t cpu_count; /* CPUs that precis_cpu_place() knows */
	struct precis_section_list packages; /* lists of CPUs ("0-3") for precis_section_text_next() */
	struct precis_section_list dies;
	struct precis_section_list cores;
	struct precis_bytes ids, die_ids; /* for precis_cpu_place() */
};
/** Where one CPU is. UINT32_MAX: the recorder could not tell (the CPU was offline). */
struct precis_cpu_place {
	uint32_t size; /* sizeof(struct precis_cpu_place), set by the caller */
	uint32_t has_die; /* 1: 'die' is there */
	uint32_t socket, die, core;
	uint32_t reserved;
};
/** @param cpus_available  of feature NRCPUS: as many CPUs have a place; 0: not known */
PRECIS_API int precis_cpu_topology_parse(struct precis_bytes section, uint32_t cpus_available,
					 struct precis_cpu_topology *topology);
/** The place of a CPU. @return 0; PRECIS_E_ARGUMENT if the section has none of it */
PRECIS_API int precis_cpu_place(const struct precis_cpu_topology *topology, uint32_t cpu,
				struct precis_cpu_place *place);

/** NUMA_TOPOLOGY: a node. */
struct precis_numa_node {
	uint32_t size; /* sizeof(struct precis_numa_node), set by the caller */
	uint32_t node;
	uint64_t total, free; /* KiB of memory */
	const char *cpus; /* "0-3,8" */
};
PRECIS_API int precis_numa_nodes(struct precis_bytes section, struct precis_section_list *nodes);
/** @return 1 with an entry, 0 past the last, or a negative error */
PRECIS_API int precis_numa_node_next(struct precis_section_list *nodes,
				     struct precis_numa_node *node);

/** CACHE: a cache, or one of several alike. */
struct precis_cache {
	uint32_t size; /* sizeof(struct precis_cache), set by the caller */
	uint32_t level;
	uint32_t line_bytes, sets, ways;
	uint32_t reserved;
	const char *type; /* "Data", "Instruction", "Unified" */
	const char *capacity; /* "32K" */
	const char *cpus; /* that share it: "0-1" */
};
PRECIS_API int precis_caches(struct precis_bytes section, struct precis_section_list *caches);
/** @return 1 with an entry, 0 past the last, or a negative error */
PRECIS_API int precis_cache_next(struct precis_section_list *caches, struct precis_cache *cache);

/** MEM_TOPOLOGY: which blocks of physical memory a node has. */
struct precis_memory_node {
	uint32_t size; /* sizeof(struct precis_memory_node), set by the caller */
	uint32_t reserved;
	uint64_t node;
	uint64_t block_count; /* bits of the map */
	struct precis_bytes blocks; /* u64s, bit n of word n / 64: block n is the node's */
};
/** @param block_bytes  set to the size of a block */
PRECIS_API int precis_memory_nodes(struct precis_bytes section, uint64_t *block_bytes,
				   struct precis_section_list *nodes);
/** @return 1 with an entry, 0 past the last, or a negative error */
PRECIS_API int precis_memory_node_next(struct precis_section_list *nodes,
				       struct precis_memory_node *node);

/** BUILD_ID: the build ids of the files that samples hit. */
PRECIS_API int precis_build_ids(struct precis_bytes section, struct precis_section_list *build_ids);
/** @return 1 with an entry, 0 past the last, or a negative error, as those of the records */
PRECIS_API int precis_build_id_next(struct precis_section_list *build_ids,
				    struct precis_header_build_id *build_id);

/** CLOCK_DATA: one moment on the clock that stamped the records, and on the wall. */
struct precis_clock_data {
	uint32_t size; /* sizeof(struct precis_clock_data), set by the caller */
	uint32_t clock_id; /* clock_gettime(2)'s */
	uint64_t wall_ns; /* since 1970 */
	uint64_t clock_ns;
};
PRECIS_API int precis_clock_data_parse(struct precis_bytes section,
				       struct precis_clock_data *clock);

/** COMPRESSED: how the records were compressed. */
struct precis_compression {
	uint32_t size; /* sizeof(struct precis_compression), set by the caller */
	uint32_t version;
	uint32_t type; /* 1: zstd */
	uint32_t level;
	uint32_t ratio; /* bytes of records to compressed ones, rounded */
	uint32_t buffer_bytes; /* the most that one COMPRESSED record expands to */
};
PRECIS_API int precis_compression_parse(struct precis_bytes section,
					struct precis_compression *compression);

/** E_MACHINE: what machine the recorded programs are for (perf 7.0). */
struct precis_machine_type {
	uint32_t size; /* sizeof(struct precis_machine_type), set by the caller */
	uint32_t machine; /* e_machine of an ELF header: 62 x86-64, 183 AArch64 */
	uint32_t flags; /* its e_flags */
	uint32_t reserved;
};
PRECIS_API int precis_machine_type_parse(struct precis_bytes section,
					 struct precis_machine_type *type);

/** TOTAL_MEM. @param kibibytes  the machine's memory */
PRECIS_API int precis_total_memory(struct precis_bytes section, uint64_t *kibibytes);
/** CLOCKID. @param nanoseconds  resolution of the clock that stamped the records */
PRECIS_API int precis_clock_resolution(struct precis_bytes section, uint64_t *nanoseconds);
/** CLN_SIZE. @param bytes  of a cache line (perf 7.0) */
PRECIS_API int precis_cache_line_size(struct precis_bytes section, uint32_t *bytes);

PRECIS_END_DECLS

#endif
