/* SPDX-License-Identifier: BSD-3-Clause */
/* Family, model and core type give Intel's core; what is known of each core. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>
#include <precis/intel.h>
#include <precis/pebs.h>

#include "tests/support/tap.h"

#define ANY PRECIS_CORE_TYPE_UNKNOWN
#define P PRECIS_CORE_TYPE_P
#define E PRECIS_CORE_TYPE_E
#define LP_E PRECIS_CORE_TYPE_LP_E

static enum precis_intel_core core_of(uint32_t family, uint32_t model, enum precis_core_type type)
{
	struct precis_cpu cpu = { .size = sizeof(cpu), .vendor = PRECIS_VENDOR_INTEL,
				  .family = family, .model = model };

	return precis_intel_core_of(&cpu, type);
}

static const char *doubt_of(uint32_t family, uint32_t model, enum precis_core_type type)
{
	struct precis_cpu cpu = { .size = sizeof(cpu), .vendor = PRECIS_VENDOR_INTEL,
				  .family = family, .model = model };

	return precis_intel_core_doubt(&cpu, type);
}

/* Machines by the name that they are sold or known by. */
static const struct {
	const char *machine;
	uint16_t family, model;
	uint8_t type, core;
} machines[] = {
	{ "Pentium 4 Northwood", 15, 2, ANY, PRECIS_INTEL_NETBURST },
	{ "Pentium 4 Prescott", 15, 4, ANY, PRECIS_INTEL_PRESCOTT },
	{ "Core 2 Penryn", 6, 23, ANY, PRECIS_INTEL_CORE_2 },
	{ "Nehalem-EP", 6, 26, ANY, PRECIS_INTEL_NEHALEM },
	{ "Westmere-EX", 6, 47, ANY, PRECIS_INTEL_WESTMERE },
	{ "Xeon E5-4610 v2", 6, 62, ANY, PRECIS_INTEL_IVY_BRIDGE },
	{ "Haswell-EP", 6, 63, ANY, PRECIS_INTEL_HASWELL },
	{ "Broadwell-D", 6, 86, P, PRECIS_INTEL_BROADWELL },
	{ "Core i9-9980HK", 6, 158, ANY, PRECIS_INTEL_SKYLAKE },
	{ "Xeon Platinum 8173M", 6, 85, ANY, PRECIS_INTEL_SKYLAKE_SERVER },
	{ "Avoton", 6, 77, ANY, PRECIS_INTEL_SILVERMONT },
	{ "Denverton", 6, 95, E, PRECIS_INTEL_GOLDMONT },
	{ "Knights Mill", 6, 133, ANY, PRECIS_INTEL_KNIGHTS_LANDING },
	{ "Ice Lake-SP", 6, 106, ANY, PRECIS_INTEL_SUNNY_COVE_SERVER },
	{ "Tiger Lake", 6, 140, ANY, PRECIS_INTEL_WILLOW_COVE },
	{ "Alder Lake", 6, 151, P, PRECIS_INTEL_GOLDEN_COVE },
	{ "Alder Lake", 6, 151, E, PRECIS_INTEL_GRACEMONT },
	{ "Alder Lake-N", 6, 190, ANY, PRECIS_INTEL_GRACEMONT },
	{ "Sapphire Rapids", 6, 143, ANY, PRECIS_INTEL_GOLDEN_COVE_SERVER },
	{ "Emerald Rapids", 6, 207, ANY, PRECIS_INTEL_RAPTOR_COVE_SERVER },
	{ "Meteor Lake", 6, 170, LP_E, PRECIS_INTEL_CRESTMONT },
	{ "Arrow Lake-H", 6, 197, P, PRECIS_INTEL_LION_COVE },
	{ "Arrow Lake-H", 6, 197, E, PRECIS_INTEL_SKYMONT },
	{ "Arrow Lake-H", 6, 197, LP_E, PRECIS_INTEL_CRESTMONT },
	{ "Arrow Lake-U", 6, 181, P, PRECIS_INTEL_REDWOOD_COVE },
	{ "Lunar Lake", 6, 189, E, PRECIS_INTEL_SKYMONT },
	{ "Granite Rapids", 6, 173, ANY, PRECIS_INTEL_REDWOOD_COVE_SERVER },
	{ "Sierra Forest", 6, 175, ANY, PRECIS_INTEL_CRESTMONT },
	{ "Panther Lake", 6, 204, P, PRECIS_INTEL_COUGAR_COVE },
	{ "Clearwater Forest", 6, 221, ANY, PRECIS_INTEL_DARKMONT },
	{ "Diamond Rapids", 19, 1, ANY, PRECIS_INTEL_PANTHER_COVE },
	{ "Nova Lake", 18, 1, P, PRECIS_INTEL_COYOTE_COVE },
	{ "Nova Lake", 18, 3, E, PRECIS_INTEL_ARCTIC_WOLF },
	/* a type must be said of a hybrid CPU, and must be one that it has */
	{ "Alder Lake", 6, 151, ANY, PRECIS_INTEL_UNKNOWN },
	{ "Alder Lake", 6, 151, LP_E, PRECIS_INTEL_UNKNOWN },
	{ "Sapphire Rapids", 6, 143, E, PRECIS_INTEL_UNKNOWN },
	{ "Sierra Forest", 6, 175, P, PRECIS_INTEL_UNKNOWN },
	{ "Nova Lake", 18, 1, LP_E, PRECIS_INTEL_UNKNOWN },
	/* what has no PEBS, and what is not known */
	{ "Yonah", 6, 14, ANY, PRECIS_INTEL_UNKNOWN },
	{ "Quark", 5, 9, ANY, PRECIS_INTEL_UNKNOWN },
	{ "family 13h, model 0", 19, 0, ANY, PRECIS_INTEL_UNKNOWN },
	{ "the model of Sapphire Rapids in another family", 18, 143, ANY, PRECIS_INTEL_UNKNOWN },
	/* 8 bits more than the model of Sapphire Rapids */
	{ "a model too large", 6, 143 + 256, ANY, PRECIS_INTEL_UNKNOWN },
};

