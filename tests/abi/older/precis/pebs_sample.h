#ifndef PRECIS_PEBS_SAMPLE_H
#define PRECIS_PEBS_SAMPLE_H

#include <precis/cpu.h>
#include <precis/export.h>
#include <precis/fields.h>
#include <precis/intel.h>
#include <precis/pebs_data_source.h>
#include <precis/pebs_record.h>
#include <precis/sample.h>

PRECIS_BEGIN_DECLS

PRECIS_API int precis_pebs_facility_of(uint32_t core, uint64_t config);

struct precis_pebs_access {
	uint64_t key;
	uint64_t whys;
	uint32_t sound;
	uint32_t is_known;
	uint8_t value[16];
};

struct precis_pebs_plan {
	uint64_t present[PRECIS_FIELD_WORDS];
	uint32_t values;
	uint32_t reserved;
	uint64_t absent[32];
};

#define PRECIS_PEBS_ACCESSES 256
#define PRECIS_PEBS_PLANS 32

struct precis_pebs_context {
	uint32_t size;
	uint32_t core;
	uint32_t is_intel;
	uint32_t facility;
	uint32_t latency;
	uint32_t retire_latency;
	uint32_t reserved_words;
	uint32_t gates;
	uint32_t judged_gates, possible;
	uint64_t judged_wanted[PRECIS_FIELD_WORDS];
	uint64_t own_fields[PRECIS_FIELD_WORDS];
	uint32_t needs[32];
	uint8_t fields[32];
	union {
		struct precis_dse_encoding encoding;
		uint32_t encoding_room[16];
	};
	struct precis_pebs_plan plan[PRECIS_PEBS_PLANS];
	struct precis_pebs_access access[PRECIS_PEBS_ACCESSES];
	uint32_t words_of;
	uint32_t cores;
	uint32_t kernel;
	uint32_t reserved[3179];
};

struct precis_pebs_machine {
	uint32_t size;
	uint32_t core_type;
	union {
		struct precis_cpu cpu;
		uint32_t cpu_room[16];
	};
	uint32_t facility_is_known;
	uint32_t facility;
	uint32_t has_config;
	uint32_t has_capabilities;
	uint64_t config;
	uint64_t capabilities;
	uint32_t records_retire_latency;
};

PRECIS_API int precis_pebs_kernel_has_retire_latency(const char *os_release);

PRECIS_API int precis_pebs_context_init(struct precis_pebs_context *context,
					const struct precis_pebs_machine *machine);

PRECIS_API int precis_pebs_decode(struct precis_pebs_context *context,
				  const struct precis_pebs *pebs, const uint64_t *wanted,
				  struct precis_sample *sample);

PRECIS_API int precis_pebs_columns(struct precis_pebs_context *context,
				   struct precis_pebs_buffer *buffer, const uint32_t *fields,
				   size_t field_count, size_t room, uint64_t *const *columns,
				   uint32_t *present);

PRECIS_API int precis_perf_words_decode(struct precis_pebs_context *context,
					const struct precis_perf_words *words,
					const uint64_t *wanted, struct precis_sample *sample);

PRECIS_END_DECLS

#endif
