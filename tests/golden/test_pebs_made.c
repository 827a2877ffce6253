/* SPDX-License-Identifier: BSD-3-Clause */
/* PEBS records made by hand (pebs_made.txt): each word where the manual has it, and the sample. */
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "tests/golden/golden.h"
#include "tests/support/tap.h"

static struct golden golden;
static uint8_t bytes[256];
static size_t count;
static uint32_t format;
static struct precis_pebs expected; /* the words that the file names */
static struct precis_pebs pebs;
static struct precis_pebs_machine machine;
static uint64_t listed[PRECIS_FIELD_WORDS];
static int in_fields;
static unsigned int records, words, fields, absent;

static void start_record(const char *name)
{
	int found = precis_pebs_format_parse(name);

	CU_ASSERT_FATAL(found >= 0);
	memset(&golden, 0, sizeof(golden));
	memset(&expected, 0, sizeof(expected));
	memset(&machine, 0, sizeof(machine));
	memset(listed, 0, sizeof(listed));
	snprintf(golden.name, sizeof(golden.name), "format %.30s", name);
	format = (uint32_t)found;
	count = 0;
	in_fields = 0;
	machine.size = sizeof(machine);
	machine.cpu.size = sizeof(machine.cpu);
	records++;
}

/* A word or a register by its name, which the file has once. */
static void expect(const char *name, uint64_t value)
{
	for (uint32_t i = 0; i < PRECIS_PEBS_WORD_COUNT; i++) {
		if (strcmp(name, precis_pebs_word_name(i)))
			continue;
		CU_ASSERT_FALSE_FATAL(expected.captured >> i & 1);
		expected.captured |= 1u << i;
		expected.word[i] = value;
		return;
	}
	for (uint32_t i = 0; i < PRECIS_PEBS_GPR_COUNT; i++) {
		if (strcmp(name, precis_pebs_gpr_name(i)))
			continue;
		CU_ASSERT_FALSE_FATAL(expected.gpr_captured >> i & 1);
		expected.gpr_captured |= 1u << i;
		expected.gpr[i] = value;
		return;
	}
	printf("# %s: %s\n", golden.name, name);
	CU_FAIL_FATAL("a word or register of that name");
}

/* OFFSET  bytes | name = value: the bytes are the value's, lowest first */
static void read_word(const char *line)
{
	uint64_t value, from_bytes = 0;
	char name[32], *at;
	unsigned int byte, shift = 0;
	int n;

	CU_ASSERT_EQUAL(strtoul(line, &at, 16), count);
	for (; sscanf(at, "%2x%n", &byte, &n) == 1; at += n, shift += 8) {
		CU_ASSERT_FATAL(count < sizeof(bytes) && shift < 64);
		bytes[count++] = (uint8_t)byte;
		from_bytes |= (uint64_t)byte << shift;
	}
	CU_ASSERT_EQUAL_FATAL(sscanf(at, " | %31s = %n", name, &n), 1);
	value = strtoull(at + n, NULL, 16);
	CU_ASSERT_EQUAL(from_bytes, value);
	expect(name, value);
	words++;
}

static void compare_words(void)
{
	CU_ASSERT_EQUAL(pebs.captured, expected.captured);
	CU_ASSERT_EQUAL(pebs.gpr_captured, expected.gpr_captured);
	for (uint32_t i = 0; i < PRECIS_PEBS_WORD_COUNT; i++) {
		if (!(expected.captured >> i & 1) || pebs.word[i] == expected.word[i])
			continue;
		printf("# %s: %s is %#llx\n", golden.name, precis_pebs_word_name(i),
		       (unsigned long long)pebs.word[i]);
		CU_FAIL("a word");
	}
	for (uint32_t i = 0; i < PRECIS_PEBS_GPR_COUNT; i++) {
		if (!(expected.gpr_captured >> i & 1) || pebs.gpr[i] == expected.gpr[i])
			continue;
		printf("# %s: %s is %#llx\n", golden.name, precis_pebs_gpr_name(i),
		       (unsigned long long)pebs.gpr[i]);
		CU_FAIL("a register");
	}
}

