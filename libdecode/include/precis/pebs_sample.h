/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From what PEBS recorded to the vendor-neutral sample: raw records, and the
 * words that the kernel makes of them (PERF_SAMPLE_ADDR, DATA_SRC, WEIGHT).
 *
 * What a word means depends on core and event: a context knows both. Nothing
 * here allocates, prints or keeps state outside the caller's structs: all of it
 * may be called from a signal handler.
 *
 * Source: Linux 7.3 arch/x86/events/intel/ds.c and core.c, arch/x86/events/amd/ibs.c;
 * Intel SDM vol. 3, "Processor Event-Based Sampling".
 */
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

/**
 * What a core's event records of memory accesses.
 *
 * @param core    enum precis_intel_core
 * @param config  attr.config of the core's PMU, or IA32_PERFEVTSELx: event select in
 *                bits 7:0, unit mask in 15:8
 * @return enum precis_pebs_facility; PRECIS_E_UNSUPPORTED if that is not known of this core and event
 */
PRECIS_API int precis_pebs_facility_of(uint32_t core, uint64_t config);

/** Private: an access as a context remembers it: most samples have one of a few data sources. */
struct precis_pebs_access {
	uint64_t key;  /* the data source */
	uint64_t whys; /* of the parts that are absent */
	uint32_t sound; /* which values there are */
	uint32_t is_known;
	uint8_t value[16];
};

/** Private: which fields a sample gets, by the values that it has: there are a few such sets. */
struct precis_pebs_plan {
	uint64_t present[PRECIS_FIELD_WORDS];
	uint32_t values; /* bits of the values that there are; 0 and no field too */
	uint32_t reserved;
	uint64_t absent[32]; /* by value: all ones where it is not there */
};

#define PRECIS_PEBS_ACCESSES 256
#define PRECIS_PEBS_PLANS 32

/**
 * What is known before the first record. Not for two threads at once: it remembers data sources.
 *
 * All members are private and may be others in the next version, as are the structs above that
 * they are made of: they are here so that the caller owns the memory. The struct always has 32 KiB.
 */
struct precis_pebs_context {
	uint32_t size; /* set by precis_pebs_context_init() */
	uint32_t core; /* enum precis_intel_core */
	uint32_t is_intel;
	uint32_t facility; /* enum precis_pebs_facility */
	uint32_t latency; /* enum precis_pebs_latency */
	uint32_t retire_latency; /* enum precis_pebs_retire_latency */
	uint32_t reserved_words;
	uint32_t gates;
	uint32_t judged_gates, possible; /* the values that these gates let through … */
	uint64_t judged_wanted[PRECIS_FIELD_WORDS]; /* … of these fields */
	uint64_t own_fields[PRECIS_FIELD_WORDS]; /* that PEBS can have */
	uint32_t needs[32]; /* by gate: the values that need it */
	uint8_t fields[32]; /* by value */
	union {
		struct precis_dse_encoding encoding;
		uint32_t encoding_room[16]; /* that it may grow into */
	};
	struct precis_pebs_plan plan[PRECIS_PEBS_PLANS];
	struct precis_pebs_access access[PRECIS_PEBS_ACCESSES];
	uint32_t words_of; /* the vendor who reads the kernel's words in his own way */
	uint32_t cores; /* of that vendor */
	uint32_t kernel;
	uint32_t reserved[3179];
};

/** What to make a context of. All-zero: nothing is known, and little can be said. */
struct precis_pebs_machine {
	uint32_t size;      /* sizeof(struct precis_pebs_machine), set by the caller */
	uint32_t core_type; /* enum precis_core_type: which of a hybrid CPU's cores */
	union {
		struct precis_cpu cpu;
		uint32_t cpu_room[16]; /* that it may grow into */
	};
	uint32_t facility_is_known; /* 1: by 'facility'; 0: by 'config' if 'has_config' */
	uint32_t facility; /* enum precis_pebs_facility */
	uint32_t has_config;
	uint32_t has_capabilities;
	uint64_t config;       /* see precis_pebs_facility_of() */
	uint64_t capabilities; /* IA32_PERF_CAPABILITIES: bit 17 says whether retire latency is valid */
	uint32_t records_retire_latency; /* 1: the kernel hands it out (Linux 6.3 and later) */
	uint32_t kernel; /* precis_kernel_number(); 0: not known. Of AMD's words it decides */
};

/**
 * Does a kernel of that release hand out retire latency: Linux 6.3 and later?
 *
 * @param os_release  uname -r: "6.1.0-37-amd64"; NULL or unreadable: no
 * @return 1 yes, 0 no, or not known
 */
PRECIS_API int precis_pebs_kernel_has_retire_latency(const char *os_release);

/** @return 0 or PRECIS_E_ARGUMENT */
PRECIS_API int precis_pebs_context_init(struct precis_pebs_context *context,
					const struct precis_pebs_machine *machine);

/**
 * Decode the wanted fields of one record.
 *
 * @param wanted  a field that is not wanted is neither decoded nor present (reason:
 *                NOT_CAPTURED); NULL: all
 * @param pebs    may be sample->registers.pebs: then it need not be copied there
 * @param sample  initialised by precis_sample_init(), or decoded into before
 * @return 0 or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_pebs_decode(struct precis_pebs_context *context,
				  const struct precis_pebs *pebs, const uint64_t *wanted,
				  struct precis_sample *sample);

/**
 * Decode a few fields of the next records of a buffer into columns.
 *
 * @param fields   'field_count' numbers of enum precis_field
 * @param room     records, at least 1; it does not read more
 * @param columns  for each field an array of 'room' values
 * @param present  'room' masks: bit n is set where the record has field fields[n]; a column's
 *                 value is meaningful only there. So at most 32 fields
 * @return as precis_pebs_words(); PRECIS_E_NO_FIELD for a field that PEBS never has
 */
PRECIS_API int precis_pebs_columns(struct precis_pebs_context *context,
				   struct precis_pebs_buffer *buffer, const uint32_t *fields,
				   size_t field_count, size_t room, uint64_t *const *columns,
				   uint32_t *present);

/**
 * The same from the kernel's words. On AMD they come from IBS: where the raw
 * registers were recorded as well, decode those instead, they say more.
 *
 * Other fields of the sample are left as they are.
 */
PRECIS_API int precis_perf_words_decode(struct precis_pebs_context *context,
					const struct precis_perf_words *words,
					const uint64_t *wanted, struct precis_sample *sample);

PRECIS_END_DECLS

#endif