static void by_model(void)
{
	struct precis_cpu cpu = { .size = sizeof(cpu), .vendor = PRECIS_VENDOR_AMD, .family = 6,
				  .model = 143 };

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		uint32_t core = core_of(machines[i].family, machines[i].model,
					(enum precis_core_type)machines[i].type);

		if (core != machines[i].core)
			printf("# %s: %u\n", machines[i].machine, core);
		CU_ASSERT_EQUAL(core, machines[i].core);
	}
	CU_ASSERT_EQUAL(precis_intel_core_of(&cpu, ANY), PRECIS_INTEL_UNKNOWN);
	CU_ASSERT_EQUAL(precis_intel_core_of(NULL, ANY), PRECIS_INTEL_UNKNOWN);
	cpu.vendor = PRECIS_VENDOR_INTEL;
	CU_ASSERT_EQUAL(precis_intel_core_of(&cpu, (enum precis_core_type)4), PRECIS_INTEL_UNKNOWN);
	cpu.size = 4;
	CU_ASSERT_EQUAL(precis_intel_core_of(&cpu, ANY), PRECIS_INTEL_UNKNOWN);
}

/* Does the text "06h 97h 9Ah; 12h 01h" have this model? */
static int text_has(const char *text, uint32_t family, uint32_t model)
{
	char *end;

	while (*text) {
		int ours = strtoul(text, &end, 16) == family;

		CU_ASSERT_FATAL(end > text && *end == 'h');
		for (text = end + 1; *text == ' '; text = end + 1) {
			unsigned long listed = strtoul(text, &end, 16);

			CU_ASSERT_FATAL(end > text && *end == 'h');
			if (ours && listed == model)
				return 1;
		}
		if (*text == ';')
			text += 2;
	}
	return 0;
}

/* The text of a core's models is what the rows of models say. */
static void texts_agree(void)
{
	for (uint32_t family = 0; family < 32; family++) {
		for (uint32_t model = 0; model < 256; model++) {
			uint64_t found = 0, listed = 0;

			for (int type = ANY; type <= LP_E; type++)
				found |= UINT64_C(1) << core_of(family, model,
								(enum precis_core_type)type);
			for (uint32_t core = 1; core < PRECIS_INTEL_CORE_COUNT; core++) {
				if (text_has(precis_intel_core_models(core), family, model))
					listed |= UINT64_C(1) << core;
			}
			CU_ASSERT_EQUAL(found & ~UINT64_C(1), listed);
		}
	}
}

