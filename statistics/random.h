/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers that a seed decides: splitmix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014). */
#ifndef STATISTICS_RANDOM_H
#define STATISTICS_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state;
};

static inline struct random random_of(uint64_t seed)
{
	return (struct random){ seed };
}

static inline uint64_t random_next(struct random *random)
{
	uint64_t value = random->state += UINT64_C(0x9e3779b97f4a7c15);

	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

/* From 0 to 'bound' - 1; of 2^64 / 'bound' numbers none is preferred by more than one part */
static inline uint64_t random_below(struct random *random, uint64_t bound)
{
	return random_next(random) % bound;
}

/* From 0 to less than 1, in steps of 2^-53 */
static inline double random_uniform(struct random *random)
{
	return (double)(random_next(random) >> 11) * 0x1p-53;
}

#endif
