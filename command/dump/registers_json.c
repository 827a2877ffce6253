/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The register view as JSON lines: the sample's members, "caps", each captured
 * register by its name, then "fields": {name: number, or perf's word} and "errata": {name: erratum}.
 */
#include "dump.h"

#define MEMBER_ROOM 96 /* of a member: names of fields have less than half of that */

static char *put_name(char *at, const char *name)
{
	*at++ = '"';
	at = put_bytes(at, name, strlen(name));
	return put_bytes(at, "\":", 2);
}

static char *put_registers(char *at, struct register_view *view, uint32_t caps)
{
	uint64_t value;

	at = put_bytes(at, "\"caps\":\"", 8);
	at = put_hex(at, caps);
	*at++ = '"';
	for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++) {
		if (!register_view_register(view, reg, &value))
			continue;
		*at++ = ',';
		at = put_name(at, register_view_name(view, reg));
		*at++ = '"';
		at = put_hex_full(at, value);
		*at++ = '"';
	}
	return at;
}

static char *put_value(char *at, const struct register_field *field)
{
	if (!field->text)
		return put_decimal(at, field->value);
	*at++ = '"';
	at = put_bytes(at, field->text, strlen(field->text));
	*at++ = '"';
	return at;
}

static char *put_fields(char *at, const struct register_field *fields, uint32_t count)
{
	int any = 0;

	at = put_bytes(at, ",\"fields\":{", 11);
	for (uint32_t i = 0; i < count; i++) {
		if (fields[i].is_register)
			continue;
		if (any)
			*at++ = ',';
		any = 1;
		at = put_name(at, fields[i].name);
		at = put_value(at, &fields[i]);
	}
	*at++ = '}';
	return at;
}

static char *put_errata(char *at, const struct register_field *fields, uint32_t count)
{
	int any = 0;

	at = put_bytes(at, ",\"errata\":{", 11);
	for (uint32_t i = 0; i < count; i++) {
		if (!fields[i].erratum)
			continue;
		if (any)
			*at++ = ',';
		any = 1;
		at = put_name(at, fields[i].name);
		*at++ = '"';
		at = put_bytes(at, fields[i].erratum, strlen(fields[i].erratum));
		*at++ = '"';
	}
	*at++ = '}';
	return at;
}

/* All registers of a sample have no more fields than the table has rows. */
static uint32_t all_fields(struct register_view *view, struct register_field *fields)
{
	uint32_t count = 0;

	for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++)
		count += register_view_fields(view, reg, fields + count);
	return count;
}

void dump_registers_json(struct dump *dump, const struct precis_sample *sample)
{
	uint32_t caps = register_view_sample(&dump->registers, sample), count;
	struct register_field fields[REGISTER_FIELDS];
	char *start, *at;

	dump_json_cells(dump, sample);
	if (caps) {
		dump_json_comma(dump);
		count = all_fields(&dump->registers, fields);
		start = output_room(&dump->output, 3 * REGISTER_FIELDS * MEMBER_ROOM);
		at = put_registers(start, &dump->registers, caps);
		at = put_fields(at, fields, count);
		at = put_errata(at, fields, count);
		output_wrote(&dump->output, (size_t)(at - start));
	}
	output_bytes(&dump->output, "}\n", 2);
}
