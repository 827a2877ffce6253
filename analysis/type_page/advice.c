/* SPDX-License-Identifier: BSD-3-Clause */
/* See advice.h. */
#include "advice.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/by/names.h"
#include "statistics/quantiles.h"

/* A member is small if so many of them are no longer than the type */
#define SMALL 4u
/* What each of several must certainly have to be a hot one; more than 1 / that there are not */
#define HOT_LEAST 0.10
#define HOT_MOST 10u
/* Types that are shorter are no matter of members that are read and others that are not */
#define LONG_BYTES 16u
/* No type wants more, but those that say so */
#define ALIGNMENT_MOST 16u
#define ERROR 0.05

static const struct {
	const char *name;
	double least;
} rules[ADVICE_IDS] = {
#define ADVICE(name, least) [ADVICE_##name] = { #name, least },
#include "advice.def"
};

struct advising {
	const struct type_tally *tally;
	const struct type_shape *shape;
	const struct weighted *whole; /* samples of the type */
	struct confidence confidence;
	uint32_t hot[HOT_MOST]; /* rows that are certainly hot, in the order of offsets */
	uint32_t hot_count;
	struct advice *advice;
	int count, failed;
};

/* --- what is certain --- */

/* Each member may be the one, and each two of them the pair. */
static double quantile_of(const struct type_shape *shape, uint32_t types)
{
	const double members = shape->count;
	const double questions = members + HOT_MOST * (HOT_MOST - 1) / 2.0 + ADVICE_IDS;

	return normal_upper(ERROR / questions / types);
}

static int is_certain(const struct advising *advising, const struct weighted *part,
		      const struct weighted *whole, double least)
{
	return whole->samples && weighted_interval_at(part, whole, advising->confidence).low > least;
}

/* 'text' is taken. */
static void add(struct advising *advising, enum advice_id id, const struct weighted *part,
		const struct weighted *whole, char *text)
{
	if (!text) {
		advising->failed = 1;
		return;
	}
	advising->advice[advising->count++] = (struct advice){
		.name = rules[id].name, .text = text, .part = *part, .whole = *whole,
	};
}

/* --- members --- */

static int is_in_array(const struct type_shape *shape, const struct shape_row *row)
{
	for (uint32_t n = row->parent; n != SHAPE_NO_ROW; n = shape->rows[n].parent) {
		if (shape->rows[n].elements != 1)
			return 1;
	}
	return 0;
}

/* A member without members that has its place in each object once */
static int is_single(const struct type_shape *shape, uint32_t n)
{
	const struct shape_row *row = &shape->rows[n];

	return row->kind == PRECIS_PATH_MEMBER && row->end == n + 1 && row->bytes &&
	       !is_in_array(shape, row);
}

static void find_hot(struct advising *advising)
{
	for (uint32_t n = 0; n < advising->shape->count && advising->hot_count < HOT_MOST; n++) {
		if (is_single(advising->shape, n) &&
		    is_certain(advising, &advising->tally->rows[n].samples, advising->whole, HOT_LEAST))
			advising->hot[advising->hot_count++] = n;
	}
}

static const struct shape_row *hot_row(const struct advising *advising, uint32_t n)
{
	return &advising->shape->rows[advising->hot[n]];
}

static uint64_t lines_of(uint64_t bytes)
{
	return (bytes + SHAPE_LINE_BYTES - 1) / SHAPE_LINE_BYTES;
}

/* --- one member, a few members --- */

static void advise_one_member(struct advising *advising)
{
	const uint64_t bytes = advising->shape->bytes;

	if (bytes < LONG_BYTES || advising->tally->start_count < 2)
		return;
	for (uint32_t n = 0; n < advising->hot_count; n++) {
		const struct shape_row *row = hot_row(advising, n);
		const struct weighted *samples = &advising->tally->rows[advising->hot[n]].samples;

		if (row->bytes * SMALL > bytes ||
		    !is_certain(advising, samples, advising->whole, rules[ADVICE_one_member].least))
			continue;
		add(advising, ADVICE_one_member, samples, advising->whole,
		    name_printed("nearly all that is touched is %s, %" PRIu64 " of %" PRIu64
				 " bytes: an array of these alone would need %.2g%% of the memory",
				 row->path, row->bytes, bytes,
				 100.0 * (double)row->bytes / (double)bytes));
	}
}

/* "key, count"; to be freed */
static char *names_of_hot(const struct advising *advising)
{
	char *text = name_printed("%s", hot_row(advising, 0)->path);

	for (uint32_t n = 1; n < advising->hot_count && text; n++) {
		char *more = name_printed("%s, %s", text, hot_row(advising, n)->path);

		free(text);
		text = more;
	}
	return text;
}

static void advise_hot_and_cold(struct advising *advising)
{
	const uint64_t bytes = advising->shape->bytes;
	struct weighted samples = { .samples = 0 };
	uint64_t hot = 0;
	char *names;

	/* what counts in several members would count twice */
	if (advising->hot_count < 2 || bytes <= SHAPE_LINE_BYTES || advising->tally->several.samples)
		return;
	for (uint32_t n = 0; n < advising->hot_count; n++) {
		hot += hot_row(advising, n)->bytes;
		weighted_add(&samples, &advising->tally->rows[advising->hot[n]].samples);
	}
	if (hot * SMALL > bytes ||
	    !is_certain(advising, &samples, advising->whole, rules[ADVICE_hot_and_cold].least))
		return;
	names = names_of_hot(advising);
	add(advising, ADVICE_hot_and_cold, &samples, advising->whole,
	    name_printed("nearly all that is touched is %s, %" PRIu64 " of %" PRIu64
			 " bytes: apart from the others these need %" PRIu64 " of %" PRIu64
			 " cache lines",
			 names ? names : "", hot, bytes, lines_of(hot), lines_of(bytes)));
	advising->failed |= !names;
	free(names);
}

