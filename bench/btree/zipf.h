/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which records are asked for, as the Yahoo! Cloud Serving Benchmark has it: a few much more often than the
 * rest, by Zipf's law with exponent 0.99, and scattered over all records. Drawn as Gray and others do it
 * ("Quickly Generating Billion-Record Synthetic Databases", SIGMOD 1994).
 */
#ifndef BENCH_BTREE_ZIPF_H
#define BENCH_BTREE_ZIPF_H

#include <stdint.h>

struct zipf {
	uint64_t records, state;
	double exponent, alpha, zeta, eta;
};

/** @param exponent above 0, below 1 */
void zipf_init(struct zipf *zipf, uint64_t records, double exponent, uint64_t seed);

/** @return the number of a record */
uint64_t zipf_next(struct zipf *zipf);

/** Another number for each number: what the keys of records are. */
uint64_t zipf_scatter(uint64_t number);

#endif
