/* SPDX-License-Identifier: BSD-3-Clause */
/* A document as text: titles, tables, lists, notes, as wide as the output is. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "print.h"
#include "quote.h"
#include "text_facts.h"
#include "text_table.h"
#include "wrap.h"

#define LIST_INDENT 13u

static void print_wrapped(struct output *output, const char *text, size_t at, size_t column)
{
	struct wrap wrap = wrap_begin_hanging(output, at, column);

	wrap_text(&wrap, text);
	output_text(output, "\n");
}

/* Names and values; counts share lines */
static void print_list(struct output *output, const struct table *table)
{
	char text[TEXT_CELL], item[TEXT_CELL + 64];
	size_t at = 0;

	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];

		text_format_cell(&row->cells[0], output->is_utf8, text);
		if (row->cells[0].kind != CELL_COUNT) {
			snprintf(item, sizeof(item), "  %-10s ", row->name);
			output_text(output, at ? "\n" : "");
			output_plain(output, item);
			print_wrapped(output,
				      row->cells[0].text ? row->cells[0].text : text,
				      LIST_INDENT, LIST_INDENT);
			at = 0;
			continue;
		}
		snprintf(item, sizeof(item), "  %s %s", row->name, text);
		if (at && at + plain_width(item) > output->width) {
			output_text(output, "\n");
			at = 0;
		}
		output_plain(output, item);
		at += plain_width(item);
	}
	output_text(output, at ? "\n" : "");
}

static void print_coverage(struct output *output, const struct coverage *coverage)
{
	struct wrap wrap = wrap_begin_hanging(output, 2, 4);
	char text[1024];

	if (coverage->present == coverage->of)
		return;
	text_style(output, TEXT_FAINT);
	text_pad(output, 2);
	snprintf(text, sizeof(text), "%s: in %" PRIu64 " of %" PRIu64 "; absent:", coverage->field,
		 coverage->present, coverage->of);
	wrap_text(&wrap, text);
	for (size_t i = 0; i < coverage->absence_count; i++) {
		const struct absence *absence = &coverage->absences[i];

		snprintf(text, sizeof(text), "%" PRIu64 " %s (%s)%s", absence->samples,
			 absence->reason, absence->detail,
			 i + 1 < coverage->absence_count ? "," : "");
		wrap_text(&wrap, text);
	}
	output_text(output, "\n");
	text_style(output, TEXT_PLAIN);
}

static void print_title(struct output *output, const struct table *table)
{
	if (!table->title)
		return;
	text_style(output, TEXT_BOLD);
	print_wrapped(output, table->title, 0, 2);
	text_style(output, TEXT_PLAIN);
}

/* A table that continues others need not say again what stands below one of them. */
static int is_told(const struct table *table, const struct note *note)
{
	while (table->is_continued) {
		table--;
		if (table_has_note(table, note))
			return 1;
	}
	return 0;
}

static void print_note(struct output *output, const struct table *table, const struct note *note)
{
	if (is_told(table, note))
		return;
	text_style(output, table->is_list || note->is_warning ? TEXT_YELLOW : TEXT_FAINT);
	text_pad(output, 2);
	print_wrapped(output, note->text, 2, 4);
	text_style(output, TEXT_PLAIN);
}

/* What JSON and CSV alone have leaves no gap. */
static int is_there(const struct table *table)
{
	return !table->is_facts || text_has_facts(table);
}

static void print_body(struct output *output, const struct document *document, size_t number)
{
	const struct table *table = &document->tables[number];

	if (table->is_facts)
		text_print_facts(output, table);
	else if (table->is_list)
		print_list(output, table);
	else
		text_print_table(output, document, number);
}

void document_print_text(struct output *output, const struct document *document)
{
	int any = 0;

	for (size_t i = 0; i < document->count; i++) {
		const struct table *table = &document->tables[i];

		if (!is_there(table))
			continue;
		if (!table->is_continued) {
			output_text(output, any ? "\n" : "");
			print_title(output, table);
		}
		any = 1;
		print_body(output, document, i);
		for (size_t n = 0; n < table->note_count; n++)
			print_note(output, table, &table->notes[n]);
		for (size_t n = 0; n < table->coverage_count; n++)
			print_coverage(output, &table->coverages[n]);
	}
}
