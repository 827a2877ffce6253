/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples as text for reading and grep: name=value, absent fields left out. */
#include "dump.h"

void dump_text_begin(struct dump *dump)
{
	columns_label(&dump->columns, "", "=");
}

static char *put_reason(char *at, struct dump *dump, const struct column *column,
			const struct precis_sample *sample)
{
	struct part_absence why;

	dump_why(dump, column, sample, &why);
	at = dump_put_clamped(at, why.reason);
	*at++ = '(';
	at = dump_put_clamped(at, why.detail);
	*at++ = ')';
	return at;
}

DUMP_CELLS cells(struct dump *dump, const struct precis_sample *sample, int with_parts)
{
	const struct columns *columns = &dump->columns;
	char *start = dump_room(dump, columns->count), *at = start;
	int any = 0;

	for (uint32_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->column[i];
		int present = dump_has(dump, column, sample, with_parts);

		if (!present && !dump->reasons)
			continue;
		if (any)
			*at++ = ' ';
		any = 1;
		at = put_bytes(at, column->label, column->label_length);
		if (!present) {
			at = put_reason(at, dump, column, sample);
		} else if (column->kind == COLUMN_TIME) {
			at = put_seconds(at, sample->value[column->field]);
		} else if (column_is_long(column)) {
			start = at = dump_put_long(dump, i, sample, VALUE_TEXT, start, at);
		} else {
			at = column_put(at, column, sample->value[column->field]);
		}
	}
	output_wrote(&dump->output, (size_t)(at - start));
}

DUMP_CELLS_WITH_PARTS cells_with_parts(struct dump *dump, const struct precis_sample *sample)
{
	cells(dump, sample, 1);
}

void dump_text_cells(struct dump *dump, const struct precis_sample *sample)
{
	if (dump->parts.needs)
		cells_with_parts(dump, sample);
	else
		cells(dump, sample, 0);
}

void dump_text_sample(struct dump *dump, const struct precis_sample *sample)
{
	dump_text_cells(dump, sample);
	output_bytes(&dump->output, "\n", 1);
}
