/* SPDX-License-Identifier: BSD-3-Clause */
/* What formats, words and groups of PEBS records are called, both ways. */
#include "tests/libdecode/pebs/pebs_bytes.h"

static const struct {
	uint32_t format;
	const char *name;
} formats[] = {
	{ 0, "0" }, { 1, "1" }, { 2, "2" }, { 3, "3" }, { 4, "4" }, { 5, "5" }, { 6, "6" },
	{ 15, "arch" }, { 16, "netburst32" }, { 17, "netburst64" },
};

static void format_names(void)
{
	size_t named = 0;

	for (size_t i = 0; i < COUNT(formats); i++) {
		CU_ASSERT_STRING_EQUAL(precis_pebs_format_name(formats[i].format),
				       formats[i].name);
		CU_ASSERT_EQUAL(precis_pebs_format_parse(formats[i].name),
				(int)formats[i].format);
	}
	for (uint32_t format = 0; format < 300; format++)
		named += precis_pebs_format_name(format) != NULL;
	CU_ASSERT_EQUAL(named, COUNT(formats));
	CU_ASSERT_PTR_NULL(precis_pebs_format_name(UINT32_MAX));
	CU_ASSERT_EQUAL(precis_pebs_format_parse("NetBurst32"), 16);
	CU_ASSERT_EQUAL(precis_pebs_format_parse("ARCH"), 15);
	CU_ASSERT_EQUAL(precis_pebs_format_parse(""), PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(precis_pebs_format_parse("7"), PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(precis_pebs_format_parse("44"), PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(precis_pebs_format_parse("arc"), PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(precis_pebs_format_parse(NULL), PRECIS_E_ARGUMENT);
}

/* No two names are the same, and numbers past the last have none. */
static void distinct(const char *(*name_of)(uint32_t), const uint32_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		CU_ASSERT_PTR_NOT_NULL_FATAL(name_of(numbers[i]));
		CU_ASSERT_NOT_EQUAL(*name_of(numbers[i]), '\0');
		for (size_t j = 0; j < i; j++)
			CU_ASSERT_STRING_NOT_EQUAL(name_of(numbers[i]), name_of(numbers[j]));
	}
}

static void other_names(void)
{
	uint32_t numbers[32], bits[32];

	for (uint32_t i = 0; i < 32; i++) {
		numbers[i] = i;
		bits[i] = UINT32_C(1) << i;
	}
	distinct(precis_pebs_word_name, numbers, PRECIS_PEBS_WORD_COUNT);
	distinct(precis_pebs_gpr_name, numbers, PRECIS_PEBS_GPR_COUNT);
	distinct(precis_pebs_group_name, bits, 11);
	CU_ASSERT_PTR_NULL(precis_pebs_word_name(PRECIS_PEBS_WORD_COUNT));
	CU_ASSERT_PTR_NULL(precis_pebs_gpr_name(PRECIS_PEBS_GPR_COUNT));
	CU_ASSERT_PTR_NULL(precis_pebs_group_name(0));
	CU_ASSERT_PTR_NULL(precis_pebs_group_name(3));
	CU_ASSERT_PTR_NULL(precis_pebs_group_name(1u << 11));
	CU_ASSERT_STRING_EQUAL(precis_pebs_word_name(PRECIS_PEBS_STATUS), "status");
	CU_ASSERT_STRING_EQUAL(precis_pebs_word_name(PRECIS_PEBS_APPLICABLE_COUNTERS),
			       "applicable_counters");
	CU_ASSERT_STRING_EQUAL(precis_pebs_word_name(PRECIS_PEBS_EVENTING_IP), "eventing_ip");
	CU_ASSERT_STRING_EQUAL(precis_pebs_word_name(PRECIS_PEBS_TSC), "tsc");
	CU_ASSERT_STRING_EQUAL(precis_pebs_word_name(PRECIS_PEBS_DATA_ADDRESS), "data_address");
	CU_ASSERT_STRING_EQUAL(precis_pebs_word_name(PRECIS_PEBS_DATA_SOURCE), "data_source");
	CU_ASSERT_STRING_EQUAL(precis_pebs_word_name(PRECIS_PEBS_LATENCY), "latency");
	CU_ASSERT_STRING_EQUAL(precis_pebs_word_name(PRECIS_PEBS_TSX), "tsx");
	CU_ASSERT_STRING_EQUAL(precis_pebs_gpr_name(PRECIS_PEBS_BX), "bx");
	CU_ASSERT_STRING_EQUAL(precis_pebs_gpr_name(PRECIS_PEBS_CX), "cx");
	CU_ASSERT_STRING_EQUAL(precis_pebs_gpr_name(PRECIS_PEBS_SP), "sp");
	CU_ASSERT_STRING_EQUAL(precis_pebs_gpr_name(PRECIS_PEBS_R15), "r15");
	CU_ASSERT_STRING_EQUAL(precis_pebs_group_name(PRECIS_PEBS_GROUP_MEMORY), "memory");
	CU_ASSERT_STRING_EQUAL(precis_pebs_group_name(PRECIS_PEBS_GROUP_METRICS), "metrics");
}

static const struct tap_case cases[] = {
	{ "formats", format_names },
	{ "words, registers, groups", other_names },
};

int main(void)
{
	return tap_main("pebs names", cases, COUNT(cases));
}
