/* SPDX-License-Identifier: BSD-3-Clause */
/* Published samples of real hardware (ibs_real.txt): registers, bit fields, fields, as they stand. */
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "tests/golden/golden.h"
#include "tests/support/tap.h"

static struct golden golden;
static int in_fields, current_register, parse_expected;
static uint8_t payload[256];
static size_t payload_bytes;
static uint64_t listed; /* fields of the file's block, as bits */
static unsigned int samples, bit_fields, fields, absent;

static void start_sample(const char *name, const char *unit)
{
	memset(&golden, 0, sizeof(golden));
	snprintf(golden.name, sizeof(golden.name), "%.60s", name);
	golden.unit = strcmp(unit, "ibs_op") ? PRECIS_IBS_FETCH : PRECIS_IBS_OP;
	golden.op.size = sizeof(golden.op);
	golden.fetch.size = sizeof(golden.fetch);
	in_fields = 0;
	current_register = -1;
	parse_expected = 0;
	payload_bytes = 0;
	listed = 0;
	samples++;
}

/* Whatever of the payload's bytes was published, the registers must be those. */
static int parse(void)
{
	/* what the file says, before the payload overwrites it */
	struct precis_ibs_op op = golden.op;
	struct precis_ibs_fetch fetch = golden.fetch;
	int result;

	if (!payload_bytes)
		payload_bytes = (size_t)(golden.unit == PRECIS_IBS_OP ?
						 precis_ibs_op_encode(&op, payload) :
						 precis_ibs_fetch_encode(&fetch, 0, payload));
	else
		CU_ASSERT_TRUE(payload_bytes >= 28);
	if (golden.unit == PRECIS_IBS_OP)
		result = precis_ibs_op_parse(payload, payload_bytes, &golden.op);
	else
		result = precis_ibs_fetch_parse(payload, payload_bytes, 0, &golden.fetch);
	for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++) {
		int stated, captured;
		uint64_t expected = golden.unit == PRECIS_IBS_OP ?
					    precis_ibs_op_register(&op, reg, &stated) :
					    precis_ibs_fetch_register(&fetch, reg, &stated);
		uint64_t value = golden.unit == PRECIS_IBS_OP ?
					 precis_ibs_op_register(&golden.op, reg, &captured) :
					 precis_ibs_fetch_register(&golden.fetch, reg, &captured);

		if (stated) {
			CU_ASSERT_TRUE(captured);
			CU_ASSERT_EQUAL(value, expected);
		}
	}
	return result;
}

/* The registers are complete: take the payload apart, decode. */
static void start_fields(void)
{
	CU_ASSERT_EQUAL(parse(), parse_expected);
	CU_ASSERT_EQUAL(golden_decode(&golden), 0);
	in_fields = 1;
}

static void end_sample(void)
{
	if (!golden.name[0])
		return;
	if (!in_fields) {
		CU_ASSERT_EQUAL(parse(), parse_expected);
		return;
	}
	for (uint32_t field = 0; field < 64; field++) {
		if (!(golden.sample.present[0] & ~listed & PRECIS_FIELD_BIT(field)))
			continue;
		printf("# %s: %s is present, and not in the file\n", golden.name,
		       precis_field_name(field));
		CU_ASSERT_TRUE(0 && "a field that the file does not have");
	}
}

static void read_context(const char *key, char *value)
{
	struct precis_cpu cpu = { .size = sizeof(cpu) };
	uint64_t unused[PRECIS_FIELD_WORDS];

	if (!strcmp(key, "cpu")) {
		value[strcspn(value, " ")] = '\0';
		CU_ASSERT_EQUAL_FATAL(precis_cpu_parse(value, &cpu), 0);
		precis_ibs_context_init(&golden.context, &cpu);
	} else if (!strcmp(key, "caps")) {
		golden.op.caps = golden.fetch.caps = (uint32_t)strtoul(value, NULL, 0);
		precis_ibs_op_present(&golden.context, &golden.op, unused);
	} else if (!strcmp(key, "parse")) {
		parse_expected = strcmp(value, "ok") ? PRECIS_E_NOT_A_SAMPLE : 0;
	} else {
		CU_ASSERT_STRING_EQUAL(key, "source");
	}
}