/* --- two members that are used together --- */

/* Wherever the object begins, or, if it begins with a line, on that */
static int are_apart(const struct advising *advising, const struct shape_row *a, const struct shape_row *b)
{
	if (b->offset >= a->offset + SHAPE_LINE_BYTES)
		return 1;
	return advising->tally->aligned.samples == advising->whole->samples &&
	       a->offset / SHAPE_LINE_BYTES != b->offset / SHAPE_LINE_BYTES;
}

/* Of the samples of both those in functions that touch both */
static void together(const struct advising *advising, uint32_t a, uint32_t b, struct weighted *part,
		     struct weighted *whole)
{
	const struct tally_row *one = &advising->tally->rows[a], *other = &advising->tally->rows[b];

	*whole = weighted_sum_of(&one->samples, &other->samples);
	*part = (struct weighted){ .samples = 0 };
	for (uint32_t n = 0; one->functions && other->functions && n < advising->tally->function_count; n++) {
		if (!one->functions[n].samples || !other->functions[n].samples)
			continue;
		weighted_add(part, &one->functions[n]);
		weighted_add(part, &other->functions[n]);
	}
}

/* The pair with the most samples of those of which it is certain */
static void advise_hot_apart(struct advising *advising)
{
	struct weighted part, whole, best_part = { .samples = 0 }, best_whole = best_part;
	uint32_t first = 0, second = 0;

	for (uint32_t a = 0; a < advising->hot_count; a++) {
		for (uint32_t b = a + 1; b < advising->hot_count; b++) {
			const struct shape_row *one = hot_row(advising, a), *other = hot_row(advising, b);

			if (one->bytes + other->bytes > SHAPE_LINE_BYTES ||
			    !are_apart(advising, one, other))
				continue;
			together(advising, advising->hot[a], advising->hot[b], &part, &whole);
			if (whole.samples <= best_whole.samples ||
			    !is_certain(advising, &part, &whole, rules[ADVICE_hot_apart].least))
				continue;
			best_part = part;
			best_whole = whole;
			first = a;
			second = b;
		}
	}
	if (!best_whole.samples)
		return;
	add(advising, ADVICE_hot_apart, &best_part, &best_whole,
	    name_printed("%s and %s, which the same functions touch, are on different cache lines "
			 "(offsets %" PRIu64 " and %" PRIu64 "), and would have room on one",
			 hot_row(advising, first)->path, hot_row(advising, second)->path,
			 hot_row(advising, first)->offset, hot_row(advising, second)->offset));
}

/* --- the whole type --- */

/* Bytes of its own holes; 0 if members overlap, as in a union */
static uint64_t padding_of(const struct type_shape *shape)
{
	uint64_t padding = 0, end = 0;

	for (uint32_t n = 0; n < shape->count; n = shape->rows[n].end) {
		const struct shape_row *row = &shape->rows[n];

		if (row->kind == PRECIS_PATH_UNKNOWN || row->bits || row->offset < end)
			return 0;
		padding += row->kind == PRECIS_PATH_HOLE ? row->bytes : 0;
		end = row->offset + row->bytes;
	}
	return padding;
}

/* What it has if no member has to wait for its boundary: at most so much that is padding now goes. */
static uint64_t least_bytes(const struct type_shape *shape, uint64_t padding)
{
	const uint64_t members = shape->bytes - padding;
	uint64_t alignment = shape->bytes & -shape->bytes;

	alignment = alignment < ALIGNMENT_MOST ? alignment : ALIGNMENT_MOST;
	return (members + alignment - 1) / alignment * alignment;
}

static void advise_padding(struct advising *advising, const struct weighted *all)
{
	const struct type_shape *shape = advising->shape;
	const uint64_t padding = padding_of(shape), least = padding ? least_bytes(shape, padding) : 0;

	if (!padding || shape->is_cut || shape->absent || padding >= shape->bytes || least >= shape->bytes ||
	    !is_certain(advising, advising->whole, all, rules[ADVICE_padding].least))
		return;
	add(advising, ADVICE_padding, advising->whole, all,
	    name_printed("%" PRIu64 " of %" PRIu64
			 " bytes are padding: with its members in another order, those with the "
			 "widest elements first, it would have %" PRIu64,
			 padding, shape->bytes, least));
}

static void advise_straddling(struct advising *advising)
{
	const struct weighted *part = &advising->tally->straddling;

	if (!is_certain(advising, part, advising->whole, rules[ADVICE_straddling].least))
		return;
	add(advising, ADVICE_straddling, part, advising->whole,
	    name_printed("objects of %" PRIu64
			 " bytes are on two cache lines: those that begin at multiples of %u are on one",
			 advising->shape->bytes, SHAPE_LINE_BYTES));
}

int advice_of(const struct type_tally *tally, const struct weighted *all,
	      struct confidence confidence, uint32_t types, struct advice advice[ADVICE_IDS])
{
	struct advising advising = {
		.tally = tally,
		.shape = tally->shape,
		.whole = &member_tally_whole(tally)->samples,
		.confidence = { quantile_of(tally->shape, types), confidence.effect },
		.advice = advice,
	};

	find_hot(&advising);
	advise_one_member(&advising);
	advise_hot_and_cold(&advising);
	advise_hot_apart(&advising);
	advise_padding(&advising, all);
	advise_straddling(&advising);
	if (!advising.failed)
		return advising.count;
	for (int n = 0; n < advising.count; n++)
		free(advice[n].text);
	return -1;
}
