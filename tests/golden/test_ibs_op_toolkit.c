/* SPDX-License-Identifier: BSD-3-Clause */
/* 500 samples of real hardware as another decoder saw them: ibs_op_toolkit.txt. */
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "tests/golden/golden.h"
#include "tests/support/tap.h"

#define COLUMNS 64

static char *column_names[COLUMNS], *constants[COLUMNS];
static size_t column_count, constant_count;
static char header[2][2048];
static struct golden golden;
static unsigned int samples, compared, absent;

static size_t split(char *line, char **words, size_t room)
{
	size_t count = 0;

	for (char *word = strtok(line, " \n"); word && count < room; word = strtok(NULL, " \n"))
		words[count++] = word;
	return count;
}

/* A name is a bit field or a field of the sample; "-" means that there is no valid value. */
static void compare(const char *name, const char *expected)
{
	uint64_t value = UINT64_MAX;

	compared++;
	if (golden_bits(&golden, -1, name, &value)) {
		if (value != strtoull(expected, NULL, 10))
			printf("# %s: %s is %llu, expected %s\n", golden.name, name,
			       (unsigned long long)value, expected);
		CU_ASSERT_EQUAL(value, strtoull(expected, NULL, 10));
		return;
	}
	absent += !strcmp(expected, "-");
	CU_ASSERT_TRUE(golden_field(&golden, name, strcmp(expected, "-") ? expected : NULL));
}

static void read_registers(char **words)
{
	static const uint32_t order[] = { PRECIS_IBS_OP_CTL,	PRECIS_IBS_OP_RIP,
					  PRECIS_IBS_OP_DATA,	PRECIS_IBS_OP_DATA3,
					  PRECIS_IBS_DC_LIN_AD, PRECIS_IBS_DC_PHYS_AD,
					  PRECIS_IBS_BR_TARGET };

	memset(&golden.op, 0, sizeof(golden.op));
	golden.op.size = sizeof(golden.op);
	golden.op.caps = 0x3ff;
	golden.op.captured = 0xff;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		*golden_register(&golden, order[i]) = strtoull(words[i], NULL, 16);
	golden.op.op_ctl |= UINT64_C(3) << 17;
}

static void check_sample(char *line)
{
	char *words[8 + COLUMNS];

	CU_ASSERT_EQUAL_FATAL(split(line, words, 8 + COLUMNS), 8 + column_count);
	snprintf(golden.name, sizeof(golden.name), "%s", words[0]);
	read_registers(words + 1);
	CU_ASSERT_EQUAL_FATAL(golden_decode(&golden), 0);
	for (size_t i = 0; i < column_count; i++)
		compare(column_names[i], words[8 + i]);
	for (size_t i = 0; i < constant_count; i++) {
		char name[64];
		const char *equals = strchr(constants[i], '=');

		CU_ASSERT_PTR_NOT_NULL_FATAL(equals);
		snprintf(name, sizeof(name), "%.*s", (int)(equals - constants[i]), constants[i]);
		compare(name, equals + 1);
	}
	samples++;
}

static void read_file(const char *cpuid)
{
	struct precis_cpu cpu = { .size = sizeof(cpu) };
	FILE *stream = golden_open("ibs_op_toolkit.txt");
	char line[2048];

	CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
	CU_ASSERT_EQUAL_FATAL(precis_cpu_parse(cpuid, &cpu), 0);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_context_init(&golden.context, &cpu), 0);
	golden.unit = PRECIS_IBS_OP;
	samples = compared = absent = 0;
	while (fgets(line, sizeof(line), stream)) {
		if (*line == '#' || *line == '\n')
			continue;
		if (!strncmp(line, "columns ", 8)) {
			strcpy(header[0], line + 8);
			column_count = split(header[0], column_names, COLUMNS);
		} else if (!strncmp(line, "constant ", 9)) {
			strcpy(header[1], line + 9);
			constant_count = split(header[1], constants, COLUMNS);
		} else {
			check_sample(line);
		}
	}
	fclose(stream);
	printf("# %s: %u samples, %u values, %u of them absent\n", cpuid, samples, compared, absent);
	CU_ASSERT_EQUAL(samples, 500);
	CU_ASSERT_TRUE(compared > 500 * 30);
}

static void as_zen(void)
{
	read_file("AuthenticAMD,23,1,2");
}

static void as_zen2(void)
{
	read_file("AuthenticAMD,23,49,0");
}

static const struct tap_case cases[] = {
	{ "what the IBS toolkit decoded, on Zen", as_zen },
	{ "what the IBS toolkit decoded, on Zen 2", as_zen2 },
};

int main(void)
{
	return tap_main("golden: toolkit", cases, sizeof(cases) / sizeof(cases[0]));
}
