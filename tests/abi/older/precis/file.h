#ifndef PRECIS_FILE_H
#define PRECIS_FILE_H

#include <precis/cpu.h>
#include <precis/export.h>
#include <precis/feature_number.h>
#include <precis/ibs.h>
#include <precis/record.h>
#include <precis/sample.h>

PRECIS_BEGIN_DECLS

struct precis_file;

struct precis_file_error {
	uint32_t size;
	int32_t code;
	int32_t sys_errno;
	uint32_t has_offset;
	uint64_t offset;
	char expected[200];
};

enum precis_fetch_layout {
	PRECIS_FETCH_LAYOUT_AUTO = 0,
	PRECIS_FETCH_LAYOUT_NEW = 1,
	PRECIS_FETCH_LAYOUT_OLD = 2
};

enum precis_order {

	PRECIS_ORDER_FILE = 0,

	PRECIS_ORDER_TIME = 1
};

enum precis_form {
	PRECIS_FORM_SEEKABLE = 1,
	PRECIS_FORM_PIPE = 2,
	PRECIS_FORM_DIRECTORY = 3
};

enum precis_file_step {
	PRECIS_FILE_STEP_COPY = 1,
	PRECIS_FILE_STEP_SORT = 2
};

typedef void (*precis_file_progress_fn)(void *data, uint32_t step, uint64_t bytes);

struct precis_file_options {
	uint32_t size;
	uint32_t fetch_layout;
	const char *cpuid;
	const char *os_release;
	uint32_t use_sysfs;
	uint32_t order;
	uint64_t sort_memory;
	const char *temporary_directory;
	uint32_t has_perf_capabilities;
	uint32_t reserved;
	uint64_t perf_capabilities;
	uint64_t expansion_limit;
	precis_file_progress_fn progress;
};

enum precis_kind_source {
	PRECIS_KIND_UNKNOWN = 0,
	PRECIS_KIND_PMU_MAPPINGS = 1,
	PRECIS_KIND_SYSFS = 2,
	PRECIS_KIND_PAYLOAD = 3,
	PRECIS_KIND_CPU = 4
};

struct precis_event {
	uint32_t index;
	uint32_t kind;
	uint32_t kind_source;
	uint32_t type;
	uint64_t config, config1, config2;
	uint64_t sample_period;
	uint32_t is_frequency;
	uint32_t precise_ip;
	uint32_t exclude_kernel, exclude_user;
	uint32_t attr_bytes;
	uint32_t id_count;
	const uint8_t *attr;
	const uint64_t *ids;
	const char *name;
	const char *pmu;
	const struct precis_layout *layout;

	uint32_t core_type;
	int32_t pebs_facility;
};

struct precis_file_counts {
	uint32_t size;
	uint32_t reserved;
	uint64_t records;
	uint64_t samples;
	uint64_t samples_unread;
	uint64_t lost_records;
	uint64_t lost;
	uint64_t lost_samples_records;
	uint64_t lost_samples;
	uint64_t throttle;
	uint64_t unthrottle;
	uint64_t unknown_records;
	uint64_t bytes;
};

struct precis_event_counts {
	uint32_t size;
	uint32_t reserved;
	uint64_t samples;
	uint64_t lost;
	uint64_t throttle;
	uint64_t unthrottle;
	uint64_t undecodable;
	uint64_t traced;
	uint64_t enabled_ns;
};

struct precis_file_info {
	uint32_t size;
	uint32_t header_version;
	uint64_t data_offset;
	uint64_t data_bytes;
	uint64_t file_bytes;
	uint32_t form;
	uint32_t compressed;
	const char *directory;
	uint32_t recorder_died;
	uint32_t cpus_online, cpus_available;
	uint32_t has_sample_time;
	uint64_t first_time, last_time;
	const char *hostname, *os_release, *perf_version, *arch, *cpu_description, *cpuid;
};

PRECIS_API int precis_file_open(const char *path, const struct precis_file_options *options,
				struct precis_file **file, struct precis_file_error *error);

PRECIS_API int precis_file_open_fd(int fd, const struct precis_file_options *options,
				   struct precis_file **file, struct precis_file_error *error);

PRECIS_API void precis_file_close(struct precis_file *file);

PRECIS_API int precis_file_info(const struct precis_file *file, struct precis_file_info *info);

PRECIS_API const struct precis_cpu *precis_file_cpu(const struct precis_file *file);

PRECIS_API const char *precis_file_command(const struct precis_file *file, uint32_t n);

PRECIS_API const char *precis_file_pmu(const struct precis_file *file, uint32_t n, uint32_t *type);

PRECIS_API const char *precis_file_pmu_cap(const struct precis_file *file, uint32_t n,
					   const char **pmu, const char **value);

PRECIS_API const char *precis_file_warning(const struct precis_file *file, uint32_t n);

PRECIS_API uint32_t precis_file_event_count(const struct precis_file *file);

PRECIS_API const struct precis_event *precis_file_event(const struct precis_file *file, uint32_t n);

PRECIS_API int precis_file_feature(const struct precis_file *file, uint32_t feature,
				   struct precis_bytes *section);

PRECIS_API int precis_file_next(struct precis_file *file, struct precis_record *record);

PRECIS_API int64_t precis_file_payload(struct precis_file *file, void *buffer, size_t room);

PRECIS_API int precis_file_rewind(struct precis_file *file);

PRECIS_API uint64_t precis_file_position(const struct precis_file *file);

PRECIS_API const struct precis_file_error *precis_file_last_error(const struct precis_file *file);

PRECIS_API const struct precis_event *precis_file_event_of(struct precis_file *file,
							   const struct precis_record *record);

PRECIS_API const struct precis_event *precis_file_event_of_id(struct precis_file *file,
							      uint64_t id);

PRECIS_API int precis_file_sample(struct precis_file *file, const struct precis_record *record,
				  const uint64_t *wanted, struct precis_perf_sample *perf,
				  struct precis_sample *sample);

PRECIS_API int precis_file_counts(const struct precis_file *file, struct precis_file_counts *counts);

PRECIS_API int precis_file_event_counts(const struct precis_file *file, uint32_t n,
					struct precis_event_counts *counts);

PRECIS_END_DECLS

#endif
