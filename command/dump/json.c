/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples as JSON lines: an object each, absent fields left out. Addresses and
 * words of bits are strings, "0x…": readers that keep numbers in a double lose
 * their low bits.
 */
#include "dump.h"

void dump_json_begin(struct dump *dump)
{
	columns_label(&dump->columns, "\"", "\":");
}

static inline __attribute__((always_inline)) char *put_value(char *at, const struct column *column,
							     uint64_t value)
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
		struct part_absence why;

		if (dump_has(dump, column, sample, 1))
			continue;
		dump_why(dump, column, sample, &why);
		if (any_reason)
			*at++ = ',';
		any_reason = 1;
		at = put_bytes(at, column->label, column->label_length);
		*at++ = '"';
		at = dump_put_clamped(at, why.reason);
		at = put_bytes(at, ": ", 2);
		at = dump_put_clamped(at, why.detail);
		*at++ = '"';
	}
	*at++ = '}';
	output_wrote(&dump->output, (size_t)(at - start));
}

DUMP_CELLS cells(struct dump *dump, const struct precis_sample *sample, int with_parts)
{
	const struct columns *columns = &dump->columns;
	char *start = dump_room(dump, columns->count), *at = start;
	int any = 0;

	*at++ = '{';
	for (uint32_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->column[i];

		if (!dump_has(dump, column, sample, with_parts))
			continue;
		if (any)
			*at++ = ',';
		any = 1;
		at = put_bytes(at, column->label, column->label_length);
		if (column_is_long(column))
			start = at = dump_put_long(dump, i, sample, VALUE_JSON, start, at);
		else
			at = put_value(at, column, sample->value[column->field]);
	}
	output_wrote(&dump->output, (size_t)(at - start));
	if (dump->reasons)
		reasons(dump, sample, any);
}

DUMP_CELLS_WITH_PARTS cells_with_parts(struct dump *dump, const struct precis_sample *sample)
{
	cells(dump, sample, 1);
}

/* With the object's opening brace, without its closing one. */
void dump_json_cells(struct dump *dump, const struct precis_sample *sample)
{
	if (dump->parts.needs)
		cells_with_parts(dump, sample);
	else
		cells(dump, sample, 0);
}

void dump_json_comma(struct dump *dump)
{
	const struct output *output = &dump->output;

	if (!output->used || output->buffer[output->used - 1] != '{')
		output_bytes(&dump->output, ",", 1);
}

void dump_json_sample(struct dump *dump, const struct precis_sample *sample)
{
	dump_json_cells(dump, sample);
	output_bytes(&dump->output, "}\n", 2);
}
