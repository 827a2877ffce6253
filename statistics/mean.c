/* SPDX-License-Identifier: BSD-3-Clause */
/* See mean.h. */
#include "mean.h"

#include <math.h>

/* 'squares': the sum of the squares of their weights, which are 'weight' together */
static inline void add(struct spread *spread, double weight, double squares, double value)
{
	const double distance = value - spread->mean;

	spread->least = spread->weight > 0 && spread->least < value ? spread->least : value;
	spread->most = spread->weight > 0 && spread->most > value ? spread->most : value;
	spread->weight += weight;
	spread->seconds += weight * distance * distance;
	spread->thirds += weight * distance * distance * distance;
	spread->uncertainty += squares * distance * distance;
	spread->total += weight * value;
	spread->squares += squares * value * value;
}

void spread_add_counted(struct spread *spread, uint64_t samples, double value)
{
	if (samples)
		add(spread, (double)samples, (double)samples, value);
}

void spread_add_histogram(struct spread *spread, const struct histogram *histogram)
{
	struct spread sums = *spread; /* near the processor, which waits for each sum before it adds to it */

	for (uint32_t value = histogram_next(histogram, 0); value < HISTOGRAM_VALUES;
	     value = histogram_next(histogram, value + 1)) {
		const double samples = (double)histogram_count(histogram, (uint16_t)value);

		add(&sums, samples, samples, value);
	}
	*spread = sums;
}

void spread_add(struct spread *spread, const struct weighted *samples, double value)
{
	if (samples->samples)
		add(spread, (double)samples->weight, (double)samples->squares, value);
}

/*
 * The quantile of Student's t from that of the normal distribution: Abramowitz and Stegun, "Handbook of
 * Mathematical Functions", 26.7.5. From 29 degrees on, which are those here, it is right to 6 digits.
 */
static double student(double z, double degrees)
{
	static const double terms[][6] = {
		{ 4, 1, 1 },
		{ 96, 3, 16, 5 },
		{ 384, -15, 17, 19, 3 },
		{ 92160, -945, -1920, 1482, 776, 79 },
	};
	double sum = z, divisor = 1;

	for (size_t n = 0; n < sizeof(terms) / sizeof(terms[0]); n++) {
		double power = z, term = 0;

		for (size_t i = 1; i < 6; i++, power *= z * z)
			term += terms[n][i] * power;
		divisor *= degrees;
		sum += term / terms[n][0] / divisor;
	}
	return sum;
}

/* What T is where its transform, T + skew T^2 / 3 + skew^2 T^3 / 27 + skew / 6, is t */
static double untransformed(double t, double skew)
{
	if (fabs(skew) < 1e-6)
		return t;
	return 3 / skew * (cbrt(1 + skew * (t - skew / 6)) - 1);
}

struct interval spread_interval(const struct spread *spread, const struct weighted *whole,
				struct confidence confidence)
{
	const struct interval unknown = { NAN, NAN };
	const double heaviest = weighted_are_counted(whole) ? 1 : (double)whole->most;
	const double variance = spread->seconds / spread->weight;
	double n, error, t, skew;

	if (!(spread->total * spread->total >= SPREAD_FEWEST * confidence.effect * spread->squares) ||
	    !(spread->most > spread->least))
		return unknown;
	/* independent samples of equal weight whose mean would have that variance */
	n = fmin(weighted_effective(whole),
		 variance * spread->weight * spread->weight / spread->uncertainty) / confidence.effect;
	if (n < WEIGHTED_FEWEST)
		return unknown;
	error = sqrt(variance / (n - 1));
	t = student(confidence.z, n - 1);
	skew = spread->thirds / spread->weight / (variance * sqrt(variance)) / sqrt(n);
	return (struct interval){
		.low = spread->mean - error * untransformed(t, skew) -
		       heaviest * (spread->mean - spread->least) / 2 / spread->weight,
		.high = spread->mean - error * untransformed(-t, skew) +
			heaviest * (spread->most - spread->mean) / 2 / spread->weight,
	};
}
