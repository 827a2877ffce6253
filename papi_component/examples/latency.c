/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long do the loads of each array of a kernel take? Sampled while it runs, told at its end.
 *
 * On AMD the latency is that of L1 data cache misses (dcache_miss_latency), on Intel that from
 * the load's issue to its data (load_latency): different things, not to be compared. Where the
 * machine has neither IBS nor PEBS, page faults are counted by array instead.
 */
#include "histogram.h"
#include "pick.h"

#define ELEMENTS ((size_t)1 << 20)
#define ROUNDS 8

int main(void)
{
	struct histograms histograms = { .latency = -1 };
	struct precis_papi_statistics statistics = { .size = sizeof(statistics) };
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		/* a signal when half of the ring is full: cheap, and nothing is lost in a long loop */
		.delivery = PRECIS_PAPI_WATERMARK,
		.ring_bytes = 512 << 10, /* of each event of each thread */
		.callback = count_sample,
		.user = &histograms,
	};
	double *array[ARRAYS];
	struct choice choice;
	long long count;
	int set, code;

	start_papi();
	for (int n = 0; n < ARRAYS; n++) {
		array[n] = malloc(ELEMENTS * sizeof(double));
		if (!array[n])
			return 1;
		must(name_array(array[n], ELEMENTS, n), "precis_papi_name_range");
	}
	choice = pick_event(&set, &code, 1);
	histograms.latency = choice.latency;
	sampling.period = choice.period;
	must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");

	must(PAPI_start(set), "PAPI_start");
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < ELEMENTS; i++)
			array[0][i] = array[1][i] + 3.0 * array[2][i * 17 % ELEMENTS];
	}
	must(PAPI_stop(set, &count), "PAPI_stop"); /* what waits in the ring is delivered before */

	/* Were samples lost, the histogram would be of a part of the run: say so. */
	must(precis_papi_get_statistics(set, code, &statistics), "precis_papi_get_statistics");
	printf("event %s, period %" PRIu64 ", count %lld\n", choice.event, choice.period, count);
	printf("samples %" PRIu64 ", lost %" PRIu64 ", throttled %" PRIu64 " times\n",
	       statistics.samples, statistics.lost + statistics.lost_pmu, statistics.throttled);
	print_counts(histograms.of);
	return 0;
}
