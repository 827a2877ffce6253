/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples as record batches of Arrow's: a column for each field, 64-bit values and a bit map of
 * which are there as <precis/columns.h> has them, so that these go out as they are.
 */
#define _GNU_SOURCE /* stpcpy() */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "about.h"
#include "arrow_ipc.h"
#include "cells.h"
#include "export.h"

#define ROWS PRECIS_COLUMNS_ROWS
#define TEXT_MOST (4u << 20) /* bytes of text that end a batch */
#define NAMES_MOST (COLUMN_NAMES + 1)
#define METADATA 5

/* A column of the output, and of the batch that is filled */
struct filling {
	const struct column *column; /* whose */
	int is_reason; /* why that is absent */
	const char *name; /* to be freed if 'is_reason' */
	enum arrow_type type;
	struct arrow_pair metadata[METADATA];
	const char *names[NAMES_MOST]; /* of ARROW_NAMES */
	int8_t index[COLUMN_NAMES]; /* likewise: by value; -1: none */
	uint64_t nulls;
	uint8_t validity[ROWS / 8];
	union {
		uint64_t number[ROWS];
		uint8_t bits[ROWS / 8];
		int8_t name[ROWS];
	} values;
	int32_t starts[ROWS + 1]; /* of text */
	char *text;
	size_t room;
};

struct state {
	struct arrow arrow;
	struct cells cells;
	struct filling *filling;
	struct arrow_column *columns;
	struct arrow_values *values;
	uint32_t count, rows;
	struct about about;
	struct arrow_pair metadata[ABOUT_MOST + 1];
	char number_names[COLUMN_NAMES][4]; /* of values that have none */
};

/* --- columns --- */

/* All that have names; of a privilege, three bits of a record, the others as numbers as well */
static uint32_t fill_names(struct state *state, struct filling *filling)
{
	struct precis_field_info info = { .size = sizeof(info) };
	uint32_t count = 0;

	precis_field_info(filling->column->field, &info);
	for (uint32_t value = 0; value < COLUMN_NAMES; value++) {
		const char *name = precis_type_value_name(info.type, value);

		snprintf(state->number_names[value], sizeof(state->number_names[value]), "%u",
			 value % 100);
		filling->index[value] = -1;
		if (!name && info.type == PRECIS_TYPE_CPUMODE && value < 8)
			name = state->number_names[value];
		if (!name)
			continue;
		filling->names[count] = name;
		filling->index[value] = (int8_t)count++;
	}
	return count;
}

static void fill_metadata(struct filling *filling)
{
	const char *unit = exported_unit(filling->column);
	uint32_t n = 0;

	filling->metadata[n++] = (struct arrow_pair){ "type", exported_type_name(filling->column) };
	if (*unit)
		filling->metadata[n++] = (struct arrow_pair){ "unit", unit };
	filling->metadata[n] = (struct arrow_pair){ "meaning", exported_meaning(filling->column) };
}

static const enum arrow_type types[] = {
	[EXPORTED_UNSIGNED] = ARROW_UINT64, [EXPORTED_SIGNED] = ARROW_INT64, [EXPORTED_BOOL] = ARROW_BOOL,
	[EXPORTED_NAME] = ARROW_NAMES,      [EXPORTED_TEXT] = ARROW_TEXT,
};

static void describe(struct state *state, uint32_t n)
{
	struct filling *filling = &state->filling[n];
	struct arrow_column *column = &state->columns[n];

	if (filling->is_reason)
		filling->metadata[0] = (struct arrow_pair){ "reason_of", filling->column->name };
	else
		fill_metadata(filling);
	column->name = filling->name;
	column->type = filling->type = filling->is_reason ? ARROW_TEXT :
							    types[exported_type(filling->column)];
	column->metadata = filling->metadata;
	column->names = filling->names;
	if (column->type == ARROW_NAMES)
		column->name_count = fill_names(state, filling);
}

