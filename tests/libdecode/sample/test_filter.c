/* SPDX-License-Identifier: BSD-3-Clause */
/* The filter language: what it accepts, what it says of mistakes, what it matches. */
#include <stdio.h>
#include <string.h>

#include <precis/error.h>
#include <precis/filter.h>

#include "tests/support/tap.h"

static int find_event(const char *name, size_t length, void *data)
{
	static const char *const names[] = { "ibs_op//", "cycles" };
	size_t i;

	CU_ASSERT_PTR_EQUAL(data, &find_event);
	for (i = 0; i < 2; i++) {
		if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
			return (int)i;
	}
	return -1;
}

static int compile(const char *text, struct precis_filter *filter,
		   struct precis_filter_error *error)
{
	memset(error, 0, sizeof(*error));
	error->size = sizeof(*error);
	return precis_filter_compile(text, find_event, (void *)&find_event, filter, error);
}

/* A load that missed: what most cases below are asked about */
static void make_sample(struct precis_sample *sample)
{
	precis_sample_init(sample);
	precis_set(sample, PRECIS_FIELD_EVENT, 1);
	precis_set(sample, PRECIS_FIELD_PID, UINT64_MAX);
	precis_set(sample, PRECIS_FIELD_TID, 77);
	precis_set(sample, PRECIS_FIELD_TIME, 2000000);
	precis_set(sample, PRECIS_FIELD_OP, PRECIS_OP_LOAD);
	precis_set(sample, PRECIS_FIELD_LOCKED, 0);
	precis_set(sample, PRECIS_FIELD_MISALIGNED, 1);
	precis_set(sample, PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_DRAM);
	precis_set(sample, PRECIS_FIELD_DCACHE_MISS_LATENCY, 300);
	precis_set(sample, PRECIS_FIELD_PHYS_ADDR, 0x123456789);
	precis_set(sample, PRECIS_FIELD_IP, UINT64_C(0xffffffff81000000));
}

static void check_match(const char *text, int expected)
{
	struct precis_filter_error error;
	struct precis_filter filter;
	struct precis_sample sample;
	int code = compile(text, &filter, &error);

	make_sample(&sample);
	if (code != 0)
		printf("# %s: column %u: %s\n", text, error.column, error.message);
	CU_ASSERT_EQUAL_FATAL(code, 0);
	if (precis_filter_match(&filter, &sample) != expected)
		printf("# %s: expected %d\n", text, expected);
	CU_ASSERT_EQUAL(precis_filter_match(&filter, &sample), expected);
}

