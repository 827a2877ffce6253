/* SPDX-License-Identifier: BSD-3-Clause */
/* See patience.h. */
#include "patience.h"

/* More than any register tells */
#define OTHERS_MOST 1e6

/* For each of the writer's. Where there are fewer of others it is still one that may come in between. */
static double others_for_each(double all, double writer, double heaviest)
{
	const double others = (all - writer + heaviest) / writer;

	if (others < 1)
		return 1;
	return others < OTHERS_MOST ? others : OTHERS_MOST;
}

uint64_t patience_of(uint64_t samples, double all, double writer, double heaviest)
{
	if (samples < PATIENCE_SAMPLES_LEAST || !(writer > 0))
		return 0;
	return (uint64_t)(PATIENCE_TIMES * others_for_each(all, writer, heaviest));
}
