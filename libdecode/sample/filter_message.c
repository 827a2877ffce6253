/* SPDX-License-Identifier: BSD-3-Clause */
/* What the filter's compiler says of a mistake. */
#include <string.h>

#include "filter_internal.h"
#include "words.h"

/* No name of the catalogue is longer; a longer word is near to none */
#define LONGEST_NAME 32

int precis_filter_fail(struct precis_filter_error *error, int code,
		       const struct filter_token *token, const char *text)
{
	if (!error)
		return code;
	error->column = token->offset < UINT32_MAX ? (uint32_t)token->offset + 1 : UINT32_MAX;
	error->message[0] = '\0';
	precis_filter_message_add(error, text);
	return code;
}

static void add_bytes(struct precis_filter_error *error, const char *text, size_t length)
{
	size_t used = strlen(error->message);
	size_t room = sizeof(error->message) - 1 - used;

	if (length > room)
		length = room;
	memcpy(error->message + used, text, length);
	error->message[used + length] = '\0';
}

void precis_filter_message_add(struct precis_filter_error *error, const char *text)
{
	if (error)
		add_bytes(error, text, strlen(text));
}

void precis_filter_message_quote(struct precis_filter_error *error, const char *text, size_t length)
{
	size_t shown = length > LONGEST_NAME ? LONGEST_NAME : length;
	size_t i;

	if (!error)
		return;
	add_bytes(error, "'", 1);
	for (i = 0; i < shown; i++)
		add_bytes(error, text[i] >= ' ' && text[i] <= '~' ? text + i : "?", 1);
	if (shown < length)
		add_bytes(error, "...", 3);
	add_bytes(error, "'", 1);
}

static unsigned int smaller(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Levenshtein's distance without regard to case; both at most LONGEST_NAME long */
static unsigned int distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned int row[LONGEST_NAME + 1];
	size_t i, j;

	for (j = 0; j <= b_length; j++)
		row[j] = (unsigned int)j;
	for (i = 0; i < a_length; i++) {
		unsigned int diagonal = row[0];

		row[0] = (unsigned int)i + 1;
		for (j = 0; j < b_length; j++) {
			unsigned int above = row[j + 1];
			unsigned int change = diagonal + !precis_words_equal(a + i, b + j, 1);

			row[j + 1] = smaller(change, smaller(above, row[j]) + 1);
			diagonal = above;
		}
	}
	return row[b_length];
}

/* The distance to the nearest of the names in a list separated by spaces */
static unsigned int nearest(const char *word, size_t length, const char *names)
{
	unsigned int best = UINT32_MAX;

	while (*names) {
		const char *end = strchr(names, ' ');
		size_t bytes = end ? (size_t)(end - names) : strlen(names);

		if (bytes <= LONGEST_NAME)
			best = smaller(best, distance(word, length, names, bytes));
		names += bytes + (end != NULL);
	}
	return best;
}

const char *precis_filter_suggest(const char *word, size_t length)
{
	struct precis_field_info info = { .size = sizeof(info) };
	const char *name = NULL;
	unsigned int best;
	uint32_t field;

	if (length > LONGEST_NAME)
		return NULL;
	/* One mistake in every four characters, and one more: beyond that it is a guess */
	best = (unsigned int)length / 4 + 2;
	for (field = 0; precis_field_info(field, &info) == 0; field++) {
		unsigned int near = smaller(nearest(word, length, info.name),
					    nearest(word, length, info.aliases));

		if (near < best && near < length) {
			best = near;
			name = info.name;
		}
	}
	return name;
}
