/* SPDX-License-Identifier: BSD-3-Clause */
/* See latencies.h. */
#include "latencies.h"

#include <inttypes.h>
#include <stdlib.h>

#define PERCENTILES 3

static const uint32_t percentiles[PERCENTILES] = { 50, 95, 99 };

void latencies_free(struct latencies *latencies)
{
	histogram_free(&latencies->exact);
	if (latencies->weights)
		histogram_free(latencies->weights);
	free(latencies->weights);
	*latencies = (struct latencies){ 0 };
}

void latencies_free_all(struct latencies **latencies, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (latencies[i])
			latencies_free(latencies[i]);
		free(latencies[i]);
	}
}

void latencies_add_beyond(struct latencies *latencies, uint64_t value)
{
	latencies->beyond++;
	latencies->sum_beyond += (double)value;
	latencies->largest = value > latencies->largest ? value : latencies->largest;
}

/* --- weights --- */

/* What each value weighs by itself, up to now 'base'. 0, or -1 if memory is short */
static int weigh_apart(struct latencies *latencies)
{
	struct histogram *weights;

	if (latencies->weights)
		return 0;
	weights = calloc(1, sizeof(*weights));
	if (!weights)
		return -1;
	latencies->weights = weights;
	latencies->weight_beyond = latencies->beyond * latencies->base;
	latencies->weighed_beyond = latencies->sum_beyond * (double)latencies->base;
	return histogram_merge(weights, &latencies->exact, latencies->base);
}

int latencies_add_weighed_slow(struct latencies *latencies, uint64_t value, uint64_t weight)
{
	if (weigh_apart(latencies) < 0 || latencies_add(latencies, value) < 0)
		return -1;
	if (value < HISTOGRAM_VALUES)
		return histogram_add_times(latencies->weights, (uint16_t)value, weight);
	latencies->weight_beyond += weight;
	latencies->weighed_beyond += (double)value * (double)weight;
	return 0;
}

static int is_empty(const struct latencies *latencies)
{
	return !latencies->all.samples;
}

/* Those of the other, which weigh 'base' each if it has no weights */
static int merge_weights(struct latencies *latencies, const struct latencies *other)
{
	if (other->weights) {
		latencies->weight_beyond += other->weight_beyond;
		latencies->weighed_beyond += other->weighed_beyond;
		return histogram_merge(latencies->weights, other->weights, 1);
	}
	latencies->weight_beyond += other->beyond * other->base;
	latencies->weighed_beyond += other->sum_beyond * (double)other->base;
	return histogram_merge(latencies->weights, &other->exact, other->base);
}

int latencies_merge(struct latencies *latencies, const struct latencies *other)
{
	if (is_empty(other))
		return 0;
	if (is_empty(latencies))
		latencies->base = other->base;
	if (latencies->weights || other->weights || latencies->base != other->base) {
		if (weigh_apart(latencies) < 0 || merge_weights(latencies, other) < 0)
			return -1;
	}
	latencies->beyond += other->beyond;
	latencies->sum_beyond += other->sum_beyond;
	latencies->largest =
		other->largest > latencies->largest ? other->largest : latencies->largest;
	weighted_add(&latencies->all, &other->all);
	return histogram_merge(&latencies->exact, &other->exact, 1);
}

int latencies_merge_all(struct latencies **latencies, struct latencies **others, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!latencies[i]) {
			latencies[i] = others[i];
			others[i] = NULL;
		} else if (others[i] && latencies_merge(latencies[i], others[i]) < 0) {
			return -1;
		}
	}
	return 0;
}

uint64_t latencies_count(const struct latencies *latencies)
{
	return latencies->all.samples;
}

/* --- figures --- */

/* Of numbers of samples, or of what they weigh. A percentile beyond the histogram is HISTOGRAM_VALUES. */
struct told {
	double mean;
	uint64_t largest;
	uint32_t percentile[PERCENTILES];
};

/* What figures count */
static const struct histogram *counted(const struct latencies *latencies, weight_sum *all,
				       double *beyond)
{
	if (!latencies->weights || weighted_are_counted(&latencies->all)) {
		*all = latencies->all.samples;
		*beyond = latencies->sum_beyond;
		return &latencies->exact;
	}
	*all = latencies->all.weight;
	*beyond = latencies->weighed_beyond;
	return latencies->weights;
}

/* Percentiles by the nearest rank: the smallest value up to which there is that part of all */
static void tell(const struct latencies *latencies, struct told *told)
{
	weight_sum all, reached = 0, sum = 0;
	double beyond;
	const struct histogram *of = counted(latencies, &all, &beyond);
	size_t next = 0;

	told->largest = latencies->largest;
	for (uint32_t value = histogram_next(of, 0); value < HISTOGRAM_VALUES;
	     value = histogram_next(of, value + 1)) {
		uint64_t count = histogram_count(of, (uint16_t)value);

		reached += count;
		sum += (weight_sum)count * value;
		while (next < PERCENTILES && reached * 100 >= all * percentiles[next])
			told->percentile[next++] = value;
		if (!latencies->beyond)
			told->largest = value;
	}
	while (next < PERCENTILES)
		told->percentile[next++] = HISTOGRAM_VALUES;
	told->mean = ((double)sum + beyond) / (double)all;
}

static void cells_percentiles(struct document *document, const struct told *told)
{
	for (size_t i = 0; i < PERCENTILES; i++) {
		if (told->percentile[i] < HISTOGRAM_VALUES)
			cell_count(document, told->percentile[i]);
		else
			cell_absent(document);
	}
}

void cells_latencies(struct document *document, const struct latencies *latencies)
{
	const uint64_t samples = latencies_count(latencies);
	struct told told;

	cell_count(document, samples);
	if (!samples)
		return;
	tell(latencies, &told);
	cell_decimal(document, told.mean, samples);
	cells_percentiles(document, &told);
	cell_count(document, told.largest);
}

void cells_latencies_in_short(struct document *document, const struct latencies *latencies)
{
	struct told told;

	tell(latencies, &told);
	cells_percentiles(document, &told);
	cell_count(document, latencies_count(latencies));
}

static double square(double value)
{
	return value * value;
}

/* What sums of squares would be if the samples of each value weighed the same */
static double squares_alike(const struct latencies *latencies)
{
	double squares = 0;

	for (uint32_t value = histogram_next(&latencies->exact, 0); value < HISTOGRAM_VALUES;
	     value = histogram_next(&latencies->exact, value + 1))
		squares += square((double)histogram_count(latencies->weights, (uint16_t)value)) /
			   (double)histogram_count(&latencies->exact, (uint16_t)value);
	if (latencies->beyond)
		squares += square((double)latencies->weight_beyond) / (double)latencies->beyond;
	return squares;
}

struct weighted latencies_at(const struct latencies *latencies, uint16_t value)
{
	uint64_t samples = histogram_count(&latencies->exact, value), weight;
	struct weighted found;

	if (!samples || !latencies->weights || weighted_are_counted(&latencies->all))
		return weighted_of(samples, latencies->all.least);
	weight = histogram_count(latencies->weights, value);
	found = weighted_of(samples, latencies->all.least);
	found.most = latencies->all.most;
	found.weight = weight;
	found.squares = (weight_sum)(square((double)weight) / (double)samples *
				     ((double)latencies->all.squares / squares_alike(latencies)));
	return found;
}

void note_latencies(struct document *document, const struct latencies *latencies)
{
	if (latencies->beyond)
		table_note(document,
			   "%" PRIu64 " latencies are longer than %u cycles: percentiles among "
			   "these are not told", latencies->beyond, HISTOGRAM_VALUES - 1);
}
