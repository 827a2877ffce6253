/* SPDX-License-Identifier: BSD-3-Clause */
/* See words.h. */
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What no shell takes for anything but itself */
static const char plain[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

static void put(FILE *out, const char *text)
{
	if (*text && !text[strspn(text, plain)]) {
		fputs(text, out);
		return;
	}
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else
			fputc(*text, out);
	}
	fputc('\'', out);
}

/* 'word' NULL: 'before' is all, words with a blank before each */
static void add(struct words *words, const char *before, const char *word)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (!out) {
		words->failed = 1;
		return;
	}
	fprintf(out, "%s%s", words->text ? words->text : "", before);
	if (word)
		put(out, word);
	if (fclose(out)) {
		words->failed = 1;
		free(text);
		return;
	}
	free(words->text);
	words->text = text;
}

void words_add(struct words *words, const char *word)
{
	add(words, " ", word);
}

void words_add_option(struct words *words, const char *name, const char *value)
{
	char before[64];

	snprintf(before, sizeof(before), " --%s%s", name, value ? "=" : "");
	add(words, before, value);
}

void words_append(struct words *words, const struct words *more)
{
	words->failed |= more->failed;
	if (more->text)
		add(words, more->text, NULL);
}

void words_free(struct words *words)
{
	free(words->text);
	words->text = NULL;
}
