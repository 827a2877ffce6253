/* SPDX-License-Identifier: BSD-3-Clause */
/* See two_samples.h. */
#include "two_samples.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "difference.h"
#include "quantiles.h"

/* One of 40 beyond each end: 95% */
#define BEYOND_END 0.025
/* So many draws have logarithms of factorials that are known well enough, and so many are summed at most */
#define DRAWS_MOST 1e10
#define SUMMED_MOST 1e8

/* --- means --- */

struct tested welch_test(const struct moments *before, const struct moments *after, double beyond)
{
	const double parts[] = { before->variance / before->count, after->variance / after->count };
	const double sum = parts[0] + parts[1], error = sqrt(sum);
	const double degrees = sum * sum / (parts[0] * parts[0] / (before->count - 1) +
					    parts[1] * parts[1] / (after->count - 1));
	const double difference = after->mean - before->mean;
	const double reach = student_upper(BEYOND_END, degrees) * error + beyond;
	const double distance = fmax(fabs(difference) - beyond, 0);

	return (struct tested){
		.difference = difference,
		.interval = { difference - reach, difference + reach },
		.p = fmin(2 * student_tail(distance / error, degrees), 1),
	};
}

/* --- shares --- */

void parts_spread(const struct part *parts, size_t count, double *statistic, double *degrees)
{
	double k = 0, n = 0, share, sum = 0, used = 0;

	for (size_t i = 0; i < count; i++) {
		k += (double)parts[i].k;
		n += (double)parts[i].n;
	}
	share = k / n;
	/* all or nothing: there is no variance that could be too large */
	if (!(share > 0 && share < 1))
		return;
	for (size_t i = 0; i < count; i++) {
		const double expected = share * (double)parts[i].n, by = (double)parts[i].k - expected;

		if (!parts[i].n)
			continue;
		sum += by * by / (expected * (1 - share));
		used++;
	}
	*statistic += sum;
	*degrees += used - 1;
}

static double log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/*
 * Twice the tail that begins at what is seen: of a hypergeometric variable, of 'all' marked ones so
 * many in the first sample. Away from the mean each term is smaller than the one before.
 */
static double fisher(double k, double n, double all, double other)
{
	const int is_up = k * (n + other) >= all * n;
	double term = exp(log_choose(n, k) + log_choose(other, all - k) - log_choose(n + other, all));
	double sum = 0;

	while (term > sum * DBL_EPSILON) {
		sum += term;
		if (is_up)
			term *= (n - k) * (all - k) / ((k + 1) * (other - all + k + 1));
		else
			term *= k * (other - all + k) / ((n - k + 1) * (all - k + 1));
		k += is_up ? 1 : -1;
	}
	return fmin(2 * sum, 1);
}

/* What a normal variable makes of it, with continuity correction, if variances are so many times as large */
static double by_score(const struct part *before, const struct part *after, double effect, double degrees)
{
	const double n[] = { (double)before->n, (double)after->n };
	const double share = ((double)before->k + (double)after->k) / (n[0] + n[1]);
	const double by = fabs((double)after->k / n[1] - (double)before->k / n[0]);
	const double step = (1 / n[0] + 1 / n[1]) / 2;
	const double error = sqrt(effect * share * (1 - share) * (1 / n[0] + 1 / n[1]));

	if (!(error > 0))
		return 1;
	return fmin(2 * student_tail(fmax(by - step, 0) / error, degrees), 1);
}

/* Of so many draws that the marked ones, or the others, are few each falls to a side by its share. */
static double chance_of_very_many(const struct part *before, const struct part *after)
{
	const double all = (double)before->n + (double)after->n;
	const int are_marked_few = (double)before->k + (double)after->k < all / 2;
	const uint64_t few[] = { are_marked_few ? before->k : before->n - before->k,
				 are_marked_few ? after->k : after->n - after->k };
	const double share = (double)before->n / all;

	if ((double)few[0] + (double)few[1] > SUMMED_MOST)
		return by_score(before, after, 1, DRAWS_MOST);
	return fmin(2 * fmin(chance_of_so_many(few[0], few[0] + few[1], share),
			     chance_of_so_many(few[1], few[0] + few[1], 1 - share)), 1);
}

static double chance_of(const struct part *before, const struct part *after)
{
	if ((double)before->n + (double)after->n > DRAWS_MOST)
		return chance_of_very_many(before, after);
	return fisher((double)before->k, (double)before->n, (double)before->k + (double)after->k,
		      (double)after->n);
}

static struct estimate estimate_of(const struct part *part, double z)
{
	return (struct estimate){
		.value = (double)part->k / (double)part->n,
		.interval = interval_of_share_at(part->k, part->n, z),
	};
}

struct tested shares_test(const struct part *before, const struct part *after, double statistic,
			  double degrees)
{
	const double found = degrees > 0 ? statistic / degrees : 1, effect = fmax(found, 1);
	const double z = effect > 1 ? student_upper(BEYOND_END, degrees) * sqrt(effect) : INTERVAL_Z;
	const struct estimate sides[] = { estimate_of(before, z), estimate_of(after, z) };
	const double p = chance_of(before, after);

	return (struct tested){
		.difference = sides[1].value - sides[0].value,
		.interval = difference_of(&sides[0], &sides[1]),
		.p = effect > 1 ? fmax(p, by_score(before, after, effect, degrees)) : p,
	};
}

/* --- many --- */

static int by_size(const void *a, const void *b)
{
	const double first = **(double *const *)a, second = **(double *const *)b;

	return (first > second) - (first < second);
}

int holm_adjust(double *chances, size_t count)
{
	double **order = malloc((count + 1) * sizeof(*order)), least = 0;

	if (!order)
		return -1;
	for (size_t n = 0; n < count; n++)
		order[n] = &chances[n];
	qsort(order, count, sizeof(*order), by_size);
	for (size_t n = 0; n < count; n++) {
		least = fmin(fmax(least, *order[n] * (double)(count - n)), 1);
		*order[n] = least;
	}
	free(order);
	return 0;
}
