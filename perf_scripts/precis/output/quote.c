/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings made safe for where they are printed. */
#include <string.h>

#include "quote.h"

void output_csv(struct output *output, const char *text)
{
	if (!text[strcspn(text, "\",\r\n")]) {
		output_text(output, text);
		return;
	}
	output_bytes(output, "\"", 1);
	for (; *text; text++) {
		if (*text == '"')
			output_bytes(output, "\"", 1);
		output_bytes(output, text, 1);
	}
	output_bytes(output, "\"", 1);
}

/* Bytes of the UTF-8 character at 'text' (Unicode, table 3-7), or 0 if it is none. */
static size_t utf8_bytes(const unsigned char *text)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t bytes;

	if (text[0] < 0x80)
		return 1;
	if (text[0] < 0xc2 || text[0] > 0xf4)
		return 0;
	bytes = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
	if (text[0] == 0xe0)
		low = 0xa0;
	else if (text[0] == 0xed)
		high = 0x9f;
	else if (text[0] == 0xf0)
		low = 0x90;
	else if (text[0] == 0xf4)
		high = 0x8f;
	for (size_t i = 1; i < bytes; i++, low = 0x80, high = 0xbf) {
		if (text[i] < low || text[i] > high)
			return 0;
	}
	return bytes;
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
		size_t bytes = utf8_bytes((const unsigned char *)text);

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
	for (; count; text++, count--) {
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			output_format(output, "\\x%02x", (unsigned char)*text);
		else
			output_bytes(output, text, 1);
	}
}

void output_plain(struct output *output, const char *text)
{
	output_plain_bytes(output, text, strlen(text));
}
