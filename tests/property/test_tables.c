/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One walk over all tables: fields, values, bit fields, errata. No name stands
 * for two things, nothing is without a unit or a word of explanation, and the
 * register view and the sample speak of the same bits.
 */
#include <stdio.h>
#include <string.h>

#include <precis/errata.h>
#include <precis/fields.h>
#include <precis/sample.h>

#include "tests/property/contexts.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define NAMES 512
#define SAMPLES 60

static char pool[NAMES][64];
static unsigned int pool_count;

static int equal_ignoring_case(const char *a, const char *b)
{
	for (; *a && *b; a++, b++) {
		char x = *a >= 'A' && *a <= 'Z' ? (char)(*a | 0x20) : *a;
		char y = *b >= 'A' && *b <= 'Z' ? (char)(*b | 0x20) : *b;

		if (x != y)
			return 0;
	}
	return *a == *b;
}

/* Remember a name; complain if it was there already, in whatever case. */
static void add_name(const char *name, size_t length)
{
	CU_ASSERT_FATAL(pool_count < NAMES && length > 0 && length < sizeof(pool[0]));
	memcpy(pool[pool_count], name, length);
	pool[pool_count][length] = '\0';
	for (unsigned int i = 0; i < pool_count; i++) {
		if (!equal_ignoring_case(pool[i], pool[pool_count]))
			continue;
		printf("# \"%s\" twice\n", pool[i]);
		CU_ASSERT_TRUE(0 && "a name stands for two fields");
	}
	pool_count++;
}

static void field_names(void)
{
	struct precis_field_info row = { .size = sizeof(row) };

	pool_count = 0;
	for (uint32_t field = 0; precis_field_info(field, &row) == 0; field++) {
		const char *alias = row.aliases;

		for (const char *p = row.name; *p; p++)
			CU_ASSERT_TRUE((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '_');
		add_name(row.name, strlen(row.name));
		while (*alias) {
			size_t length = strcspn(alias, " ");

			add_name(alias, length);
			CU_ASSERT_EQUAL(precis_field_find(alias, length), (int)field);
			alias += length;
			CU_ASSERT_TRUE(*alias == '\0' || (*alias == ' ' && alias[1] > ' '));
			alias += *alias == ' ';
		}
	}
}

static int ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !strcmp(text + length - tail, end);
}

static void field_rows(void)
{
	struct precis_field_info row = { .size = sizeof(row) };
	char text[1024];

	for (uint32_t field = 0; precis_field_info(field, &row) == 0; field++) {
		CU_ASSERT_TRUE(strlen(row.meaning) > 5 && !ends_with(row.meaning, "."));
		CU_ASSERT_PTR_NOT_NULL(precis_type_name(row.type));
		CU_ASSERT_PTR_NOT_NULL(precis_unit_name(row.unit));
		/* a time is nothing without its unit, and only a number has one */
		if (ends_with(row.name, "_latency") || ends_with(row.name, "_retire") ||
		    ends_with(row.name, "_completion"))
			CU_ASSERT_EQUAL(row.unit, PRECIS_UNIT_CYCLES);
		if (row.unit != PRECIS_UNIT_NONE)
			CU_ASSERT_EQUAL(row.type, PRECIS_TYPE_UINT);
		if (ends_with(row.name, "_bytes") || ends_with(row.name, "page_size"))
			CU_ASSERT_EQUAL(row.unit, PRECIS_UNIT_BYTES);
		if (ends_with(row.name, "addr") || ends_with(row.name, "_target"))
			CU_ASSERT_EQUAL(row.type, PRECIS_TYPE_ADDRESS);
		/* those of PEBS have no source yet */
		if (!strstr(row.meaning, "PEBS"))
			CU_ASSERT_TRUE(precis_field_source(field, text, sizeof(text)) > 0);
	}
}

