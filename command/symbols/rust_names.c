/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rust's names as its compilers write them by their own scheme ("v0": RFC 2603, and "Symbol Mangling" of the
 * rustc book), for a person to read. Hashes, and who made an instance, are not told. Of constants those are
 * told that are numbers, truth values or characters; a symbol with others stays as it is.
 */
#include "rust_names.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A symbol may refer to its own parts, so that few bytes could stand for very many. */
#define DEPTH_MOST 64u
#define TEXT_MOST 16384u

struct reading {
	const char *text; /* behind "_R" */
	size_t length, at;
	uint32_t depth;
	uint32_t lifetimes; /* that are bound around here */
	uint32_t silent; /* read, and not told */
	int failed;
	char *out;
	size_t used;
};

static void read_path(struct reading *reading, int is_value);
static void read_type(struct reading *reading);
static void read_constant(struct reading *reading);

static void put(struct reading *reading, const char *text, size_t length)
{
	if (reading->silent || reading->failed)
		return;
	if (length >= TEXT_MOST - reading->used) {
		reading->failed = 1;
		return;
	}
	memcpy(reading->out + reading->used, text, length);
	reading->used += length;
}

static void say(struct reading *reading, const char *text)
{
	put(reading, text, strlen(text));
}

static __attribute__((format(printf, 2, 3))) void say_number(struct reading *reading,
							     const char *format, ...)
{
	char text[64];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	say(reading, text);
}

static char next(struct reading *reading)
{
	if (reading->failed || reading->at == reading->length) {
		reading->failed = 1;
		return '\0';
	}
	return reading->text[reading->at++];
}

static int take(struct reading *reading, char c)
{
	const int is = !reading->failed && reading->at < reading->length &&
		       reading->text[reading->at] == c;

	reading->at += is;
	return is;
}

/* At the end of a list, or where nothing more can be read */
static int ends(struct reading *reading)
{
	return take(reading, 'E') || reading->failed;
}

/* "_" is 0, "0_" is 1 */
static uint64_t read_number(struct reading *reading)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	uint64_t number = 0;

	if (take(reading, '_'))
		return 0;
	while (!reading->failed && !take(reading, '_')) {
		const char c = next(reading), *digit = c ? strchr(digits, c) : NULL;

		if (!digit || __builtin_mul_overflow(number, 62, &number) ||
		    __builtin_add_overflow(number, (uint64_t)(digit - digits), &number))
			reading->failed = 1;
	}
	return number + 1;
}

static uint64_t read_disambiguator(struct reading *reading)
{
	return take(reading, 's') ? read_number(reading) + 1 : 0;
}

struct word {
	const char *text;
	size_t length;
	int is_coded; /* "punycode", of names that are not ASCII alone */
};

static struct word read_word(struct reading *reading)
{
	struct word word = { .is_coded = take(reading, 'u') };

	do {
		const char c = next(reading);

		if (c < '0' || c > '9' || word.length > reading->length) {
			reading->failed = 1;
			return (struct word){ .length = 0 };
		}
		word.length = word.length * 10 + (size_t)(c - '0');
	} while (word.length && reading->at < reading->length &&
		 reading->text[reading->at] >= '0' && reading->text[reading->at] <= '9');
	take(reading, '_');
	if (word.length > reading->length - reading->at) {
		reading->failed = 1;
		return (struct word){ .length = 0 };
	}
	word.text = reading->text + reading->at;
	reading->at += word.length;
	return word;
}

static void say_word(struct reading *reading, const struct word *word)
{
	if (word->is_coded)
		say(reading, "punycode{");
	if (word->length)
		put(reading, word->text, word->length);
	if (word->is_coded)
		say(reading, "}");
}

/* What stands before, told again */
static void read_again(struct reading *reading, void (*read)(struct reading *reading, int is_value),
		       int is_value)
{
	const size_t tag = reading->at - 1;
	const uint64_t to = read_number(reading);
	const size_t behind = reading->at;

	if (to >= tag)
		reading->failed = 1;
	if (reading->failed || reading->silent)
		return;
	reading->at = (size_t)to;
	read(reading, is_value);
	reading->at = behind;
}

static int enter(struct reading *reading)
{
	if (++reading->depth > DEPTH_MOST)
		reading->failed = 1;
	return !reading->failed;
}

/* --- lifetimes --- */

/* Of those that are bound, the innermost is 1; 0 has no name. */
static void say_lifetime(struct reading *reading, uint64_t number)
{
	if (number > reading->lifetimes) {
		reading->failed = 1;
		return;
	}
	if (!number)
		say(reading, "'_");
	else if (reading->lifetimes - number < 26)
		say_number(reading, "'%c", (char)('a' + (reading->lifetimes - number)));
	else
		say_number(reading, "'_%" PRIu64, reading->lifetimes - number);
}

/* @return how many are bound from here on, to be unbound */
static uint32_t read_binder(struct reading *reading)
{
	const uint64_t count = take(reading, 'G') ? read_number(reading) + 1 : 0;

	if (count > reading->length) {
		reading->failed = 1;
		return 0;
	}
	if (count)
		say(reading, "for<");
	for (uint64_t n = 0; n < count; n++) {
		reading->lifetimes++;
		say(reading, n ? ", " : "");
		say_lifetime(reading, 1);
	}
	if (count)
		say(reading, "> ");
	return (uint32_t)count;
}

