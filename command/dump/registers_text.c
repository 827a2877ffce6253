/* SPDX-License-Identifier: BSD-3-Clause */
/* The register view as text: the sample's line, then a line for each register. */
#include <inttypes.h>

#include "dump.h"

static void print_register(struct dump *dump, uint32_t reg, uint64_t value)
{
	struct register_view *view = &dump->registers;
	struct register_field fields[REGISTER_FIELDS];
	uint32_t count = register_view_fields(view, reg, fields);

	output_format(&dump->output, "  %-16s 0x%016" PRIx64, register_view_name(view, reg), value);
	for (uint32_t i = 0; i < count; i++) {
		if (fields[i].text)
			output_format(&dump->output, " %s=%s", fields[i].name, fields[i].text);
		else if (!fields[i].is_register)
			output_format(&dump->output, " %s=%" PRIu64, fields[i].name,
				      fields[i].value);
		if (fields[i].erratum)
			output_format(&dump->output, "(%s)", fields[i].erratum);
	}
	output_bytes(&dump->output, "\n", 1);
}

void dump_registers_text(struct dump *dump, const struct precis_sample *sample)
{
	uint32_t caps = register_view_sample(&dump->registers, sample);
	uint64_t value;

	dump_text_cells(dump, sample);
	if (!caps) {
		output_text(&dump->output, " (no registers)\n");
		return;
	}
	output_format(&dump->output, " caps=0x%" PRIx32 "\n", caps);
	for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++) {
		if (register_view_register(&dump->registers, reg, &value))
			print_register(dump, reg, value);
	}
}
