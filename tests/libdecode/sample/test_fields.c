/* SPDX-License-Identifier: BSD-3-Clause */
/* The catalogue as users see it: names, values as text, sources, rules. */
#include <precis/error.h>
#include <precis/precis.h>

#include "tests/libdecode/sample/decode.h"

static int find(const char *name)
{
	return precis_field_find(name, strlen(name));
}

static void names(void)
{
	CU_ASSERT_EQUAL(find("tag_to_retire"), PRECIS_FIELD_TAG_TO_RETIRE);
	CU_ASSERT_EQUAL(find("IbsTagToRetCtr"), PRECIS_FIELD_TAG_TO_RETIRE);
	CU_ASSERT_EQUAL(find("ibstagtoretctr"), PRECIS_FIELD_TAG_TO_RETIRE);
	CU_ASSERT_EQUAL(find("dc_miss_lat"), PRECIS_FIELD_DCACHE_MISS_LATENCY);
	CU_ASSERT_EQUAL(find("data_src"), PRECIS_FIELD_MEM_LEVEL);
	CU_ASSERT_EQUAL(find("op"), PRECIS_FIELD_OP);
	CU_ASSERT_EQUAL(precis_field_find("opera", 2), PRECIS_FIELD_OP);
	CU_ASSERT_EQUAL(find("tag_to_retir"), PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(find("tag_to_retire "), PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(find("IbsDcMissLat dc_miss_lat"), PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(find(""), PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(find(" "), PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(precis_field_find(NULL, 3), PRECIS_E_NO_FIELD);
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
		CU_ASSERT_EQUAL(find(precis_field_name(field)), (int)field);
	CU_ASSERT_PTR_NULL(precis_field_name(PRECIS_FIELD_COUNT));
	CU_ASSERT_PTR_NULL(precis_field_name(UINT32_MAX));
}

static void info(void)
{
	struct precis_field_info row = { .size = sizeof(row) };

	CU_ASSERT_EQUAL(precis_field_info(PRECIS_FIELD_TLB_REFILL_LATENCY, &row), 0);
	CU_ASSERT_EQUAL(row.field, PRECIS_FIELD_TLB_REFILL_LATENCY);
	CU_ASSERT_EQUAL(row.type, PRECIS_TYPE_UINT);
	CU_ASSERT_EQUAL(row.unit, PRECIS_UNIT_CYCLES);
	CU_ASSERT_STRING_EQUAL(row.name, "tlb_refill_latency");
	CU_ASSERT_EQUAL(precis_field_info(PRECIS_FIELD_COUNT, &row), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_field_info(0, NULL), PRECIS_E_ARGUMENT);
	row.size = 4;
	CU_ASSERT_EQUAL(precis_field_info(0, &row), PRECIS_E_ARGUMENT);
}

static const struct {
	uint32_t type;
	uint64_t value;
	const char *text;
} texts[] = {
	{ PRECIS_TYPE_UINT, 0, "0" },
	{ PRECIS_TYPE_UINT, 9, "9" },
	{ PRECIS_TYPE_UINT, 10, "10" },
	{ PRECIS_TYPE_UINT, 99, "99" },
	{ PRECIS_TYPE_UINT, 100, "100" },
	{ PRECIS_TYPE_UINT, 12345678901234567, "12345678901234567" },
	{ PRECIS_TYPE_UINT, UINT64_MAX, "18446744073709551615" },
	{ PRECIS_TYPE_INT, 0, "0" },
	{ PRECIS_TYPE_INT, UINT64_MAX, "-1" },
	{ PRECIS_TYPE_INT, INT64_MAX, "9223372036854775807" },
	{ PRECIS_TYPE_INT, UINT64_C(1) << 63, "-9223372036854775808" },
	{ PRECIS_TYPE_ADDRESS, 0, "0x0" },
	{ PRECIS_TYPE_ADDRESS, 0xf, "0xf" },
	{ PRECIS_TYPE_ADDRESS, 0x10, "0x10" },
	{ PRECIS_TYPE_ADDRESS, UINT64_MAX, "0xffffffffffffffff" },
	{ PRECIS_TYPE_HEX, 0x1e05080021, "0x1e05080021" },
	{ PRECIS_TYPE_BOOL, 0, "0" },
	{ PRECIS_TYPE_BOOL, 1, "1" },
	{ PRECIS_TYPE_EVENT, 3, "3" },
	{ PRECIS_TYPE_OP, PRECIS_OP_LOAD_STORE, "load_store" },
	{ PRECIS_TYPE_MEM_TYPE, PRECIS_MEM_TYPE_WRITE_COMBINING, "write_combining" },
	{ PRECIS_TYPE_MEM_LEVEL, PRECIS_MEM_LEVEL_DRAM, "DRAM" },
	{ PRECIS_TYPE_MEM_LEVEL, 0, "0" },
	{ PRECIS_TYPE_MEM_LEVEL, 1000, "1000" },
	{ PRECIS_TYPE_MEM_REMOTE, PRECIS_MEM_REMOTE_SOCKET, "remote_socket" },
	{ PRECIS_TYPE_MEM_SNOOP, PRECIS_MEM_SNOOP_OWNED, "owned" },
	{ PRECIS_TYPE_TLB_LEVEL, PRECIS_TLB_LEVEL_WALK, "walk" },
	{ PRECIS_TYPE_PERIOD_UNIT, PRECIS_PERIOD_UNIT_OPS, "ops" },
	{ PRECIS_TYPE_CPUMODE, PRECIS_CPUMODE_GUEST_USER, "guest_user" },
	{ 1000, 5, "5" },
};

static void values(void)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char text[PRECIS_VALUE_TEXT];
		size_t length;

		memset(text, 'x', sizeof(text));
		length = precis_value_format(texts[i].type, texts[i].value, text);
		CU_ASSERT_EQUAL(length, strlen(texts[i].text));
		CU_ASSERT_EQUAL(memcmp(text, texts[i].text, strlen(texts[i].text) + 1), 0);
	}
}

static void value_names(void)
{
	uint64_t value = 77;

	CU_ASSERT_STRING_EQUAL(precis_type_value_name(PRECIS_TYPE_MEM_LEVEL, PRECIS_MEM_LEVEL_CXL),
			       "CXL");
	CU_ASSERT_PTR_NULL(precis_type_value_name(PRECIS_TYPE_MEM_LEVEL, 0));
	CU_ASSERT_PTR_NULL(precis_type_value_name(PRECIS_TYPE_UINT, 0));
	CU_ASSERT_PTR_NULL(precis_type_value_name(1000, 0));
	CU_ASSERT_PTR_NULL(precis_type_value_name(PRECIS_TYPE_OP, 256 + PRECIS_OP_LOAD));
	CU_ASSERT_EQUAL(precis_type_value_find(PRECIS_TYPE_MEM_LEVEL, "dram", 4, &value), 0);
	CU_ASSERT_EQUAL(value, PRECIS_MEM_LEVEL_DRAM);
	CU_ASSERT_EQUAL(precis_type_value_find(PRECIS_TYPE_MEM_LEVEL, "dra", 3, &value),
			PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(precis_type_value_find(PRECIS_TYPE_MEM_LEVEL, "", 0, &value),
			PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(precis_type_value_find(PRECIS_TYPE_UINT, "dram", 4, &value),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_type_value_find(1000, "dram", 4, &value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_type_value_find(PRECIS_TYPE_OP, NULL, 4, &value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_type_value_find(PRECIS_TYPE_OP, "load", 4, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_STRING_EQUAL(precis_unit_name(PRECIS_UNIT_CYCLES), "cycles");
	CU_ASSERT_STRING_EQUAL(precis_unit_name(PRECIS_UNIT_NONE), "");
	CU_ASSERT_STRING_EQUAL(precis_type_name(PRECIS_TYPE_ADDRESS), "address");
	CU_ASSERT_PTR_NULL(precis_type_name(1000));
}

typedef size_t (*describe_fn)(uint32_t field, char *text, size_t room);

/* Whatever room there is: never a byte beyond it, always a NUL, always the full length. */
static void check_description(describe_fn describe, uint32_t field)
{
	char full[1024], part[1024];
	size_t length = describe(field, full, sizeof(full));

	CU_ASSERT_EQUAL(length, strlen(full));
	CU_ASSERT_TRUE(length < sizeof(full));
	for (size_t room = 0; room <= length + 2; room++) {
		memset(part, '#', sizeof(part));
		CU_ASSERT_EQUAL(describe(field, part, room), length);
		CU_ASSERT_EQUAL(part[room], '#');
		if (room) {
			size_t expected = length < room ? length : room - 1;

			CU_ASSERT_EQUAL(strlen(part), expected);
			CU_ASSERT_EQUAL(memcmp(part, full, expected), 0);
		}
	}
	CU_ASSERT_EQUAL(describe(field, NULL, 0), length);
}

static void descriptions(void)
{
	char text[1024];

	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		check_description(precis_field_source, field);
		check_description(precis_field_rule, field);
	}
	CU_ASSERT_EQUAL(precis_field_source(PRECIS_FIELD_COUNT, text, sizeof(text)), 0);
	CU_ASSERT_STRING_EQUAL(text, "");
	CU_ASSERT_EQUAL(precis_field_rule(PRECIS_FIELD_COUNT, text, sizeof(text)), 0);
	precis_field_source(PRECIS_FIELD_TLB_REFILL_LATENCY, text, sizeof(text));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "IbsOpData3[63:48]"));
	precis_field_rule(PRECIS_FIELD_MISS_BUFFERS_OPEN, text, sizeof(text));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "L1 data cache miss"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "not AMD-1293"));
	CU_ASSERT_PTR_NULL(strstr(text, "no erratum"));
}

static void errors(void)
{
	for (int code = 5; code > -30; code--) {
		CU_ASSERT_PTR_NOT_NULL_FATAL(precis_strerror(code));
		CU_ASSERT_TRUE(*precis_strerror(code) != '\0');
		if (code < 0 && code >= PRECIS_E_NOT_OBJECTS)
			CU_ASSERT_STRING_NOT_EQUAL(precis_strerror(code), "unknown error");
	}
	CU_ASSERT_STRING_EQUAL(precis_strerror(1), "unknown error");
	CU_ASSERT_STRING_EQUAL(precis_strerror(PRECIS_E_NOT_OBJECTS - 1), "unknown error");
	CU_ASSERT_STRING_EQUAL(precis_strerror(-2147483647 - 1), "unknown error");
	CU_ASSERT_TRUE(*precis_version() >= '0' && *precis_version() <= '9');
}

static uint32_t members(const uint64_t *fields)
{
	uint32_t count = 0;

	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
		count += precis_fields_have(fields, field) != 0;
	return count;
}

/* Each field alone comes and goes, and takes no other along. */
static void sets(void)
{
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		uint64_t one[PRECIS_FIELD_WORDS] = { 0 };
		uint64_t others[PRECIS_FIELD_WORDS];

		memset(others, 0xff, sizeof(others));
		precis_fields_add(one, field);
		precis_fields_add(one, field);
		CU_ASSERT_TRUE(precis_fields_have(one, field));
		CU_ASSERT_EQUAL(members(one), 1);
		precis_fields_remove(others, field);
		precis_fields_remove(others, field);
		CU_ASSERT_FALSE(precis_fields_have(others, field));
		CU_ASSERT_EQUAL(members(others), PRECIS_FIELD_COUNT - 1);
		precis_fields_remove(one, field);
		CU_ASSERT_EQUAL(members(one), 0);
		precis_fields_add(others, field);
		CU_ASSERT_EQUAL(members(others), PRECIS_FIELD_COUNT);
	}
}

static const struct tap_case cases[] = {
	{ "sets of fields", sets },
	{ "fields by name and alias", names },
	{ "rows of the catalogue", info },
	{ "values as text", values },
	{ "names of values, types, units", value_names },
	{ "sources and rules, whatever room there is", descriptions },
	{ "errors have words", errors },
};

int main(void)
{
	return tap_main("fields", cases, sizeof(cases) / sizeof(cases[0]));
}
