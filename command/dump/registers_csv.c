/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The register view as CSV: the sample's cells, the capability word, then each
 * register followed by all its bit fields (named REGISTER.FIELD), at the end the
 * errata. Cells of what was not captured, is not defined on that CPU, or is not
 * printed by perf (of --perf-names), are empty.
 */
#include "dump.h"

void dump_registers_csv_begin(struct dump *dump)
{
	const char *names[REGISTER_FIELDS];

	dump_csv_header(dump);
	output_text(&dump->output, ",caps");
	for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++) {
		const char *name = register_view_name(&dump->registers, reg);
		uint32_t count = register_view_all_names(&dump->registers, reg, names);

		output_format(&dump->output, ",%s", name);
		for (uint32_t i = 0; i < count; i++)
			output_format(&dump->output, ",%s.%s", name, names[i]);
	}
	output_text(&dump->output, ",errata\n");
}

static const struct register_field *find(const struct register_field *fields, uint32_t count,
					 const char *name)
{
	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(fields[i].name, name) == 0)
			return &fields[i];
	}
	return NULL;
}

static void print_register(struct dump *dump, uint32_t reg)
{
	struct register_view *view = &dump->registers;
	struct register_field fields[REGISTER_FIELDS];
	const char *names[REGISTER_FIELDS];
	uint32_t name_count = register_view_all_names(view, reg, names);
	uint32_t count = register_view_fields(view, reg, fields);
	char *start = output_room(&dump->output, (name_count + 1u) * NUMBER_TEXT), *at = start;
	uint64_t value;

	*at++ = ',';
	if (register_view_register(view, reg, &value))
		at = put_hex_full(at, value);
	for (uint32_t i = 0; i < name_count; i++) {
		const struct register_field *field = find(fields, count, names[i]);

		*at++ = ',';
		if (field && field->text)
			at = put_bytes(at, field->text, strlen(field->text));
		else if (field)
			at = put_decimal(at, field->value);
	}
	output_wrote(&dump->output, (size_t)(at - start));
}

/* "IbsL2Miss=AMD-1293 …" */
static void print_errata(struct dump *dump)
{
	struct register_field fields[REGISTER_FIELDS];
	int any = 0;

	output_bytes(&dump->output, ",", 1);
	for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++) {
		uint32_t count = register_view_fields(&dump->registers, reg, fields);

		for (uint32_t i = 0; i < count; i++) {
			if (!fields[i].erratum)
				continue;
			output_format(&dump->output, "%s%s=%s", any ? " " : "", fields[i].name,
				      fields[i].erratum);
			any = 1;
		}
	}
}

void dump_registers_csv(struct dump *dump, const struct precis_sample *sample)
{
	uint32_t caps = register_view_sample(&dump->registers, sample);

	dump_csv_cells(dump, sample);
	if (caps)
		output_format(&dump->output, ",0x%x", caps);
	else
		output_bytes(&dump->output, ",", 1);
	for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++)
		print_register(dump, reg);
	print_errata(dump);
	output_bytes(&dump->output, "\n", 1);
}
