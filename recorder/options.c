/* SPDX-License-Identifier: BSD-3-Clause */
/* See options.h. No function of the C library is called that might allocate. */
#include "options.h"

#include <stddef.h>
#include <string.h>

#include "libdecode/objects/format.h"

#define INTERVAL_DEFAULT (512u * 1024u)
#define DEPTH_DEFAULT 64u
#define OVERHEAD_DEFAULT 10u /* per cent */
#define OVERHEAD_OF_SIZE 1u /* the default where blocks are recorded by their size */
#define NOT_GIVEN UINT64_MAX

/* An option whose value is a number, or one of these words */
static const struct option {
	const char *name;
	size_t at;
	uint64_t least, most;
	struct {
		const char *word;
		uint64_t value;
	} words[3];
} table[] = {
	{ "live", offsetof(struct options, live), 1, 0, { { "no", 0 }, { "yes", 1 } } },
	{ "size", offsetof(struct options, size), 0, UINT64_C(1) << 47, { { NULL, 0 } } },
	{ "interval", offsetof(struct options, interval), 0, UINT64_C(1) << 40, { { "all", 0 } } },
	{ "seed", offsetof(struct options, seed), 0, UINT64_MAX, { { NULL, 0 } } },
	{ "depth", offsetof(struct options, depth), 1, OBJECTS_DEPTH_MOST, { { NULL, 0 } } },
	{ "overhead", offsetof(struct options, overhead), 0, 1000, { { "any", 0 } } },
	{ "stack",
	  offsetof(struct options, stack),
	  1,
	  0,
	  { { "unwind", OBJECTS_CALL_FRAMES },
	    { "frames", OBJECTS_FRAME_POINTERS },
	    { "none", OBJECTS_NO_UNWINDER } } },
	{ "clock",
	  offsetof(struct options, clock),
	  1,
	  0,
	  { { "auto", 0 }, { "tsc", OBJECTS_CLOCK_TSC }, { "mono", OBJECTS_CLOCK_MONOTONIC } } },
};

/* Digits, and k, m or g for 2^10, 2^20, 2^30. @return 0: it is none, or too large */
static int number(const char *text, size_t length, uint64_t *value)
{
	static const char suffixes[] = "kmg";
	const char *suffix = length > 1 ? memchr(suffixes, text[length - 1] | 0x20, 3) : NULL;
	uint64_t unit = 1;

	if (suffix) {
		unit = UINT64_C(1024) << (10 * (suffix - suffixes));
		length--;
	}
	*value = 0;
	for (size_t n = 0; n < length; n++) {
		uint64_t digit = (uint64_t)(text[n] - '0');

		if (digit > 9 || __builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, digit, value))
			return 0;
	}
	return length && !__builtin_mul_overflow(*value, unit, value);
}

static int is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && !memcmp(text, word, length);
}

static int set(struct options *options, const struct option *option, const char *text, size_t length)
{
	uint64_t value;

	for (size_t n = 0; n < 3 && option->words[n].word; n++) {
		if (!is_word(text, length, option->words[n].word))
			continue;
		memcpy((char *)options + option->at, &option->words[n].value, sizeof(value));
		return 1;
	}
	if (!number(text, length, &value) || value < option->least || value > option->most)
		return 0;
	memcpy((char *)options + option->at, &value, sizeof(value));
	return 1;
}

/* One NAME=VALUE. @return 0: it cannot be understood */
static int take(struct options *options, const char *text, size_t length)
{
	const char *equals = memchr(text, '=', length);
	size_t name = equals ? (size_t)(equals - text) : length;

	if (!equals)
		return 0;
	if (is_word(text, name, "directory")) {
		if (length - name - 1 >= sizeof(options->directory) || length == name + 1)
			return 0;
		memcpy(options->directory, equals + 1, length - name - 1);
		options->directory[length - name - 1] = '\0';
		return 1;
	}
	for (size_t n = 0; n < sizeof(table) / sizeof(*table); n++)
		if (is_word(text, name, table[n].name))
			return set(options, &table[n], equals + 1, length - name - 1);
	return 0;
}

/* What it may cost, if nothing is said of that; and that of all blocks some can be left out, if it is */
static void settle_overhead(struct options *options)
{
	const int is_given = options->overhead != NOT_GIVEN;

	if (!options->size && !options->interval && is_given && options->overhead)
		options->size = 1;
	if (!is_given)
		options->overhead = options->size ? OVERHEAD_OF_SIZE : OVERHEAD_DEFAULT;
}

const char *options_parse(struct options *options, const char *text)
{
	memset(options, 0, sizeof(*options));
	options->interval = INTERVAL_DEFAULT;
	options->depth = DEPTH_DEFAULT;
	options->overhead = NOT_GIVEN;
	options->stack = OBJECTS_CALL_FRAMES;
	memcpy(options->directory, ".", 2);
	while (text && *text) {
		size_t length = strcspn(text, ",");

		if (length && !take(options, text, length))
			return text;
		text += length + (text[length] == ',');
	}
	settle_overhead(options);
	return NULL;
}
