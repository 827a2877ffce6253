/* SPDX-License-Identifier: BSD-3-Clause */
/* See quantiles.h. Chances are bisected: quantiles are asked for once in a report. */
#include "quantiles.h"

#include <math.h>

#define STEPS 200u

/*
 * Of the chance to exceed t. With an even number of degrees, or an odd one, it is a finite sum of powers
 * of the cosine of theta = atan(t / sqrt(degrees)): Abramowitz and Stegun, "Handbook of Mathematical
 * Functions", 26.7.3 and 26.7.4.
 */
static double student_tail(double t, uint32_t degrees)
{
	const double theta = atan(t / sqrt(degrees)), cosine = cos(theta), square = cosine * cosine;
	double term = degrees % 2 ? cosine : 1, sum = degrees == 1 ? 0 : term;

	for (uint32_t k = degrees % 2 ? 3 : 2; k + 2 <= degrees; k += 2) {
		term *= square * (k - 1) / k;
		sum += term;
	}
	if (degrees % 2)
		return 0.5 - (theta + sin(theta) * sum) / M_PI;
	return (1 - sin(theta) * sum) / 2;
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

double student_upper(double chance, uint32_t degrees)
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