/* --- paths --- */

static void read_nested(struct reading *reading, int is_value)
{
	const char kind = next(reading);
	const int is_special = kind >= 'A' && kind <= 'Z';
	struct word word;
	uint64_t number;

	read_path(reading, is_value);
	number = read_disambiguator(reading);
	word = read_word(reading);
	if (is_special) {
		say_number(reading,
			   kind == 'C'   ? "::{closure"
			   : kind == 'S' ? "::{shim"
					 : "::{%c",
			   kind);
		say(reading, word.length ? ":" : "");
		say_word(reading, &word);
		say_number(reading, "#%" PRIu64 "}", number);
	} else if (word.length) {
		say(reading, "::");
		say_word(reading, &word);
	}
}

/* Of an implementation: where it stands is not told. */
static void read_implementation(struct reading *reading, char tag)
{
	if (tag != 'Y') {
		reading->silent++;
		read_disambiguator(reading);
		read_path(reading, 0);
		reading->silent--;
	}
	say(reading, "<");
	read_type(reading);
	if (tag != 'M') {
		say(reading, " as ");
		read_path(reading, 0);
	}
	say(reading, ">");
}

static void read_arguments(struct reading *reading)
{
	for (int n = 0; !ends(reading); n++) {
		say(reading, n ? ", " : "");
		if (take(reading, 'L'))
			say_lifetime(reading, read_number(reading));
		else if (take(reading, 'K'))
			read_constant(reading);
		else
			read_type(reading);
	}
}

static void read_path(struct reading *reading, int is_value)
{
	struct word word;
	char tag;

	if (!enter(reading))
		return;
	tag = next(reading);
	switch (tag) {
	case 'C':
		read_disambiguator(reading);
		word = read_word(reading);
		say_word(reading, &word);
		break;
	case 'N':
		read_nested(reading, is_value);
		break;
	case 'M':
	case 'X':
	case 'Y':
		read_implementation(reading, tag);
		break;
	case 'I':
		read_path(reading, is_value);
		say(reading, is_value ? "::<" : "<");
		read_arguments(reading);
		say(reading, ">");
		break;
	case 'B':
		read_again(reading, read_path, is_value);
		break;
	default:
		reading->failed = 1;
	}
	reading->depth--;
}

/* --- types --- */

static const char *basic_type(char tag)
{
	static const char *const names['z' - 'a' + 1] = {
		['a' - 'a'] = "i8",   ['b' - 'a'] = "bool",  ['c' - 'a'] = "char",
		['d' - 'a'] = "f64",  ['e' - 'a'] = "str",   ['f' - 'a'] = "f32",
		['h' - 'a'] = "u8",   ['i' - 'a'] = "isize", ['j' - 'a'] = "usize",
		['l' - 'a'] = "i32",  ['m' - 'a'] = "u32",   ['n' - 'a'] = "i128",
		['o' - 'a'] = "u128", ['p' - 'a'] = "_",     ['s' - 'a'] = "i16",
		['t' - 'a'] = "u16",  ['u' - 'a'] = "()",    ['v' - 'a'] = "...",
		['x' - 'a'] = "i64",  ['y' - 'a'] = "u64",   ['z' - 'a'] = "!",
	};

	return tag >= 'a' && tag <= 'z' ? names[tag - 'a'] : NULL;
}

static void read_types(struct reading *reading, int is_tuple)
{
	int n = 0;

	for (; !ends(reading); n++) {
		say(reading, n ? ", " : "");
		read_type(reading);
	}
	if (is_tuple && n == 1)
		say(reading, ",");
}

static void read_reference(struct reading *reading, char tag)
{
	say(reading, "&");
	if (take(reading, 'L')) {
		const uint64_t lifetime = read_number(reading);

		if (lifetime) {
			say_lifetime(reading, lifetime);
			say(reading, " ");
		}
	}
	say(reading, tag == 'Q' ? "mut " : "");
	read_type(reading);
}

static void read_function(struct reading *reading)
{
	const uint32_t bound = read_binder(reading);

	say(reading, take(reading, 'U') ? "unsafe " : "");
	if (take(reading, 'K')) {
		struct word word = { "C", 1, 0 };

		if (!take(reading, 'C'))
			word = read_word(reading);
		say(reading, "extern \"");
		for (size_t n = 0; n < word.length; n++)
			put(reading, word.text[n] == '_' ? "-" : word.text + n, 1);
		say(reading, "\" ");
	}
	say(reading, "fn(");
	read_types(reading, 0);
	say(reading, ")");
	if (!take(reading, 'u')) {
		say(reading, " -> ");
		read_type(reading);
	}
	reading->lifetimes -= bound;
}

/* A trait's arguments are left open, as what it is bound to stands among them. */
static void read_open_path(struct reading *reading, int *is_open)
{
	if (take(reading, 'I')) {
		read_path(reading, 0);
		say(reading, "<");
		read_arguments(reading);
		*is_open = 1;
	} else {
		read_path(reading, 0);
	}
}

