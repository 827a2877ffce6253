/* SPDX-License-Identifier: BSD-3-Clause */
/* The little arithmetic that the plan needs, without a library of mathematics. */
#ifndef PRECIS_PLAN_NUMBERS_H
#define PRECIS_PLAN_NUMBERS_H

#include <float.h>

#define NOT_KNOWN __builtin_nan("")

static inline int is_known(double number)
{
	return !__builtin_isnan(number);
}

/* A number that can be meant: 0 or more, and no infinity */
static inline int is_amount(double number)
{
	return number >= 0 && number <= DBL_MAX;
}

static inline double least_of(double a, double b)
{
	return a < b ? a : b;
}

static inline double most_of(double a, double b)
{
	return a > b ? a : b;
}

/* By Newton, from above: each step halves what is too much, or squares how near it is. NAN of NAN */
static inline double root_of(double square)
{
	double root = square > 1 ? square : 1, next;

	if (!(square > 0) || square > DBL_MAX)
		return square > 0 || square < 0 || !is_known(square) ? NOT_KNOWN : 0;
	while ((next = (root + square / root) / 2) < root)
		root = next;
	return root;
}

#endif