static void value_names(void)
{
	char text[PRECIS_VALUE_TEXT];

	for (uint32_t type = 0; precis_type_name(type); type++) {
		for (uint32_t other = 0; other < type; other++)
			CU_ASSERT_STRING_NOT_EQUAL(precis_type_name(type), precis_type_name(other));
		pool_count = 0;
		for (uint64_t value = 0; value < 256; value++) {
			const char *name = precis_type_value_name(type, value);
			uint64_t found = UINT64_MAX;

			if (!name)
				continue;
			add_name(name, strlen(name));
			CU_ASSERT_EQUAL(precis_type_value_find(type, name, strlen(name), &found), 0);
			CU_ASSERT_EQUAL(found, value);
			CU_ASSERT_EQUAL(precis_value_format(type, value, text), strlen(name));
		}
	}
}

static uint64_t mask_of(const struct precis_ibs_bits *row)
{
	return (row->width < 64 ? (UINT64_C(1) << row->width) - 1 : ~UINT64_C(0)) << row->low;
}

static void bit_rows(void)
{
	struct precis_ibs_bits row = { .size = sizeof(row) };

	for (uint32_t n = 0; precis_ibs_bits(n, &row) == 0; n++) {
		CU_ASSERT_TRUE(row.reg < PRECIS_IBS_REGISTER_COUNT);
		CU_ASSERT_TRUE(row.width >= 1 && row.low + row.width <= 64);
		CU_ASSERT_TRUE(row.name && *row.name && row.meaning && *row.meaning);
	}
}

/* On no CPU do two bit fields of a register overlap or have one name. */
static void check_overlap(const struct precis_ibs_context *context, const char *cpuid, uint32_t caps)
{
	struct precis_ibs_bits a = { .size = sizeof(a) }, b = { .size = sizeof(b) };

	for (uint32_t n = 0; precis_ibs_bits(n, &a) == 0; n++) {
		if (!precis_ibs_bits_defined(context, n))
			continue;
		for (uint32_t m = 0; m < n; m++) {
			precis_ibs_bits(m, &b);
			if (a.reg != b.reg || !precis_ibs_bits_defined(context, m))
				continue;
			if ((mask_of(&a) & mask_of(&b)) || !strcmp(a.name, b.name) ||
			    (a.perf_name && b.perf_name && !strcmp(a.perf_name, b.perf_name))) {
				printf("# %s, caps 0x%x: %s and %s\n", cpuid, caps, a.name, b.name);
				CU_ASSERT_TRUE(0 && "two bit fields overlap");
			}
		}
	}
}

/* The defined bits of a register, and those that an erratum forbids to believe. */
static uint64_t defined_bits(const struct precis_ibs_context *context, uint32_t reg)
{
	struct precis_ibs_bits row = { .size = sizeof(row) };
	uint64_t bits = 0;

	for (uint32_t n = 0; precis_ibs_bits(n, &row) == 0; n++) {
		if (row.reg == reg && precis_ibs_bits_defined(context, n))
			bits |= mask_of(&row);
	}
	return bits;
}

static uint64_t struck_bits(struct precis_ibs_context *context, const struct precis_sample *sample,
			    uint32_t reg)
{
	struct precis_ibs_bits row = { .size = sizeof(row) };
	uint64_t bits = 0;

	for (uint32_t n = 0; precis_ibs_bits(n, &row) == 0; n++) {
		const char *name =
			sample->source == PRECIS_SOURCE_IBS_OP ?
				precis_ibs_op_bits_erratum(context, &sample->registers.ibs_op, n) :
				precis_ibs_fetch_bits_erratum(context,
							      &sample->registers.ibs_fetch, n);

		if (row.reg == reg && name && precis_ibs_bits_defined(context, n))
			bits |= mask_of(&row);
	}
	return bits;
}

/*
 * A field that is there is made of bits that the register view knows, and none
 * of them is struck by an erratum. The level of memory alone may leave struck
 * bits aside, and the transforms read some bits only where the caps have them.
 */
