/* SPDX-License-Identifier: BSD-3-Clause */
/* See by_options.h. */
#include "by_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "command/usage/complain.h"
#include "command/usage/help.h"
#include "command/usage/nearest.h"

/* A word of a list, and what of the list is behind it; NULL: it was the last */
static const char *next_word(const char *list, size_t *length)
{
	const char *comma = strchr(list, ',');

	*length = comma ? (size_t)(comma - list) : strlen(list);
	return comma ? comma + 1 : NULL;
}

/* Not of what is not compared, where recordings are. An exit code */
static int print_words(const char *command, struct by_word (*word)(uint32_t n),
		       int (*is_taken)(const struct by_request *request, const char *name),
		       const struct by_request *request)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	int code;

	for (uint32_t n = 0; out && word(n).name; n++) {
		const struct by_word one = word(n);

		if (is_taken(request, one.name))
			fprintf(out, "%-22s %s%s\n", one.name, one.kind, one.what);
	}
	if (!out || fclose(out)) {
		complain(command, "out of memory");
		free(text);
		return EXIT_FAILED;
	}
	code = print_help(command, text);
	free(text);
	return code;
}

static int is_key_taken(const struct by_request *request, const char *name)
{
	struct by_asked_key key;

	return by_find_key(name, strlen(name), &key) && !(request->runs && key.key == BY_TIME);
}

static int is_column_taken(const struct by_request *request, const char *name)
{
	struct by_column column;

	return by_find_column(name, strlen(name), &column) && (!request->runs || by_is_compared(&column));
}

int by_help_keys(const struct by_request *request, const char *command)
{
	return print_words(command, by_key_word, is_key_taken, request);
}

int by_help_columns(const struct by_request *request, const char *command)
{
	return print_words(command, by_column_word, is_column_taken, request);
}

static int complain_unknown(const char *command, const char *option, const char *what,
			    const char *word, size_t length, const char *(*name)(uint32_t n),
			    const char *help)
{
	struct nearest nearest = nearest_to(word, length);
	char hint[NEAREST_ROOM];

	for (uint32_t n = 0; name(n); n++)
		nearest_offer(&nearest, name(n));
	return complain_usage(command, "--%s: there is no %s '%.*s'%s%s", option, what, (int)length,
			      word, nearest_hint(&nearest, hint), help);
}

static int take_key(struct by_request *request, const char *command, const char *word,
		    size_t length)
{
	struct by_asked_key key;

	if (length > strlen("time:") && memcmp(word, "time:", strlen("time:")) == 0 &&
	    !by_find_key(word, length, &key))
		return complain_usage(command, "--by: expected time, time:N with 1 to %u parts, or time:Nms "
				      "(ns, us, s), found '%.*s'", BY_PARTS_MOST, (int)length, word);
	if (!by_find_key(word, length, &key) && precis_field_find(word, length) >= 0)
		return complain_usage(command, "--by: '%.*s' does not tell samples apart: it is a "
				      "number that nearly each has of its own", (int)length, word);
	if (!by_find_key(word, length, &key))
		return complain_unknown(command, "by", "key", word, length, by_key_name,
					" (--by help lists them)");
	if (request->runs && key.key == BY_TIME)
		return complain_usage(command, "--by: '%s' is not compared: recordings have times of "
				      "their own", key.name);
	if (request->key_count == BY_KEYS_MOST)
		return complain_usage(command, "--by: expected at most %u keys", BY_KEYS_MOST);
	for (uint32_t n = 0; n < request->key_count; n++) {
		if (strcmp(request->keys[n].name, key.name) == 0)
			return complain_usage(command, "--by: '%s' comes twice", key.name);
	}
	request->keys[request->key_count++] = key;
	return EXIT_OK;
}

int by_take_keys(struct by_request *request, const char *command, const char *value)
{
	int code = EXIT_OK;
	size_t length;

	request->key_count = 0;
	for (const char *word = value, *next; word && !code; word = next) {
		next = next_word(word, &length);
		code = take_key(request, command, word, length);
	}
	return code;
}

static int take_column(struct by_request *request, const char *command, const char *word,
		       size_t length)
{
	struct by_column column;

	if (!by_find_column(word, length, &column))
		return complain_unknown(command, "columns", "column", word, length, by_column_name,
					" (--columns help lists them)");
	if (request->runs && !by_is_compared(&column))
		return complain_usage(command, "--columns: '%s' has no interval, and is not compared",
				      column.name);
	if (request->column_count == BY_COLUMNS_MOST)
		return complain_usage(command, "--columns: expected at most %u", BY_COLUMNS_MOST);
	for (uint32_t n = 0; n < request->column_count; n++) {
		if (strcmp(request->columns[n].name, column.name) == 0)
			return complain_usage(command, "--columns: '%s' comes twice", column.name);
	}
	request->columns[request->column_count++] = column;
	return EXIT_OK;
}

int by_take_columns(struct by_request *request, const char *command, const char *value)
{
	int code = EXIT_OK;
	size_t length;

	request->column_count = 0;
	for (const char *word = value, *next; word && !code; word = next) {
		next = next_word(word, &length);
		code = take_column(request, command, word, length);
	}
	return code;
}

static const char *latency_name(uint32_t n)
{
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		if (by_is_latency(field) && n-- == 0)
			return precis_field_name(field);
	}
	return NULL;
}

int by_take_latency(struct by_request *request, const char *command, const char *value)
{
	int field = precis_field_find(value, strlen(value));

	if (field < 0 || !by_is_latency((uint32_t)field))
		return complain_unknown(command, "latency", "latency", value, strlen(value),
					latency_name, "");
	request->latency = field;
	return EXIT_OK;
}

static int has_column(const struct by_request *request, const char *name)
{
	for (uint32_t n = 0; n < request->column_count; n++) {
		if (strcmp(request->columns[n].name, name) == 0)
			return 1;
	}
	return 0;
}

int by_take_sort(struct by_request *request, const char *command, const char *value)
{
	if (!value)
		return EXIT_OK;
	if (!by_find_column(value, strlen(value), &request->sort))
		return complain_unknown(command, "sort", "column", value, strlen(value),
					by_column_name, " (--columns help lists them)");
	if (request->runs && !by_is_compared(&request->sort))
		return complain_usage(command, "--sort: '%s' has no interval, and is not compared", value);
	if (request->sort.figure == BY_TREND)
		return complain_usage(command, "--sort: '%s' has no order", value);
	if (request->sort.figure == BY_IS && !has_column(request, request->sort.name))
		return complain_usage(command, "--sort: '%s' is none of the --columns", value);
	request->is_sorted = 1;
	return EXIT_OK;
}
