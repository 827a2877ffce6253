/* SPDX-License-Identifier: BSD-3-Clause */
/* What the catalogue says of fields from IBS: where they come from, when they are valid. */
#include "../sample/text.h"
#include "answers.h"
#include "errata.h"

static const char *const unit_names[IBS_UNITS] = { "ibs_op", "ibs_fetch" };

void precis_ibs_add_source(uint32_t field, struct text *text)
{
	for (unsigned int unit = 0; unit < IBS_UNITS; unit++) {
		const struct ibs_source *source = &precis_ibs_sources[unit][field];
		const char *special = precis_transforms[source->transform].source;

		if (!ibs_has((enum precis_ibs_unit)unit, field))
			continue;
		text_separate(text);
		text_add(text, unit_names[unit]);
		text_add(text, ": ");
		text_add(text, special ? special : precis_register_names[source->reg]);
		if (!special)
			text_add_bits(text, source->low, source->width);
	}
}

static void add_gates(uint64_t gates, struct text *text)
{
	for (unsigned int i = 0; i < STATIC_COUNT; i++) {
		if (gates & (UINT64_C(1) << (STATIC_SHIFT + i))) {
			text_separate(text);
			text_add(text, precis_static_gates[i].rule);
		}
	}
	for (unsigned int i = 0; i < DYNAMIC_COUNT; i++) {
		if (gates & (UINT64_C(1) << i)) {
			text_separate(text);
			text_add(text, precis_dynamic_gates[i].rule);
		}
	}
}

static void add_errata(enum precis_ibs_unit unit, uint32_t field, struct text *text)
{
	for (uint32_t i = 0; i < PRECIS_IBS_ERRATA; i++) {
		const struct erratum_row *row = &precis_errata[i];

		if (!precis_erratum_takes(row, unit, field) ||
		    (i && row[-1].number == row->number))
			continue;
		text_separate(text);
		text_add(text, "not ");
		text_add(text, row->name);
	}
}

void precis_ibs_add_rule(uint32_t field, struct text *text)
{
	uint64_t said = 0;

	for (unsigned int unit = 0; unit < IBS_UNITS; unit++) {
		uint64_t gates = precis_ibs_sources[unit][field].gates & ~said;

		said |= gates;
		add_gates(gates, text);
		add_errata((enum precis_ibs_unit)unit, field, text);
	}
}
