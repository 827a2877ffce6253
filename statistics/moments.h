/* SPDX-License-Identifier: BSD-3-Clause */
/* The mean of values, and how far it may be from the truth, from sums alone: of fixed size. */
#ifndef STATISTICS_MOMENTS_H
#define STATISTICS_MOMENTS_H

#include "mean.h"

/*
 * Sums of powers of what values differ by from the first of them, so that little is lost of large ones.
 * Zeroed memory is empty.
 */
struct moments {
	double pivot;
	double weights[4]; /* sums of w d^n */
	double squares[3]; /* of w^2 d^n */
	double least, most;
	struct weighted samples;
};

/** A sample's value. @param weight  what it stands for; 0: that is not known */
void moments_add(struct moments *moments, uint64_t value, uint64_t weight);

/** Those of another, too */
void moments_merge(struct moments *to, const struct moments *from);

/** NAN: there is none, or some weigh what is not known */
double moments_mean(const struct moments *moments);

/** As spread_interval(), of the same samples. Ends NAN: there is none */
struct interval moments_interval(const struct moments *moments, struct confidence confidence);

#endif
