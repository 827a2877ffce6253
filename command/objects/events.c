/* SPDX-License-Identifier: BSD-3-Clause */
/* See events.h. */
#include "events.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "document/json.h"
#include "document/quote.h"

#define TEXT_BYTES 8192

enum value_kind { NUMBER, HEXADECIMAL, DECIMAL, TEXT };

/* What an event has, and without which bits of 'present' it has it not */
enum {
	TIME,
	MONOTONIC,
	MONOTONIC_ERROR,
	TID,
	OPERATION,
	ADDRESS,
	BYTES,
	PROBABILITY,
	COUNT,
	STRIDE,
	FILE_OFFSET,
	NAME,
	KIND,
	STACK,
	FRAMES,
	COLUMNS
};

static const struct {
	const char *name;
	enum value_kind kind;
	uint32_t present;
} columns[COLUMNS] = {
	[TIME] = { "time", NUMBER, 0 },
	[MONOTONIC] = { "monotonic_ns", NUMBER, 0 },
	[MONOTONIC_ERROR] = { "monotonic_error_ns", NUMBER, 0 },
	[TID] = { "tid", NUMBER, 0 },
	[OPERATION] = { "operation", TEXT, 0 },
	[ADDRESS] = { "address", HEXADECIMAL, PRECIS_OBJECT_HAS_ADDRESS },
	[BYTES] = { "bytes", NUMBER, PRECIS_OBJECT_HAS_BYTES },
	[PROBABILITY] = { "probability", DECIMAL, PRECIS_OBJECT_HAS_PROBABILITY },
	[COUNT] = { "count", NUMBER, PRECIS_OBJECT_HAS_ARRAY },
	[STRIDE] = { "stride", NUMBER, PRECIS_OBJECT_HAS_ARRAY },
	[FILE_OFFSET] = { "file_offset", HEXADECIMAL, PRECIS_OBJECT_HAS_FILE_OFFSET },
	[NAME] = { "name", TEXT, PRECIS_OBJECT_HAS_NAME },
	[KIND] = { "type", TEXT, PRECIS_OBJECT_HAS_TYPE },
	[STACK] = { "stack", NUMBER, PRECIS_OBJECT_HAS_STACK },
	[FRAMES] = { "frames", TEXT, PRECIS_OBJECT_HAS_STACK },
};

struct value {
	int is_there;
	uint64_t number;
	double decimal;
	const char *text;
};

static void set(struct value *value, uint64_t number)
{
	value->number = number;
	value->is_there = 1;
}

static void set_text(struct value *value, const char *text)
{
	value->text = text;
	value->is_there = text != NULL;
}

/* The program itself is told by "". */
static const char *name_of(const struct event_list *list, const struct precis_object_event *event)
{
	const char *name = precis_object_file_string(list->file, event->name);
	const int is_program =
		event->operation == PRECIS_OBJECT_MODULE || event->operation == PRECIS_OBJECT_TLS;

	return name && !*name && is_program ? list->frames->executable : name;
}

static void take(const struct event_list *list, const struct precis_object_event *event,
		 struct value values[COLUMNS], char room[TEXT_BYTES])
{
	uint64_t ns, error;

	memset(values, 0, COLUMNS * sizeof(*values));
	set(&values[TIME], event->time);
	if (!precis_object_file_monotonic(list->file, event->time, &ns, &error)) {
		set(&values[MONOTONIC], ns);
		set(&values[MONOTONIC_ERROR], error);
	}
	set(&values[TID], event->tid);
	set_text(&values[OPERATION], precis_object_operation_name(event->operation));
	set(&values[ADDRESS], event->address);
	set(&values[BYTES], event->bytes);
	set(&values[PROBABILITY], 0);
	values[PROBABILITY].decimal = event->probability;
	set(&values[COUNT], event->count);
	set(&values[STRIDE], event->stride);
	set(&values[FILE_OFFSET], event->file_offset);
	set_text(&values[NAME], name_of(list, event));
	set_text(&values[KIND], precis_object_file_string(list->file, event->type));
	set(&values[STACK], event->stack);
	if (event->present & PRECIS_OBJECT_HAS_STACK)
		set_text(&values[FRAMES],
			 frames_text(list->frames, event->stack, 0, list->depth, room, TEXT_BYTES));
	for (size_t n = 0; n < COLUMNS; n++)
		values[n].is_there &= (event->present & columns[n].present) == columns[n].present;
}

static void put_json(const struct event_list *list, const struct value *values)
{
	struct json json = { .output = list->output };

	json_object(&json, NULL);
	for (size_t n = 0; n < COLUMNS; n++) {
		if (!values[n].is_there)
			continue;
		switch (columns[n].kind) {
		case NUMBER: json_number(&json, columns[n].name, values[n].number); break;
		case HEXADECIMAL: json_hex(&json, columns[n].name, values[n].number); break;
		case DECIMAL: json_decimal(&json, columns[n].name, values[n].decimal, 17); break;
		default: json_text(&json, columns[n].name, values[n].text);
		}
	}
	json_object_end(&json);
}

/* A number; of text nothing */
static void put_number(struct output *output, enum value_kind kind, const struct value *value)
{
	if (kind == NUMBER)
		output_format(output, "%" PRIu64, value->number);
	else if (kind == HEXADECIMAL)
		output_format(output, "0x%" PRIx64, value->number);
	else if (kind == DECIMAL)
		output_format(output, "%.17g", value->decimal);
}

static void put_csv(const struct event_list *list, const struct value *values)
{
	for (size_t n = 0; n < COLUMNS; n++) {
		if (n)
			output_bytes(list->output, ",", 1);
		if (!values[n].is_there)
			continue;
		put_number(list->output, columns[n].kind, &values[n]);
		if (columns[n].kind == TEXT)
			output_csv(list->output, values[n].text);
	}
	output_bytes(list->output, "\n", 1);
}

static void put_text(const struct event_list *list, const struct value *values)
{
	for (size_t n = 0; n < COLUMNS; n++) {
		if (!values[n].is_there)
			continue;
		output_format(list->output, "%s%s=", n ? " " : "", columns[n].name);
		put_number(list->output, columns[n].kind, &values[n]);
		if (columns[n].kind == TEXT)
			output_plain(list->output, values[n].text);
	}
	output_bytes(list->output, "\n", 1);
}

void events_begin(const struct event_list *list)
{
	if (list->format != PAGE_CSV)
		return;
	for (size_t n = 0; n < COLUMNS; n++)
		output_format(list->output, "%s%s", n ? "," : "", columns[n].name);
	output_bytes(list->output, "\n", 1);
}

void events_put(const struct event_list *list, const struct precis_object_event *event)
{
	struct value values[COLUMNS];
	char room[TEXT_BYTES];

	take(list, event, values, room);
	switch (list->format) {
	case PAGE_JSON: put_json(list, values); break;
	case PAGE_CSV: put_csv(list, values); break;
	default: put_text(list, values);
	}
}
