/* SPDX-License-Identifier: BSD-3-Clause */
/* See asked.h. */
#include "asked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MOST 4096u

static const char *const not_counted[] = {
	"format", "top", "colour", "color", "jobs", "output", "sections", "all", "save", "svg", "help",
	"symfs", "debug-dir", "buildid-dir", "kallsyms", "any-build-id", "no-progress", "max-expansion",
	"ds-area", "ds-base",
};

static int is_counted(const char *name)
{
	for (size_t n = 0; n < sizeof(not_counted) / sizeof(not_counted[0]); n++) {
		if (strcmp(not_counted[n], name) == 0)
			return 0;
	}
	return 1;
}

static struct asked_option *append(struct asked *asked)
{
	struct asked_option *more = realloc(asked->list, (asked->count + 1) * sizeof(*more));

	if (!more) {
		asked->failed = 1;
		return NULL;
	}
	asked->list = more;
	more += asked->count++;
	*more = (struct asked_option){ .name = NULL };
	return more;
}

void asked_add(struct asked *asked, const char *name, const char *value)
{
	struct asked_option *option = is_counted(name) ? append(asked) : NULL;

	if (option)
		*option = (struct asked_option){ name, value };
}

void asked_free(struct asked *asked)
{
	free(asked->list);
	*asked = (struct asked){ .list = NULL };
}

static int by_name(const void *a, const void *b)
{
	const struct asked_option *left = a, *right = b;
	const int order = strcmp(left->name, right->name);

	return order ? order : strcmp(left->value ? left->value : "", right->value ? right->value : "");
}

static void sort(const struct asked *asked)
{
	if (asked->count)
		qsort(asked->list, asked->count, sizeof(*asked->list), by_name);
}

void asked_saves(struct saving *saving, struct asked *asked)
{
	uint32_t count;

	sort(asked);
	count = saved_count(saving, asked->count, OPTIONS_MOST, 8, "options");
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		struct asked_option *option = saving->is_loading ? append(asked) : &asked->list[n];

		if (!option) {
			saving_no_memory(saving);
			return;
		}
		saved_text(saving, &option->name);
		saved_text(saving, &option->value);
		if (!option->name) {
			option->name = "";
			saving_damaged(saving, "expected an option");
		}
	}
}

static void in_words(const struct asked_option *option, char *text, size_t room)
{
	snprintf(text, room, "--%s%s%s", option->name, option->value ? " " : "",
		 option->value ? option->value : "");
}

/* The first of one that the other has not; NULL: it has all */
static const struct asked_option *first_alone(const struct asked *of, const struct asked *other)
{
	for (uint32_t n = 0, at = 0; n < of->count; n++, at++) {
		while (at < other->count && by_name(&other->list[at], &of->list[n]) < 0)
			at++;
		if (at == other->count || by_name(&other->list[at], &of->list[n]) != 0)
			return &of->list[n];
	}
	return NULL;
}

int asked_differs(const struct asked *saved, const struct asked *asked, char *text, size_t room)
{
	const struct asked_option *here, *there;
	char first[160], second[160];

	sort(saved);
	sort(asked);
	there = first_alone(saved, asked);
	here = first_alone(asked, saved);
	if (!here && !there)
		return 0;
	if (there)
		in_words(there, first, sizeof(first));
	if (here)
		in_words(here, second, sizeof(second));
	if (here && there && strcmp(here->name, there->name) == 0)
		snprintf(text, room, "saved with %s, asked for with %s", first, second);
	else if (there)
		snprintf(text, room, "saved with %s, asked for without it", first);
	else
		snprintf(text, room, "saved without %s, asked for with it", second);
	return 1;
}
