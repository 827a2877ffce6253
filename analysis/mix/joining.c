/* SPDX-License-Identifier: BSD-3-Clause */
/* See joining.h. */
#include "joining.h"

#include <stdlib.h>
#include <string.h>

/* A place, of one seer's */
struct sighted {
	uint64_t first;
	uint32_t seer, place;
};

struct joining {
	struct mix_locating *locating;
	struct mix_seer *seers;
	uint32_t count;
	struct mix_seer all; /* of whom only places, streams and what was seen are made use of */
	uint32_t **numbers; /* by seer, by its number of a place: that of all */
	struct mix_observations **seen;
};

static int by_first(const void *a, const void *b)
{
	const struct sighted *left = a, *right = b;

	return left->first < right->first ? -1 : left->first > right->first;
}

static uint32_t list_sighted(const struct joining *joining, struct sighted *sighted)
{
	uint32_t listed = 0;

	for (uint32_t n = 0; n < joining->count; n++) {
		const struct mix_seer *seer = &joining->seers[n];

		for (uint32_t place = 0; place < seer->places.count; place++)
			sighted[listed++] = (struct sighted){ seer->first[place], n, place };
	}
	return listed;
}

/* Numbers as one would have given them, who comes upon places in their order. @return 0, or -1 */
static int number_places(struct joining *joining)
{
	struct sighted *sighted;
	size_t all = 0;
	uint32_t listed;
	int failed = 0;

	for (uint32_t n = 0; n < joining->count; n++)
		all += joining->seers[n].places.count;
	sighted = malloc((all + 1) * sizeof(*sighted));
	if (!sighted)
		return -1;
	listed = list_sighted(joining, sighted);
	qsort(sighted, listed, sizeof(*sighted), by_first);
	for (uint32_t n = 0; n < listed && !failed; n++) {
		const struct mix_seer *seer = &joining->seers[sighted[n].seer];
		const uint32_t number =
			numbering_of(&joining->all.places, &seer->places.key[sighted[n].place]);

		joining->numbers[sighted[n].seer][sighted[n].place] = number;
		failed = number == NUMBERING_NONE;
	}
	free(sighted);
	return failed ? -1 : 0;
}

/* Texts were found by whoever had the time. @return 0, or -1: memory is short */
static int number_texts(struct joining *joining)
{
	const uint32_t texts = code_texts_count(joining->locating->texts);
	struct code_text **order = malloc((texts + 1) * sizeof(*order));
	uint8_t *is_listed = calloc(texts + 1, sizeof(*is_listed));
	uint32_t listed = 0;

	for (uint32_t n = 0; order && is_listed && n < joining->all.places.count; n++) {
		struct code_text *text = mix_place_of(&joining->all.places.key[n]).text;

		if (!text || is_listed[code_text_number(text)])
			continue;
		is_listed[code_text_number(text)] = 1;
		order[listed++] = text;
	}
	if (order && is_listed && listed == texts)
		code_texts_renumber(joining->locating->texts, order);
	free(order);
	free(is_listed);
	return order && is_listed ? 0 : -1;
}

static int make_numbers(struct joining *joining)
{
	joining->numbers = calloc(joining->count, sizeof(*joining->numbers));
	joining->seen = calloc(joining->count, sizeof(*joining->seen));
	if (!joining->numbers || !joining->seen)
		return -1;
	for (uint32_t n = 0; n < joining->count; n++) {
		joining->seen[n] = &joining->seers[n].seen;
		joining->numbers[n] = malloc((joining->seers[n].places.count + (size_t)1) *
					     sizeof(*joining->numbers[n]));
		if (!joining->numbers[n])
			return -1;
	}
	return 0;
}

static int join(struct joining *joining)
{
	int failed = 0;

	for (uint32_t n = 0; n < joining->count; n++)
		failed |= mix_seer_count(&joining->seers[n]) < 0;
	if (failed || make_numbers(joining) < 0 || number_places(joining) < 0 ||
	    number_texts(joining) < 0 || mix_observations_defer(&joining->all.seen) < 0)
		return -1;
	return mix_observations_join(&joining->all.seen, joining->seen,
				     (const uint32_t *const *)joining->numbers, joining->count);
}

static void merge_streams(const struct joining *joining)
{
	for (uint32_t n = 0; n < joining->count; n++) {
		const struct mix_seer *seer = &joining->seers[n];

		for (uint32_t event = 0; event < seer->event_count; event++)
			code_streams_merge(seer->of_events[event].of, &seer->of_events[event].had);
	}
}

int joining_of(struct mix_locating *locating, struct mix_seer *seers, uint32_t *count)
{
	struct joining joining = { .locating = locating, .seers = seers, .count = *count };
	const int failed = join(&joining) < 0;

	merge_streams(&joining);
	for (uint32_t n = 0; n < joining.count; n++) {
		if (joining.numbers)
			free(joining.numbers[n]);
		mix_seer_free(&seers[n]);
	}
	free(joining.numbers);
	free(joining.seen);
	seers[0] = joining.all;
	*count = 1;
	return failed ? -1 : 0;
}
