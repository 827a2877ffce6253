/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bodies of the perf tool's own records (types from 64 on): one struct and
 * one parser each, all of one shape, as those of the kernel's records in
 * kernel_records.h, with the same errors. FINISHED_ROUND and FINISHED_INIT have
 * no body.
 *
 * Entries are counted from 0; the functions that give one entry return 0, or
 * PRECIS_E_ARGUMENT if there is none of that number. Names of fixed room need
 * not end in NUL: they come with their length.
 *
 * Source: tools/lib/perf/include/perf/event.h of Linux 7.3 and, for what older
 * versions wrote, that of 3.x to 6.x.
 */
#ifndef PRECIS_TOOL_RECORDS_H
#define PRECIS_TOOL_RECORDS_H

#include <precis/export.h>
#include <precis/record.h>

PRECIS_BEGIN_DECLS

/** An event of a recording in pipe mode: HEADER_ATTR. */
struct precis_header_attr {
	uint32_t size; /* sizeof(struct precis_header_attr), set by the caller */
	uint32_t reserved;
	struct precis_bytes attr; /* perf_event_attr: as many bytes as it says itself */
	uint64_t id_count;
	struct precis_bytes ids; /* for precis_bytes_u64() */
};
PRECIS_API int precis_header_attr_parse(const struct precis_record *record,
					struct precis_header_attr *attr);

/** The name of an event, as perf before 3.1 wrote it: HEADER_EVENT_TYPE. */
struct precis_header_event_type {
	uint32_t size; /* sizeof(struct precis_header_event_type), set by the caller */
	uint32_t name_bytes;
	uint64_t id; /* attr.config of the event */
	const char *name;
};
PRECIS_API int precis_header_event_type_parse(const struct precis_record *record,
					      struct precis_header_event_type *type);

/** Formats of tracepoints come next: HEADER_TRACING_DATA. */
struct precis_header_tracing_data {
	uint32_t size; /* sizeof(struct precis_header_tracing_data), set by the caller */
	uint32_t following_bytes; /* behind the record, not part of its size; 0: inside (simpleperf) */
};
PRECIS_API int precis_header_tracing_data_parse(const struct precis_record *record,
						struct precis_header_tracing_data *data);

#define PRECIS_BUILD_ID_MAX_BYTES 20u

/** The build id of a file: HEADER_BUILD_ID, and the entries of feature BUILD_ID. */
struct precis_header_build_id {
	uint32_t size; /* sizeof(struct precis_header_build_id), set by the caller */
	int32_t pid; /* -1: any; of a guest's kernel, the guest's */
	uint32_t cpumode; /* enum precis_cpumode (fields.h): whose file it is */
	uint32_t has_size; /* 1: build_id_bytes was recorded (perf 5.10), 0: it is the room */
	uint32_t build_id_bytes; /* at most PRECIS_BUILD_ID_MAX_BYTES */
	uint32_t reserved;
	const uint8_t *build_id;
	const char *filename;
};
PRECIS_API int precis_header_build_id_parse(const struct precis_record *record,
					    struct precis_header_build_id *build_id);

/** Which CPU and thread an event's ids are of: ID_INDEX. */
struct precis_id_index {
	uint32_t size; /* sizeof(struct precis_id_index), set by the caller */
	uint32_t has_machines; /* 1: entries have a guest's machine_pid and vcpu (perf 6.0) */
	uint64_t count;
	struct precis_bytes entries, machines; /* for precis_id_index_entry() */
};
struct precis_id_index_entry {
	uint32_t size; /* sizeof(struct precis_id_index_entry), set by the caller */
	uint32_t has_machine; /* 1: machine_pid and vcpu are there */
	uint64_t id;
	uint64_t index; /* of the mmap in the recorder */
	int64_t cpu, tid; /* -1: not of one CPU, not of one thread */
	uint64_t machine_pid; /* 0: the host */
	int64_t vcpu; /* -1: none */
};
PRECIS_API int precis_id_index_parse(const struct precis_record *record,
				     struct precis_id_index *index);
PRECIS_API int precis_id_index_entry(const struct precis_id_index *index, uint64_t n,
				     struct precis_id_index_entry *entry);

/** What kind of trace the AUX area has, and what its decoder must know: AUXTRACE_INFO. */
struct precis_auxtrace_info {
	uint32_t size; /* sizeof(struct precis_auxtrace_info), set by the caller */
	uint32_t type; /* for precis_auxtrace_type_name() */
	uint64_t private_count;
	struct precis_bytes private_words; /* for precis_bytes_u64() */
};
PRECIS_API int precis_auxtrace_info_parse(const struct precis_record *record,
					  struct precis_auxtrace_info *info);
/** "intel_pt", "intel_bts", "cs_etm", "arm_spe", …; NULL for a type that is not known. */
PRECIS_API const char *precis_auxtrace_type_name(uint32_t type);

