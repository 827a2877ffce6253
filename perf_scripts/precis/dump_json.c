/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples as JSON lines: an object each, absent fields left out. Addresses and
 * words of bits are strings, "0x…": readers that keep numbers in a double lose
 * their low bits.
 */
#include "dump.h"
#include "quote.h"

void dump_json_begin(struct dump *dump)
{
	columns_label(&dump->columns, "\"", "\":");
}

static char *put_value(char *at, const struct column *column, uint64_t value)
{
	int quoted = column->kind == COLUMN_HEX ||
		     (column->kind == COLUMN_NAME && value < COLUMN_NAMES &&
		      column->names->value[value].length);

	if (column->kind == COLUMN_BOOL)
		return value ? put_bytes(at, "true", 4) : put_bytes(at, "false", 5);
	if (quoted)
		*at++ = '"';
	at = column_put(at, column, value);
	if (quoted)
		*at++ = '"';
	return at;
}

static void reasons(struct dump *dump, const struct precis_sample *sample, int any)
{
	const struct columns *columns = &dump->columns;
	char *start = dump_room(dump, columns->count), *at = start;
	int any_reason = 0;

	if (any)
		*at++ = ',';
	at = put_bytes(at, "\"reasons\":{", 11);
	for (uint32_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->column[i];
		enum precis_field field = (enum precis_field)column->field;

		if (precis_fields_have(sample->present, column->field))
			continue;
		if (any_reason)
			*at++ = ',';
		any_reason = 1;
		at = put_bytes(at, column->label, column->label_length);
		*at++ = '"';
		at = dump_put_clamped(at, precis_reason_name(precis_why(sample, field)));
		at = put_bytes(at, ": ", 2);
		at = dump_put_clamped(at, precis_why_detail(sample, field));
		*at++ = '"';
	}
	*at++ = '}';
	output_wrote(&dump->output, (size_t)(at - start));
}

/* With the object's opening brace, without its closing one. */
void dump_json_cells(struct dump *dump, const struct precis_sample *sample)
{
	const struct columns *columns = &dump->columns;
	char *start = dump_room(dump, columns->count), *at = start;
	int any = 0;

	*at++ = '{';
	for (uint32_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->column[i];

		if (!precis_fields_have(sample->present, column->field))
			continue;
		if (any)
			*at++ = ',';
		any = 1;
		at = put_bytes(at, column->label, column->label_length);
		if (column->kind != COLUMN_EVENT) {
			at = put_value(at, column, sample->value[column->field]);
			continue;
		}
		output_wrote(&dump->output, (size_t)(at - start));
		output_json(&dump->output, dump_event_name(dump, sample->value[column->field]));
		start = at = dump_room(dump, columns->count - i);
	}
	output_wrote(&dump->output, (size_t)(at - start));
	if (dump->reasons)
		reasons(dump, sample, any);
}

void dump_json_sample(struct dump *dump, const struct precis_sample *sample)
{
	dump_json_cells(dump, sample);
	output_bytes(&dump->output, "}\n", 2);
}