static const struct {
	const char *text;
	int expected;
} matches[] = {
	{ "dcache_miss_latency > 200 && mem_level == DRAM", 1 },
	{ "dc_miss_lat>200 && data_src==DRAM", 1 },
	{ "dc_miss_lat>300 && data_src==DRAM", 0 },
	{ "dc_miss_lat>=300 and data_src=dram", 1 },
	{ "dcache_miss_latency < 300", 0 },
	{ "dcache_miss_latency <= 300", 1 },
	{ "dcache_miss_latency != 300", 0 },
	{ "dcache_miss_latency & 0x100", 1 },
	{ "dcache_miss_latency & 1", 0 },
	{ "dcache_miss_latency", 1 },
	{ "op == load and not (tlb_level == L1 or locked)", 1 },
	{ "missing(addr) || phys_addr >= 0x100000000", 1 },
	{ "missing(addr) && phys_addr >= 0x200000000", 0 },
	/* what is absent is neither equal nor different */
	{ "addr == 0", 0 },
	{ "addr != 0", 0 },
	{ "addr", 0 },
	{ "!(addr > 5)", 1 },
	{ "!(addr <= 5)", 1 },
	{ "!addr", 1 },
	{ "addr & 0xffffffffffffffff", 0 },
	{ "present(addr)", 0 },
	{ "present(locked)", 1 },
	{ "not missing(locked)", 1 },
	{ "Missing ( addr )", 1 },
	/* booleans */
	{ "locked", 0 },
	{ "misaligned", 1 },
	{ "locked == false", 1 },
	{ "locked == 0 and misaligned == 1 and misaligned != false", 1 },
	{ "misaligned == TRUE", 1 },
	/* enumerations by number */
	{ "mem_level == 8", 1 },
	{ "mem_level == 0x8 && mem_level != 9", 1 },
	/* signs */
	{ "pid == -1", 1 },
	{ "pid < 0", 1 },
	{ "pid <= -1", 1 },
	{ "pid > -2", 1 },
	{ "pid >= 0", 0 },
	{ "tid > -5 && tid < 78", 1 },
	{ "pid != -9223372036854775808", 1 },
	/* addresses are not signed */
	{ "ip > 0x7fffffffffff", 1 },
	{ "ip < 18446744073709551615", 1 },
	/* suffixes */
	{ "time == 2ms", 1 },
	{ "time >= 2000us and time < 1s and time != 5ns", 1 },
	{ "phys_addr > 4G", 1 },
	{ "phys_addr < 0x4G", 0 },
	{ "phys_addr > 4096M and phys_addr > 1k", 1 },
	/* events */
	{ "event == \"cycles\"", 1 },
	{ "event == 'cycles'", 1 },
	{ "event == cycles", 1 },
	{ "event != 'ibs_op//'", 1 },
	{ "event == 1", 1 },
	/* precedence: not before and before or */
	{ "misaligned || locked && locked", 1 },
	{ "(misaligned || locked) && locked", 0 },
	{ "!locked && misaligned", 1 },
	{ "!(locked && misaligned)", 1 },
	{ "!locked || addr && !misaligned", 1 },
	{ "not not not locked", 1 },
	{ "!(!(misaligned)&&!(locked))", 1 },
	{ "((((misaligned))))", 1 },
	{ "misaligned and misaligned and misaligned and locked or misaligned", 1 },
	{ "locked or locked or locked or misaligned and locked", 0 },
	{ "misaligned AND NOT locked OR locked", 1 },
};

static void test_matches(void)
{
	size_t i;

	for (i = 0; i < sizeof(matches) / sizeof(matches[0]); i++)
		check_match(matches[i].text, matches[i].expected);
}

/* --- names --- */

enum { COMM, DSO, SYMBOL, CGROUP, LACKED };
static const char *const name_words[] = { "comm", "dso", "symbol", "cgroup", "lacked" };
static const char *const name_texts[] = {
	[COMM] = "worker/7", [DSO] = "/usr/lib/libc.so.6", [SYMBOL] = "a::operator[](char*)",
	[CGROUP] = "/user.slice", [LACKED] = NULL,
};
static unsigned int asked; /* how often a name was looked up */

static const char *find_name(const struct precis_sample *sample, uint32_t name, void *data)
{
	CU_ASSERT_PTR_EQUAL(data, &asked);
	CU_ASSERT_PTR_NOT_NULL(sample);
	asked++;
	return name_texts[name];
}

static const struct precis_filter_names name_table = {
	.size = sizeof(name_table), .count = 5, .names = name_words, .paths = 1u << DSO,
	.find = find_name, .data = &asked, .fields = { UINT64_C(1) << PRECIS_FIELD_TID },
};

static int compile_names(const char *text, struct precis_filter *filter,
			 struct precis_filter_error *error)
{
	memset(error, 0, sizeof(*error));
	error->size = sizeof(*error);
	return precis_filter_compile_names(text, find_event, (void *)&find_event, &name_table,
					   filter, error);
}

