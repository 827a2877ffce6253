/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of fit: do counts have the shares that they should have, and do numbers follow from those before? */
#ifndef STATISTICS_FIT_H
#define STATISTICS_FIT_H

#include <stddef.h>
#include <stdint.h>

/**
 * How likely a chi-square variable is that large or larger: the upper regularised incomplete gamma function
 * of half of both (Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.4.19, 6.5.29 and 6.5.31).
 *
 * @param degrees  of freedom, above 0
 */
double chi_square_tail(double value, double degrees);

/** What it exceeds with that chance. @param chance  above 0 and below 1 */
double chi_square_upper(double chance, double degrees);

struct fit {
	double statistic; /* Pearson's chi-square */
	uint32_t degrees; /* of freedom; 0: there is nothing to be told */
	double p;         /* how likely one is that large or larger if the shares are those */
	/*
	 * How far shares are from what they should be: half of the sum of what they differ by (total
	 * variation), 0 to 1; and what that is in the mean if only chance is at work
	 */
	double effect, floor;
};

/**
 * @param counts  of independent draws
 * @param shares  that they should have, summing to 1; where one is 0 its count is not looked at
 */
struct fit fit_shares(const uint64_t *counts, const double *shares, size_t count);

/**
 * Do numbers follow from those before? G. M. Ljung and G. E. P. Box, "On a measure of lack of fit in time
 * series models", Biometrika 65 (1978): a chi-square variable of as many degrees as there are lags.
 *
 * @param correlations  with the number before, the one before that and so on
 * @param n             numbers, more than lags
 */
double ljung_box(const double *correlations, uint32_t lags, uint64_t n);

#endif
