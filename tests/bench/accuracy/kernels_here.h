/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases that need kernels are skipped where there are none. */
#ifndef TESTS_KERNELS_HERE_H
#define TESTS_KERNELS_HERE_H

#include "bench/accuracy/kernels.h"
#include "tests/support/tap.h"

/* If not, the running case is marked as skipped. */
static inline int there_are_kernels(void)
{
	if (!kernels_why_not())
		return 1;
	tap_skip(kernels_why_not());
	return 0;
}

#endif