static const struct {
	const char *text;
	int expected;
	unsigned int asked; /* how many names are looked up for it */
} name_matches[] = {
	{ "comm == \"worker/7\"", 1, 1 },
	{ "comm = 'worker/7'", 1, 1 },
	{ "COMM == 'worker/7'", 1, 1 },
	{ "comm == worker", 0, 1 },
	{ "comm == 'worker/77'", 0, 1 },
	{ "comm != worker", 1, 1 },
	{ "comm != 'worker/7'", 0, 1 },
	{ "comm == ''", 0, 1 },
	{ "comm == 7", 0, 1 },
	/* files: of a text without '/' what is behind the last one */
	{ "dso == \"libc.so.6\"", 1, 1 },
	{ "dso == \"/usr/lib/libc.so.6\"", 1, 1 },
	{ "dso == \"lib/libc.so.6\"", 0, 1 },
	{ "dso != \"libc.so.6\"", 0, 1 },
	{ "dso ~ \"libc*\"", 1, 1 },
	{ "dso ~ \"*/libc*\"", 1, 1 },
	{ "dso ~ \"lib/libc*\"", 0, 1 },
	/* patterns are of all of a text */
	{ "comm ~ 'worker/7'", 1, 1 },
	{ "comm ~ work", 0, 1 },
	{ "comm ~ 'work*'", 1, 1 },
	{ "comm ~ '*7'", 1, 1 },
	{ "comm ~ '*r*r*'", 1, 1 },
	{ "comm ~ '*r*r*r*'", 0, 1 },
	{ "comm ~ '*'", 1, 1 },
	{ "comm ~ '**'", 1, 1 },
	{ "comm ~ ''", 0, 1 },
	{ "comm ~ '?orker?*?'", 1, 1 },
	{ "comm ~ '?orker?'", 0, 1 },
	{ "comm ~ 'worker/[0-9]'", 1, 1 },
	{ "comm ~ 'worker/[!0-9]'", 0, 1 },
	{ "comm ~ 'worker/[^a-f]'", 1, 1 },
	{ "comm ~ 'worker/[37]'", 1, 1 },
	{ "comm ~ 'worker/[37'", 0, 1 },
	{ "comm ~ '*[]a/]7'", 1, 1 },
	{ "comm ~ 'worker?\\7'", 1, 1 },
	{ "symbol ~ 'a::operator[](char*)'", 1, 1 }, /* nothing closes it: no class */
	{ "symbol ~ 'a::operator\\[](char*)'", 1, 1 },
	{ "symbol ~ 'a::operator\\[](char\\*)'", 1, 1 },
	{ "symbol ~ '*char\\?)'", 0, 1 },
	{ "symbol == 'a::operator[](char*)'", 1, 1 },
	/* what is absent is neither equal nor different, and fits nothing */
	{ "lacked == x", 0, 1 },
	{ "lacked != x", 0, 1 },
	{ "lacked ~ '*'", 0, 1 },
	{ "not lacked ~ '*'", 1, 1 },
	{ "missing(lacked)", 1, 1 },
	{ "present(lacked)", 0, 1 },
	{ "present(comm) and not missing(dso)", 1, 2 },
	/* a field of that name, too: quotes and patterns are the name's */
	{ "cgroup == 77", 1, 0 },
	{ "cgroup", 1, 0 },
	{ "cgroup & 1 and present(cgroup)", 1, 0 },
	{ "cgroup == '/user.slice'", 1, 1 },
	{ "cgroup ~ '/user*'", 1, 1 },
	{ "cgroup != '/'", 1, 1 },
	/* no name is looked up where fields decide, wherever they stand */
	{ "comm == 'worker/7' && locked", 0, 0 },
	{ "comm == 'worker/7' || misaligned", 1, 0 },
	{ "(comm == x or dso == y) and dcache_miss_latency > 1000", 0, 0 },
	{ "not (comm == x or dso == y) and not misaligned", 0, 0 },
	{ "(comm == 'worker/7' or dso == y) and misaligned", 1, 1 },
	{ "(comm == x or dso ~ 'libc*') and misaligned", 1, 2 },
	{ "misaligned and (locked or comm ~ 'w*')", 1, 1 },
};