/** Bytes of the AUX area come next: AUXTRACE. */
struct precis_auxtrace {
	uint32_t size; /* sizeof(struct precis_auxtrace), set by the caller */
	uint32_t index; /* of the mmap in the recorder */
	uint64_t following_bytes; /* behind the record, not part of its size */
	uint64_t aux_offset; /* of the first of them in the AUX area */
	uint64_t reference; /* tells snapshots apart */
	int32_t tid, cpu; /* -1: not of one thread, not of one CPU */
};
PRECIS_API int precis_auxtrace_parse(const struct precis_record *record,
				     struct precis_auxtrace *trace);

/** Trace that could not be decoded: AUXTRACE_ERROR. */
struct precis_auxtrace_error {
	uint32_t size; /* sizeof(struct precis_auxtrace_error), set by the caller */
	uint32_t type; /* 1: instruction trace */
	uint32_t code; /* of the decoder */
	int32_t cpu, pid, tid;
	uint32_t has_time; /* 1: 'time' is there (perf 5.2) */
	uint32_t has_machine; /* 1: machine_pid and vcpu are there (perf 6.0) */
	uint64_t ip;
	uint64_t time; /* ns */
	uint32_t machine_pid, vcpu;
	const char *message;
};
PRECIS_API int precis_auxtrace_error_parse(const struct precis_record *record,
					   struct precis_auxtrace_error *error);

/** The threads that were asked for: THREAD_MAP. */
struct precis_thread_map {
	uint32_t size; /* sizeof(struct precis_thread_map), set by the caller */
	uint32_t reserved;
	uint64_t count;
	struct precis_bytes entries; /* for precis_thread_map_entry() */
};
struct precis_thread_map_entry {
	uint32_t size; /* sizeof(struct precis_thread_map_entry), set by the caller */
	uint32_t name_bytes;
	int64_t pid; /* -1: any */
	const char *name;
};
PRECIS_API int precis_thread_map_parse(const struct precis_record *record,
				       struct precis_thread_map *map);
PRECIS_API int precis_thread_map_entry(const struct precis_thread_map *map, uint64_t n,
				       struct precis_thread_map_entry *entry);

/** How a set of CPUs is written (PERF_CPU_MAP__*). */
enum precis_cpu_map_kind {
	PRECIS_CPU_MAP_LIST = 0,
	PRECIS_CPU_MAP_MASK = 1,
	PRECIS_CPU_MAP_RANGE = 2 /* perf 6.1 */
};

/** A set of CPUs: CPU_MAP, and in EVENT_UPDATE. */
struct precis_cpu_map {
	uint32_t size; /* sizeof(struct precis_cpu_map), set by the caller */
	uint32_t kind; /* enum precis_cpu_map_kind */
	uint32_t has_any; /* RANGE: "any CPU" is in the set, too */
	uint32_t first, last; /* RANGE */
	uint32_t word_bytes; /* MASK: 4 or 8 */
	struct precis_bytes words; /* LIST: u16 CPU numbers; MASK: words of bits */
};
/** CPU_MAP. @return as the others; PRECIS_E_UNSUPPORTED for a kind that is not known */
PRECIS_API int precis_cpu_map_parse(const struct precis_record *record, struct precis_cpu_map *map);
/**
 * The next CPU of the set, in the order in which it is written.
 *
 * @param position  0 for the first; moved on
 * @param cpu       its number; -1: "any CPU"
 * @return 1, 0 past the last, or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_cpu_map_next(const struct precis_cpu_map *map, uint32_t *position,
				   int32_t *cpu);

/** How perf stat was called: STAT_CONFIG. */
struct precis_stat_config {
	uint32_t size; /* sizeof(struct precis_stat_config), set by the caller */
	uint32_t reserved;
	uint64_t count;
	struct precis_bytes entries; /* for precis_stat_config_entry() */
};
struct precis_stat_config_entry {
	uint32_t size; /* sizeof(struct precis_stat_config_entry), set by the caller */
	uint32_t reserved;
	const char *name; /* "aggr_mode", "interval", "scale", "aggr_level"; NULL if not known */
	uint64_t tag, value;
};
PRECIS_API int precis_stat_config_parse(const struct precis_record *record,
					struct precis_stat_config *config);
PRECIS_API int precis_stat_config_entry(const struct precis_stat_config *config, uint64_t n,
					struct precis_stat_config_entry *entry);

/** A count of perf stat: STAT. */
struct precis_stat {
	uint32_t size; /* sizeof(struct precis_stat), set by the caller */
	int32_t cpu; /* index in the CPU_MAP */
	int32_t thread; /* index in the THREAD_MAP */
	uint32_t reserved;
	uint64_t id;
	uint64_t value, time_enabled, time_running; /* times in ns */
};
PRECIS_API int precis_stat_parse(const struct precis_record *record, struct precis_stat *stat);

