/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists, members, text and bytes in each form. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "number_text.h"
#include "quote.h"
#include "value_sink.h"

#define BYTES_AT_ONCE 4096u

void value_begin(struct value_sink *sink, struct output *output, enum value_form form, int quoted)
{
	memset(sink, 0, sizeof(*sink));
	sink->output = output;
	sink->form = form;
	sink->quoted = quoted && form == VALUE_CSV;
	if (sink->quoted)
		output_bytes(output, "\"", 1);
}

void value_end(struct value_sink *sink)
{
	if (sink->quoted)
		output_bytes(sink->output, "\"", 1);
}

static char separator(const struct value_sink *sink)
{
	return sink->form == VALUE_JSON || sink->members[sink->depth] ? ',' : ';';
}

/* What comes next is one more at this depth. */
static void next(struct value_sink *sink)
{
	const char between = separator(sink);

	if (sink->depth && !sink->has_key) {
		if (sink->any[sink->depth])
			output_bytes(sink->output, &between, 1);
		sink->any[sink->depth] = 1;
	}
	sink->has_key = 0;
}

static void open(struct value_sink *sink, const char *bracket, unsigned char members)
{
	next(sink);
	if (sink->form == VALUE_JSON)
		output_text(sink->output, bracket);
	sink->depth++;
	sink->any[sink->depth] = 0;
	sink->members[sink->depth] = members;
}

static void close(struct value_sink *sink, const char *bracket)
{
	sink->depth--;
	if (sink->form == VALUE_JSON)
		output_text(sink->output, bracket);
}

void value_list(struct value_sink *sink)
{
	open(sink, "[", 0);
}

void value_list_end(struct value_sink *sink)
{
	close(sink, "]");
}

void value_members(struct value_sink *sink)
{
	open(sink, "{", 1);
}

void value_members_end(struct value_sink *sink)
{
	close(sink, "}");
}

void value_key(struct value_sink *sink, const char *name)
{
	next(sink);
	if (sink->form == VALUE_JSON)
		output_json(sink->output, name);
	else
		output_text(sink->output, name);
	output_bytes(sink->output, ":", 1);
	sink->has_key = 1;
}

void value_number(struct value_sink *sink, uint64_t value)
{
	char *at;

	next(sink);
	at = output_room(sink->output, NUMBER_TEXT);
	output_wrote(sink->output, (size_t)(put_decimal(at, value) - at));
}

void value_signed(struct value_sink *sink, int64_t value)
{
	char *at;

	next(sink);
	at = output_room(sink->output, NUMBER_TEXT);
	output_wrote(sink->output, (size_t)(put_signed(at, value) - at));
}

void value_hex(struct value_sink *sink, uint64_t value)
{
	int quoted = sink->form == VALUE_JSON;
	char *start, *at;

	next(sink);
	start = at = output_room(sink->output, NUMBER_TEXT + 2);
	if (quoted)
		*at++ = '"';
	at = put_hex(at, value);
	if (quoted)
		*at++ = '"';
	output_wrote(sink->output, (size_t)(at - start));
}

void value_time(struct value_sink *sink, uint64_t ns)
{
	char *at;

	if (sink->form != VALUE_TEXT) {
		value_number(sink, ns);
		return;
	}
	next(sink);
	at = output_room(sink->output, NUMBER_TEXT);
	output_wrote(sink->output, (size_t)(put_seconds(at, ns) - at));
}

void value_real(struct value_sink *sink, double value)
{
	next(sink);
	if (sink->form == VALUE_JSON && !isfinite(value))
		output_text(sink->output, "null");
	else
		output_format(sink->output, "%.17g", value);
}

void value_bool(struct value_sink *sink, int value)
{
	static const char *const words[][2] = { { "0", "1" }, { "false", "true" } };

	next(sink);
	output_text(sink->output, words[sink->form == VALUE_JSON][value != 0]);
}

/* Would the byte be taken for what separates the text from its neighbours? */
static int separates(const struct value_sink *sink, char byte)
{
	if (byte == ';')
		return sink->depth != 0;
	return byte == ',' && sink->members[sink->depth];
}

/* Bytes up to the next one that cannot stand as it is, whatever the text is */
static size_t plain_length(const struct value_sink *sink, const char *text)
{
	size_t length = 0;

	while (text[length] && !separates(sink, text[length]) &&
	       (sink->form == VALUE_TEXT || text[length] != '"'))
		length++;
	return length;
}

static void put_flat(struct value_sink *sink, const char *text)
{
	size_t length = plain_length(sink, text);

	if (sink->form == VALUE_CSV)
		output_cell_bytes(sink->output, text, length);
	else
		output_plain_bytes(sink->output, text, length);
	for (text += length; *text; text += length) {
		if (separates(sink, *text))
			output_format(sink->output, "\\x%02x", (unsigned char)*text);
		else
			output_bytes(sink->output, "\"\"", 2);
		length = plain_length(sink, ++text);
		output_plain_bytes(sink->output, text, length);
	}
}

void value_text(struct value_sink *sink, const char *text)
{
	next(sink);
	if (sink->form == VALUE_JSON)
		output_json(sink->output, text);
	else
		put_flat(sink, text);
}

void value_line(struct value_sink *sink, const char *file, uint32_t line)
{
	next(sink);
	if (sink->form == VALUE_JSON) {
		output_bytes(sink->output, "\"", 1);
		output_json_inside(sink->output, file);
		output_format(sink->output, ":%" PRIu32 "\"", line);
	} else {
		put_flat(sink, file);
		output_format(sink->output, ":%" PRIu32, line);
	}
}

void value_text_plus(struct value_sink *sink, const char *text, uint64_t offset)
{
	char number[NUMBER_TEXT], *end = put_hex(number, offset);

	next(sink);
	put_flat(sink, text);
	output_bytes(sink->output, "+", 1);
	output_bytes(sink->output, number, (size_t)(end - number));
}

void value_bytes(struct value_sink *sink, const uint8_t *bytes, size_t count)
{
	next(sink);
	if (sink->form == VALUE_JSON)
		output_bytes(sink->output, "\"", 1);
	while (count) {
		size_t part = count < BYTES_AT_ONCE ? count : BYTES_AT_ONCE;
		char *at = output_room(sink->output, 2 * part);

		for (size_t i = 0; i < part; i++)
			memcpy(at + 2 * i, hex_pairs + 2 * bytes[i], 2);
		output_wrote(sink->output, 2 * part);
		bytes += part;
		count -= part;
	}
	if (sink->form == VALUE_JSON)
		output_bytes(sink->output, "\"", 1);
}
