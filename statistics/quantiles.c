/* SPDX-License-Identifier: BSD-3-Clause */
/* See quantiles.h. Chances are bisected: quantiles are asked for once in a report. */
#include "quantiles.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#define STEPS 200u

/*
 * The regularised incomplete beta function for x up to (a + 1) / (a + b + 2), where its continued
 * fraction converges fast: Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.5.8,
 * evaluated from the front (W. J. Lentz, "Generating Bessel functions in Mie scattering calculations",
 * Applied Optics 15, 1976).
 */
static double beta_fraction(double x, double a, double b)
{
	double up = 1, down = 1 / (1 - (a + b) * x / (a + 1)), fraction = down;

	for (uint32_t m = 1; m <= 100 * STEPS; m++) {
		const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double factor;

		down = 1 / (1 + even * down);
		up = 1 + even / up;
		fraction *= up * down;
		down = 1 / (1 + odd * down);
		up = 1 + odd / up;
		factor = up * down;
		fraction *= factor;
		if (fabs(factor - 1) < DBL_EPSILON)
			break;
	}
	return exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) * fraction / a;
}

/* Abramowitz and Stegun, 26.7.1 and 26.5.27: half of the beta function of degrees / (degrees + t^2) */
double student_tail(double t, double degrees)
{
	const double a = degrees / 2, b = 0.5, x = degrees / (degrees + t * t);

	if (t < 0)
		return 1 - student_tail(-t, degrees);
	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 0.5;
	if (x <= (a + 1) / (a + b + 2))
		return beta_fraction(x, a, b) / 2;
	return (1 - beta_fraction(t * t / (degrees + t * t), b, a)) / 2;
}

static double normal_tail(double z)
{
	return erfc(z / M_SQRT2) / 2;
}

double normal_upper(double chance)
{
	double low = 0, high = 40;

	for (uint32_t n = 0; n < STEPS; n++) {
		double middle = (low + high) / 2;

		if (normal_tail(middle) > chance)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double student_upper(double chance, double degrees)
{
	double low = 0, high = 1;

	while (student_tail(high, degrees) > chance && high < 1e12)
		high *= 2;
	for (uint32_t n = 0; n < STEPS; n++) {
		double middle = (low + high) / 2;

		if (student_tail(middle, degrees) > chance)
			low = middle;
		else
			high = middle;
	}
	return high;
}