/** All counts of one moment have come: STAT_ROUND. */
struct precis_stat_round {
	uint32_t size; /* sizeof(struct precis_stat_round), set by the caller */
	uint32_t reserved;
	uint64_t type; /* 0: an interval is over, 1: the end */
	uint64_t time; /* ns since the start */
};
PRECIS_API int precis_stat_round_parse(const struct precis_record *record,
				       struct precis_stat_round *round);

/** What an EVENT_UPDATE tells (PERF_EVENT_UPDATE__*). */
enum precis_event_update_type {
	PRECIS_EVENT_UPDATE_UNIT = 0,
	PRECIS_EVENT_UPDATE_SCALE = 1,
	PRECIS_EVENT_UPDATE_NAME = 2,
	PRECIS_EVENT_UPDATE_CPUS = 3
};

/** More about an event than its attr says: EVENT_UPDATE. */
struct precis_event_update {
	uint32_t size; /* sizeof(struct precis_event_update), set by the caller */
	uint32_t reserved;
	uint64_t type; /* enum precis_event_update_type: which of the following is set */
	uint64_t id; /* of the event */
	const char *text; /* UNIT and NAME; else NULL */
	double scale; /* SCALE; else 0 */
	struct precis_cpu_map cpus; /* CPUS; its size need not be set */
};
/** EVENT_UPDATE. @return as the others; PRECIS_E_UNSUPPORTED for a type that is not known */
PRECIS_API int precis_event_update_parse(const struct precis_record *record,
					 struct precis_event_update *update);

/** From TSC to perf's time (perf_event_open(2), cap_user_time_zero): TIME_CONV. */
struct precis_time_conv {
	uint32_t size; /* sizeof(struct precis_time_conv), set by the caller */
	uint32_t has_cycles; /* 1: the members behind time_zero are there (perf 5.10) */
	uint64_t time_shift, time_mult, time_zero;
	uint64_t time_cycles, time_mask;
	uint32_t is_zero_usable; /* cap_user_time_zero */
	uint32_t is_counter_short; /* cap_user_time_short: it wraps, see time_mask */
};
PRECIS_API int precis_time_conv_parse(const struct precis_record *record,
				      struct precis_time_conv *conv);

/** A feature section of a recording in pipe mode: HEADER_FEATURE. */
struct precis_header_feature {
	uint32_t size; /* sizeof(struct precis_header_feature), set by the caller */
	uint32_t reserved;
	uint64_t feature; /* enum precis_feature, or a newer number */
	struct precis_bytes section; /* as precis_file_feature() gives it; empty behind the last */
};
PRECIS_API int precis_header_feature_parse(const struct precis_record *record,
					   struct precis_header_feature *feature);

/** Records that were compressed: COMPRESSED, COMPRESSED2. */
struct precis_compressed {
	uint32_t size; /* sizeof(struct precis_compressed), set by the caller */
	uint32_t reserved;
	struct precis_bytes data; /* of the recording's one zstd stream */
};
PRECIS_API int precis_compressed_parse(const struct precis_record *record,
				       struct precis_compressed *compressed);

/** Constants that a BPF program carries: BPF_METADATA (perf 6.17). */
struct precis_bpf_metadata {
	uint32_t size; /* sizeof(struct precis_bpf_metadata), set by the caller */
	uint32_t program_bytes;
	const char *program; /* its name, program_bytes long */
	uint64_t count;
	struct precis_bytes entries; /* for precis_bpf_metadata_entry() */
};
struct precis_bpf_metadata_entry {
	uint32_t size; /* sizeof(struct precis_bpf_metadata_entry), set by the caller */
	uint32_t key_bytes, value_bytes;
	uint32_t reserved;
	const char *key, *value;
};
PRECIS_API int precis_bpf_metadata_parse(const struct precis_record *record,
					 struct precis_bpf_metadata *metadata);
PRECIS_API int precis_bpf_metadata_entry(const struct precis_bpf_metadata *metadata, uint64_t n,
					 struct precis_bpf_metadata_entry *entry);

/** Counts of the scheduler, as /proc/schedstat has them: SCHEDSTAT_CPU, SCHEDSTAT_DOMAIN. */
struct precis_schedstat {
	uint32_t size; /* sizeof(struct precis_schedstat), set by the caller */
	uint32_t is_domain; /* 1: SCHEDSTAT_DOMAIN */
	uint64_t timestamp; /* jiffies */
	uint32_t cpu;
	uint16_t version; /* of /proc/schedstat; 15, 16 and 17 are known */
	uint16_t domain; /* of the CPU, if 'is_domain' */
	uint32_t count; /* values that have a name: 0 for a version that is not known */
	uint32_t reserved;
	struct precis_bytes values; /* for precis_schedstat_value() */
};
PRECIS_API int precis_schedstat_parse(const struct precis_record *record,
				      struct precis_schedstat *schedstat);
/** Value n, and its name in the kernel's Documentation/scheduler/sched-stats.rst's terms. */
PRECIS_API int precis_schedstat_value(const struct precis_schedstat *schedstat, uint32_t n,
				      const char **name, uint64_t *value);

PRECIS_END_DECLS

#endif
