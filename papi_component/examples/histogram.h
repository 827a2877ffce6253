/* SPDX-License-Identifier: BSD-3-Clause */
/* Latencies by array: filled by a callback that may run in a signal handler. */
#ifndef EXAMPLE_HISTOGRAM_H
#define EXAMPLE_HISTOGRAM_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include <papi.h>
#include <precis/papi.h>

#define ARRAYS 3
#define BINS 12 /* bin n has 2^n to 2^(n+1) - 1 cycles, the last one all that is longer */

/* Numbers only, so that MPI may add up all of it as one array of uint64_t. */
struct counts {
	uint64_t samples, without, bin[BINS];
};

struct histograms {
	int latency; /* the field, or -1 */
	struct counts of[ARRAYS + 1]; /* the last one: of other addresses, or without one */
};

static const char *const array_names[ARRAYS + 1] = { "a", "b", "c", "other" };

/* The component knows arrays by the names and numbers that they are given. */
static inline int name_array(const double *array, size_t elements, int n)
{
	return precis_papi_name_range(array, elements * sizeof(*array), array_names[n], (uint64_t)n);
}

/*
 * The callback. Counters of its own thread are all that it touches: in a signal handler neither
 * malloc nor printf may be called, nor a lock be taken.
 */
static inline void count_sample(const struct precis_sample *sample,
				const struct precis_papi_arrival *arrival, void *user)
{
	struct histograms *histograms = user;
	struct counts *counts = &histograms->of[ARRAYS];
	struct precis_papi_object object = { .size = sizeof(object) };
	uint64_t cycles;
	int bin = 0;

	(void)arrival; /* with max_overhead: count arrival->period instead of one */
	/* Without the names it would tell a block of the heap: see precis_papi(3), "What an address is in" */
	if (precis_papi_object_of(sample, &object) == PAPI_OK && object.kind == PRECIS_PAPI_RANGE)
		counts = &histograms->of[object.number];
	counts->samples++;
	/* Absent is not zero: IBS, for one, has no miss latency where nothing missed. */
	if (histograms->latency < 0 ||
	    !precis_get(sample, (enum precis_field)histograms->latency, &cycles)) {
		counts->without++;
		return;
	}
	while (bin < BINS - 1 && cycles >= UINT64_C(2) << bin)
		bin++;
	counts->bin[bin]++;
}

static inline void add_counts(struct counts *sum, const struct counts *of)
{
	sum->samples += of->samples;
	sum->without += of->without;
	for (int bin = 0; bin < BINS; bin++)
		sum->bin[bin] += of->bin[bin];
}

static inline void print_counts(const struct counts *of)
{
	printf("%-6s %9s %10s", "array", "samples", "no latency");
	for (int bin = 0; bin < BINS; bin++)
		printf(" %5u+", 1u << bin);
	putchar('\n');
	for (int n = 0; n <= ARRAYS; n++) {
		printf("%-6s %9" PRIu64 " %10" PRIu64, array_names[n], of[n].samples, of[n].without);
		for (int bin = 0; bin < BINS; bin++)
			printf(" %6" PRIu64, of[n].bin[bin]);
		putchar('\n');
	}
}

#endif
