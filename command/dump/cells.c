/* SPDX-License-Identifier: BSD-3-Clause */
/* What the formats of precis dump have in common: cells without a fixed width, and reasons. */
#include "dump.h"
#include "document/quote.h"

void dump_why(struct dump *dump, const struct column *column, const struct precis_sample *sample,
	      struct part_absence *why)
{
	enum precis_field field = (enum precis_field)column->field;

	if (column->kind == COLUMN_PART) {
		part_is_absent(&dump->parts, (enum part)column->field, why);
		return;
	}
	why->reason = precis_reason_name(precis_why_in_words(sample, field, &why->detail));
}

char *dump_put_long(struct dump *dump, uint32_t n, const struct precis_sample *sample,
		    enum value_form form, const char *start, const char *at)
{
	static void (*const put_text[])(struct output *, const char *) = {
		[VALUE_TEXT] = output_plain,
		[VALUE_CSV] = output_csv,
		[VALUE_JSON] = output_json,
	};
	const struct column *column = &dump->columns.column[n];

	output_wrote(&dump->output, (size_t)(at - start));
	if (column->kind == COLUMN_PART)
		part_put(&dump->parts, (enum part)column->field, &dump->output, form);
	else
		put_text[form](&dump->output,
			       precis_file_event(dump->file, (uint32_t)sample->value[column->field])
				       ->name);
	return dump_room(dump, dump->columns.count - n);
}
