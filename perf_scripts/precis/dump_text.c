/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples as text for reading and grep: name=value, absent fields left out. */
#include "dump.h"
#include "quote.h"

#define SECOND UINT64_C(1000000000)

void dump_text_begin(struct dump *dump)
{
	columns_label(&dump->columns, "", "=");
}

/* 3.852145000: perf's notation, to the nanosecond */
static char *put_seconds(char *at, uint64_t ns)
{
	at = put_decimal(at, ns / SECOND);
	*at++ = '.';
	*at++ = (char)('0' + ns % SECOND / 100000000);
	return put_digits(at, (uint32_t)(ns % 100000000), 8);
}

static char *put_reason(char *at, const struct precis_sample *sample, enum precis_field field)
{
	at = dump_put_clamped(at, precis_reason_name(precis_why(sample, field)));
	*at++ = '(';
	at = dump_put_clamped(at, precis_why_detail(sample, field));
	*at++ = ')';
	return at;
}

void dump_text_cells(struct dump *dump, const struct precis_sample *sample)
{
	const struct columns *columns = &dump->columns;
	char *start = dump_room(dump, columns->count), *at = start;
	int any = 0;

	for (uint32_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->column[i];
		int present = precis_fields_have(sample->present, column->field);

		if (!present && !dump->reasons)
			continue;
		if (any)
			*at++ = ' ';
		any = 1;
		at = put_bytes(at, column->label, column->label_length);
		if (!present) {
			at = put_reason(at, sample, (enum precis_field)column->field);
		} else if (column->kind == COLUMN_TIME) {
			at = put_seconds(at, sample->value[column->field]);
		} else if (column->kind == COLUMN_EVENT) {
			output_wrote(&dump->output, (size_t)(at - start));
			output_plain(&dump->output,
				     dump_event_name(dump, sample->value[column->field]));
			start = at = dump_room(dump, columns->count - i);
		} else {
			at = column_put(at, column, sample->value[column->field]);
		}
	}
	output_wrote(&dump->output, (size_t)(at - start));
}

void dump_text_sample(struct dump *dump, const struct precis_sample *sample)
{
	dump_text_cells(dump, sample);
	output_bytes(&dump->output, "\n", 1);
}