/* 0, or -1 if memory is short */
static int choose_columns(struct state *state, const struct columns *columns, int reasons)
{
	for (uint32_t n = 0; n < columns->count; n++) {
		struct filling *filling = &state->filling[state->count++];
		char *name;

		filling->column = &columns->column[n];
		filling->name = filling->column->name;
		if (!reasons)
			continue;
		name = malloc(strlen(filling->name) + sizeof("_reason"));
		if (!name)
			return -1;
		strcpy(stpcpy(name, filling->name), "_reason");
		filling = &state->filling[state->count++];
		filling->column = &columns->column[n];
		filling->is_reason = 1;
		filling->name = name;
	}
	for (uint32_t n = 0; n < state->count; n++)
		describe(state, n);
	return 0;
}

/* 0, or -1 if memory is short */
static int open_state(struct export *export, struct state *state)
{
	uint32_t count = export->dump.columns.count * (export->dump.reasons ? 2 : 1);

	state->filling = calloc(count + 1, sizeof(*state->filling));
	state->columns = calloc(count + 1, sizeof(*state->columns));
	state->values = calloc(count + 1, sizeof(*state->values));
	return !state->filling || !state->columns || !state->values || cells_open(&state->cells) ||
			       choose_columns(state, &export->dump.columns, export->dump.reasons) ?
		       -1 : 0;
}

static int open_arrow(struct export *export)
{
	struct state *state = export->state = calloc(1, sizeof(*state));

	if (state && !open_state(export, state))
		return 0;
	export_out_of_memory(export);
	return -1;
}

static void begin(struct dump *dump)
{
	struct export *export = export_of(dump);
	struct state *state = export->state;

	about_recording(&state->about, dump->recording);
	for (uint32_t n = 0; n < state->about.count; n++)
		state->metadata[n] = (struct arrow_pair){ state->about.fact[n].key,
							  state->about.fact[n].value };
	if (arrow_begin(&state->arrow, &dump->output,
			export->format == &export_arrow, state->columns, state->count,
			state->metadata))
		export_out_of_memory(export);
}

/* --- rows --- */

static void set_bit(uint8_t *bits, uint32_t n, unsigned int value)
{
	uint8_t mask = (uint8_t)(1u << n % 8);

	if (n % 8 == 0) /* the first of its byte: the others are 0 so far */
		bits[n / 8] = 0;
	if (value)
		bits[n / 8] |= mask;
}

/* 0, or -1 if memory is short */
static int put_text(struct filling *filling, uint32_t row, const struct exported *cell)
{
	size_t start = (size_t)filling->starts[row], length = cell->is_absent ? 0 : cell->length;

	if (length > filling->room - start) {
		size_t room = 2 * filling->room + length + 4096;
		char *more = realloc(filling->text, room);

		if (!more)
			return -1;
		filling->text = more;
		filling->room = room;
	}
	if (length)
		memcpy(filling->text + start, cell->text, length);
	filling->starts[row + 1] = (int32_t)(start + length);
	return 0;
}

static void put_name(struct filling *filling, uint32_t row, struct exported *cell)
{
	int8_t index = cell->is_absent || cell->number >= COLUMN_NAMES ? -1 :
									  filling->index[cell->number];

	cell->is_absent = index < 0;
	filling->values.name[row] = index < 0 ? 0 : index;
}

/* 0, or -1 if memory is short */
static int put_cell(struct filling *filling, uint32_t row, struct exported *cell)
{
	int failed = 0;

	switch (filling->type) {
	case ARROW_BOOL:
		set_bit(filling->values.bits, row, !cell->is_absent && cell->number);
		break;
	case ARROW_NAMES:
		put_name(filling, row, cell);
		break;
	case ARROW_TEXT:
		failed = put_text(filling, row, cell);
		break;
	default:
		filling->values.number[row] = cell->is_absent ? 0 : cell->number;
	}
	set_bit(filling->validity, row, !cell->is_absent);
	filling->nulls += (unsigned int)cell->is_absent;
	return failed;
}

/* What has been filled; the next batch begins */
static struct arrow_values values_of(struct filling *filling)
{
	const struct arrow_values values = {
		.validity = filling->validity,
		.nulls = filling->nulls,
		.values = filling->type == ARROW_TEXT ? (const void *)filling->text :
							(const void *)&filling->values,
		.starts = filling->starts,
	};

