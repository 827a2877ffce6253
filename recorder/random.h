/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which blocks are recorded: points on the bytes that a thread allocates, a Poisson process. A block of s
 * bytes has one with probability 1 - exp(-s / interval), whatever came before it.
 */
#ifndef PRECIS_RECORDER_RANDOM_H
#define PRECIS_RECORDER_RANDOM_H

#include <stdint.h>
#include <string.h>

/* splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014) */
static inline uint64_t random_next(uint64_t *generator)
{
	uint64_t z = *generator += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Of a positive, normal number. libm is not needed, and not loaded into every program. Error below 1e-13. */
static inline double natural_logarithm(double x)
{
	uint64_t bits;
	double s, square, sum = 0;
	int exponent;

	memcpy(&bits, &x, sizeof(bits));
	exponent = (int)(bits >> 52) - 1023;
	bits = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1023) << 52;
	memcpy(&x, &bits, sizeof(x));
	if (x > 1.4142135623730951) {
		x /= 2;
		exponent++;
	}
	s = (x - 1) / (x + 1); /* ln x = 2 (s + s^3/3 + s^5/5 + ...), |s| < 0.1716 */
	square = s * s;
	for (int n = 17; n > 0; n -= 2)
		sum = sum * square + 1.0 / n;
	return 2 * s * sum + exponent * 0.69314718055994530942;
}

/* Bytes up to and with the next point: exponential, at least 1 */
static inline int64_t random_gap(uint64_t *generator, uint64_t interval)
{
	double uniform = ((double)(random_next(generator) >> 11) + 1) / 9007199254740992.0; /* 2^-53 to 1 */
	double gap = -natural_logarithm(uniform) * (double)interval;

	return gap < 9e18 ? (int64_t)gap + 1 : INT64_MAX;
}

#endif
