/* SPDX-License-Identifier: BSD-3-Clause */
/* See difference.h. */
#include "difference.h"

#include <math.h>

#include "quantiles.h"

/* Of the mean of a Poisson variable that was k: the roots of (|k - mean| - 1/2)^2 = z^2 mean */
static double poisson_end(double k, double z, double sign)
{
	const double moved = fmax(k + sign / 2, 0);

	return fmax(moved + z * z / 2 + sign * z * sqrt(moved + z * z / 4), 0);
}

struct estimate estimate_of_total(const struct weighted *samples, uint64_t unit, uint64_t most,
				  struct confidence confidence)
{
	const double z = confidence_reach(confidence);
	double each = (double)(most ? most : unit), count = 0, sum = 0;

	if (samples->samples && weighted_are_counted(samples)) {
		each = (double)unit;
		count = (double)samples->samples;
		sum = count * each;
	} else if (samples->samples) {
		sum = (double)samples->weight;
		count = weighted_effective(samples);
		each = sum / count;
		if (count < WEIGHTED_FEWEST)
			return (struct estimate){ sum, { NAN, NAN } };
	}
	if (isnan(z)) /* fmax() would lose it */
		return (struct estimate){ sum, { NAN, NAN } };
	return (struct estimate){
		.value = sum,
		.interval = { samples->samples ? each * poisson_end(count, z, -1) : 0,
			      each * poisson_end(count, z, 1) },
	};
}

static double square(double number)
{
	return number * number;
}

/* By how much the mean of runs may differ from theirs, as they differ from each other */
static double spread_of(const struct estimate *runs, uint32_t count, double mean, double chance)
{
	double squares = 0;

	if (count < 2)
		return 0;
	for (uint32_t n = 0; n < count; n++)
		squares += square(runs[n].value - mean);
	return student_upper(chance, count - 1) * sqrt(squares / (count - 1) / count);
}

struct estimate estimate_of_runs(const struct estimate *runs, uint32_t count, double chance)
{
	double sum = 0, below = 0, above = 0, mean, spread;

	for (uint32_t n = 0; n < count; n++) {
		sum += runs[n].value;
		below += square(runs[n].value - runs[n].interval.low);
		above += square(runs[n].interval.high - runs[n].value);
	}
	mean = sum / count;
	spread = spread_of(runs, count, mean, chance);
	below = sqrt(below) / count;
	above = sqrt(above) / count;
	/* NAN stays: fmax() would lose it */
	return (struct estimate){
		.value = mean,
		.interval = { mean - (spread > below ? spread : below),
			      mean + (spread > above ? spread : above) },
	};
}

struct interval difference_of(const struct estimate *before, const struct estimate *after)
{
	const double difference = after->value - before->value;

	return (struct interval){
		.low = difference - sqrt(square(after->value - after->interval.low) +
					 square(before->interval.high - before->value)),
		.high = difference + sqrt(square(after->interval.high - after->value) +
					  square(before->value - before->interval.low)),
	};
}
