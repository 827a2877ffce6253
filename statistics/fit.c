/* SPDX-License-Identifier: BSD-3-Clause */
/* See fit.h. */
#include "fit.h"

#include <math.h>
#include <string.h>

#define TERMS 10000u
#define STEPS 200u
#define SMALL 1e-300

/* The lower function, as a series; for x below a + 1 */
static double lower_series(double a, double x)
{
	double term = 1 / a, sum = term;

	for (uint32_t n = 1; n < TERMS && term > sum * 1e-16; n++) {
		term *= x / (a + n);
		sum += term;
	}
	return sum * exp(a * log(x) - x - lgamma(a));
}

/* The upper function, as a continued fraction by Lentz's method; for other x */
static double upper_fraction(double a, double x)
{
	double b = x + 1 - a, c = 1 / SMALL, d = 1 / b, product = d;

	for (uint32_t n = 1; n < TERMS; n++) {
		const double factor = -(double)n * (n - a);
		double change;

		b += 2;
		d = factor * d + b;
		d = 1 / (fabs(d) < SMALL ? SMALL : d);
		c = b + factor / c;
		c = fabs(c) < SMALL ? SMALL : c;
		change = c * d;
		product *= change;
		if (fabs(change - 1) < 1e-15)
			break;
	}
	return product * exp(a * log(x) - x - lgamma(a));
}

double chi_square_tail(double value, double degrees)
{
	const double a = degrees / 2, x = value / 2;

	if (x <= 0)
		return 1;
	return x < a + 1 ? 1 - lower_series(a, x) : upper_fraction(a, x);
}

double chi_square_upper(double chance, double degrees)
{
	double low = 0, high = degrees;

	while (chi_square_tail(high, degrees) > chance && high < 1e12)
		high *= 2;
	for (uint32_t n = 0; n < STEPS; n++) {
		const double middle = (low + high) / 2;

		if (chi_square_tail(middle, degrees) > chance)
			low = middle;
		else
			high = middle;
	}
	return high;
}

struct fit fit_shares(const uint64_t *counts, const double *shares, size_t count)
{
	double n = 0, differences = 0, chance = 0;
	struct fit fit;
	size_t kinds = 0;

	memset(&fit, 0, sizeof(fit));
	fit.p = 1;
	for (size_t i = 0; i < count; i++)
		n += shares[i] > 0 ? (double)counts[i] : 0;
	if (n <= 0)
		return fit;
	for (size_t i = 0; i < count; i++) {
		const double expected = n * shares[i], by = (double)counts[i] - expected;

		if (!(shares[i] > 0))
			continue;
		kinds++;
		fit.statistic += by * by / expected;
		differences += fabs(by) / n;
		/* the mean of a normal variable's distance from its own */
		chance += sqrt(2 * shares[i] * (1 - shares[i]) / (M_PI * n));
	}
	if (kinds < 2)
		return fit;
	fit.degrees = (uint32_t)kinds - 1;
	fit.p = chi_square_tail(fit.statistic, fit.degrees);
	fit.effect = differences / 2;
	fit.floor = chance / 2;
	return fit;
}

double ljung_box(const double *correlations, uint32_t lags, uint64_t n)
{
	double sum = 0;

	for (uint32_t lag = 1; lag <= lags; lag++)
		sum += correlations[lag - 1] * correlations[lag - 1] / (double)(n - lag);
	return (double)n * ((double)n + 2) * sum;
}
