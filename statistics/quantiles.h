/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantiles of distributions, for intervals of any level. */
#ifndef STATISTICS_QUANTILES_H
#define STATISTICS_QUANTILES_H

/**
 * What a normal variable exceeds with that chance: 1.959964 for 0.025.
 * @param chance  above 0, at most 0.5
 */
double normal_upper(double chance);

/**
 * The same of Student's t.
 * @param degrees  of freedom, 1 or more; need not be whole
 */
double student_upper(double chance, double degrees);

/** How likely Student's t exceeds that. */
double student_tail(double t, double degrees);

#endif
