/* SPDX-License-Identifier: BSD-3-Clause */
/* See latencies.h. */
#include "latencies.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>


static const uint32_t percentiles[LATENCY_PERCENTILES] = { 50, 95, 99 };
static const int is_told_between[LATENCY_PERCENTILES] = { 1, 0, 1 }; /* where a line has no room for more */

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

int latencies_add_times(struct latencies *latencies, uint64_t value, uint64_t times)
{
	if (value < HISTOGRAM_VALUES)
		return histogram_add_times(&latencies->exact, (uint16_t)value, times);
	latencies->beyond += times;
	latencies->sum_beyond += (double)value * (double)times;
	latencies->largest = value > latencies->largest ? value : latencies->largest;
	return 0;
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

int latencies_add_times_weighed(struct latencies *latencies, uint64_t value, uint64_t times,
				uint64_t weight)
{
	if (weigh_apart(latencies) < 0 || latencies_add_times(latencies, value, times) < 0)
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

static int are_counted(const struct latencies *latencies)
{
	return !latencies->weights || weighted_are_counted(&latencies->all);
}

double latencies_factor(const struct latencies *latencies)
{
	return are_counted(latencies) ?
		       1 : (double)latencies->all.squares / squares_alike(latencies);
}

struct weighted latencies_at(const struct latencies *latencies, uint16_t value, double factor)
{
	uint64_t samples = histogram_count(&latencies->exact, value), weight;
	struct weighted found = weighted_of(samples, latencies->all.least);

	if (!samples || are_counted(latencies))
		return found;
	weight = histogram_count(latencies->weights, value);
	found.most = latencies->all.most;
	found.weight = weight;
	found.squares = (weight_sum)(square((double)weight) / (double)samples * factor);
	return found;
}

/* Is so much of the whole up to the part's last value? Whole numbers, as nearest ranks are */
static int reaches(const struct weighted *part, const struct weighted *whole, uint32_t percent)
{
	if (weighted_are_counted(whole))
		return (weight_sum)part->samples * 100 >= (weight_sum)whole->samples * percent;
	return part->weight * 100 >= whole->weight * percent;
}

/* Farther from the percentage than that a share's interval does not reach. */
static double reach_of(const struct weighted *whole)
{
	const double n = weighted_effective(whole);

	return 1 / sqrt(n) + 4 / n + (weighted_are_counted(whole) ? 0.5 / n :
				      0.5 * (double)whole->most / (double)whole->weight);
}

/* 'part' is what is up to that value: which ends has it reached? */
static void take_value(struct latency_figures *told, const struct weighted *part,
		       const struct weighted *whole, double reach, uint32_t value,
		       struct confidence confidence)
{
	const double share = weighted_share(part, whole);
	struct interval interval = { -1, -1 };

	for (size_t i = 0; i < LATENCY_PERCENTILES; i++) {
		struct latency_percentile *to = &told->percentile[i];
		const double at = percentiles[i] / 100.0;

		if (to->value == HISTOGRAM_VALUES && reaches(part, whole, percentiles[i]))
			to->value = value;
		if (to->high < HISTOGRAM_VALUES || share + reach < at)
			continue;
		if (interval.high < 0)
			interval = weighted_interval_at(part, whole, confidence);
		if (to->is_bounded && to->low == HISTOGRAM_VALUES && interval.high >= at)
			to->low = value;
		if (interval.low >= at)
			to->high = value;
	}
}

static void begin_telling(struct latency_figures *told, const struct latencies *latencies,
			  struct confidence confidence)
{
	const struct weighted none = { 0 };
	const double below = weighted_interval_at(&none, &latencies->all, confidence).high;

	told->largest = latencies->largest;
	for (size_t i = 0; i < LATENCY_PERCENTILES; i++)
		told->percentile[i] = (struct latency_percentile){
			.value = HISTOGRAM_VALUES, .low = HISTOGRAM_VALUES, .high = HISTOGRAM_VALUES,
			.is_bounded = below < percentiles[i] / 100.0,
		};
}

static void end_telling(struct latency_figures *told, const struct latencies *latencies, double sum)
{
	const struct weighted *all = &latencies->all;
	const int is_few = !weighted_are_counted(all) && weighted_effective(all) < WEIGHTED_FEWEST;

	told->mean = are_counted(latencies) ?
			     (sum + latencies->sum_beyond) / (double)all->samples :
			     (sum + latencies->weighed_beyond) / (double)all->weight;
	for (size_t i = 0; i < LATENCY_PERCENTILES && is_few; i++)
		told->percentile[i].low = told->percentile[i].high = HISTOGRAM_VALUES;
}

/* What there is of values, one after the other */
struct telling {
	const struct latencies *latencies;
	struct confidence confidence;
	double factor, reach;
	int is_counted;
	struct weighted part; /* up to here; where values are counted their number alone */
	weight_sum sum;
	double waits; /* until so much of all: no percentile's interval begins before */
	struct latency_figures *told;
};

/* The share from which on one that is not known yet may be there */
static double next_share(const struct telling *is)
{
	double next = 2;

	for (size_t i = 0; i < LATENCY_PERCENTILES; i++) {
		const struct latency_percentile *to = &is->told->percentile[i];
		const double at = percentiles[i] / 100.0 - is->reach;

		if ((to->value == HISTOGRAM_VALUES || to->high == HISTOGRAM_VALUES) &&
		    !(at >= next)) /* no number: nothing is waited for */
			next = at;
	}
	return next;
}

static void wait_for_next(struct telling *is)
{
	const struct weighted *whole = &is->latencies->all;
	const double all = weighted_are_counted(whole) ? (double)whole->samples :
							 (double)whole->weight;

	/* a little earlier, as shares are rounded */
	is->waits = (next_share(is) - 1e-9) * all;
}

static void tell_value(struct telling *is, uint32_t value, uint64_t samples)
{
	const struct weighted *whole = &is->latencies->all;
	struct weighted part;

	if (is->is_counted) {
		is->part.samples += samples;
		is->sum += (weight_sum)samples * value;
	} else {
		part = latencies_at(is->latencies, (uint16_t)value, is->factor);
		weighted_add(&is->part, &part);
		is->sum += part.weight * value;
	}
	if ((is->is_counted ? (double)is->part.samples : (double)is->part.weight) < is->waits)
		return;
	part = is->is_counted ? weighted_of(is->part.samples, whole->least) : is->part;
	take_value(is->told, &part, whole, is->reach, value, is->confidence);
	wait_for_next(is);
}

/* Of values beyond the histogram squares are not known. */
static struct interval mean_interval(const struct telling *is)
{
	const struct latencies *latencies = is->latencies;
	struct spread spread = { .mean = is->told->mean };

	if (latencies->beyond)
		return (struct interval){ NAN, NAN };
	if (is->is_counted)
		spread_add_histogram(&spread, &latencies->exact);
	for (uint32_t value = histogram_next(&latencies->exact, 0);
	     value < HISTOGRAM_VALUES && !is->is_counted;
	     value = histogram_next(&latencies->exact, value + 1)) {
		const struct weighted here = latencies_at(latencies, (uint16_t)value, is->factor);

		spread_add(&spread, &here, value);
	}
	return spread_interval(&spread, &latencies->all, is->confidence);
}

/* Values that tell nothing but their number and sum. @return 1; 0: they are to be told one by one */
static int pass_block(struct telling *is, uint32_t first)
{
	struct histogram_sums sums;

	if (!is->is_counted)
		return 0;
	sums = histogram_sums_of(&is->latencies->exact, first);
	if (!((double)(is->part.samples + sums.count) < is->waits))
		return 0;
	is->part.samples += sums.count;
	is->sum += sums.sum;
	return 1;
}

static void tell_block(struct telling *is, uint32_t first)
{
	const struct histogram *exact = &is->latencies->exact;
	const uint32_t end = first + HISTOGRAM_BLOCK;

	for (uint32_t value = histogram_next(exact, first); value < end;
	     value = histogram_next(exact, value + 1))
		tell_value(is, value, histogram_count(exact, (uint16_t)value));
}

/* All but the interval of the mean */
static struct telling tell_values(const struct latencies *latencies, struct confidence confidence,
				  struct latency_figures *told)
{
	struct telling is = {
		.latencies = latencies, .confidence = confidence, .told = told,
		.is_counted = are_counted(latencies), .factor = latencies_factor(latencies),
		.reach = reach_of(&latencies->all) * confidence_reach(confidence) / INTERVAL_Z,
	};

	begin_telling(told, latencies, confidence);
	wait_for_next(&is);
	for (uint32_t first = 0; first < HISTOGRAM_VALUES; first += HISTOGRAM_BLOCK) {
		if (latencies->exact.block[first / HISTOGRAM_BLOCK] && !pass_block(&is, first))
			tell_block(&is, first);
	}
	if (!latencies->beyond && histogram_last(&latencies->exact) < HISTOGRAM_VALUES)
		told->largest = histogram_last(&latencies->exact);
	end_telling(told, latencies, (double)is.sum);
	return is;
}

void latencies_tell_at(const struct latencies *latencies, struct confidence confidence,
		       struct latency_figures *told)
{
	const struct telling is = tell_values(latencies, confidence, told);

	told->of_mean = mean_interval(&is);
}

static void cell_value(struct document *document, uint32_t value)
{
	if (value < HISTOGRAM_VALUES)
		cell_count(document, value);
	else
		cell_absent(document);
}

static double end_of(uint32_t value)
{
	return value < HISTOGRAM_VALUES ? value : NAN;
}

static void cells_ends(struct document *document, const struct latency_figures *told)
{
	for (size_t i = 0; i < LATENCY_PERCENTILES; i++) {
		cell_value(document, told->percentile[i].low);
		cell_value(document, told->percentile[i].high);
	}
}

void cells_latencies(struct document *document, const struct latencies *latencies)
{
	const uint64_t samples = latencies_count(latencies);
	struct latency_figures told;

	cell_count(document, samples);
	if (!samples)
		return;
	latencies_tell_at(latencies, document_confidence(document), &told);
	cell_decimal(document, told.mean, samples);
	for (size_t i = 0; i < LATENCY_PERCENTILES; i++)
		cell_value(document, told.percentile[i].value);
	cell_count(document, told.largest);
	cells_ends(document, &told);
	cell_known(document, told.of_mean.low);
	cell_known(document, told.of_mean.high);
}

void cells_latencies_in_short(struct document *document, const struct latencies *latencies)
{
	struct latency_figures told;

	tell_values(latencies, document_confidence(document), &told);
	for (size_t i = 0; i < LATENCY_PERCENTILES; i++) {
		const struct latency_percentile *percentile = &told.percentile[i];

		cell_value(document, percentile->value);
		if (is_told_between[i])
			cell_between(document, end_of(percentile->low), end_of(percentile->high));
	}
	cell_count(document, latencies_count(latencies));
	cells_ends(document, &told);
}

void note_latencies(struct document *document, const struct latencies *latencies)
{
	if (latencies->beyond)
		table_note(document,
			   "%" PRIu64 " latencies are longer than %u cycles: percentiles among "
			   "these are not told", latencies->beyond, HISTOGRAM_VALUES - 1);
}
