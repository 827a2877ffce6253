/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats, words, registers and groups as text. */
#include <string.h>

#include <precis/error.h>
#include <precis/pebs_groups.h>

#include "../sample/words.h"
#include "formats.h"

static const char *const word_names[] = {
	[PRECIS_PEBS_STATUS] = "status",
	[PRECIS_PEBS_APPLICABLE_COUNTERS] = "applicable_counters",
	[PRECIS_PEBS_EVENTING_IP] = "eventing_ip",
	[PRECIS_PEBS_TSC] = "tsc",
	[PRECIS_PEBS_DATA_ADDRESS] = "data_address",
	[PRECIS_PEBS_DATA_SOURCE] = "data_source",
	[PRECIS_PEBS_LATENCY] = "latency",
	[PRECIS_PEBS_TSX] = "tsx",
	[PRECIS_PEBS_RETIRE_LATENCY] = "retire_latency",
};

static const char *const gpr_names[] = {
	[PRECIS_PEBS_FLAGS] = "flags", [PRECIS_PEBS_IP] = "ip",	  [PRECIS_PEBS_AX] = "ax",
	[PRECIS_PEBS_BX] = "bx",       [PRECIS_PEBS_CX] = "cx",	  [PRECIS_PEBS_DX] = "dx",
	[PRECIS_PEBS_SI] = "si",       [PRECIS_PEBS_DI] = "di",	  [PRECIS_PEBS_BP] = "bp",
	[PRECIS_PEBS_SP] = "sp",       [PRECIS_PEBS_R8] = "r8",	  [PRECIS_PEBS_R9] = "r9",
	[PRECIS_PEBS_R10] = "r10",     [PRECIS_PEBS_R11] = "r11", [PRECIS_PEBS_R12] = "r12",
	[PRECIS_PEBS_R13] = "r13",     [PRECIS_PEBS_R14] = "r14", [PRECIS_PEBS_R15] = "r15",
	[PRECIS_PEBS_SSP] = "ssp",
};

static const struct {
	uint32_t group;
	const char *name;
} group_names[] = {
	{ PRECIS_PEBS_GROUP_BASIC, "basic" },	{ PRECIS_PEBS_GROUP_MEMORY, "memory" },
	{ PRECIS_PEBS_GROUP_GPR, "gpr" },	{ PRECIS_PEBS_GROUP_XMM, "xmm" },
	{ PRECIS_PEBS_GROUP_YMMH, "ymmh" },	{ PRECIS_PEBS_GROUP_OPMASK, "opmask" },
	{ PRECIS_PEBS_GROUP_ZMMH, "zmmh" },	{ PRECIS_PEBS_GROUP_HI16_ZMM, "hi16_zmm" },
	{ PRECIS_PEBS_GROUP_LBR, "lbr" },	{ PRECIS_PEBS_GROUP_COUNTERS, "counters" },
	{ PRECIS_PEBS_GROUP_METRICS, "metrics" },
};

_Static_assert(sizeof(word_names) / sizeof(word_names[0]) == PRECIS_PEBS_WORD_COUNT,
	       "each word has a name");
_Static_assert(sizeof(gpr_names) / sizeof(gpr_names[0]) == PRECIS_PEBS_GPR_COUNT,
	       "each register has a name");

const char *precis_pebs_format_name(uint32_t format)
{
	const struct pebs_format *row = precis_pebs_format(format);

	return row ? row->name : NULL;
}

int precis_pebs_format_parse(const char *text)
{
	size_t length;

	if (!text)
		return PRECIS_E_ARGUMENT;
	length = strlen(text);
	for (uint32_t format = 0; format <= PRECIS_PEBS_FORMAT_NETBURST_64; format++) {
		const char *name = precis_pebs_format_name(format);

		if (name && strlen(name) == length && precis_words_equal(name, text, length))
			return (int)format;
	}
	return PRECIS_E_NO_FIELD;
}

const char *precis_pebs_word_name(uint32_t word)
{
	return word < PRECIS_PEBS_WORD_COUNT ? word_names[word] : NULL;
}

const char *precis_pebs_gpr_name(uint32_t gpr)
{
	return gpr < PRECIS_PEBS_GPR_COUNT ? gpr_names[gpr] : NULL;
}

const char *precis_pebs_group_name(uint32_t group)
{
	for (size_t i = 0; i < sizeof(group_names) / sizeof(group_names[0]); i++) {
		if (group_names[i].group == group)
			return group_names[i].name;
	}
	return NULL;
}

/* Intel SDM vol. 3, "PERF_METRICS MSR"; Linux' INTEL_TD_METRIC_* are in the same order. */
const char *precis_pebs_metric_name(uint32_t n)
{
	static const char *const names[PRECIS_PEBS_METRIC_COUNT] = {
		"retiring",	    "bad_speculation", "frontend_bound", "backend_bound",
		"heavy_operations", "branch_mispredicts", "fetch_latency", "memory_bound",
	};

	return n < PRECIS_PEBS_METRIC_COUNT ? names[n] : NULL;
}
