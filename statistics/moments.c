/* SPDX-License-Identifier: BSD-3-Clause */
/* See moments.h. */
#include "moments.h"

#include <math.h>

void moments_add(struct moments *moments, uint64_t value, uint64_t weight)
{
	const struct weighted sample = weighted_of(1, weight);
	const double w = (double)(weight ? weight : WEIGHT_UNKNOWN);
	double distance, power = w;

	if (!moments->samples.samples)
		moments->pivot = moments->least = moments->most = (double)value;
	distance = (double)value - moments->pivot;
	for (size_t n = 0; n < 4; n++, power *= distance) {
		moments->weights[n] += power;
		if (n < 3)
			moments->squares[n] += power * w;
	}
	moments->least = fmin(moments->least, (double)value);
	moments->most = fmax(moments->most, (double)value);
	weighted_add(&moments->samples, &sample);
}

/* What the sums are of distances that are all so much larger: binomial theorem */
static void shift(double *sums, size_t count, double by)
{
	for (size_t n = count - 1; n > 0; n--) {
		double sum = 0, factor = 1;

		for (size_t i = 0; i <= n; i++) {
			sum += factor * sums[n - i];
			factor *= by * (double)(n - i) / (double)(i + 1);
		}
		sums[n] = sum;
	}
}

void moments_merge(struct moments *to, const struct moments *from)
{
	struct moments others = *from;

	if (!from->samples.samples)
		return;
	if (!to->samples.samples) {
		*to = *from;
		return;
	}
	shift(others.weights, 4, from->pivot - to->pivot);
	shift(others.squares, 3, from->pivot - to->pivot);
	for (size_t n = 0; n < 4; n++)
		to->weights[n] += others.weights[n];
	for (size_t n = 0; n < 3; n++)
		to->squares[n] += others.squares[n];
	to->least = fmin(to->least, from->least);
	to->most = fmax(to->most, from->most);
	weighted_add(&to->samples, &from->samples);
}

double moments_mean(const struct moments *moments)
{
	if (!moments->samples.samples || !weighted_unit(&moments->samples))
		return NAN;
	return moments->pivot + moments->weights[1] / moments->weights[0];
}

struct interval moments_interval(const struct moments *moments, struct confidence confidence)
{
	const double mean = moments_mean(moments);
	struct moments about_mean = *moments, about_zero = *moments;
	struct spread spread;
	double unit;

	if (isnan(mean))
		return (struct interval){ NAN, NAN };
	/* where samples are counted each weighs 1 there */
	unit = weighted_are_counted(&moments->samples) ? (double)weighted_unit(&moments->samples) : 1;
	shift(about_mean.weights, 4, moments->pivot - mean);
	shift(about_mean.squares, 3, moments->pivot - mean);
	shift(about_zero.squares, 3, moments->pivot);
	spread = (struct spread){
		.mean = mean,
		.weight = moments->weights[0] / unit,
		.seconds = about_mean.weights[2] / unit,
		.thirds = about_mean.weights[3] / unit,
		.uncertainty = about_mean.squares[2] / unit / unit,
		.total = mean * moments->weights[0] / unit,
		.squares = about_zero.squares[2] / unit / unit,
		.least = moments->least,
		.most = moments->most,
	};
	return spread_interval(&spread, &moments->samples, confidence);
}
