/* SPDX-License-Identifier: BSD-3-Clause */
/* The square root, for what is not linked with the C library's mathematics: PAPI and its programs are not. */
#ifndef STATISTICS_ROOT_H
#define STATISTICS_ROOT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* By Newton's method from half of the exponent: each step doubles the bits that are right. NAN below 0 */
static inline double root_of(double number)
{
	double root;
	uint64_t bits;

	if (!(number > 0) || isinf(number))
		return number < 0 ? NAN : number;
	memcpy(&bits, &number, sizeof(bits));
	bits = (bits >> 1) + (UINT64_C(1023) << 51);
	memcpy(&root, &bits, sizeof(root));
	for (int step = 0; step < 6; step++)
		root = (root + number / root) / 2;
	return root;
}

#endif