static void read_open_again(struct reading *reading, int unused)
{
	int is_open = 0;

	(void)unused;
	read_open_path(reading, &is_open);
	if (is_open)
		say(reading, "\x01");
}

static void read_trait(struct reading *reading)
{
	int is_open = 0;

	if (take(reading, 'B')) {
		read_again(reading, read_open_again, 0);
		/* told by a mark behind what was read again */
		is_open = reading->used && reading->out[reading->used - 1] == '\x01';
		reading->used -= (size_t)is_open;
	} else {
		read_open_path(reading, &is_open);
	}
	while (take(reading, 'p')) {
		const struct word word = read_word(reading);

		say(reading, is_open ? ", " : "<");
		is_open = 1;
		say_word(reading, &word);
		say(reading, " = ");
		read_type(reading);
	}
	say(reading, is_open ? ">" : "");
}

static void read_traits(struct reading *reading)
{
	const uint32_t bound = read_binder(reading);
	uint64_t lifetime;

	for (int n = 0; !ends(reading); n++) {
		say(reading, n ? " + " : "");
		read_trait(reading);
	}
	reading->lifetimes -= bound;
	if (!take(reading, 'L'))
		reading->failed = 1;
	lifetime = read_number(reading);
	if (lifetime) {
		say(reading, " + ");
		say_lifetime(reading, lifetime);
	}
}

static void read_type_again(struct reading *reading, int unused)
{
	(void)unused;
	read_type(reading);
}

static void read_type(struct reading *reading)
{
	const char tag = next(reading), *basic = basic_type(tag);

	if (basic)
		say(reading, basic);
	if (basic || !enter(reading))
		return;
	switch (tag) {
	case 'R':
	case 'Q':
		read_reference(reading, tag);
		break;
	case 'P':
	case 'O':
		say(reading, tag == 'P' ? "*const " : "*mut ");
		read_type(reading);
		break;
	case 'A':
	case 'S':
		say(reading, "[");
		read_type(reading);
		if (tag == 'A') {
			say(reading, "; ");
			read_constant(reading);
		}
		say(reading, "]");
		break;
	case 'T':
		say(reading, "(");
		read_types(reading, 1);
		say(reading, ")");
		break;
	case 'F':
		read_function(reading);
		break;
	case 'D':
		say(reading, "dyn ");
		read_traits(reading);
		break;
	case 'B':
		read_again(reading, read_type_again, 0);
		break;
	default:
		reading->at--;
		read_path(reading, 0);
	}
	reading->depth--;
}

/* --- constants --- */

static void say_character(struct reading *reading, uint64_t character)
{
	if (character >= ' ' && character < 127 && character != '\'' && character != '\\')
		say_number(reading, "'%c'", (char)character);
	else
		say_number(reading, "'\\u{%" PRIx64 "}'", character);
}

static void read_value(struct reading *reading, char tag)
{
	const int is_negative = strchr("aslxni", tag) && take(reading, 'n');
	size_t from;
	uint64_t value = 0;

	while (take(reading, '0'))
		;
	from = reading->at;
	while (!reading->failed && !take(reading, '_')) {
		const char c = next(reading);

		if ((c < '0' || c > '9') && (c < 'a' || c > 'f'))
			reading->failed = 1;
		value = value << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	if (reading->failed)
		return;
	say(reading, is_negative ? "-" : "");
	if (tag == 'b')
		say(reading, value ? "true" : "false");
	else if (tag == 'c')
		say_character(reading, value);
	else if (reading->at - from <= 17)
		say_number(reading, "%" PRIu64, value);
	else {
		say(reading, "0x");
		put(reading, reading->text + from, reading->at - from - 1);
	}
}

static void read_constant_again(struct reading *reading, int unused)
{
	(void)unused;
	read_constant(reading);
}

static void read_constant(struct reading *reading)
{
	char tag;

	if (!enter(reading))
		return;
	tag = next(reading);
	if (tag == 'p')
		say(reading, "_");
	else if (tag == 'B')
		read_again(reading, read_constant_again, 0);
	else if (tag && strchr("htmyojaslxnibc", tag))
		read_value(reading, tag);
	else
		reading->failed = 1;
	reading->depth--;
}

/* --- symbols --- */

char *rust_name(const char *symbol)
{
	struct reading reading = { .text = symbol + 2, .length = 0 };

	if (strncmp(symbol, "_R", 2) != 0 || symbol[2] < 'A' || symbol[2] > 'Z')
		return NULL;
	/* behind a point is what other tools have added */
	reading.length = strcspn(reading.text, ".@");
	reading.out = malloc(TEXT_MOST);
	if (!reading.out)
		return NULL;
	read_path(&reading, 1);
	/* for whom it was made */
	reading.silent = 1;
	if (!reading.failed && reading.at < reading.length)
		read_path(&reading, 0);
	if (reading.failed || reading.at < reading.length) {
		free(reading.out);
		return NULL;
	}
	reading.out[reading.used] = '\0';
	return reading.out;
}