static void check_field(struct precis_ibs_context *context, const struct precis_sample *sample,
			const char *cpuid)
{
	enum precis_ibs_unit unit = sample->source == PRECIS_SOURCE_IBS_OP ? PRECIS_IBS_OP :
									      PRECIS_IBS_FETCH;
	uint64_t defined[PRECIS_IBS_REGISTER_COUNT], struck[PRECIS_IBS_REGISTER_COUNT], value;

	for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++) {
		defined[reg] = defined_bits(context, reg);
		struck[reg] = struck_bits(context, sample, reg);
	}
	for (uint32_t field = 0; field < 64; field++) {
		int known = 0, wrong = 0;

		if (!precis_fields_have(sample->present, field) || field == PRECIS_FIELD_MEM_LEVEL ||
		    field == PRECIS_FIELD_PERIOD_UNIT)
			continue;
		for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++) {
			precis_ibs_field_bits(unit, field, (enum precis_ibs_register)reg, &value);
			known |= (value & defined[reg]) != 0;
			wrong |= (value & struck[reg]) != 0;
		}
		if (!known || wrong)
			printf("# %s: %s is made of %s bits\n", cpuid, precis_field_name(field),
			       wrong ? "struck" : "undefined");
		CU_ASSERT_TRUE(known && !wrong);
	}
}

static void register_view(void)
{
	static struct precis_ibs_context context;
	uint64_t state = random_seed("register view");
	struct precis_sample sample;
	struct precis_ibs_op op;
	struct precis_ibs_fetch fetch;

	precis_sample_init(&sample);
	for (size_t core = 0; core < TEST_CORES; core++) {
		CU_ASSERT_EQUAL_FATAL(test_context(test_cores[core].cpuid, &context), 0);
		for (size_t i = 0; i <= TEST_CAPS; i++) {
			uint32_t caps = i < TEST_CAPS ? test_caps[i] : test_cores[core].caps;

			for (unsigned int n = 0; n < random_amount(SAMPLES); n++) {
				random_op(&state, caps, &op);
				precis_ibs_op_decode(&context, &op, NULL, &sample);
				check_field(&context, &sample, test_cores[core].cpuid);
				random_fetch(&state, caps, &fetch);
				precis_ibs_fetch_decode(&context, &fetch, NULL, &sample);
				check_field(&context, &sample, test_cores[core].cpuid);
			}
			check_overlap(&context, test_cores[core].cpuid, caps);
		}
	}
}

/* A bit field and the field that has its name as an alias lie at the same place. */
static void aliases(void)
{
	struct precis_ibs_bits row = { .size = sizeof(row) };
	unsigned int pairs = 0;

	for (uint32_t n = 0; precis_ibs_bits(n, &row) == 0; n++) {
		int field = precis_field_find(row.name, strlen(row.name));
		enum precis_ibs_unit unit = row.reg < PRECIS_IBS_FETCH_CTL ? PRECIS_IBS_OP :
									     PRECIS_IBS_FETCH;
		uint64_t value;

		if (field < 0)
			continue;
		pairs++;
		precis_ibs_field_bits(unit, (uint32_t)field, (enum precis_ibs_register)row.reg, &value);
		if ((value & mask_of(&row)) != mask_of(&row))
			printf("# %s: %s\n", row.name, precis_field_name((uint32_t)field));
		CU_ASSERT_EQUAL(value & mask_of(&row), mask_of(&row));
	}
	CU_ASSERT_TRUE(pairs > 30);
}

static void errata_rows(void)
{
	struct precis_erratum a = { .size = sizeof(a) }, b = { .size = sizeof(b) };

	for (uint32_t n = 0; precis_erratum(n, &a) == 0; n++) {
		CU_ASSERT_FALSE(ends_with(a.name, " "));
		CU_ASSERT_TRUE(ends_with(a.summary, ".") || ends_with(a.summary, ")"));
		/* rows of one erratum stand together and say where it is published */
		for (uint32_t m = 0; m < n; m++) {
			precis_erratum(m, &b);
			if (!strcmp(a.name, b.name))
				CU_ASSERT_EQUAL(a.effect, b.effect);
			if (!strcmp(a.name, b.name) && a.cores == b.cores)
				CU_ASSERT_EQUAL(m, n - 1);
		}
	}
}

static const struct tap_case cases[] = {
	{ "no name stands for two fields", field_names },
	{ "every field has a type, a unit where it needs one, words", field_rows },
	{ "no name stands for two values", value_names },
	{ "bit fields fit into their registers", bit_rows },
	{ "bit fields do not overlap on any CPU, and fields are made of them", register_view },
	{ "a field's alias is the bit field that it is made of", aliases },
	{ "errata rows", errata_rows },
};

int main(void)
{
	return tap_main("tables", cases, sizeof(cases) / sizeof(cases[0]));
}
