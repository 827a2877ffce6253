/* SPDX-License-Identifier: BSD-3-Clause */
/* See golden.h. */
#include "tests/golden/golden.h"

#include <stdlib.h>
#include <string.h>

#include <precis/fields.h>

FILE *golden_open(const char *file)
{
	const char *top = getenv("srcdir");
	char path[4096];
	FILE *stream;

	snprintf(path, sizeof(path), "%s/tests/golden/%s", top && *top ? top : ".", file);
	stream = fopen(path, "r");
	if (!stream)
		printf("# %s: cannot open\n", path);
	return stream;
}

uint64_t *golden_register(struct golden *golden, uint32_t reg)
{
	struct precis_ibs_op *op = &golden->op;
	struct precis_ibs_fetch *fetch = &golden->fetch;
	uint64_t *const of_op[PRECIS_IBS_REGISTER_COUNT] = {
		[PRECIS_IBS_OP_CTL] = &op->op_ctl,	   [PRECIS_IBS_OP_RIP] = &op->op_rip,
		[PRECIS_IBS_OP_DATA] = &op->op_data,	   [PRECIS_IBS_OP_DATA2] = &op->op_data2,
		[PRECIS_IBS_OP_DATA3] = &op->op_data3,	   [PRECIS_IBS_DC_LIN_AD] = &op->dc_lin_ad,
		[PRECIS_IBS_DC_PHYS_AD] = &op->dc_phys_ad, [PRECIS_IBS_BR_TARGET] = &op->br_target,
		[PRECIS_IBS_OP_DATA4] = &op->op_data4,
	};
	uint64_t *const of_fetch[PRECIS_IBS_REGISTER_COUNT] = {
		[PRECIS_IBS_FETCH_CTL] = &fetch->fetch_ctl,
		[PRECIS_IBS_FETCH_LIN_AD] = &fetch->fetch_lin_ad,
		[PRECIS_IBS_FETCH_PHYS_AD] = &fetch->fetch_phys_ad,
		[PRECIS_IBS_FETCH_CTL_EXTD] = &fetch->fetch_ctl_extd,
	};

	return golden->unit == PRECIS_IBS_OP ? of_op[reg] : of_fetch[reg];
}

int golden_register_find(const char *name)
{
	for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++) {
		if (!strcmp(name, precis_ibs_register_name(reg)))
			return (int)reg;
	}
	return -1;
}

/* The names that a golden file may use. */
static int is_named(const struct precis_ibs_bits *row, const char *name)
{
	return !strcmp(row->name, name) || (row->perf_name && !strcmp(row->perf_name, name));
}

int golden_bits(struct golden *golden, int reg, const char *name, uint64_t *value)
{
	struct precis_ibs_bits row = { .size = sizeof(row) };

	for (uint32_t n = 0; precis_ibs_bits(n, &row) == 0; n++) {
		uint64_t *of = golden_register(golden, row.reg);

		if (!of || (reg >= 0 && row.reg != (uint32_t)reg) || !is_named(&row, name) ||
		    !precis_ibs_bits_defined(&golden->context, n))
			continue;
		*value = *of >> row.low;
		if (row.width < 64)
			*value &= (UINT64_C(1) << row.width) - 1;
		return 1;
	}
	return 0;
}

int golden_decode(struct golden *golden)
{
	precis_sample_init(&golden->sample);
	if (golden->unit == PRECIS_IBS_OP)
		return precis_ibs_op_decode(&golden->context, &golden->op, NULL, &golden->sample);
	return precis_ibs_fetch_decode(&golden->context, &golden->fetch, NULL, &golden->sample);
}

int golden_field(const struct golden *golden, const char *field, const char *expected)
{
	struct precis_field_info info = { .size = sizeof(info) };
	int number = precis_field_find(field, strlen(field));
	char text[PRECIS_VALUE_TEXT] = "absent";
	uint64_t value;

	if (number < 0 || precis_field_info((uint32_t)number, &info)) {
		printf("# %s: no field %s\n", golden->name, field);
		return 0;
	}
	if (precis_get(&golden->sample, (enum precis_field)number, &value))
		precis_value_format(info.type, value, text);
	else if (!expected)
		return precis_why(&golden->sample, (enum precis_field)number) != PRECIS_PRESENT;
	if (expected && !strcmp(text, expected))
		return 1;
	printf("# %s: %s is %s (%s), expected %s\n", golden->name, field, text,
	       precis_why_detail(&golden->sample, (enum precis_field)number),
	       expected ? expected : "it to be absent");
	return 0;
}
