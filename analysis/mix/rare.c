/* SPDX-License-Identifier: BSD-3-Clause */
/* See rare.h. */
#include "rare.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_SHIFT 12

struct rare_page {
	uint64_t seen;             /* samples, and ends of streams */
	uint32_t places, number;
	int is_left_out;
};

static struct numbering_key key_of(const struct code_text *text, uint64_t offset)
{
	return (struct numbering_key){ { (uint64_t)(uintptr_t)text, offset >> PAGE_SHIFT, 0, 0 } };
}

int rare_has(const void *data, const struct code_text *text, uint64_t offset)
{
	const struct rare *rare = data;
	const struct numbering_key key = key_of(text, offset);
	const uint32_t number = rare->page ? numbering_find(&rare->pages, &key) : NUMBERING_NONE;

	return number != NUMBERING_NONE && rare->page[number].is_left_out;
}

/* By place, the number of its page; NUMBERING_NONE: it is in no text. @return NULL: memory is short */
static uint32_t *pages_of(struct rare *rare, const struct mix_sightings *sightings)
{
	const uint32_t places = mix_sightings_places(sightings);
	uint32_t *pages = malloc(places * sizeof(*pages));

	for (uint32_t n = 0; pages && n < places; n++) {
		const struct mix_place place = mix_sightings_place(sightings, n);
		const struct numbering_key key = key_of(place.text, place.offset);

		pages[n] = place.text ? numbering_of(&rare->pages, &key) : NUMBERING_NONE;
		if (place.text && pages[n] == NUMBERING_NONE) {
			free(pages);
			return NULL;
		}
	}
	return pages;
}

static void count(struct rare *rare, uint32_t page, uint32_t times)
{
	if (page != NUMBERING_NONE)
		rare->page[page].seen += times;
}

static void count_seen(struct rare *rare, const struct mix_observations *seen, const uint32_t *pages)
{
	for (size_t n = 0; n < seen->tallies.count; n++) {
		const struct mix_tally *tally = &seen->tallies.tally[n];

		count(rare, pages[tally->first], tally->count);
		if (tally->kind == MIX_STREAM)
			count(rare, pages[tally->last], tally->count);
	}
}

/* Most was seen of the first one; of equals the one that was seen first */
static int by_seen(const void *a, const void *b)
{
	const struct rare_page *left = a, *right = b;

	if (left->seen != right->seen)
		return left->seen > right->seen ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

static int by_number(const void *a, const void *b)
{
	const struct rare_page *left = a, *right = b;

	return left->number < right->number ? -1 : left->number > right->number;
}

static void leave_out(struct rare *rare, uint32_t most)
{
	const uint32_t pages = rare->pages.count;
	uint32_t places = 0, n = 0;

	qsort(rare->page, pages, sizeof(*rare->page), by_seen);
	for (; n < pages && rare->page[n].places <= most - places; n++)
		places += rare->page[n].places;
	for (; n < pages; n++)
		rare->page[n].is_left_out = 1;
	qsort(rare->page, pages, sizeof(*rare->page), by_number);
}

int rare_find(struct rare *rare, const struct mix_sightings *sightings, uint32_t most)
{
	const uint32_t places = mix_sightings_places(sightings);
	uint32_t *pages;

	if (!most || places <= most)
		return 0;
	pages = pages_of(rare, sightings);
	rare->page = pages ? calloc(rare->pages.count + 1u, sizeof(*rare->page)) : NULL;
	if (!rare->page) {
		free(pages);
		return -1;
	}
	for (uint32_t n = 0; n < rare->pages.count; n++)
		rare->page[n].number = n;
	for (uint32_t n = 0; n < places; n++) {
		if (pages[n] != NUMBERING_NONE)
			rare->page[pages[n]].places++;
	}
	count_seen(rare, mix_sightings_seen(sightings), pages);
	free(pages);
	leave_out(rare, most);
	return 0;
}

void rare_free(struct rare *rare)
{
	numbering_free(&rare->pages);
	free(rare->page);
	memset(rare, 0, sizeof(*rare));
}
