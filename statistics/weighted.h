/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples and what they stand for: each for as many events as its period says.
 *
 * Where a recording has a fixed period all samples weigh the same, and figures are those of their
 * number. Where the kernel chases a frequency they do not: a sample of a busy time stands for
 * thousands of times as many events as one of a quiet time, or of the beginning of the recording.
 */
#ifndef STATISTICS_WEIGHTED_H
#define STATISTICS_WEIGHTED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "interval.h"

/*
 * Sums of periods, and of their squares, that no recording overflows. Where there are no such integers
 * they are as exact as a double, and the order in which samples are added may show in a last digit.
 */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 weight_sum;
#else
typedef double weight_sum;
#endif

/*
 * A period that is taken for one. One sample in so many events is none: it is damage, and of what it is
 * in nothing is known but the number of samples.
 */
#define WEIGHT_MOST (UINT64_C(1) << 40)

/* Zeroed memory is none. */
struct weighted {
	weight_sum weight, squares; /* sums of weights, and of their squares */
	uint64_t samples;
	uint64_t least, most; /* weight of one sample; 'least' 0: what some stand for is not known */
};

/* So many samples of the same weight, 0 if it is not known */
static inline struct weighted weighted_of(uint64_t samples, uint64_t weight)
{
	const weight_sum sum = (weight_sum)samples * weight;

	return (struct weighted){
		.weight = sum, .squares = sum * weight, .samples = samples,
		.least = weight, .most = weight,
	};
}

static inline void weighted_add(struct weighted *to, const struct weighted *from)
{
	if (!from->samples)
		return;
	to->least = to->samples && to->least < from->least ? to->least : from->least;
	to->most = to->most > from->most ? to->most : from->most;
	to->samples += from->samples;
	to->weight += from->weight;
	to->squares += from->squares;
}

static inline struct weighted weighted_sum_of(const struct weighted *a, const struct weighted *b)
{
	struct weighted sum = *a;

	weighted_add(&sum, b);
	return sum;
}

/* Those of a whole that are not of one of its parts; the bounds are the whole's. */
static inline struct weighted weighted_rest(const struct weighted *whole, const struct weighted *part)
{
	struct weighted rest = *whole;

	rest.weight -= part->weight;
	rest.squares -= part->squares;
	rest.samples -= part->samples;
	return rest;
}

/* A sum in two words of a table, of which zeros are 0 */
static inline weight_sum weight_sum_of(const uint64_t words[2])
{
	weight_sum sum;

	memcpy(&sum, words, sizeof(sum));
	return sum;
}

static inline void weight_sum_add(uint64_t words[2], weight_sum more)
{
	const weight_sum sum = weight_sum_of(words) + more;

	memcpy(words, &sum, sizeof(sum));
}

/* Arrays of any dimensions, and of what consists of them */
#define WEIGHTED_MERGE(to, from)                                                                   \
	weighted_add_all((struct weighted *)&(to), (const struct weighted *)&(from),               \
			 sizeof(to) / (sizeof(struct weighted)))
void weighted_add_all(struct weighted *to, const struct weighted *from, size_t count);

/*
 * Do figures of these samples count them one by one? They do where all weigh the same, and where that is
 * not known of some: the two are never mixed in one figure.
 */
static inline int weighted_are_counted(const struct weighted *whole)
{
	return !whole->least || whole->least == whole->most;
}

/*
 * Of how many samples of equal weight the mean would be as uncertain (Kish, "Survey Sampling", 1965):
 * the square of the sum of weights by the sum of their squares. The number of samples where they are
 * counted one by one.
 */
double weighted_effective(const struct weighted *whole);

/* A sample of which it is not known what it stands for weighs so much where something has to sort. */
#define WEIGHT_UNKNOWN 1u

/*
 * What one sample weighs in sums of these: they are told as those of samples where these are counted one
 * by one. 0: of some that is known and of others it is not, so that no sum is told.
 */
static inline uint64_t weighted_unit(const struct weighted *whole)
{
	if (!weighted_are_counted(whole))
		return 1;
	if (!whole->least && whole->most)
		return 0;
	return whole->least ? whole->least : WEIGHT_UNKNOWN;
}

/* Fewer effective samples than that have no interval if their weights differ. */
#define WEIGHTED_FEWEST 30

/* The share that a part has of the whole, of which it is a part; 0 of nothing */
double weighted_share(const struct weighted *part, const struct weighted *whole);

/*
 * Its 95% interval: interval_of_share() where samples are counted. Otherwise as that has half a sample
 * more in the part for the upper end, and half a sample less for the lower one, half of the heaviest
 * sample goes into the part or out of it; and n is the number of samples of equal weight whose share
 * would then have the variance that this one has,
 *
 *	V = ((1 - p)^2 sum of squares in the part + p^2 sum of squares outside) / (sum of weights)^2,
 *
 * n = p (1 - p) / V, but not more than weighted_effective(): a part of light samples alone would
 * otherwise seem to be better known than the whole. Where all weigh the same it is the same interval.
 * It is wide where one sample outweighs many: so much would one more like it change.
 *
 * tests/statistics/test_weighted.c has how often it holds the truth: whichever way periods and shares
 * go together there, in 95 of 100 or more.
 */
struct interval weighted_interval(const struct weighted *part, const struct weighted *whole);

/* The same of any confidence. Ends NAN: there is no interval */
struct interval weighted_interval_at(const struct weighted *part, const struct weighted *whole,
				     struct confidence confidence);

#endif
