#ifndef PRECIS_INTEL_H
#define PRECIS_INTEL_H

#include <precis/cpu.h>
#include <precis/export.h>

PRECIS_BEGIN_DECLS

enum precis_core_type {
	PRECIS_CORE_TYPE_UNKNOWN = 0,
	PRECIS_CORE_TYPE_P = 1,
	PRECIS_CORE_TYPE_E = 2,
	PRECIS_CORE_TYPE_LP_E = 3
};

enum precis_intel_core {
	PRECIS_INTEL_UNKNOWN = 0,
	PRECIS_INTEL_NETBURST = 1,
	PRECIS_INTEL_PRESCOTT = 2,
	PRECIS_INTEL_CORE_2 = 3,
	PRECIS_INTEL_BONNELL = 4,
	PRECIS_INTEL_NEHALEM = 5,
	PRECIS_INTEL_WESTMERE = 6,
	PRECIS_INTEL_SANDY_BRIDGE = 7,
	PRECIS_INTEL_IVY_BRIDGE = 8,
	PRECIS_INTEL_HASWELL = 9,
	PRECIS_INTEL_BROADWELL = 10,
	PRECIS_INTEL_SILVERMONT = 11,
	PRECIS_INTEL_AIRMONT = 12,
	PRECIS_INTEL_KNIGHTS_LANDING = 13,
	PRECIS_INTEL_GOLDMONT = 14,
	PRECIS_INTEL_GOLDMONT_PLUS = 15,
	PRECIS_INTEL_TREMONT = 16,
	PRECIS_INTEL_SKYLAKE = 17,
	PRECIS_INTEL_SKYLAKE_SERVER = 18,
	PRECIS_INTEL_PALM_COVE = 19,
	PRECIS_INTEL_SUNNY_COVE = 20,
	PRECIS_INTEL_SUNNY_COVE_SERVER = 21,
	PRECIS_INTEL_CYPRESS_COVE = 22,
	PRECIS_INTEL_WILLOW_COVE = 23,
	PRECIS_INTEL_GOLDEN_COVE = 24,
	PRECIS_INTEL_GOLDEN_COVE_SERVER = 25,
	PRECIS_INTEL_GRACEMONT = 26,
	PRECIS_INTEL_RAPTOR_COVE = 27,
	PRECIS_INTEL_RAPTOR_COVE_SERVER = 28,
	PRECIS_INTEL_REDWOOD_COVE = 29,
	PRECIS_INTEL_REDWOOD_COVE_SERVER = 30,
	PRECIS_INTEL_CRESTMONT = 31,
	PRECIS_INTEL_LION_COVE = 32,
	PRECIS_INTEL_SKYMONT = 33,
	PRECIS_INTEL_COUGAR_COVE = 34,
	PRECIS_INTEL_DARKMONT = 35,
	PRECIS_INTEL_PANTHER_COVE = 36,
	PRECIS_INTEL_COYOTE_COVE = 37,
	PRECIS_INTEL_ARCTIC_WOLF = 38,
	PRECIS_INTEL_CORE_COUNT = 39
};

enum precis_dse_layout {
	PRECIS_DSE_LAYOUT_NONE = 0,
	PRECIS_DSE_LAYOUT_NHM = 1,
	PRECIS_DSE_LAYOUT_SNB = 2,
	PRECIS_DSE_LAYOUT_GLC = 3,
	PRECIS_DSE_LAYOUT_GRT = 4,
	PRECIS_DSE_LAYOUT_CMT = 5,
	PRECIS_DSE_LAYOUT_LNC = 6,
	PRECIS_DSE_LAYOUT_PNC = 7,
	PRECIS_DSE_LAYOUT_ARW = 8,
	PRECIS_DSE_LAYOUT_COUNT = 9
};

enum precis_dse_table {
	PRECIS_DSE_TABLE_NONE = 0,
	PRECIS_DSE_TABLE_SNB = 1,
	PRECIS_DSE_TABLE_NHM = 2,
	PRECIS_DSE_TABLE_SKL_L4 = 3,
	PRECIS_DSE_TABLE_SKL_PMEM = 4,
	PRECIS_DSE_TABLE_GRT = 5,
	PRECIS_DSE_TABLE_CMT = 6,
	PRECIS_DSE_TABLE_LNC = 7,
	PRECIS_DSE_TABLE_PNC = 8,
	PRECIS_DSE_TABLE_ARW = 9,
	PRECIS_DSE_TABLE_COUNT = 10
};

enum precis_pebs_latency {
	PRECIS_PEBS_LATENCY_NONE = 0,
	PRECIS_PEBS_LATENCY_WHOLE = 1,
	PRECIS_PEBS_LATENCY_SPLIT = 2
};

enum precis_pebs_retire_latency {
	PRECIS_PEBS_RETIRE_LATENCY_NONE = 0,
	PRECIS_PEBS_RETIRE_LATENCY_CAPABILITY = 1,
	PRECIS_PEBS_RETIRE_LATENCY_RECORD = 2
};

enum precis_lbr_info {
	PRECIS_LBR_INFO_NONE = 0,
	PRECIS_LBR_INFO_MODEL = 1,
	PRECIS_LBR_INFO_ARCH = 2
};

struct precis_intel_core_info {
	uint32_t size;
	uint32_t core;
	int32_t pebs_format;
	uint32_t load_layout;
	uint32_t load_table;
	uint32_t store_layout;
	uint32_t store_table;
	uint32_t latency;
	uint32_t retire_latency;

	uint32_t reserved_words;

	uint32_t load_latency_event;
	uint32_t store_latency_event;
	uint32_t precise_store_event;
	uint32_t has_data_la;
	uint32_t branch_info;
	uint32_t load_auxiliary_event;
	const char *name;
	const char *models;
};

PRECIS_API enum precis_intel_core precis_intel_core_of(const struct precis_cpu *cpu,
						       enum precis_core_type type);

PRECIS_API const char *precis_intel_core_doubt(const struct precis_cpu *cpu,
					       enum precis_core_type type);

PRECIS_API int precis_intel_core_info(uint32_t core, struct precis_intel_core_info *info);

PRECIS_API uint32_t precis_intel_load_auxiliary(uint32_t core, uint64_t config);

PRECIS_API int precis_intel_is_auxiliary(uint32_t core, uint64_t config);

PRECIS_API const char *precis_intel_core_name(uint32_t core);

PRECIS_API const char *precis_intel_core_models(uint32_t core);

PRECIS_API const char *precis_core_type_name(uint32_t type);

PRECIS_API const char *precis_core_type_pmu(uint32_t type);

PRECIS_API int precis_core_type_of_event(const char *pmu, size_t length, uint32_t type,
					 uint32_t *core_type);

PRECIS_END_DECLS

#endif
