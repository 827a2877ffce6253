/* SPDX-License-Identifier: BSD-3-Clause */
/* See text_tally.h. */
#include "text_tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/saving/fields.h"

#define BETWEEN '\n'
/* Of both words: what is longer is cut */
#define KEY_BYTES 2048u

static void make_key(char key[KEY_BYTES], const char *const words[TEXT_TALLY_WORDS])
{
	snprintf(key, KEY_BYTES, "%.1000s%c%.1000s", words[0] ? words[0] : "", BETWEEN,
		 words[1] ? words[1] : "");
}

/* Where samples of that go; NULL if memory is short */
static struct weighted *count_of(struct text_tally *tally, const char *key)
{
	const uint32_t before = tally->names.count;
	uint32_t number;

	if (before == tally->room) {
		const uint32_t room = tally->room ? 2 * tally->room : 16;
		struct weighted *more = realloc(tally->samples, room * sizeof(*more));

		if (!more)
			return NULL;
		memset(more + before, 0, (room - before) * sizeof(*more));
		tally->samples = more;
		tally->room = room;
	}
	number = names_find(&tally->names, key);
	if (!number && before >= TEXT_TALLY_MOST)
		return &tally->others;
	if (!number)
		number = names_add(&tally->names, key);
	return number ? &tally->samples[number - 1] : NULL;
}

static int add(struct text_tally *tally, const char *key, const struct weighted *samples)
{
	struct weighted *count = count_of(tally, key);

	if (!count)
		return -1;
	weighted_add(count, samples);
	weighted_add(&tally->all, samples);
	return 0;
}

int text_tally_add(struct text_tally *tally, const char *const words[TEXT_TALLY_WORDS],
		   const struct weighted *samples)
{
	char key[KEY_BYTES];

	make_key(key, words);
	return add(tally, key, samples);
}

int text_tally_merge(struct text_tally *to, const struct text_tally *from)
{
	for (uint32_t n = 0; n < from->names.count; n++) {
		if (add(to, from->names.list[n].text, &from->samples[n]) < 0)
			return -1;
	}
	weighted_add(&to->others, &from->others);
	weighted_add(&to->all, &from->others);
	return 0;
}

int text_tally_is_partial(const struct text_tally *tally)
{
	return tally->others.samples != 0;
}

void text_tally_free(struct text_tally *tally)
{
	names_free(&tally->names);
	free(tally->samples);
	memset(tally, 0, sizeof(*tally));
}

/* --- saved and loaded --- */

static void one(struct saving *saving, struct text_tally *tally, uint32_t n)
{
	struct weighted samples = { .samples = 0 };
	const char *key = NULL;

	if (!saving->is_loading) {
		key = tally->names.list[n].text;
		samples = tally->samples[n];
	}
	saved_text(saving, &key);
	saved_weighted(saving, &samples);
	if (!saving->is_loading || saving_failed(saving))
		return;
	if (!key || !strchr(key, BETWEEN) || strlen(key) >= KEY_BYTES)
		saving_damaged(saving, "expected two words of a tally");
	else if (add(tally, key, &samples) < 0)
		saving_no_memory(saving);
	else if (tally->names.count != n + 1)
		saving_damaged(saving, "expected each word of a tally once");
}

void text_tally_saved(struct saving *saving, struct text_tally *tally)
{
	const uint32_t count =
		saved_count(saving, tally->names.count, TEXT_TALLY_MOST, 5, "words of a tally");

	for (uint32_t n = 0; n < count && !saving_failed(saving); n++)
		one(saving, tally, n);
	saved_weighted(saving, &tally->others);
	if (saving->is_loading)
		weighted_add(&tally->all, &tally->others);
}

/* --- in order --- */

static int most_first(const void *one, const void *other)
{
	const struct text_count *a = one, *b = other;

	if (a->samples.samples != b->samples.samples)
		return a->samples.samples > b->samples.samples ? -1 : 1;
	for (uint32_t n = 0; n < TEXT_TALLY_WORDS; n++) {
		const int order =
			strcmp(a->words[n] ? a->words[n] : "", b->words[n] ? b->words[n] : "");

		if (order)
			return order;
	}
	return 0;
}

static int split(struct text_count *count, const char *key)
{
	const char *between = strchr(key, BETWEEN);

	count->words[0] = between > key ? strndup(key, (size_t)(between - key)) : NULL;
	count->words[1] = between[1] ? strdup(between + 1) : NULL;
	return (between > key && !count->words[0]) || (between[1] && !count->words[1]) ? -1 : 0;
}

struct text_count *text_tally_sorted(const struct text_tally *tally)
{
	struct text_count *counts =
		tally->names.count ? calloc(tally->names.count, sizeof(*counts)) : NULL;
	int failed = 0;

	for (uint32_t n = 0; counts && n < tally->names.count; n++) {
		failed |= split(&counts[n], tally->names.list[n].text) < 0;
		counts[n].samples = tally->samples[n];
	}
	if (failed) {
		text_counts_free(counts, tally->names.count);
		return NULL;
	}
	if (counts)
		qsort(counts, tally->names.count, sizeof(*counts), most_first);
	return counts;
}

void text_counts_free(struct text_count *counts, uint32_t count)
{
	for (uint32_t n = 0; counts && n < count; n++) {
		for (uint32_t i = 0; i < TEXT_TALLY_WORDS; i++)
			free(counts[n].words[i]);
	}
	free(counts);
}
