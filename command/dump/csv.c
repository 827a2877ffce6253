/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples as CSV (RFC 4180, with line feeds): a header, a cell for each column, empty if absent. */
#include "dump.h"

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

DUMP_CELLS cells(struct dump *dump, const struct precis_sample *sample, int with_parts)
{
	const struct columns *columns = &dump->columns;
	char *start = dump_room(dump, columns->count), *at = start;

	for (uint32_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->column[i];
		struct part_absence why;

		if (i)
			*at++ = ',';
		if (!dump_has(dump, column, sample, with_parts)) {
			if (!dump->reasons)
				continue;
			dump_why(dump, column, sample, &why);
			at = dump_put_clamped(at, why.reason);
		} else if (!column_is_long(column)) {
			at = column_put(at, column, sample->value[column->field]);
		} else {
			start = at = dump_put_long(dump, i, sample, VALUE_CSV, start, at);
		}
	}
	output_wrote(&dump->output, (size_t)(at - start));
}

DUMP_CELLS_WITH_PARTS cells_with_parts(struct dump *dump, const struct precis_sample *sample)
{
	cells(dump, sample, 1);
}

void dump_csv_cells(struct dump *dump, const struct precis_sample *sample)
{
	if (dump->parts.needs)
		cells_with_parts(dump, sample);
	else
		cells(dump, sample, 0);
}

void dump_csv_sample(struct dump *dump, const struct precis_sample *sample)
{
	dump_csv_cells(dump, sample);
	output_bytes(&dump->output, "\n", 1);
}
