/* SPDX-License-Identifier: BSD-3-Clause */
/* fields.def and perf_sources.def as tables. */
#include "catalogue.h"

/* clang-format off */
const struct field_row precis_field_rows[PRECIS_FIELD_COUNT] = {
#define PRECIS_FIELD(id, name, aliases, type, unit, meaning)                                       \
	[PRECIS_FIELD_##id] = { #name, aliases, meaning, PRECIS_TYPE_##type, PRECIS_UNIT_##unit },
#include <precis/fields.def>
#undef PRECIS_FIELD
};

const uint8_t precis_perf_sources[PRECIS_FIELD_COUNT] = {
#define PRECIS_PERF_FIELD(id, source) [PRECIS_FIELD_##id] = PERF_SOURCE_##source,
#include "perf_sources.def"
#undef PRECIS_PERF_FIELD
};
/* clang-format on */

const char *const precis_perf_source_names[PERF_SOURCE_COUNT] = {
	[PERF_SOURCE_EVENT] = "the sample's id",
	[PERF_SOURCE_MISC] = "the record's misc",
	[PERF_SOURCE_IP] = "PERF_SAMPLE_IP",
	[PERF_SOURCE_TID] = "PERF_SAMPLE_TID",
	[PERF_SOURCE_TIME] = "PERF_SAMPLE_TIME",
	[PERF_SOURCE_ADDR] = "PERF_SAMPLE_ADDR",
	[PERF_SOURCE_CPU] = "PERF_SAMPLE_CPU",
	[PERF_SOURCE_PERIOD] = "PERF_SAMPLE_PERIOD or attr.sample_period",
	[PERF_SOURCE_WEIGHT] = "PERF_SAMPLE_WEIGHT or WEIGHT_STRUCT",
	[PERF_SOURCE_WEIGHT_STRUCT] = "PERF_SAMPLE_WEIGHT_STRUCT",
	[PERF_SOURCE_DATA_SRC] = "PERF_SAMPLE_DATA_SRC",
	[PERF_SOURCE_TRANSACTION] = "PERF_SAMPLE_TRANSACTION",
	[PERF_SOURCE_PHYS_ADDR] = "PERF_SAMPLE_PHYS_ADDR",
	[PERF_SOURCE_DATA_PAGE_SIZE] = "PERF_SAMPLE_DATA_PAGE_SIZE",
	[PERF_SOURCE_CODE_PAGE_SIZE] = "PERF_SAMPLE_CODE_PAGE_SIZE",
	[PERF_SOURCE_CGROUP] = "PERF_SAMPLE_CGROUP",
};
