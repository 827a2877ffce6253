/* SPDX-License-Identifier: BSD-3-Clause */
/* Random registers, with the corners that uniform numbers never hit. */
#ifndef TESTS_PROPERTY_RANDOM_H
#define TESTS_PROPERTY_RANDOM_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/ibs.h>

#include "tests/support/repetitions.h"

/* splitmix64: every seed gives a full-period sequence of its own */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Between 0 and 1, never either */
static inline double random_uniform(uint64_t *state)
{
	return ((double)(random_next(state) >> 11) + 0.5) / 9007199254740992.0;
}

/* Of the normal distribution: mean 0, deviation 1 */
static inline double random_normal(uint64_t *state)
{
	const double radius = sqrt(-2 * log(random_uniform(state)));

	return radius * cos(6.283185307179586 * random_uniform(state));
}

/* The seed of this run: PRECIS_SEED, else a fixed one. Printed, so that a failure can be repeated. */
static inline uint64_t random_seed(const char *who)
{
	const char *text = getenv("PRECIS_SEED");
	uint64_t seed = text && *text ? strtoull(text, NULL, 0) : 20261120;

	printf("# %s: PRECIS_SEED=%llu\n", who, (unsigned long long)seed);
	return seed;
}

/* How much of a random test to do: all of it, or a tenth of it. */
static inline unsigned int random_amount(unsigned int full)
{
	return repetitions(full, (full + 9) / 10);
}

/* A register: nothing, everything, few bits, many bits, or any. */
static inline uint64_t random_register(uint64_t *state)
{
	uint64_t a = random_next(state), b = random_next(state), c = random_next(state);

	switch (random_next(state) % 8) {
	case 0:
		return 0;
	case 1:
		return ~UINT64_C(0);
	case 2:
		return a & b & c;
	case 3:
		return a | b | c;
	case 4:
		return UINT64_C(1) << (a % 64);
	default:
		return a;
	}
}

static inline void random_op(uint64_t *state, uint32_t caps, struct precis_ibs_op *op)
{
	memset(op, 0, sizeof(*op));
	op->size = sizeof(*op);
	op->caps = caps;
	op->captured = 0x7f;
	if (caps & PRECIS_IBS_CAPS_BRN_TRGT)
		op->captured |= 1u << PRECIS_IBS_BR_TARGET;
	if (caps & PRECIS_IBS_CAPS_OP_DATA4)
		op->captured |= 1u << PRECIS_IBS_OP_DATA4;
	op->op_ctl = random_register(state) | UINT64_C(3) << 17;
	op->op_rip = random_register(state);
	op->op_data = random_register(state);
	op->op_data2 = random_register(state);
	op->op_data3 = random_register(state);
	/* most of what can go wrong does so in loads */
	if (random_next(state) % 4)
		op->op_data3 |= 1 + random_next(state) % 3;
	op->dc_lin_ad = random_register(state);
	op->dc_phys_ad = random_register(state);
	if (op->captured >> PRECIS_IBS_BR_TARGET & 1)
		op->br_target = random_register(state);
	if (op->captured >> PRECIS_IBS_OP_DATA4 & 1)
		op->op_data4 = random_register(state);
}

static inline void random_fetch(uint64_t *state, uint32_t caps, struct precis_ibs_fetch *fetch)
{
	memset(fetch, 0, sizeof(*fetch));
	fetch->size = sizeof(*fetch);
	fetch->caps = caps;
	fetch->captured = 7u << PRECIS_IBS_FETCH_CTL;
	fetch->fetch_ctl = random_register(state) | UINT64_C(3) << 48;
	fetch->fetch_lin_ad = random_register(state);
	fetch->fetch_phys_ad = random_register(state);
	if (caps & PRECIS_IBS_CAPS_FETCH_CTL_EXTD) {
		fetch->captured |= 1u << PRECIS_IBS_FETCH_CTL_EXTD;
		fetch->fetch_ctl_extd = random_register(state);
	}
}

#endif
