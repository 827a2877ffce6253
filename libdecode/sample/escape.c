/* SPDX-License-Identifier: BSD-3-Clause */
/* Names from recordings as UTF-8 that can be printed, and read back. */
#include <precis/escape.h>

#include <string.h>

#define NO_CHARACTER UINT32_MAX

/*
 * General categories Cf, Zl, Zp and the Cc beyond ASCII. Unicode 16.0, DerivedGeneralCategory.txt;
 * blocks as wholes where what is
 * not assigned yet can be nothing else (FFF0h, tags).
 */
static const struct {
	uint32_t first, last;
} unseen[] = {
	{ 0x80, 0x9f },       { 0xad, 0xad },       { 0x600, 0x605 },     { 0x61c, 0x61c },
	{ 0x6dd, 0x6dd },     { 0x70f, 0x70f },     { 0x890, 0x891 },     { 0x8e2, 0x8e2 },
	{ 0x180e, 0x180e },   { 0x200b, 0x200f },   { 0x2028, 0x202e },   { 0x2060, 0x206f },
	{ 0xfeff, 0xfeff },   { 0xfff0, 0xfffb },   { 0x110bd, 0x110bd }, { 0x110cd, 0x110cd },
	{ 0x13430, 0x1343f }, { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe007f },
};

static int is_unseen(uint32_t character)
{
	for (size_t i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++) {
		if (character <= unseen[i].last)
			return character >= unseen[i].first;
	}
	return 0;
}

static int begins_formula(uint32_t character)
{
	switch (character) {
	case '=':
	case '+':
	case '-':
	case '@':
	case 0xff1d:
	case 0xff0b:
	case 0xff0d:
	case 0xff20:
		return 1;
	default:
		return 0;
	}
}

static int is_plain_byte(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x7f && byte != '\\';
}

/* Unicode, table 3-7 */
size_t precis_utf8_bytes(const char *text, size_t count)
{
	const unsigned char first = count ? (unsigned char)text[0] : 0xff;
	size_t bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
	unsigned char low = 0x80, high = 0xbf;

	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4 || bytes > count)
		return 0;
	if (first == 0xe0)
		low = 0xa0;
	else if (first == 0xed)
		high = 0x9f;
	else if (first == 0xf0)
		low = 0x90;
	else if (first == 0xf4)
		high = 0x8f;
	for (size_t i = 1; i < bytes; i++, low = 0x80, high = 0xbf) {
		if ((unsigned char)text[i] < low || (unsigned char)text[i] > high)
			return 0;
	}
	return bytes;
}

/* @return how many bytes of 'text' it is; 1 and NO_CHARACTER for a byte that is none */
static size_t read_character(const char *text, size_t count, uint32_t *character)
{
	size_t bytes = precis_utf8_bytes(text, count);

	*character = NO_CHARACTER;
	if (!bytes)
		return 1;
	*character = (unsigned char)text[0] & (bytes == 1 ? 0x7fu : 0xffu >> (bytes + 1));
	for (size_t i = 1; i < bytes; i++)
		*character = *character << 6 | ((unsigned char)text[i] & 0x3f);
	return bytes;
}

static char digit(uint32_t value)
{
	return "0123456789abcdef"[value & 0xf];
}

static size_t put_byte(char *out, unsigned char byte)
{
	const char text[4] = { '\\', 'x', digit(byte >> 4), digit(byte) };

	memcpy(out, text, sizeof(text));
	return sizeof(text);
}

static size_t put_number(char *out, uint32_t character)
{
	size_t used = 3;

	memcpy(out, "\\u{", 3);
	for (int shift = 20; shift >= 0; shift -= 4) {
		if (character >> shift || !shift)
			out[used++] = digit(character >> shift);
	}
	out[used++] = '}';
	return used;
}

/* What becomes of one character, or of a byte that is none */
static size_t put_character(char out[PRECIS_ESCAPE_MOST], const char *text, size_t bytes,
			    uint32_t character, int is_escaped)
{
	if (character == NO_CHARACTER || character < 0x20 || character == 0x7f ||
	    (is_escaped && character < 0x80))
		return put_byte(out, (unsigned char)*text);
	if (character == '\\') {
		memcpy(out, "\\\\", 2);
		return 2;
	}
	if (is_escaped || is_unseen(character))
		return put_number(out, character);
	memcpy(out, text, bytes);
	return bytes;
}

size_t precis_escape(const char *text, size_t count, uint32_t flags, char *out, size_t room,
		     size_t *used)
{
	size_t at = 0, written = 0;

	while (at < count) {
		int is_first = at == 0 && (flags & PRECIS_ESCAPE_CELL);
		char escaped[PRECIS_ESCAPE_MOST];
		uint32_t character;
		size_t length, more;

		if (!is_first && is_plain_byte((unsigned char)text[at])) {
			if (written == room)
				break;
			out[written++] = text[at++];
			continue;
		}
		length = read_character(text + at, count - at, &character);
		more = put_character(escaped, text + at, length, character,
				     is_first && begins_formula(character));
		if (more > room - written)
			break;
		memcpy(out + written, escaped, more);
		written += more;
		at += length;
	}
	*used = at;
	return written;
}