static void test_names(void)
{
	struct precis_filter_error error;
	struct precis_filter filter;
	struct precis_sample sample;
	size_t i;

	make_sample(&sample);
	precis_set(&sample, PRECIS_FIELD_CGROUP, 77);
	for (i = 0; i < sizeof(name_matches) / sizeof(name_matches[0]); i++) {
		int code = compile_names(name_matches[i].text, &filter, &error), found;

		asked = 0;
		found = precis_filter_match(&filter, &sample);
		if (code || found != name_matches[i].expected || asked != name_matches[i].asked)
			printf("# %s: %d, %u names, column %u: %s\n", name_matches[i].text, found,
			       asked, error.column, error.message);
		CU_ASSERT_EQUAL(code, 0);
		CU_ASSERT_EQUAL(found, name_matches[i].expected);
		CU_ASSERT_EQUAL(asked, name_matches[i].asked);
	}
}

static void test_names_used(void)
{
	struct precis_filter_names many = name_table;
	struct precis_filter_error error;
	struct precis_filter filter;

	CU_ASSERT_EQUAL(compile_names("comm == a or (symbol ~ b and locked)", &filter, &error), 0);
	CU_ASSERT_EQUAL(precis_filter_names_used(&filter), 1u << COMM | 1u << SYMBOL);
	CU_ASSERT(precis_fields_have(filter.fields, PRECIS_FIELD_TID));
	CU_ASSERT(precis_fields_have(filter.fields, PRECIS_FIELD_LOCKED));
	CU_ASSERT_EQUAL(compile_names("cgroup == 5", &filter, &error), 0);
	CU_ASSERT_EQUAL(precis_filter_names_used(&filter), 0);
	CU_ASSERT(!precis_fields_have(filter.fields, PRECIS_FIELD_TID));
	CU_ASSERT_EQUAL(precis_filter_names_used(NULL), 0);
	many.count = PRECIS_FILTER_NAMES + 1;
	CU_ASSERT_EQUAL(precis_filter_compile_names("op", NULL, NULL, &many, &filter, NULL),
			PRECIS_E_ARGUMENT);
	many = name_table;
	many.find = NULL;
	CU_ASSERT_EQUAL(precis_filter_compile_names("op", NULL, NULL, &many, &filter, NULL),
			PRECIS_E_ARGUMENT);
	/* without them there are none */
	CU_ASSERT_EQUAL(compile("comm == a", &filter, &error), PRECIS_E_NO_FIELD);
}

static const struct {
	const char *text;
	uint32_t column;
	const char *message;
} name_mistakes[] = {
	{ "comm", 5, "comm is a text: only ==, != and ~ apply" },
	{ "comm > 5", 6, "comm is a text" },
	{ "comm & 5", 6, "comm is a text" },
	{ "comm ==", 8, "a text is expected at the end" },
	{ "comm == (", 9, "a text is expected, not '('" },
	{ "comm ~ \"x", 8, "quote" },
	{ "comm == a.out", 10, "'and', 'or' or the end" },
	{ "locked ~ true", 8, "locked is no text: ~ does not apply" },
	{ "cgroup ==", 10, "a value is expected" },
};

static void test_name_mistakes(void)
{
	struct precis_filter_error error;
	struct precis_filter filter;
	size_t i;

	for (i = 0; i < sizeof(name_mistakes) / sizeof(name_mistakes[0]); i++) {
		int code = compile_names(name_mistakes[i].text, &filter, &error);
		int right = code == PRECIS_E_SYNTAX && error.column == name_mistakes[i].column &&
			    strstr(error.message, name_mistakes[i].message) != NULL;

		if (!right)
			printf("# %s: %d at column %u: %s\n", name_mistakes[i].text, code,
			       error.column, error.message);
		CU_ASSERT(right);
	}
}

/* --- mistakes --- */