static void read_payload(const char *hex)
{
	unsigned int byte;

	for (; sscanf(hex, "%2x", &byte) == 1; hex += 2) {
		CU_ASSERT_FATAL(payload_bytes < sizeof(payload));
		payload[payload_bytes++] = (uint8_t)byte;
	}
}

static void read_register(const char *name, const char *value)
{
	uint64_t *at;

	current_register = golden_register_find(name);
	CU_ASSERT_FATAL(current_register >= 0);
	at = golden_register(&golden, (uint32_t)current_register);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	*at = strtoull(value, NULL, 16);
	if (golden.unit == PRECIS_IBS_OP)
		golden.op.captured |= 1u << current_register;
	else
		golden.fetch.captured |= 1u << current_register;
}

static void compare_bits(const char *name, const char *expected)
{
	uint64_t value = UINT64_MAX;
	int found = golden_bits(&golden, current_register, name, &value);

	if (!found || value != strtoull(expected, NULL, 10))
		printf("# %s: %s is %llu, expected %s\n", golden.name, name,
		       (unsigned long long)value, found ? expected : "it to be defined");
	CU_ASSERT_TRUE(found);
	CU_ASSERT_EQUAL(value, strtoull(expected, NULL, 10));
	bit_fields++;
}

static void compare_absence(const char *name, int field, char *reason)
{
	char *detail = strstr(reason, ": ");

	CU_ASSERT_TRUE(golden_field(&golden, name, NULL));
	absent++;
	if (detail) {
		*detail = '\0';
		CU_ASSERT_STRING_EQUAL(precis_why_detail(&golden.sample, (enum precis_field)field),
				       detail + 2);
	}
	CU_ASSERT_STRING_EQUAL(
		precis_reason_name(precis_why(&golden.sample, (enum precis_field)field)), reason);
}

static void compare_field(const char *name, char relation, char *expected)
{
	int field = precis_field_find(name, strlen(name));

	CU_ASSERT_FATAL(field >= 0 && field < 64);
	listed |= PRECIS_FIELD_BIT(field);
	if (relation == '=') {
		CU_ASSERT_TRUE(golden_field(&golden, name, expected));
		fields++;
	} else if (relation == '-') {
		compare_absence(name, field, expected);
	} else {
		CU_ASSERT_EQUAL(relation, '?');
	}
}

static void read_line(char *line)
{
	char name[64], value[4096];
	char relation;
	int n = 0;

	line[strcspn(line, "\n")] = '\0';
	if (!*line || *line == '#')
		return;
	if (*line == '\t') {
		value[0] = '\0';
		CU_ASSERT_FATAL(sscanf(line, " %63s %c %4095[^\n]", name, &relation, value) >= 2);
		if (in_fields)
			compare_field(name, relation, value);
		else
			compare_bits(name, value);
	} else if (!strcmp(line, "fields")) {
		start_fields();
	} else {
		CU_ASSERT_FATAL(sscanf(line, "%63s %n", name, &n) == 1 && n > 0);
		snprintf(value, sizeof(value), "%s", line + n);
		if (!strcmp(name, "sample")) {
			char *unit = strchr(value, ' ');

			CU_ASSERT_PTR_NOT_NULL_FATAL(unit);
			*unit = '\0';
			end_sample();
			start_sample(value, unit + 1);
		} else if (!strcmp(name, "payload")) {
			read_payload(value);
		} else if (*name >= 'a' && *name <= 'z') {
			read_context(name, value);
		} else {
			read_register(name, value);
		}
	}
}

static void published(void)
{
	FILE *stream = golden_open("ibs_real.txt");
	char line[4096];

	CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
	while (fgets(line, sizeof(line), stream))
		read_line(line);
	end_sample();
	fclose(stream);
	printf("# %u samples: %u bit fields, %u fields, %u absences\n", samples, bit_fields, fields,
	       absent);
	CU_ASSERT_EQUAL(samples, 7);
	CU_ASSERT_TRUE(bit_fields > 150);
	CU_ASSERT_TRUE(fields > 90);
}

static const struct tap_case cases[] = {
	{ "published samples decode as they were published", published },
};

int main(void)
{
	return tap_main("golden: published", cases, sizeof(cases) / sizeof(cases[0]));
}