/* A CPU whose cores are alike needs no type; a hybrid one has a core for P and one for E. */
static void hybrids(void)
{
	unsigned int alike = 0, hybrid = 0;

	for (uint32_t family = 0; family < 32; family++) {
		for (uint32_t model = 0; model < 256; model++) {
			uint32_t any = core_of(family, model, ANY), p = core_of(family, model, P),
				 e = core_of(family, model, E), lp_e = core_of(family, model, LP_E);

			if (any) {
				CU_ASSERT_TRUE((p == any) != (e == any));
				CU_ASSERT_TRUE(p == 0 || e == 0);
				CU_ASSERT_EQUAL(lp_e, 0);
				alike++;
			} else if (p || e || lp_e) {
				CU_ASSERT_TRUE(p && e && p != e);
				hybrid++;
			}
		}
	}
	CU_ASSERT_EQUAL(alike, 74);
	CU_ASSERT_EQUAL(hybrid, 17);
}

static void doubts(void)
{
	CU_ASSERT_STRING_EQUAL(doubt_of(6, 143, ANY), "");
	CU_ASSERT_PTR_NOT_NULL(strstr(doubt_of(6, 0x8a, E), "Lakefield"));
	CU_ASSERT_TRUE(*doubt_of(6, 0xd7, ANY));
	CU_ASSERT_PTR_NULL(doubt_of(6, 14, ANY));
}

static struct precis_intel_core_info info_of(uint32_t core)
{
	struct precis_intel_core_info info = { .size = sizeof(info) };

	CU_ASSERT_EQUAL_FATAL(precis_intel_core_info(core, &info), 0);
	return info;
}

/* Rows that contradict themselves */
static void rows_agree(void)
{
	for (uint32_t core = 1; core < PRECIS_INTEL_CORE_COUNT; core++) {
		struct precis_intel_core_info info = info_of(core);
		int adaptive = info.pebs_format >= 4 && info.pebs_format <= 6;
		int with_latency = info.load_latency_event != 0;

		CU_ASSERT_EQUAL(info.core, core);
		CU_ASSERT_TRUE(*info.name && *info.models);
		CU_ASSERT_STRING_EQUAL(info.name, precis_intel_core_name(core));
		CU_ASSERT_STRING_EQUAL(info.models, precis_intel_core_models(core));
		for (uint32_t other = 1; other < core; other++)
			CU_ASSERT_STRING_NOT_EQUAL(info.name, precis_intel_core_name(other));
		/* no data source, no table; no format, a word about it */
		CU_ASSERT_EQUAL(with_latency, info.load_layout != PRECIS_DSE_LAYOUT_NONE);
		CU_ASSERT_EQUAL(with_latency, info.load_table != PRECIS_DSE_TABLE_NONE);
		CU_ASSERT_EQUAL(with_latency, info.latency != PRECIS_PEBS_LATENCY_NONE);
		CU_ASSERT_EQUAL(info.store_latency_event != 0,
				info.store_layout != PRECIS_DSE_LAYOUT_NONE);
		CU_ASSERT_EQUAL(info.store_latency_event != 0,
				info.store_table != PRECIS_DSE_TABLE_NONE);
		CU_ASSERT_EQUAL(info.store_latency_event != 0,
				info.latency == PRECIS_PEBS_LATENCY_SPLIT);
		CU_ASSERT_FALSE(info.precise_store_event && info.store_latency_event);
		if (info.pebs_format < 0)
			CU_ASSERT_TRUE(*info.uncertain);
		if (adaptive)
			CU_ASSERT_EQUAL(info.retire_latency,
					PRECIS_PEBS_RETIRE_LATENCY_CAPABILITY);
		if (info.pebs_format == PRECIS_PEBS_FORMAT_ARCH)
			CU_ASSERT_EQUAL(info.retire_latency, PRECIS_PEBS_RETIRE_LATENCY_RECORD);
		if (info.pebs_format >= 0 && info.pebs_format < 4)
			CU_ASSERT_EQUAL(info.retire_latency, PRECIS_PEBS_RETIRE_LATENCY_NONE);
		if (info.reserved_words & 1u << PRECIS_PEBS_DATA_SOURCE)
			CU_ASSERT_FALSE(with_latency);
		/* records of fixed formats have no branches; formats 5 and later came with
		 * architectural LBR */
		if (info.pebs_format >= 0)
			CU_ASSERT_EQUAL(info.branch_info != PRECIS_LBR_INFO_NONE,
					adaptive || info.pebs_format == PRECIS_PEBS_FORMAT_ARCH);
		if (info.pebs_format >= 5 && info.pebs_format <= PRECIS_PEBS_FORMAT_ARCH)
			CU_ASSERT_EQUAL(info.branch_info, PRECIS_LBR_INFO_ARCH);
		CU_ASSERT_EQUAL(precis_intel_load_auxiliary(core, info.load_latency_event),
				info.load_auxiliary_event);
	}
}

