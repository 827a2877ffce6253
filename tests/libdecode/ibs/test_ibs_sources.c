/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the catalogue's text says of a field's source in IBS are the bits that make its value: the
 * text of a transform is written by hand.
 */
#include <stdio.h>
#include <string.h>

#include <precis/ibs.h>

#include "tests/support/tap.h"

#define IBS_FIELDS 64u

static const char *const units[] = { "ibs_op: ", "ibs_fetch: " };
/* What begins the next part of a text */
static const char *const next_parts[] = { "; ibs_fetch: ", "; pebs: ", "; PERF_", "; the " };

/* What a text says in words */
static const struct {
	uint32_t field, reg;
	uint64_t bits;
} in_words[] = {
	{ PRECIS_FIELD_MEM_LEVEL, PRECIS_IBS_OP_DATA3, 1 << 0 },            /* "of loads" */
	{ PRECIS_FIELD_PAGE_SIZE, PRECIS_IBS_OP_DATA3, 1 << 2 | 1 << 3 },   /* "the TLB that hit" */
	{ PRECIS_FIELD_MEM_REMOTE, PRECIS_IBS_OP_DATA2, 7 << 0 | 3 << 6 },  /* "DataSrc" */
};

static uint64_t bits_in_words(uint32_t field, uint32_t reg)
{
	for (size_t n = 0; n < sizeof(in_words) / sizeof(in_words[0]); n++) {
		if (in_words[n].field == field && in_words[n].reg == reg)
			return in_words[n].bits;
	}
	return 0;
}

/* The register whose name, the longest one, stands there; negative: none */
static int register_at(const char *text, size_t *length)
{
	int found = -1;

	*length = 0;
	for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++) {
		const char *name = precis_ibs_register_name(reg);

		if (strlen(name) > *length && !strncmp(text, name, strlen(name))) {
			found = (int)reg;
			*length = strlen(name);
		}
	}
	return found;
}

/* "IbsOpData3[5:4] where caps[19]; else [6], [19]": brackets are of the register before them. */
static void read_bits(const char *text, const char *end, uint64_t *bits)
{
	int current = -1;

	while (text < end) {
		size_t length;
		unsigned int high, low;
		int reg = register_at(text, &length), parts;

		if (reg >= 0) {
			current = reg;
			text += length;
			if (*text != '[')
				bits[reg] = ~UINT64_C(0);
			continue;
		}
		if (!strncmp(text, "caps[", 5)) {
			text += 5;
			continue;
		}
		parts = sscanf(text, "[%u:%u]", &high, &low);
		if (parts >= 1 && current >= 0) {
			low = parts == 2 ? low : high;
			bits[current] |= ~UINT64_C(0) >> (63 - high + low) << low;
		}
		text++;
	}
}

static const char *end_of_part(const char *text)
{
	const char *end = text + strlen(text);

	for (size_t n = 0; n < sizeof(next_parts) / sizeof(next_parts[0]); n++) {
		const char *next = strstr(text, next_parts[n]);

		if (next && next < end)
			end = next;
	}
	return end;
}

static void texts_agree(void)
{
	unsigned int compared = 0;

	for (uint32_t field = 0; field < IBS_FIELDS; field++) {
		char text[1024];

		precis_field_source(field, text, sizeof(text));
		for (unsigned int unit = 0; unit < 2; unit++) {
			uint64_t said[PRECIS_IBS_REGISTER_COUNT] = { 0 };
			const char *part = strstr(text, units[unit]);

			if (part)
				read_bits(part, end_of_part(part), said);
			for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++) {
				uint64_t made;

				precis_ibs_field_bits((enum precis_ibs_unit)unit, field,
						      (enum precis_ibs_register)reg, &made);
				if (said[reg] != (made & ~bits_in_words(field, reg)))
					printf("# %s: %s of %s\n", precis_field_name(field), text,
					       precis_ibs_register_name(reg));
				CU_ASSERT_EQUAL(said[reg], made & ~bits_in_words(field, reg));
				compared += made != 0;
			}
		}
	}
	CU_ASSERT(compared > 50);
}

static const struct tap_case cases[] = {
	{ "the text of a source names the bits of the value", texts_agree },
};

int main(void)
{
	return tap_main("ibs_sources", cases, sizeof(cases) / sizeof(cases[0]));
}
