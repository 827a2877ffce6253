/* SPDX-License-Identifier: BSD-3-Clause */
/* How often a test repeats what is random, as its environment wants it. */
#ifndef TESTS_SUPPORT_REPETITIONS_H
#define TESTS_SUPPORT_REPETITIONS_H

#include <stdint.h>
#include <stdlib.h>

static inline int is_asked_for(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value && *value != '0';
}

/* PRECIS_QUICK=1: who tests wants less of the long tests, and can do without some of their cases. */
static inline int is_quick(void)
{
	return is_asked_for("PRECIS_QUICK");
}

/* PRECIS_FEW_REPETITIONS=1: all cases, but fewer seeds and damaged files in each. A quick run has no more. */
static inline int has_few_repetitions(void)
{
	return is_quick() || is_asked_for("PRECIS_FEW_REPETITIONS");
}

static inline uint32_t repetitions(uint32_t all, uint32_t few)
{
	return has_few_repetitions() ? few : all;
}

#endif
