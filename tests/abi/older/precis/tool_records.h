#ifndef PRECIS_TOOL_RECORDS_H
#define PRECIS_TOOL_RECORDS_H

#include <precis/export.h>
#include <precis/record.h>

PRECIS_BEGIN_DECLS

struct precis_header_attr {
	uint32_t size;
	uint32_t reserved;
	struct precis_bytes attr;
	uint64_t id_count;
};
PRECIS_API int precis_header_attr_parse(const struct precis_record *record,
					struct precis_header_attr *attr);

struct precis_header_event_type {
	uint32_t size;
	uint32_t name_bytes;
	uint64_t id;
};
PRECIS_API int precis_header_event_type_parse(const struct precis_record *record,
					      struct precis_header_event_type *type);

struct precis_header_tracing_data {
	uint32_t size;
	uint32_t following_bytes;
};
PRECIS_API int precis_header_tracing_data_parse(const struct precis_record *record,
						struct precis_header_tracing_data *data);

#define PRECIS_BUILD_ID_MAX_BYTES 20u

struct precis_header_build_id {
	uint32_t size;
	int32_t pid;
	uint32_t cpumode;
	uint32_t has_size;
	uint32_t build_id_bytes;
	uint32_t reserved;
	const uint8_t *build_id;
};
PRECIS_API int precis_header_build_id_parse(const struct precis_record *record,
					    struct precis_header_build_id *build_id);

struct precis_id_index {
	uint32_t size;
	uint32_t has_machines;
	uint64_t count;
	struct precis_bytes entries, machines;
};
struct precis_id_index_entry {
	uint32_t size;
	uint32_t has_machine;
	uint64_t id;
	uint64_t index;
	int64_t cpu, tid;
	uint64_t machine_pid;
};
PRECIS_API int precis_id_index_parse(const struct precis_record *record,
				     struct precis_id_index *index);
PRECIS_API int precis_id_index_entry(const struct precis_id_index *index, uint64_t n,
				     struct precis_id_index_entry *entry);

struct precis_auxtrace_info {
	uint32_t size;
	uint32_t type;
	uint64_t private_count;
	struct precis_bytes private_words;
};
PRECIS_API int precis_auxtrace_info_parse(const struct precis_record *record,
					  struct precis_auxtrace_info *info);

PRECIS_API const char *precis_auxtrace_type_name(uint32_t type);

struct precis_auxtrace {
	uint32_t size;
	uint32_t index;
	uint64_t following_bytes;
	uint64_t aux_offset;
	uint64_t reference;
	int32_t tid;
};
PRECIS_API int precis_auxtrace_parse(const struct precis_record *record,
				     struct precis_auxtrace *trace);

struct precis_auxtrace_error {
	uint32_t size;
	uint32_t type;
	uint32_t code;
	int32_t cpu, pid, tid;
	uint32_t has_time;
	uint32_t has_machine;
	uint64_t ip;
	uint64_t time;
	uint32_t machine_pid, vcpu;
};
PRECIS_API int precis_auxtrace_error_parse(const struct precis_record *record,
					   struct precis_auxtrace_error *error);

struct precis_thread_map {
	uint32_t size;
	uint32_t reserved;
	uint64_t count;
	struct precis_bytes entries;
};
struct precis_thread_map_entry {
	uint32_t size;
	uint32_t name_bytes;
	int64_t pid;
};
PRECIS_API int precis_thread_map_parse(const struct precis_record *record,
				       struct precis_thread_map *map);
PRECIS_API int precis_thread_map_entry(const struct precis_thread_map *map, uint64_t n,
				       struct precis_thread_map_entry *entry);

enum precis_cpu_map_kind {
	PRECIS_CPU_MAP_LIST = 0,
	PRECIS_CPU_MAP_MASK = 1,
	PRECIS_CPU_MAP_RANGE = 2
};

struct precis_cpu_map {
	uint32_t size;
	uint32_t kind;
	uint32_t has_any;
	uint32_t first, last;
	uint32_t word_bytes;
	struct precis_bytes words;
};

