/* SPDX-License-Identifier: BSD-3-Clause */
#include "pebs_tables.h"

void pebs_table_begin(struct document *document, const struct pebs_table_of *of, const char *name,
		      const char *title, const char *row_title, const struct column *columns,
		      size_t column_count, uint32_t topics)
{
	table_begin(document, name, title, row_title, columns, column_count);
	if (of->is_one_of_several)
		table_of_event(document, of->event->number);
	table_about(document, topics, of->event->number);
}
