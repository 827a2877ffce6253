/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples as CSV (RFC 4180, with line feeds): a header, a cell for each column, empty if absent. */
#include "dump.h"
#include "quote.h"

void dump_csv_header(struct dump *dump)
{
	for (uint32_t i = 0; i < dump->columns.count; i++) {
		if (i)
			output_bytes(&dump->output, ",", 1);
		output_text(&dump->output, dump->columns.column[i].name);
	}
}

void dump_csv_begin(struct dump *dump)
{
	dump_csv_header(dump);
	output_bytes(&dump->output, "\n", 1);
}

void dump_csv_cells(struct dump *dump, const struct precis_sample *sample)
{
	const struct columns *columns = &dump->columns;
	char *start = dump_room(dump, columns->count), *at = start;

	for (uint32_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->column[i];
		uint32_t field = column->field;

		if (i)
			*at++ = ',';
		if (!precis_fields_have(sample->present, field)) {
			if (dump->reasons)
				at = dump_put_clamped(
					at, precis_reason_name(precis_why(
						    sample, (enum precis_field)field)));
		} else if (column->kind != COLUMN_EVENT) {
			at = column_put(at, column, sample->value[field]);
		} else {
			output_wrote(&dump->output, (size_t)(at - start));
			output_csv(&dump->output, dump_event_name(dump, sample->value[field]));
			start = at = dump_room(dump, columns->count - i);
		}
	}
	output_wrote(&dump->output, (size_t)(at - start));
}

void dump_csv_sample(struct dump *dump, const struct precis_sample *sample)
{
	dump_csv_cells(dump, sample);
	output_bytes(&dump->output, "\n", 1);
}
