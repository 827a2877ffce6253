/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings made safe for where they are printed. */
#include <string.h>

#include <precis/escape.h>

#include "quote.h"

static void put_escaped(struct output *output, const char *text, size_t count, uint32_t flags)
{
	while (count) {
		char *room = output_room(output, PRECIS_ESCAPE_MOST);
		size_t used;

		output_wrote(output, precis_escape(text, count, flags, room,
						   OUTPUT_BUFFER - output->used, &used));
		text += used;
		count -= used;
		flags = 0;
	}
}

void output_cell_bytes(struct output *output, const char *text, size_t count)
{
	put_escaped(output, text, count, PRECIS_ESCAPE_CELL);
}

void output_csv(struct output *output, const char *text)
{
	size_t length = strcspn(text, "\"");

	if (!text[strcspn(text, "\",")]) {
		output_cell_bytes(output, text, length);
		return;
	}
	output_bytes(output, "\"", 1);
	output_cell_bytes(output, text, length);
	for (text += length; *text; text += length) {
		output_bytes(output, "\"\"", 2);
		length = strcspn(++text, "\"");
		output_plain_bytes(output, text, length);
	}
	output_bytes(output, "\"", 1);
}

static void json_character(struct output *output, const char *text, size_t bytes)
{
	static const char escaped[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
	const char *found = strchr(escaped, *text);

	if (!bytes)
		output_text(output, "\\ufffd");
	else if (found)
		output_format(output, "\\%c", letter[found - escaped]);
	else if ((unsigned char)*text < 0x20)
		output_format(output, "\\u%04x", *text);
	else
		output_bytes(output, text, bytes);
}

void output_json_inside(struct output *output, const char *text)
{
	while (*text) {
		size_t bytes = precis_utf8_bytes(text, strnlen(text, 4));

		json_character(output, text, bytes);
		text += bytes ? bytes : 1;
	}
}

void output_json(struct output *output, const char *text)
{
	output_bytes(output, "\"", 1);
	output_json_inside(output, text);
	output_bytes(output, "\"", 1);
}

void output_plain_bytes(struct output *output, const char *text, size_t count)
{
	put_escaped(output, text, count, 0);
}

void output_plain(struct output *output, const char *text)
{
	output_plain_bytes(output, text, strlen(text));
}

size_t plain_width_bytes(const char *text, size_t count)
{
	char part[256];
	size_t width = 0, used;

	for (; count; text += used, count -= used) {
		size_t length = precis_escape(text, count, 0, part, sizeof(part), &used);

		/* bytes but for those that continue a UTF-8 character */
		for (size_t i = 0; i < length; i++)
			width += ((unsigned char)part[i] & 0xc0) != 0x80;
	}
	return width;
}

size_t plain_width(const char *text)
{
	return plain_width_bytes(text, strlen(text));
}