/* One of each generation, as the sources have it */
static void rows(void)
{
	struct precis_intel_core_info info = info_of(PRECIS_INTEL_SILVERMONT);

	CU_ASSERT_EQUAL(info.pebs_format, PRECIS_PEBS_FORMAT_2);
	CU_ASSERT_EQUAL(info.reserved_words,
			1u << PRECIS_PEBS_DATA_ADDRESS | 1u << PRECIS_PEBS_DATA_SOURCE |
				1u << PRECIS_PEBS_LATENCY | 1u << PRECIS_PEBS_TSX);
	info = info_of(PRECIS_INTEL_GOLDMONT);
	CU_ASSERT_EQUAL(info.pebs_format, PRECIS_PEBS_FORMAT_3);
	CU_ASSERT_EQUAL(info.reserved_words, 1u << PRECIS_PEBS_DATA_SOURCE |
						     1u << PRECIS_PEBS_LATENCY |
						     1u << PRECIS_PEBS_TSX);
	info = info_of(PRECIS_INTEL_IVY_BRIDGE);
	CU_ASSERT_EQUAL(info.pebs_format, PRECIS_PEBS_FORMAT_1);
	CU_ASSERT_EQUAL(info.load_latency_event, 0x1cd);
	CU_ASSERT_EQUAL(info.precise_store_event, 0x2cd);
	CU_ASSERT_EQUAL(info.has_data_la, 0);
	CU_ASSERT_EQUAL(info.reserved_words, 0);
	info = info_of(PRECIS_INTEL_SKYLAKE_SERVER);
	CU_ASSERT_EQUAL(info.load_table, PRECIS_DSE_TABLE_SKL_PMEM);
	CU_ASSERT_EQUAL(info.has_data_la, 1);
	CU_ASSERT_EQUAL(info.latency, PRECIS_PEBS_LATENCY_WHOLE);
	info = info_of(PRECIS_INTEL_GOLDEN_COVE);
	CU_ASSERT_EQUAL(info.load_table, PRECIS_DSE_TABLE_SKL_L4);
	CU_ASSERT_EQUAL(info.load_layout, PRECIS_DSE_LAYOUT_GLC);
	CU_ASSERT_EQUAL(info.store_layout, PRECIS_DSE_LAYOUT_SNB);
	CU_ASSERT_EQUAL(info.has_data_la, 1);
	info = info_of(PRECIS_INTEL_GRACEMONT);
	CU_ASSERT_EQUAL(info.load_latency_event, 0x5d0);
	CU_ASSERT_EQUAL(info.store_latency_event, 0x6d0);
	info = info_of(PRECIS_INTEL_LION_COVE);
	CU_ASSERT_EQUAL(info.pebs_format, PRECIS_PEBS_FORMAT_6);
	info = info_of(PRECIS_INTEL_ARCTIC_WOLF);
	CU_ASSERT_EQUAL(info.pebs_format, PRECIS_PEBS_FORMAT_ARCH);
	CU_ASSERT_TRUE(*info.uncertain);
}

/* PMU_FL_MEM_LOADS_AUX: Alder Lake, Raptor Lake, Sapphire Rapids and Emerald Rapids alone */
static void auxiliary(void)
{
	uint64_t needing = 0;

	for (uint32_t core = 0; core < PRECIS_INTEL_CORE_COUNT; core++) {
		if (precis_intel_load_auxiliary(core, 0x1cd))
			needing |= UINT64_C(1) << core;
		CU_ASSERT_EQUAL(precis_intel_is_auxiliary(core, 0x8203), needing >> core & 1);
		CU_ASSERT_FALSE(precis_intel_is_auxiliary(core, 0));
		CU_ASSERT_FALSE(precis_intel_is_auxiliary(core, 0x1cd));
		CU_ASSERT_EQUAL(precis_intel_load_auxiliary(core, 0), 0);
		CU_ASSERT_EQUAL(precis_intel_load_auxiliary(core, 0x2cd), 0);
		CU_ASSERT_EQUAL(precis_intel_load_auxiliary(core, 0x8203), 0);
		CU_ASSERT_EQUAL(precis_intel_load_auxiliary(core, 0x5d0), 0);
	}
	CU_ASSERT_EQUAL(needing, UINT64_C(1) << core_of(6, 0x97, P) |
					 UINT64_C(1) << core_of(6, 0xb7, P) |
					 UINT64_C(1) << core_of(6, 0x8f, ANY) |
					 UINT64_C(1) << core_of(6, 0xcf, ANY));
	CU_ASSERT_EQUAL(precis_intel_load_auxiliary(core_of(6, 0x97, P), 0x1cd), 0x8203);
	/* what else stands in a config: a counter mask, a PMU's number */
	CU_ASSERT_EQUAL(precis_intel_load_auxiliary(PRECIS_INTEL_GOLDEN_COVE, 0x4000001cd), 0x8203);
	CU_ASSERT_TRUE(precis_intel_is_auxiliary(PRECIS_INTEL_RAPTOR_COVE, 0x400008203));
	CU_ASSERT_EQUAL(precis_intel_load_auxiliary(PRECIS_INTEL_CORE_COUNT, 0x1cd), 0);
	CU_ASSERT_FALSE(precis_intel_is_auxiliary(PRECIS_INTEL_CORE_COUNT, 0x8203));
}