PRECIS_API int precis_cpu_map_parse(const struct precis_record *record, struct precis_cpu_map *map);

PRECIS_API int precis_cpu_map_next(const struct precis_cpu_map *map, uint32_t *position,
				   int32_t *cpu);

struct precis_stat_config {
	uint32_t size;
	uint32_t reserved;
	uint64_t count;
	struct precis_bytes entries;
};
struct precis_stat_config_entry {
	uint32_t size;
	uint32_t reserved;
	const char *name;
	uint64_t tag;
};
PRECIS_API int precis_stat_config_parse(const struct precis_record *record,
					struct precis_stat_config *config);
PRECIS_API int precis_stat_config_entry(const struct precis_stat_config *config, uint64_t n,
					struct precis_stat_config_entry *entry);

struct precis_stat {
	uint32_t size;
	int32_t cpu;
	int32_t thread;
	uint32_t reserved;
	uint64_t id;
	uint64_t value, time_enabled;
};
PRECIS_API int precis_stat_parse(const struct precis_record *record, struct precis_stat *stat);

struct precis_stat_round {
	uint32_t size;
	uint32_t reserved;
	uint64_t type;
};
PRECIS_API int precis_stat_round_parse(const struct precis_record *record,
				       struct precis_stat_round *round);

enum precis_event_update_type {
	PRECIS_EVENT_UPDATE_UNIT = 0,
	PRECIS_EVENT_UPDATE_SCALE = 1,
	PRECIS_EVENT_UPDATE_NAME = 2,
	PRECIS_EVENT_UPDATE_CPUS = 3
};

struct precis_event_update {
	uint32_t size;
	uint32_t reserved;
	uint64_t type;
	uint64_t id;
	const char *text;
	double scale;
	struct precis_cpu_map cpus;
};

PRECIS_API int precis_event_update_parse(const struct precis_record *record,
					 struct precis_event_update *update);

struct precis_time_conv {
	uint32_t size;
	uint32_t has_cycles;
	uint64_t time_shift, time_mult, time_zero;
	uint64_t time_cycles, time_mask;
	uint32_t is_zero_usable;
};
PRECIS_API int precis_time_conv_parse(const struct precis_record *record,
				      struct precis_time_conv *conv);

struct precis_header_feature {
	uint32_t size;
	uint32_t reserved;
	uint64_t feature;
};
PRECIS_API int precis_header_feature_parse(const struct precis_record *record,
					   struct precis_header_feature *feature);

struct precis_compressed {
	uint32_t size;
	uint32_t reserved;
};
PRECIS_API int precis_compressed_parse(const struct precis_record *record,
				       struct precis_compressed *compressed);

struct precis_bpf_metadata {
	uint32_t size;
	uint32_t program_bytes;
	const char *program;
	uint64_t count;
	struct precis_bytes entries;
};
struct precis_bpf_metadata_entry {
	uint32_t size;
	uint32_t key_bytes, value_bytes;
	uint32_t reserved;
	const char *key;
};
PRECIS_API int precis_bpf_metadata_parse(const struct precis_record *record,
					 struct precis_bpf_metadata *metadata);
PRECIS_API int precis_bpf_metadata_entry(const struct precis_bpf_metadata *metadata, uint64_t n,
					 struct precis_bpf_metadata_entry *entry);

struct precis_schedstat {
	uint32_t size;
	uint32_t is_domain;
	uint64_t timestamp;
	uint32_t cpu;
	uint16_t version;
	uint16_t domain;
	uint32_t count;
	uint32_t reserved;
	struct precis_bytes values;
};
PRECIS_API int precis_schedstat_parse(const struct precis_record *record,
				      struct precis_schedstat *schedstat);

PRECIS_API int precis_schedstat_value(const struct precis_schedstat *schedstat, uint32_t n,
				      const char **name, uint64_t *value);

PRECIS_END_DECLS

#endif
