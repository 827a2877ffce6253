/* SPDX-License-Identifier: BSD-3-Clause */
/* Growing a document at its end. */
#define _GNU_SOURCE /* vasprintf() */
#include "build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *build_append(struct document *document, void *array, size_t *count, size_t size)
{
	char *elements;

	memcpy(&elements, array, sizeof(elements));
	/* Room is a power of two: full at each of these */
	if (!(*count & (*count - 1))) {
		elements = realloc(elements, (*count ? 2 * *count : 1) * size);
		if (!elements) {
			document->failed = 1;
			return NULL;
		}
		memcpy(array, &elements, sizeof(elements));
	}
	return memset(elements + size * (*count)++, 0, size);
}

char *build_text_v(struct document *document, const char *format, va_list arguments)
{
	char *text = NULL;

	if (vasprintf(&text, format, arguments) < 0) {
		document->failed = 1;
		return NULL;
	}
	return text;
}

char *build_text(struct document *document, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = build_text_v(document, format, arguments);
	va_end(arguments);
	return text;
}

struct table *build_table(struct document *document)
{
	return document->failed || !document->count ? NULL : &document->tables[document->count - 1];
}

struct row *build_row(struct document *document)
{
	struct table *table = build_table(document);

	return table && table->row_count ? &table->rows[table->row_count - 1] : NULL;
}

struct cell *build_cell(struct document *document, enum cell_kind kind)
{
	static struct cell nowhere;
	struct table *table = build_table(document);
	struct row *row = build_row(document);
	struct cell *cell = &nowhere;

	if (row && row->set < table->column_count)
		cell = &row->cells[row->set++];
	cell->kind = kind;
	return cell;
}

/* FNV-1a */
struct note build_note_of(char *text, int is_warning)
{
	struct note note = { text, is_warning, 2166136261u };

	for (const char *at = text; *at; at++)
		note.hash = (note.hash ^ (uint8_t)*at) * 16777619u;
	return note;
}

int table_has_note(const struct table *table, const struct note *note)
{
	for (size_t n = 0; n < table->note_count; n++) {
		if (table->notes[n].hash == note->hash &&
		    strcmp(table->notes[n].text, note->text) == 0)
			return 1;
	}
	return 0;
}

void build_note(struct document *document, struct table *table, char *text, int is_warning)
{
	struct note *note = build_append(document, &table->notes, &table->note_count, sizeof(*note));

	if (note)
		*note = build_note_of(text, is_warning);
	else
		free(text);
}
