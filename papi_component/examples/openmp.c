/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same in an OpenMP code: each thread has an EventSet of its own, samples itself, and counts
 * into histograms of its own. Nothing is shared while the kernel runs; the sum comes afterwards.
 */
#include <omp.h>
#include <pthread.h>

#include "histogram.h"
#include "pick.h"

#define ELEMENTS ((size_t)1 << 21)
#define ROUNDS 8

static double *array[ARRAYS];
static struct counts sum[ARRAYS + 1];
static uint64_t samples, lost;

/* One thread of the team: its EventSet and its part of the loop */
static void run_thread(void)
{
	struct histograms histograms = { .latency = -1 };
	struct precis_papi_statistics statistics = { .size = sizeof(statistics) };
	struct precis_papi_sampling sampling = { .size = sizeof(sampling),
						 .delivery = PRECIS_PAPI_WATERMARK,
						 .ring_bytes = 512 << 10,
						 .callback = count_sample,
						 .user = &histograms };
	struct choice choice;
	int set, code;

	must(PAPI_register_thread(), "PAPI_register_thread");
	choice = pick_event(&set, &code, omp_get_thread_num() == 0);
	histograms.latency = choice.latency;
	sampling.period = choice.period;
	must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	must(PAPI_start(set), "PAPI_start");
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp for schedule(static)
		for (size_t i = 0; i < ELEMENTS; i++)
			array[0][i] = array[1][i] + 3.0 * array[2][i * 17 % ELEMENTS];
	}
	must(PAPI_stop(set, NULL), "PAPI_stop"); /* by the thread that started it */
	must(precis_papi_get_statistics(set, code, &statistics), "precis_papi_get_statistics");
#pragma omp critical
	{
		printf("thread %d: samples %" PRIu64 "\n", omp_get_thread_num(), statistics.samples);
		samples += statistics.samples;
		lost += statistics.lost + statistics.lost_pmu;
		for (int n = 0; n <= ARRAYS; n++)
			add_counts(&sum[n], &histograms.of[n]);
	}
	must(PAPI_cleanup_eventset(set), "PAPI_cleanup_eventset");
	must(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
	must(PAPI_unregister_thread(), "PAPI_unregister_thread");
}

int main(void)
{
	start_papi();
	must(PAPI_thread_init(pthread_self), "PAPI_thread_init");
	for (int n = 0; n < ARRAYS; n++) {
		array[n] = malloc(ELEMENTS * sizeof(double));
		if (!array[n])
			return 1;
		must(name_array(array[n], ELEMENTS, n), "precis_papi_name_range");
	}
#pragma omp parallel
	run_thread();
	printf("samples %" PRIu64 ", lost %" PRIu64 "\n", samples, lost);
	print_counts(sum);
	return 0;
}
