/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same in an MPI code: a histogram per rank, reduced to rank 0. Samples are counted between
 * PAPI_start and PAPI_stop only, so that MPI's own work stays out.
 */
#include <mpi.h>

#include "histogram.h"
#include "pick.h"

#define ELEMENTS ((size_t)1 << 20)
#define ROUNDS 8

int main(int argc, char **argv)
{
	struct histograms histograms = { .latency = -1 };
	struct counts sum[ARRAYS + 1];
	struct precis_papi_statistics statistics = { .size = sizeof(statistics) };
	struct precis_papi_sampling sampling = { .size = sizeof(sampling),
						 .delivery = PRECIS_PAPI_WATERMARK,
						 .ring_bytes = 512 << 10,
						 .callback = count_sample,
						 .user = &histograms };
	uint64_t got[2], all[2] = { 0, 0 };
	double *array[ARRAYS];
	struct choice choice;
	int set, code, rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	start_papi();
	for (int n = 0; n < ARRAYS; n++) {
		array[n] = malloc(ELEMENTS * sizeof(double));
		if (!array[n])
			MPI_Abort(MPI_COMM_WORLD, 1);
		must(name_array(array[n], ELEMENTS, n), "precis_papi_name_range");
	}
	choice = pick_event(&set, &code, rank == 0);
	histograms.latency = choice.latency;
	sampling.period = choice.period;
	must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");

	must(PAPI_start(set), "PAPI_start");
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < ELEMENTS; i++)
			array[0][i] = array[1][i] + 3.0 * array[2][i * 17 % ELEMENTS];
	}
	must(PAPI_stop(set, NULL), "PAPI_stop");

	must(precis_papi_get_statistics(set, code, &statistics), "precis_papi_get_statistics");
	got[0] = statistics.samples;
	got[1] = statistics.lost + statistics.lost_pmu;
	MPI_Reduce(got, all, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Reduce(histograms.of, sum, sizeof(sum) / (sizeof(uint64_t)), MPI_UINT64_T, MPI_SUM, 0,
		   MPI_COMM_WORLD);
	if (rank == 0) {
		printf("samples %" PRIu64 ", lost %" PRIu64 "\n", all[0], all[1]);
		print_counts(sum);
	}
	MPI_Finalize();
	return 0;
}
