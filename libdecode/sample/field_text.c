/* SPDX-License-Identifier: BSD-3-Clause */
/* What the catalogue says of a field's origin and validity, made from its row. */
#include <string.h>

#include <precis/fields.h>

#include "catalogue.h"
#include "text.h"

static const char *const unit_names[2] = { "ibs_op", "ibs_fetch" };

static const char *const perf_source_names[PERF_SOURCE_COUNT] = {
	[PERF_SOURCE_EVENT] = "the sample's id",
	[PERF_SOURCE_MISC] = "the record's misc",
	[PERF_SOURCE_IP] = "PERF_SAMPLE_IP",
	[PERF_SOURCE_TID] = "PERF_SAMPLE_TID",
	[PERF_SOURCE_TIME] = "PERF_SAMPLE_TIME",
	[PERF_SOURCE_ADDR] = "PERF_SAMPLE_ADDR",
	[PERF_SOURCE_CPU] = "PERF_SAMPLE_CPU",
	[PERF_SOURCE_PERIOD] = "PERF_SAMPLE_PERIOD or attr.sample_period",
	[PERF_SOURCE_WEIGHT] = "PERF_SAMPLE_WEIGHT or WEIGHT_STRUCT",
	[PERF_SOURCE_WEIGHT_STRUCT] = "PERF_SAMPLE_WEIGHT_STRUCT",
	[PERF_SOURCE_DATA_SRC] = "PERF_SAMPLE_DATA_SRC",
	[PERF_SOURCE_TRANSACTION] = "PERF_SAMPLE_TRANSACTION",
	[PERF_SOURCE_PHYS_ADDR] = "PERF_SAMPLE_PHYS_ADDR",
	[PERF_SOURCE_DATA_PAGE_SIZE] = "PERF_SAMPLE_DATA_PAGE_SIZE",
	[PERF_SOURCE_CODE_PAGE_SIZE] = "PERF_SAMPLE_CODE_PAGE_SIZE",
	[PERF_SOURCE_CGROUP] = "PERF_SAMPLE_CGROUP",
};

static void add_bits(struct text *text, const struct ibs_source *source)
{
	text_add(text, precis_register_names[source->reg]);
	if (source->width == 64)
		return;
	text_add(text, "[");
	if (source->width > 1) {
		text_add_number(text, source->low + source->width - 1u);
		text_add(text, ":");
	}
	text_add_number(text, source->low);
	text_add(text, "]");
}

/* In a record, and where the kernel puts it; a field's own generic one is told for itself. */
static void add_pebs(struct text *text, const struct pebs_value_row *value)
{
	text_separate(text);
	text_add(text, "pebs: ");
	text_add(text, value->source);
	if (value->perf != PERF_SOURCE_NONE &&
	    (value->access != NO_ACCESS || value->word == PRECIS_PEBS_LATENCY ||
	     value->word == PRECIS_PEBS_RETIRE_LATENCY)) {
		text_add(text, ", or ");
		text_add(text, perf_source_names[value->perf]);
	}
}

static void add_pebs_rules(struct text *text, uint32_t gates)
{
	const char *said = "";

	for (unsigned int i = 0; i < PEBS_GATE_COUNT; i++) {
		if (!(gates >> i & 1) || strcmp(precis_pebs_gates[i].rule, said) == 0)
			continue;
		text_separate(text);
		text_add(text, said[0] ? "" : "of PEBS: ");
		said = precis_pebs_gates[i].rule;
		text_add(text, said);
	}
}

size_t precis_field_source(uint32_t field, char *buffer, size_t room)
{
	struct text text = { buffer, room, 0 };

	text_add(&text, "");
	if (field >= PRECIS_FIELD_COUNT)
		return 0;
	for (unsigned int unit = 0; unit < 2; unit++) {
		const struct ibs_source *source = &precis_field_rows[field].ibs[unit];
		const char *special = precis_transforms[source->transform].source;

		if (source->reg == NO_REGISTER)
			continue;
		text_separate(&text);
		text_add(&text, unit_names[unit]);
		text_add(&text, ": ");
		if (special)
			text_add(&text, special);
		else
			add_bits(&text, source);
	}
	if (precis_field_rows[field].pebs.value != PEBS_VALUE_NONE)
		add_pebs(&text, &precis_pebs_values[precis_field_rows[field].pebs.value]);
	if (precis_field_rows[field].perf) {
		text_separate(&text);
		text_add(&text, perf_source_names[precis_field_rows[field].perf]);
	}
	return text.length;
}

size_t precis_field_rule(uint32_t field, char *buffer, size_t room)
{
	struct text text = { buffer, room, 0 };
	uint64_t said = 0;

	text_add(&text, "");
	if (field >= PRECIS_FIELD_COUNT)
		return 0;
	for (unsigned int unit = 0; unit < 2; unit++) {
		uint64_t gates = precis_field_rows[field].ibs[unit].gates & ~said;

		said |= gates;
		for (unsigned int i = 0; i < STATIC_COUNT; i++) {
			if (gates & (UINT64_C(1) << (STATIC_SHIFT + i))) {
				text_separate(&text);
				text_add(&text, precis_static_gates[i].rule);
			}
		}
		for (unsigned int i = 0; i < DYNAMIC_COUNT; i++) {
			if (gates & (UINT64_C(1) << i)) {
				text_separate(&text);
				text_add(&text, precis_dynamic_gates[i].rule);
			}
		}
		for (uint32_t i = 0; i < precis_errata_count; i++) {
			const struct erratum_row *row = &precis_errata[i];

			if (!precis_erratum_takes(row, (enum precis_ibs_unit)unit, field) ||
			    (i && row[-1].name == row->name))
				continue;
			text_separate(&text);
			text_add(&text, "not ");
			text_add(&text, row->name);
		}
	}
	add_pebs_rules(&text, precis_field_rows[field].pebs.gates);
	return text.length;
}