static const struct {
	const char *text;
	int code;
	uint32_t column;
	const char *message; /* some part of it */
} mistakes[] = {
	{ "", PRECIS_E_SYNTAX, 1, "a field's name" },
	{ "   ", PRECIS_E_SYNTAX, 4, "expected at the end" },
	{ "dcmisslat > 5", PRECIS_E_NO_FIELD, 1, "did you mean dcache_miss_latency?" },
	{ "locked && dcache_mis_latency", PRECIS_E_NO_FIELD, 11, "mean dcache_miss_latency?" },
	{ "xyzzy", PRECIS_E_NO_FIELD, 1, "no field 'xyzzy'" },
	{ "present(ad_r)", PRECIS_E_NO_FIELD, 9, "mean addr?" },
	{ "mem_level == DRAN", PRECIS_E_SYNTAX, 14,
	  "mem_level is never 'DRAN'; it is L1 L2 LFB L3" },
	{ "mem_level < DRAM", PRECIS_E_SYNTAX, 11, "only == and !=" },
	{ "tlb_level & 1", PRECIS_E_SYNTAX, 11, "only == and !=" },
	{ "locked > 0", PRECIS_E_SYNTAX, 8, "only == and !=" },
	{ "event < 1", PRECIS_E_SYNTAX, 7, "only == and !=" },
	{ "locked == 2", PRECIS_E_SYNTAX, 11, "locked is true or false" },
	{ "locked == load", PRECIS_E_SYNTAX, 11, "locked is true or false" },
	{ "event == 'instructions'", PRECIS_E_SYNTAX, 10, "no event 'instructions'" },
	{ "event == 'cycles", PRECIS_E_SYNTAX, 10, "quote" },
	{ "'cycles", PRECIS_E_SYNTAX, 1, "quote" },
	{ "dcache_miss_latency > ", PRECIS_E_SYNTAX, 23, "a value" },
	{ "dcache_miss_latency > tag_to_retire", PRECIS_E_SYNTAX, 23, "is no number" },
	{ "dcache_miss_latency > 5ns", PRECIS_E_SYNTAX, 23, "is no number" },
	{ "dcache_miss_latency > 1.5k", PRECIS_E_SYNTAX, 23, "is no number" },
	{ "dcache_miss_latency > 0x", PRECIS_E_SYNTAX, 23, "is no number" },
	{ "dcache_miss_latency > 0xg", PRECIS_E_SYNTAX, 23, "is no number" },
	{ "dcache_miss_latency > 5K", PRECIS_E_SYNTAX, 23, "is no number" },
	{ "dcache_miss_latency > -5", PRECIS_E_SYNTAX, 23, "never negative" },
	{ "dcache_miss_latency > - 5", PRECIS_E_SYNTAX, 23, "a value" },
	{ "addr > 18446744073709551616", PRECIS_E_SYNTAX, 8, "64 bits" },
	{ "addr > 0x10000000000000000", PRECIS_E_SYNTAX, 8, "64 bits" },
	{ "addr > 17179869184G", PRECIS_E_SYNTAX, 8, "64 bits" },
	{ "time > 18446744074s", PRECIS_E_SYNTAX, 8, "64 bits" },
	{ "pid > 9223372036854775808", PRECIS_E_SYNTAX, 7, "64 bits" },
	{ "pid > -9223372036854775809", PRECIS_E_SYNTAX, 7, "64 bits" },
	{ "(locked", PRECIS_E_SYNTAX, 1, "never closed" },
	{ "misaligned && (locked", PRECIS_E_SYNTAX, 15, "never closed" },
	{ "locked)", PRECIS_E_SYNTAX, 7, "no '('" },
	{ "()", PRECIS_E_SYNTAX, 2, "a field's name" },
	{ "locked misaligned", PRECIS_E_SYNTAX, 8, "'and', 'or' or the end" },
	{ "locked | misaligned", PRECIS_E_SYNTAX, 8, "not '|'" },
	{ "locked and", PRECIS_E_SYNTAX, 11, "expected at the end" },
	{ "&& locked", PRECIS_E_SYNTAX, 1, "not '&&'" },
	{ "200 < dcache_miss_latency", PRECIS_E_SYNTAX, 1, "a field's name" },
	{ "present locked", PRECIS_E_SYNTAX, 9, "'('" },
	{ "present(5)", PRECIS_E_SYNTAX, 9, "a field's name" },
	{ "present(locked", PRECIS_E_SYNTAX, 15, "')'" },
	{ "locked \x01", PRECIS_E_SYNTAX, 8, "not '?'" },
	{ "locked == \xff", PRECIS_E_SYNTAX, 11, "a value" },
	{ "mem_level == \"L1", PRECIS_E_SYNTAX, 14, "quote" },
};

