/* SPDX-License-Identifier: BSD-3-Clause */
/* See zipf.h. */
#include "zipf.h"

#include <math.h>

/* The finalizer of SplitMix64, which has an inverse. */
uint64_t zipf_scatter(uint64_t number)
{
	number += UINT64_C(0x9e3779b97f4a7c15);
	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	return number ^ number >> 31;
}

/* From 0 to less than 1 */
static double uniform(struct zipf *zipf)
{
	return (double)(zipf_scatter(zipf->state++) >> 11) * 0x1p-53;
}

void zipf_init(struct zipf *zipf, uint64_t records, double exponent, uint64_t seed)
{
	zipf->records = records;
	zipf->state = zipf_scatter(seed);
	zipf->exponent = exponent;
	zipf->alpha = 1 / (1 - exponent);
	zipf->zeta = 0;
	for (uint64_t n = 1; n <= records; n++)
		zipf->zeta += pow((double)n, -exponent);
	zipf->eta = (1 - pow(2 / (double)records, 1 - exponent)) /
		    (1 - (1 + pow(0.5, exponent)) / zipf->zeta);
}

uint64_t zipf_next(struct zipf *zipf)
{
	double drawn = uniform(zipf), scaled = drawn * zipf->zeta, records = (double)zipf->records;
	uint64_t rank;

	if (scaled < 1)
		rank = 0;
	else if (scaled < 1 + pow(0.5, zipf->exponent))
		rank = 1;
	else
		rank = (uint64_t)(records * pow(zipf->eta * (drawn - 1) + 1, zipf->alpha));
	return zipf_scatter(rank) % zipf->records;
}