static void refusals(void)
{
	struct precis_intel_core_info info = { .size = sizeof(info) };

	CU_ASSERT_EQUAL(precis_intel_core_info(PRECIS_INTEL_SKYLAKE, &info), 0);
	CU_ASSERT_EQUAL(info.size, sizeof(info));
	CU_ASSERT_EQUAL(precis_intel_core_info(PRECIS_INTEL_UNKNOWN, &info), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_intel_core_info(PRECIS_INTEL_CORE_COUNT, &info), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_intel_core_info(1, NULL), PRECIS_E_ARGUMENT);
	info.size = 4;
	CU_ASSERT_EQUAL(precis_intel_core_info(1, &info), PRECIS_E_ARGUMENT);
	CU_ASSERT_PTR_NULL(precis_intel_core_name(PRECIS_INTEL_UNKNOWN));
	CU_ASSERT_PTR_NULL(precis_intel_core_name(PRECIS_INTEL_CORE_COUNT));
	CU_ASSERT_PTR_NULL(precis_intel_core_models(PRECIS_INTEL_UNKNOWN));
	CU_ASSERT_PTR_NULL(precis_intel_core_models(PRECIS_INTEL_CORE_COUNT));
	CU_ASSERT_STRING_EQUAL(precis_core_type_name(LP_E), "LP-E");
	CU_ASSERT_PTR_NULL(precis_core_type_name(ANY));
	CU_ASSERT_PTR_NULL(precis_core_type_name(LP_E + 1));
}

static void pmus(void)
{
	static const struct {
		const char *pmu; /* NULL: not known */
		uint32_t attr_type;
		int is_core;
		uint32_t core_type;
	} rows[] = {
		{ "cpu", 4, 1, ANY },	       { "cpu_core", 4, 1, P }, { "cpu_atom", 10, 1, E },
		{ "cpu_lowpower", 11, 1, LP_E }, { "cpu_", 4, 0, ANY },   { "cp", 4, 0, ANY },
		{ "", 4, 0, ANY },	       { "ibs_op", 9, 0, ANY }, { NULL, 0, 1, ANY },
		{ NULL, 3, 1, ANY },	       { NULL, 4, 1, ANY },	{ NULL, 1, 0, ANY },
		{ NULL, 2, 0, ANY },	       { NULL, 5, 0, ANY },	{ NULL, 9, 0, ANY },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		uint32_t type = 77;

		CU_ASSERT_EQUAL(precis_core_type_of_event(rows[n].pmu,
							  rows[n].pmu ? strlen(rows[n].pmu) : 0,
							  rows[n].attr_type, &type),
				rows[n].is_core);
		CU_ASSERT_EQUAL(type, rows[n].core_type);
	}
	CU_ASSERT_STRING_EQUAL(precis_core_type_pmu(ANY), "cpu");
	CU_ASSERT_STRING_EQUAL(precis_core_type_pmu(LP_E), "cpu_lowpower");
	CU_ASSERT_PTR_NULL(precis_core_type_pmu(LP_E + 1));
}

static const struct tap_case cases[] = {
	{ "machines have their cores", by_model },
	{ "the text of models says what the rows say", texts_agree },
	{ "a hybrid CPU needs a type, others do not", hybrids },
	{ "doubts are said", doubts },
	{ "rows do not contradict themselves", rows_agree },
	{ "rows say what the sources say", rows },
	{ "load latency events and the auxiliary event that they need", auxiliary },
	{ "what is no core is refused", refusals },
	{ "the PMU, or the type, tells whose an event is", pmus },
};

int main(void)
{
	return tap_main("Intel cores", cases, sizeof(cases) / sizeof(cases[0]));
}
