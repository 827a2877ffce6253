/* SPDX-License-Identifier: BSD-3-Clause */
/* See cells.h. */
#include "cells.h"

#include <inttypes.h>
#include <stdlib.h>

#include "command/usage/complain.h"
#include "document/quote.h"

int cells_open(struct cells *cells)
{
	cells->text.fd = -1;
	cells->text.buffer = malloc(OUTPUT_BUFFER);
	return cells->text.buffer ? 0 : -1;
}

void cells_close(struct cells *cells)
{
	free(cells->text.buffer);
	memset(cells, 0, sizeof(*cells));
}

void cells_say_what_is_missing(const struct cells *cells, const struct recording *recording)
{
	if (cells->too_long)
		complain(recording->command,
			 "%s: %" PRIu64 " texts of more than %u bytes are left out",
			 recording->path, cells->too_long, EXPORTED_TEXT_MOST);
}

enum exported_type exported_type(const struct column *column)
{
	switch ((enum column_kind)column->kind) {
	case COLUMN_SIGNED:
		return EXPORTED_SIGNED;
	case COLUMN_BOOL:
		return EXPORTED_BOOL;
	case COLUMN_NAME:
		return EXPORTED_NAME;
	case COLUMN_EVENT:
		return EXPORTED_TEXT;
	case COLUMN_PART:
		return part_info((enum part)column->field)->type == PART_TEXT ? EXPORTED_TEXT :
										 EXPORTED_UNSIGNED;
	default:
		return EXPORTED_UNSIGNED;
	}
}

static struct precis_field_info info_of(const struct column *column)
{
	struct precis_field_info info = { .size = sizeof(info) };

	precis_field_info(column->field, &info);
	return info;
}

const char *exported_type_name(const struct column *column)
{
	if (column->kind == COLUMN_PART)
		return part_type_name(part_info((enum part)column->field)->type);
	return precis_type_name(info_of(column).type);
}

const char *exported_unit(const struct column *column)
{
	if (column->kind == COLUMN_PART)
		return part_info((enum part)column->field)->unit;
	return precis_unit_name(info_of(column).unit);
}

const char *exported_meaning(const struct column *column)
{
	if (column->kind == COLUMN_PART)
		return part_info((enum part)column->field)->meaning;
	return info_of(column).meaning;
}

static void begin_text(struct cells *cells)
{
	cells->text.used = 0;
	cells->text.failed = 0;
}

/* What has been written since. What did not fit was written to nowhere, which failed. */
static void end_text(struct cells *cells, struct exported *cell)
{
	cell->is_absent = cells->text.failed || cells->text.used > EXPORTED_TEXT_MOST;
	cells->too_long += (unsigned int)cell->is_absent;
	if (cell->is_absent)
		cells->text.used = 0;
	cells->text.buffer[cells->text.used] = '\0';
	cell->text = cells->text.buffer;
	cell->length = cells->text.used;
}

static void get_part(struct cells *cells, struct dump *dump, const struct column *column,
		     struct exported *cell)
{
	begin_text(cells);
	part_put(&dump->parts, (enum part)column->field, &cells->text, VALUE_TEXT);
	end_text(cells, cell);
	if (exported_type(column) != EXPORTED_TEXT) /* decimal, or 0x and hexadecimal */
		cell->number = strtoull(cell->text, NULL, 0);
}

void exported_event(struct cells *cells, struct dump *dump, uint64_t number, struct exported *cell)
{
	begin_text(cells);
	output_plain(&cells->text, precis_file_event(dump->file, (uint32_t)number)->name);
	end_text(cells, cell);
}

void exported_get(struct cells *cells, struct dump *dump, const struct column *column,
	      const struct precis_sample *sample, struct exported *cell)
{
	cell->is_absent = !dump_has(dump, column, sample, 1);
	if (cell->is_absent)
		return;
	if (column->kind == COLUMN_PART) {
		get_part(cells, dump, column, cell);
		return;
	}
	cell->number = sample->value[column->field];
	if (column->kind == COLUMN_EVENT)
		exported_event(cells, dump, cell->number, cell);
}

void exported_reason(struct cells *cells, struct dump *dump, const struct column *column,
		 const struct precis_sample *sample, struct exported *cell)
{
	struct part_absence why;

	dump_why(dump, column, sample, &why);
	begin_text(cells);
	output_format(&cells->text, "%s: %s", why.reason, why.detail);
	end_text(cells, cell);
}