	filling->nulls = 0;
	return values;
}

/* A column of a batch that does not go out as it is. 0, or -1 if memory is short */
static int fill_column(struct export *export, struct filling *filling,
		       const struct precis_column *column, uint32_t rows)
{
	struct state *state = export->state;
	int failed = 0;

	for (uint32_t row = 0; row < rows && !failed; row++) {
		struct exported cell = {
			.is_absent = !(column->validity[row / 8] >> row % 8 & 1),
			.number = column->values[row],
		};

		if (filling->type == ARROW_TEXT && !cell.is_absent)
			exported_event(&state->cells, &export->dump, cell.number, &cell);
		failed = put_cell(filling, row, &cell);
	}
	return failed;
}

static void take_batch(struct export *export, const struct precis_columns *columns, uint32_t rows)
{
	struct state *state = export->state;

	for (uint32_t n = 0; n < state->count; n++) {
		struct precis_column column = { .size = sizeof(column) };
		struct filling *filling = &state->filling[n];

		precis_columns_get(columns, n, &column);
		if (filling->type == ARROW_UINT64 || filling->type == ARROW_INT64) {
			state->values[n] = (struct arrow_values){
				.validity = column.validity,
				.nulls = column.nulls,
				.values = column.values,
			};
		} else if (fill_column(export, filling, &column, rows)) {
			export_out_of_memory(export);
			return;
		} else {
			state->values[n] = values_of(filling);
		}
	}
	if (rows && arrow_batch(&state->arrow, rows, state->values))
		export_out_of_memory(export);
}

static void flush(struct export *export)
{
	struct state *state = export->state;

	for (uint32_t n = 0; n < state->count; n++)
		state->values[n] = values_of(&state->filling[n]);
	if (state->rows && arrow_batch(&state->arrow, state->rows, state->values))
		export_out_of_memory(export);
	state->rows = 0;
}

static void take(struct dump *dump, const struct precis_sample *sample)
{
	struct export *export = export_of(dump);
	struct state *state = export->state;
	size_t text = 0;
	int failed = 0;

	for (uint32_t n = 0; n < state->count && !failed; n++) {
		struct filling *filling = &state->filling[n];
		struct exported cell = { .number = 0 };

		if (!filling->is_reason)
			exported_get(&state->cells, dump, filling->column, sample, &cell);
		else if (dump_has(dump, filling->column, sample, 1))
			cell.is_absent = 1;
		else
			exported_reason(&state->cells, dump, filling->column, sample, &cell);
		failed = put_cell(filling, state->rows, &cell);
		if (filling->type == ARROW_TEXT)
			text += (size_t)filling->starts[state->rows + 1];
	}
	if (failed) {
		export_out_of_memory(export);
		return;
	}
	if (++state->rows == ROWS || text > TEXT_MOST)
		flush(export);
}

static void end(struct dump *dump)
{
	struct export *export = export_of(dump);
	struct state *state = export->state;

	flush(export);
	if (arrow_end(&state->arrow))
		export_out_of_memory(export);
	cells_say_what_is_missing(&state->cells, dump->recording);
}

static void close_arrow(struct export *export)
{
	struct state *state = export->state;

	for (uint32_t n = 0; state->filling && n < state->count; n++) {
		if (state->filling[n].is_reason)
			free((char *)(uintptr_t)state->filling[n].name);
		free(state->filling[n].text);
	}
	arrow_free(&state->arrow);
	cells_close(&state->cells);
	free(state->filling);
	free(state->columns);
	free(state->values);
	free(state);
}

#define TAKES (EXPORT_FIELDS | EXPORT_REASONS | EXPORT_SORTED | EXPORT_BINARY)

const struct export_format export_arrow = {
	.dump = { "arrow", begin, take, end, NULL },
	.takes = TAKES,
	.open = open_arrow,
	.close = close_arrow,
	.batch = take_batch,
};

const struct export_format export_arrow_stream = {
	.dump = { "arrow-stream", begin, take, end, NULL },
	.takes = TAKES,
	.open = open_arrow,
	.close = close_arrow,
	.batch = take_batch,
};