static void test_mistakes(void)
{
	struct precis_filter_error error;
	struct precis_filter filter;
	struct precis_sample sample;
	size_t i;

	make_sample(&sample);
	for (i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		int code = compile(mistakes[i].text, &filter, &error);
		int right = code == mistakes[i].code && error.column == mistakes[i].column &&
			    strstr(error.message, mistakes[i].message) != NULL;

		if (!right)
			printf("# %s: %d at column %u: %s\n", mistakes[i].text, code, error.column,
			       error.message);
		CU_ASSERT(right);
		CU_ASSERT_EQUAL(precis_filter_match(&filter, &sample), 0);
		CU_ASSERT_EQUAL(precis_filter_compile(mistakes[i].text, find_event,
						      (void *)&find_event, &filter, NULL),
				mistakes[i].code);
	}
}

static void test_arguments(void)
{
	struct precis_filter_error error = { .size = 4 };
	struct precis_filter filter;

	CU_ASSERT_EQUAL(precis_filter_compile(NULL, NULL, NULL, &filter, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_filter_compile("op", NULL, NULL, NULL, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_filter_compile("op", NULL, NULL, &filter, &error),
			PRECIS_E_ARGUMENT);
	error.size = sizeof(error);
	CU_ASSERT_EQUAL(precis_filter_compile("event == cycles", NULL, NULL, &filter, &error),
			PRECIS_E_SYNTAX);
	CU_ASSERT_EQUAL(error.column, 10);
	CU_ASSERT_EQUAL(precis_filter_match(NULL, NULL), 0);
}

/* Which fields a filter reads: what has to be decoded for it */
static void test_fields(void)
{
	struct precis_filter_error error;
	struct precis_filter filter;
	uint64_t expected[PRECIS_FIELD_WORDS] = { 0 };

	CU_ASSERT_EQUAL(compile("locked or missing(addr) and dc_miss_lat > 1", &filter, &error), 0);
	precis_fields_add(expected, PRECIS_FIELD_LOCKED);
	precis_fields_add(expected, PRECIS_FIELD_ADDR);
	precis_fields_add(expected, PRECIS_FIELD_DCACHE_MISS_LATENCY);
	CU_ASSERT(memcmp(expected, filter.fields, sizeof(expected)) == 0);
}

/* 'count' times 'part', then 'end' */
static const char *repeat(char *room, const char *part, int count, const char *end)
{
	char *at = room;

	while (count-- > 0) {
		memcpy(at, part, strlen(part));
		at += strlen(part);
	}
	memcpy(at, end, strlen(end) + 1);
	return room;
}

static void test_limits(void)
{
	static char text[65536];
	struct precis_filter_error error;
	struct precis_filter filter;

	CU_ASSERT_EQUAL(
		compile(repeat(text, "op or ", PRECIS_FILTER_STEPS - 1, "op"), &filter, &error), 0);
	CU_ASSERT_EQUAL(compile(repeat(text, "op or ", PRECIS_FILTER_STEPS, "op"), &filter, &error),
			PRECIS_E_NO_SPACE);
	CU_ASSERT_EQUAL(error.column, PRECIS_FILTER_STEPS * 6 + 3);
	CU_ASSERT_EQUAL(compile(repeat(text, "!", PRECIS_FILTER_DEPTH, "op"), &filter, &error), 0);
	CU_ASSERT_EQUAL(compile(repeat(text, "!", PRECIS_FILTER_DEPTH + 1, "op"), &filter, &error),
			PRECIS_E_NO_SPACE);
	CU_ASSERT_EQUAL(error.column, PRECIS_FILTER_DEPTH + 1);
	CU_ASSERT_EQUAL(compile(repeat(text, "(", PRECIS_FILTER_DEPTH + 1, "op"), &filter, &error),
			PRECIS_E_NO_SPACE);
	CU_ASSERT_EQUAL(
		compile(repeat(text, "op||(", PRECIS_FILTER_DEPTH / 2, "op"), &filter, &error),
		PRECIS_E_SYNTAX);
	CU_ASSERT_EQUAL(compile(repeat(text, "op||(", PRECIS_FILTER_DEPTH, "op"), &filter, &error),
			PRECIS_E_NO_SPACE);
	CU_ASSERT_EQUAL(compile(repeat(text, "word", 10000, ""), &filter, &error),
			PRECIS_E_NO_FIELD);
	CU_ASSERT(strlen(error.message) < sizeof(error.message));
	CU_ASSERT_EQUAL(compile(repeat(text, " ", 60000, "("), &filter, &error), PRECIS_E_SYNTAX);
	CU_ASSERT_EQUAL(error.column, 60002);
}

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(random_state >> 33) % limit;
}

/*
 * Random expressions, evaluated while they are written. The fields are those of
 * the table; a third of them is absent.
 */
static const struct {
	const char *name;
	enum precis_field field;
} random_fields[] = {
	{ "tag_to_retire", PRECIS_FIELD_TAG_TO_RETIRE },
	{ "addr", PRECIS_FIELD_ADDR },
	{ "time", PRECIS_FIELD_TIME },
};

static int compare(unsigned int relation, uint64_t value, uint64_t with)
{
	const int results[] = { value == with, value != with,
				value<with, value <= with, value> with, value >= with,
				(value & with) != 0 };

	return results[relation];
}

/* That of the name 'comm': a letter, or none */
static const char *random_name;

static const char *find_random_name(const struct precis_sample *sample, uint32_t name, void *data)
{
	(void)sample, (void)name, (void)data;
	return random_name;
}

static int random_name_comparison(char **at)
{
	const char with[2] = { (char)('a' + random_below(3)), '\0' };
	unsigned int which = random_below(5);

	switch (which) {
	case 0:
		*at += sprintf(*at, "present(comm)");
		return random_name != NULL;
	case 1:
		*at += sprintf(*at, "missing(comm)");
		return random_name == NULL;
	case 2:
		*at += sprintf(*at, "comm ~ '*%s*'", with);
		break;
	default:
		*at += sprintf(*at, "comm %s %s", which == 3 ? "!=" : "==", with);
	}
	return random_name && (strcmp(random_name, with) == 0) == (which != 3);
}

static int random_comparison(const struct precis_sample *sample, char **at)
{
	static const char *const relations[] = { "==", "!=", "<", "<=", ">", ">=", "&" };
	unsigned int which = random_below(3);
	unsigned int relation = random_below(7);
	uint64_t with = random_below(4);
	uint64_t value = 0;
	int present = precis_get(sample, random_fields[which].field, &value);

	if (random_below(4) == 0)
		return random_name_comparison(at);
	switch (random_below(6)) {
	case 0:
		*at += sprintf(*at, "present(%s)", random_fields[which].name);
		return present;
	case 1:
		*at += sprintf(*at, "missing(%s)", random_fields[which].name);
		return !present;
	case 2:
		*at += sprintf(*at, "%s", random_fields[which].name);
		return present && value != 0;
	default:
		*at += sprintf(*at, "%s%s%u", random_fields[which].name, relations[relation],
			       (unsigned int)with);
		return present && compare(relation, value, with);
	}
}

static int random_expression(const struct precis_sample *sample, char **at, int depth);

static int random_factor(const struct precis_sample *sample, char **at, int depth)
{
	int value;

	if (random_below(3) == 0) {
		*at += sprintf(*at, random_below(2) ? "!" : "not ");
		return !random_factor(sample, at, depth);
	}
	if (depth == 0 || random_below(2) == 0)
		return random_comparison(sample, at);
	*at += sprintf(*at, "(");
	value = random_expression(sample, at, depth - 1);
	*at += sprintf(*at, ")");
	return value;
}

static int random_term(const struct precis_sample *sample, char **at, int depth)
{
	int value = random_factor(sample, at, depth);

	while (random_below(3) == 0) {
		*at += sprintf(*at, random_below(2) ? " && " : " and ");
		value &= random_factor(sample, at, depth);
	}
	return value;
}

static int random_expression(const struct precis_sample *sample, char **at, int depth)
{
	int value = random_term(sample, at, depth);

	while (random_below(3) == 0) {
		*at += sprintf(*at, random_below(2) ? " || " : " or ");
		value |= random_term(sample, at, depth);
	}
	return value;
}

static void test_random_expressions(void)
{
	static const char *const words[] = { "comm" };
	static const char *const texts[] = { "a", "b", "c", NULL };
	static const struct precis_filter_names table = {
		.size = sizeof(table), .count = 1, .names = words, .find = find_random_name,
	};
	static char text[1 << 20];
	unsigned int round, compiled = 0, true_ones = 0;

	random_state = 20261120;
	for (round = 0; round < 20000; round++) {
		struct precis_filter_error error;
		struct precis_filter filter;
		struct precis_sample sample;
		char *at = text;
		int expected, code;
		size_t i;

		precis_sample_init(&sample);
		for (i = 0; i < 3; i++) {
			if (random_below(3))
				precis_set(&sample, random_fields[i].field, random_below(4));
		}
		random_name = texts[random_below(4)];
		expected = random_expression(&sample, &at, 4);
		error.size = sizeof(error);
		code = precis_filter_compile_names(text, NULL, NULL, &table, &filter, &error);
		if (code == PRECIS_E_NO_SPACE)
			continue;
		CU_ASSERT_EQUAL_FATAL(code, 0);
		if (precis_filter_match(&filter, &sample) != expected)
			printf("# %s: expected %d\n", text, expected);
		CU_ASSERT_EQUAL_FATAL(precis_filter_match(&filter, &sample), expected);
		compiled++;
		true_ones += (unsigned int)expected;
	}
	CU_ASSERT(compiled > 19000);
	CU_ASSERT(true_ones > compiled / 4 && true_ones < compiled * 3 / 4);
}

/* Any string ends in a filter or in an error with a column inside it */
static void test_garbage(void)
{
	static const char *const parts[] = {
		"(",    ")",     "!",        "&&",      "||",        "&",
		"|",    "=",     "<",        ">=",      "!=",        "not ",
		"and ", "or ",   "present(", "missing", "addr",      "op",
		"pid",  "event", "time",     "locked",  "mem_level", "DRAM",
		"load", "true",  "5",        "-1",      "0x",        "99999999999999999999",
		"4G",   "ms",    "'",        "\"",      " ",         ".",
		"\x80", "\n",
	};
	unsigned int round;

	random_state = 1;
	for (round = 0; round < 100000; round++) {
		struct precis_filter_error error;
		struct precis_filter filter;
		struct precis_sample sample;
		char text[256] = "";
		unsigned int count = 1 + random_below(12);
		int code;

		while (count-- > 0)
			strcat(text, parts[random_below(sizeof(parts) / sizeof(parts[0]))]);
		make_sample(&sample);
		code = compile(text, &filter, &error);
		if (code == 0) {
			CU_ASSERT(precis_filter_match(&filter, &sample) >= 0);
			continue;
		}
		CU_ASSERT(error.column >= 1 && error.column <= strlen(text) + 1);
		CU_ASSERT(error.message[0] != '\0' && memchr(error.message, '\0', 120) != NULL);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "expressions match what they say", test_matches },
		{ "names are compared with texts and patterns, as late as possible", test_names },
		{ "which names a filter asks for, and bad tables of them", test_names_used },
		{ "mistakes in comparisons of names", test_name_mistakes },
		{ "mistakes are named, with their column", test_mistakes },
		{ "bad arguments", test_arguments },
		{ "the set of fields read", test_fields },
		{ "limits of length and depth", test_limits },
		{ "20000 random expressions against their evaluation", test_random_expressions },
		{ "100000 strings of tokens", test_garbage },
	};

	return tap_main("filter", cases, sizeof(cases) / sizeof(cases[0]));
}