/* All bytes are there: take them apart, write them again, decode. */
static void start_fields(void)
{
	struct precis_pebs_context context;
	uint8_t again[sizeof(bytes)];

	in_fields = 1;
	pebs.size = sizeof(pebs);
	CU_ASSERT_EQUAL(precis_pebs_format_bytes(format), count);
	for (size_t less = 0; less < count; less++)
		CU_ASSERT_EQUAL(precis_pebs_parse(format, bytes, less, &pebs, NULL),
				PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL_FATAL(precis_pebs_parse(format, bytes, count, &pebs, NULL), 0);
	CU_ASSERT_EQUAL(pebs.bytes, count);
	compare_words();
	CU_ASSERT_EQUAL(precis_pebs_encode(&pebs, NULL, again, sizeof(again)), (int)count);
	CU_ASSERT_EQUAL(memcmp(again, bytes, count), 0);
	precis_sample_init(&golden.sample);
	CU_ASSERT_EQUAL_FATAL(precis_pebs_context_init(&context, &machine), 0);
	CU_ASSERT_EQUAL(precis_pebs_decode(&context, &pebs, NULL, &golden.sample), 0);
}

static void end_record(void)
{
	if (!records)
		return;
	CU_ASSERT_TRUE(in_fields);
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		if (!precis_fields_have(golden.sample.present, field) ||
		    precis_fields_have(listed, field))
			continue;
		printf("# %s: %s is present, and not in the file\n", golden.name,
		       precis_field_name(field));
		CU_FAIL("a field that the file does not have");
	}
}

static void read_field(const char *line)
{
	char name[64], relation, text[64];
	int field;

	CU_ASSERT_EQUAL_FATAL(sscanf(line, " %63s %c %63s", name, &relation, text), 3);
	field = precis_field_find(name, strlen(name));
	CU_ASSERT_FATAL(field >= 0);
	precis_fields_add(listed, (uint32_t)field);
	if (relation == '=') {
		CU_ASSERT_TRUE(golden_field(&golden, name, text));
		fields++;
		return;
	}
	CU_ASSERT_EQUAL(relation, '-');
	CU_ASSERT_TRUE(golden_field(&golden, name, NULL));
	CU_ASSERT_STRING_EQUAL(
		precis_reason_name(precis_why(&golden.sample, (enum precis_field)field)), text);
	absent++;
}

static void read_line(char *line)
{
	line[strcspn(line, "\n")] = '\0';
	if (!*line || *line == '#')
		return;
	if (*line == '\t') {
		CU_ASSERT_TRUE_FATAL(in_fields);
		read_field(line);
	} else if (!strncmp(line, "record ", 7)) {
		end_record();
		start_record(line + 7);
	} else if (!strncmp(line, "cpu ", 4)) {
		CU_ASSERT_EQUAL_FATAL(precis_cpu_parse(line + 4, &machine.cpu), 0);
	} else if (!strncmp(line, "event ", 6)) {
		machine.has_config = 1;
		machine.config = strtoull(line + 6, NULL, 16);
	} else if (!strcmp(line, "fields")) {
		start_fields();
	} else {
		CU_ASSERT_FALSE_FATAL(in_fields);
		read_word(line);
	}
}

static void made(void)
{
	FILE *stream = golden_open("pebs_made.txt");
	char line[512];

	CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
	while (fgets(line, sizeof(line), stream))
		read_line(line);
	end_record();
	fclose(stream);
	printf("# %u records: %u words, %u fields, %u absences\n", records, words, fields, absent);
	CU_ASSERT_EQUAL(records, 6);
	CU_ASSERT_EQUAL(words, 10 + 18 + 18 + 22 + 24 + 25);
	CU_ASSERT_EQUAL(fields, 39);
	CU_ASSERT_EQUAL(absent, 21);
}

static const struct tap_case cases[] = {
	{ "records made by hand are what they were made of", made },
};

int main(void)
{
	return tap_main("golden: PEBS made by hand", cases, sizeof(cases) / sizeof(cases[0]));
}
