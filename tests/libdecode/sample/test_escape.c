/* SPDX-License-Identifier: BSD-3-Clause */
/* Escaping: what comes out is UTF-8 that shows itself, and tells what went in. */
#include <precis/escape.h>

#include <stdlib.h>
#include <string.h>

#include "tests/support/tap.h"

#define LAST_CHARACTER 0x10ffffu

/* UTF-8 of a character, by the definition; surrogates have none. @return bytes */
static size_t encode(uint32_t character, char *out)
{
	if (character >= 0xd800 && character <= 0xdfff)
		return 0;
	if (character < 0x80) {
		out[0] = (char)character;
		return 1;
	}
	if (character < 0x800) {
		out[0] = (char)(0xc0 | character >> 6);
		out[1] = (char)(0x80 | (character & 0x3f));
		return 2;
	}
	if (character < 0x10000) {
		out[0] = (char)(0xe0 | character >> 12);
		out[1] = (char)(0x80 | (character >> 6 & 0x3f));
		out[2] = (char)(0x80 | (character & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | character >> 18);
	out[1] = (char)(0x80 | (character >> 12 & 0x3f));
	out[2] = (char)(0x80 | (character >> 6 & 0x3f));
	out[3] = (char)(0x80 | (character & 0x3f));
	return 4;
}

static size_t escape(const char *text, size_t count, uint32_t flags, char *out, size_t room)
{
	size_t used, length = precis_escape(text, count, flags, out, room, &used);

	CU_ASSERT_EQUAL(used, count);
	return length;
}

/* By the description alone. @return bytes */
static size_t unescape(const char *text, size_t count, char *out)
{
	size_t length = 0;

	for (size_t at = 0; at < count;) {
		char *end;

		if (text[at] != '\\') {
			out[length++] = text[at++];
		} else if (text[at + 1] == '\\') {
			out[length++] = '\\';
			at += 2;
		} else if (text[at + 1] == 'x') {
			const char digits[3] = { text[at + 2], text[at + 3], '\0' };

			out[length++] = (char)strtoul(digits, &end, 16);
			CU_ASSERT(*end == '\0');
			at += 4;
		} else {
			CU_ASSERT(memcmp(text + at, "\\u{", 3) == 0);
			length += encode((uint32_t)strtoul(text + at + 3, &end, 16), out + length);
			CU_ASSERT(*end == '}');
			at = (size_t)(end + 1 - text);
		}
	}
	return length;
}

/* Well-formed and without controls of ASCII: how many characters; 0 if not */
static size_t count_characters(const char *text, size_t count)
{
	size_t at = 0, characters = 0;

	while (at < count) {
		uint32_t value = (unsigned char)text[at];
		size_t bytes = value < 0x80 ? 1 : value < 0xe0 ? 2 : value < 0xf0 ? 3 : 4;
		char again[4];

		value &= bytes == 1 ? 0x7fu : 0x7fu >> bytes;
		for (size_t i = 1; i < bytes; i++)
			value = value << 6 | ((unsigned char)text[at + i] & 0x3f);
		if (value < 0x20 || (value >= 0x7f && value < 0xa0) || value > LAST_CHARACTER ||
		    encode(value, again) != bytes || memcmp(again, text + at, bytes))
			return 0;
		at += bytes;
		characters++;
	}
	return characters;
}

static int is_round(const char *text, size_t count, uint32_t flags)
{
	char escaped[64], back[64];
	size_t length = escape(text, count, flags, escaped, sizeof(escaped) - 1);

	escaped[length] = '\0';
	return (!count || count_characters(escaped, length)) &&
	       unescape(escaped, length, back) == count && !memcmp(back, text, count);
}

static void test_all_characters(void)
{
	unsigned int wrong = 0;

	for (uint32_t character = 0; character <= LAST_CHARACTER; character++) {
		char text[8] = "a";
		size_t bytes = encode(character, text + 1);

		text[1 + bytes] = 'b';
		wrong += !is_round(text, bytes + 2, 0) || !is_round(text + 1, bytes + 1, 0) ||
			 !is_round(text + 1, bytes + 1, PRECIS_ESCAPE_CELL);
		if (bytes)
			wrong += precis_utf8_bytes(text + 1, bytes) != bytes ||
				 (bytes > 1 && precis_utf8_bytes(text + 1, bytes - 1));
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* Every byte behind every pair of bytes: all ways of being no UTF-8 but for the longest */
static void test_all_bytes(void)
{
	unsigned int wrong = 0;

	for (uint32_t bytes = 0; bytes < 1u << 24; bytes++) {
		const char text[4] = { (char)(bytes >> 16), (char)(bytes >> 8), (char)bytes, 'a' };

		if (text[0] >= 0 && bytes & 0xffff && (bytes >> 16) != '\\')
			continue; /* a character by itself: what follows is another text */
		wrong += !is_round(text, sizeof(text), 0);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

static void check(const char *text, uint32_t flags, const char *expected)
{
	char escaped[128];
	size_t length = escape(text, strlen(text), flags, escaped, sizeof(escaped));

	CU_ASSERT_EQUAL(length, strlen(expected));
	CU_ASSERT(!memcmp(escaped, expected, strlen(expected)));
}

static void test_forms(void)
{
	check("plain text, \"quoted\" & more ~", 0, "plain text, \"quoted\" & more ~");
	check("\x1b[31m\a\x7f\n\t", 0, "\\x1b[31m\\x07\\x7f\\x0a\\x09");
	check("a\\x1b", 0, "a\\\\x1b");
	check("\xc2\x9b" "31m\xc2\x85", 0, "\\u{9b}31m\\u{85}");
	check("\xe2\x80\xae" "cod.exe\xe2\x81\xa6\xe2\x80\xa8", 0, "\\u{202e}cod.exe\\u{2066}\\u{2028}");
	check("\xff\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80", 0,
	      "\\xff\\xc0\\x80\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");
	check("na\xc3\xafve \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x90\xa7", 0,
	      "na\xc3\xafve \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x90\xa7");
	check("=1+2", 0, "=1+2");
	check("=1+2", PRECIS_ESCAPE_CELL, "\\x3d1+2");
	check("+a", PRECIS_ESCAPE_CELL, "\\x2ba");
	check("-bash", PRECIS_ESCAPE_CELL, "\\x2dbash");
	check("@plt", PRECIS_ESCAPE_CELL, "\\x40plt");
	check("\xef\xbc\x9d" "1", PRECIS_ESCAPE_CELL, "\\u{ff1d}1");
	check("\t=1", PRECIS_ESCAPE_CELL, "\\x09=1");
	check("a=b", PRECIS_ESCAPE_CELL, "a=b");
	check("", PRECIS_ESCAPE_CELL, "");
}

/* In any room: nothing is written beyond it, no character split, and the parts are the whole */
static void test_rooms(void)
{
	static const char text[] = "=ab\\\xf3\xa0\x81\x81\xc2\x9b\xff\xe6\x97\xa5\0z";
	char whole[128], parts[128], guarded[32];
	size_t length = escape(text, sizeof(text), PRECIS_ESCAPE_CELL, whole, sizeof(whole));

	for (size_t room = PRECIS_ESCAPE_MOST; room < sizeof(guarded); room++) {
		size_t at = 0, used, got = 0;

		while (at < sizeof(text)) {
			size_t more;

			memset(guarded, '#', sizeof(guarded));
			more = precis_escape(text + at, sizeof(text) - at,
					     at ? 0 : PRECIS_ESCAPE_CELL, guarded, room, &used);
			CU_ASSERT_FATAL(used > 0 && more <= room && guarded[room] == '#');
			memcpy(parts + got, guarded, more);
			CU_ASSERT(count_characters(guarded, more) > 0);
			got += more;
			at += used;
		}
		CU_ASSERT_EQUAL(got, length);
		CU_ASSERT(!memcmp(parts, whole, length));
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "each form, by example", test_forms },
		{ "every character comes back, as UTF-8 without controls", test_all_characters },
		{ "every sequence of bytes comes back", test_all_bytes },
		{ "in parts, in any room", test_rooms },
	};

	return tap_main("escape", cases, sizeof(cases) / sizeof(cases[0]));
}
