/* SPDX-License-Identifier: BSD-3-Clause */
/* Building lists of facts. */
#include "facts.h"

#include <stdlib.h>

#include "statistics/build.h"

void facts_begin(struct document *document, const char *name, unsigned int indent,
		 unsigned int label_width)
{
	struct table *table;

	list_begin(document, name, NULL);
	table = build_table(document);
	if (!table)
		return;
	table->is_facts = 1;
	table->indent = indent;
	table->label_width = label_width;
}

void facts_title(struct document *document, const char *format, ...)
{
	struct table *table = build_table(document);
	va_list arguments;

	if (!table)
		return;
	va_start(arguments, format);
	table->own_title = build_text_v(document, format, arguments);
	va_end(arguments);
	table->title = table->own_title;
}

void facts_entry_of(struct document *document, const char *name)
{
	struct table *table = build_table(document);

	if (table)
		table->entry_of = name;
}

void facts_follow(struct document *document)
{
	struct table *table = build_table(document);

	if (table)
		table->is_continued = 1;
}

void fact(struct document *document, const char *name)
{
	row_begin(document, "%s", name);
}

void fact_label(struct document *document, const char *format, ...)
{
	struct row *row = build_row(document);
	va_list arguments;

	if (!row)
		return;
	free(row->label);
	va_start(arguments, format);
	row->label = build_text_v(document, format, arguments);
	va_end(arguments);
}

static void say(struct document *document, enum saying_kind kind, char *text)
{
	struct row *row = text ? build_row(document) : NULL;
	struct saying *saying = row ? build_append(document, &row->sayings, &row->saying_count,
						   sizeof(*saying)) : NULL;

	if (saying)
		*saying = (struct saying){ kind, text };
	else
		free(text);
}

void fact_says(struct document *document, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(document, SAYING_WORDS, build_text_v(document, format, arguments));
	va_end(arguments);
}

void fact_says_line(struct document *document, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(document, SAYING_LINE, build_text_v(document, format, arguments));
	va_end(arguments);
}

void fact_says_word(struct document *document, const char *word)
{
	say(document, SAYING_WORD, build_text(document, "%s", word));
}

void fact_text(struct document *document, const char *name, const char *label, const char *text)
{
	fact(document, name);
	if (text)
		cell_text(document, "%s", text);
	else
		cell_absent(document);
	if (label)
		fact_label(document, "%s", label);
}

void fact_count(struct document *document, const char *name, uint64_t count)
{
	fact(document, name);
	cell_count(document, count);
}

void fact_known(struct document *document, const char *name, double decimal)
{
	fact(document, name);
	cell_known(document, decimal);
}

void fact_bool(struct document *document, const char *name, int is_so)
{
	fact(document, name);
	cell_bool(document, is_so);
}
