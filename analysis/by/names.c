/* SPDX-License-Identifier: BSD-3-Clause */
/* See names.h. */
#define _GNU_SOURCE /* vasprintf() */
#include "names.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_FIRST 256u

/* FNV-1a: who makes names collide makes the report slow and not wrong */
static uint64_t hash_of(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 32;
}

/* Where the text is, or would be */
static uint32_t *slot_of(const struct names *names, const char *text)
{
	uint32_t at = (uint32_t)hash_of(text) & (names->slot_count - 1);

	while (names->slots[at] && strcmp(names->list[names->slots[at] - 1].text, text))
		at = (at + 1) & (names->slot_count - 1);
	return &names->slots[at];
}

static int grow(struct names *names)
{
	uint32_t count = names->slot_count ? 2 * names->slot_count : SLOTS_FIRST;
	uint32_t *slots = calloc(count, sizeof(*slots));
	struct name *list = realloc(names->list, count / 2 * sizeof(*list));

	if (list)
		names->list = list;
	if (!list || !slots) {
		free(slots);
		return -1;
	}
	free(names->slots);
	names->slots = slots;
	names->slot_count = count;
	names->room = count / 2;
	for (uint32_t n = 0; n < names->count; n++)
		*slot_of(names, names->list[n].text) = n + 1;
	return 0;
}

static uint32_t append(struct names *names, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return 0;
	names->bytes += strlen(copy);
	names->list[names->count] = (struct name){ .text = copy };
	*slot_of(names, text) = ++names->count;
	return names->count;
}

uint32_t names_add(struct names *names, const char *text)
{
	if (names->count == names->room && grow(names) < 0)
		return 0;
	if (*slot_of(names, text))
		return *slot_of(names, text);
	return append(names, text);
}

uint32_t names_find(const struct names *names, const char *text)
{
	return names->slot_count ? *slot_of(names, text) : 0;
}

void names_keep(struct names *names, uint32_t *map)
{
	uint32_t kept = 0;

	for (uint32_t n = 0; n < names->count; n++) {
		if (!map[n + 1]) {
			names->bytes -= strlen(names->list[n].text);
			free(names->list[n].text);
			continue;
		}
		names->list[kept] = names->list[n];
		map[n + 1] = ++kept;
	}
	names->count = names->kept_count = kept;
	names->kept_bytes = names->bytes;
	memset(names->slots, 0, names->slot_count * sizeof(*names->slots));
	for (uint32_t n = 0; n < kept; n++)
		*slot_of(names, names->list[n].text) = n + 1;
}

const struct name *names_get(const struct names *names, uint64_t number)
{
	return number && number <= names->count ? &names->list[number - 1] : NULL;
}

void names_free(struct names *names)
{
	for (uint32_t n = 0; n < names->count; n++)
		free(names->list[n].text);
	free(names->list);
	free(names->slots);
	memset(names, 0, sizeof(*names));
}

char *name_printed(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	return text;
}
