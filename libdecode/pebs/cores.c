/* SPDX-License-Identifier: BSD-3-Clause */
/* Which Intel core a CPU has, what is known of it (cores.def), and which of Linux's PMUs it is of. */
#include <string.h>

#include <precis/error.h>
#include <precis/intel.h>
#include <precis/pebs_record.h>

#include "../sample/abi.h"
#include "event_bits.h"

#define WORD(id) (1u << PRECIS_PEBS_##id)
#define PRECIS_PEBS_FORMAT_UNKNOWN (-1)

static const struct precis_intel_core_info cores[PRECIS_INTEL_CORE_COUNT] = {
#define PRECIS_INTEL_CORE(id, name_, format, layout, table, st_layout, st_table, latency_, retire, \
			  reserved, load, store, precise_store, data_la, info, auxiliary, models_, \
			  uncertain_)                                                              \
	[PRECIS_INTEL_##id] = {                                                                    \
		.core = PRECIS_INTEL_##id,                                                         \
		.pebs_format = PRECIS_PEBS_FORMAT_##format,                                        \
		.load_layout = PRECIS_DSE_LAYOUT_##layout,                                         \
		.load_table = PRECIS_DSE_TABLE_##table,                                            \
		.store_layout = PRECIS_DSE_LAYOUT_##st_layout,                                     \
		.store_table = PRECIS_DSE_TABLE_##st_table,                                        \
		.latency = PRECIS_PEBS_LATENCY_##latency_,                                         \
		.retire_latency = PRECIS_PEBS_RETIRE_LATENCY_##retire,                             \
		.reserved_words = reserved,                                                        \
		.load_latency_event = load,                                                        \
		.store_latency_event = store,                                                      \
		.precise_store_event = precise_store,                                              \
		.has_data_la = data_la,                                                            \
		.branch_info = PRECIS_LBR_INFO_##info,                                             \
		.load_auxiliary_event = auxiliary,                                                 \
		.name = name_,                                                                     \
		.models = models_,                                                                 \
		.uncertain = uncertain_,                                                           \
	},
#include "cores.def"
#undef PRECIS_INTEL_CORE
};

/* Which types a row is for: bits of enum precis_core_type. UNKNOWN: all cores are alike. */
#define ALL_P (1u << PRECIS_CORE_TYPE_UNKNOWN | 1u << PRECIS_CORE_TYPE_P)
#define ALL_E (1u << PRECIS_CORE_TYPE_UNKNOWN | 1u << PRECIS_CORE_TYPE_E)
#define P (1u << PRECIS_CORE_TYPE_P)
#define E (1u << PRECIS_CORE_TYPE_E)
#define LP_E (1u << PRECIS_CORE_TYPE_LP_E)
#define E_AND_LP_E (E | LP_E)

struct model_row {
	uint8_t core, family, model, types;
	const char *uncertain;
};

static const struct model_row model_rows[] = {
#define PRECIS_INTEL_MODEL(core, family, model, types, uncertain)                                  \
	{ PRECIS_INTEL_##core, family, model, types, uncertain },
#include "cores.def"
#undef PRECIS_INTEL_MODEL
};

static const struct model_row *row_of(const struct precis_cpu *cpu, enum precis_core_type type)
{
	if (cpu->vendor != PRECIS_VENDOR_INTEL || (uint32_t)type > PRECIS_CORE_TYPE_LP_E)
		return NULL;
	for (size_t i = 0; i < sizeof(model_rows) / sizeof(model_rows[0]); i++) {
		const struct model_row *row = &model_rows[i];

		if (row->family == cpu->family && row->model == cpu->model &&
		    row->types >> type & 1)
			return row;
	}
	return NULL;
}

enum precis_intel_core precis_intel_core_of(const struct precis_cpu *cpu,
					    enum precis_core_type type)
{
	const struct model_row *row;

	ABI_IN_OR(PRECIS_INTEL_UNKNOWN, struct precis_cpu, cpu, precis_intel_core_of(&abi, type));
	row = row_of(cpu, type);
	return row ? (enum precis_intel_core)row->core : PRECIS_INTEL_UNKNOWN;
}

const char *precis_intel_core_doubt(const struct precis_cpu *cpu, enum precis_core_type type)
{
	const struct model_row *row;

	ABI_IN_OR(NULL, struct precis_cpu, cpu, precis_intel_core_doubt(&abi, type));
	row = row_of(cpu, type);
	return row ? row->uncertain : NULL;
}

int precis_intel_core_info(uint32_t core, struct precis_intel_core_info *info)
{
	uint32_t size;

	ABI_OUT(struct precis_intel_core_info, info, precis_intel_core_info(core, &abi));
	if (core == PRECIS_INTEL_UNKNOWN || core >= PRECIS_INTEL_CORE_COUNT)
		return PRECIS_E_ARGUMENT;
	size = info->size;
	*info = cores[core];
	info->size = size;
	return 0;
}

uint32_t precis_intel_load_auxiliary(uint32_t core, uint64_t config)
{
	uint32_t event = (uint32_t)config & EVENT_BITS;

	if (core >= PRECIS_INTEL_CORE_COUNT || !event || event != cores[core].load_latency_event)
		return 0;
	return cores[core].load_auxiliary_event;
}

int precis_intel_is_auxiliary(uint32_t core, uint64_t config)
{
	uint32_t event = (uint32_t)config & EVENT_BITS;

	return core < PRECIS_INTEL_CORE_COUNT && event && event == cores[core].load_auxiliary_event;
}

const char *precis_intel_core_name(uint32_t core)
{
	return core < PRECIS_INTEL_CORE_COUNT ? cores[core].name : NULL;
}

const char *precis_intel_core_models(uint32_t core)
{
	return core < PRECIS_INTEL_CORE_COUNT ? cores[core].models : NULL;
}

const char *precis_core_type_name(uint32_t type)
{
	static const char *const names[] = {
		[PRECIS_CORE_TYPE_P] = "P",
		[PRECIS_CORE_TYPE_E] = "E",
		[PRECIS_CORE_TYPE_LP_E] = "LP-E",
	};

	return type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;
}

/* PERF_TYPE_HARDWARE, PERF_TYPE_HW_CACHE, PERF_TYPE_RAW */
#define TYPE_HARDWARE 0u
#define TYPE_HW_CACHE 3u
#define TYPE_RAW 4u

/* Linux's PMUs of the cores */
static const char *const pmu_names[] = {
	[PRECIS_CORE_TYPE_UNKNOWN] = "cpu",
	[PRECIS_CORE_TYPE_P] = "cpu_core",
	[PRECIS_CORE_TYPE_E] = "cpu_atom",
	[PRECIS_CORE_TYPE_LP_E] = "cpu_lowpower",
};
#define PMU_NAMES (sizeof(pmu_names) / sizeof(pmu_names[0]))

const char *precis_core_type_pmu(uint32_t type)
{
	return type < PMU_NAMES ? pmu_names[type] : NULL;
}

int precis_core_type_of_event(const char *pmu, size_t length, uint32_t type, uint32_t *core_type)
{
	*core_type = PRECIS_CORE_TYPE_UNKNOWN;
	if (!pmu)
		return type == TYPE_HARDWARE || type == TYPE_HW_CACHE || type == TYPE_RAW;
	for (uint32_t n = 0; n < PMU_NAMES; n++) {
		if (strlen(pmu_names[n]) != length || memcmp(pmu_names[n], pmu, length))
			continue;
		*core_type = n;
		return 1;
	}
	return 0;
}
