/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts are exact while the event is sampled: read, reset, accumulated and
 * written in the middle; and PAPI_read delivers a batch.
 */
#include <linux/perf_event.h>

#include "precis_test.h"

#define PERIOD 7

/* PAPI_write() copies as many values as the component has counters. */
#define VALUES 64

static volatile long cell __attribute__((aligned(8)));
static uint64_t samples;

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)sample;
	(void)arrival;
	(void)user;
	samples++;
}

static void access_cell(unsigned int times)
{
	for (unsigned int n = 0; n < times; n++)
		cell = n;
}

/* Read, reset, accum and write give what they would without sampling; samples go on. */
static void check_counts(int set, int code, uint32_t delivery)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.period = PERIOD,
		.callback = on_sample,
		.watermark_samples = delivery == PRECIS_PAPI_WATERMARK ? 3 : 0,
	};
	long long value[VALUES] = { -1 };

	samples = 0;
	tap_call(precis_papi_set_sampling(set, code, &sampling), "delivery %u: sampled", delivery);
	test_must(PAPI_start(set), "PAPI_start");
	access_cell(100);
	test_must(PAPI_read(set, value), "PAPI_read");
	tap_equal(value[0], 100, "read");
	access_cell(11);
	test_must(PAPI_read(set, value), "PAPI_read");
	tap_equal(value[0], 111, "read again");
	test_must(PAPI_reset(set), "PAPI_reset");
	access_cell(22);
	test_must(PAPI_read(set, value), "PAPI_read");
	tap_equal(value[0], 22, "read after reset");
	value[0] = 1000;
	test_must(PAPI_accum(set, value), "PAPI_accum");
	tap_equal(value[0], 1022, "accumulated");
	access_cell(33);
	test_must(PAPI_accum(set, value), "PAPI_accum");
	tap_equal(value[0], 1055, "accumulated again");
	value[0] = 5000;
	test_must(PAPI_write(set, value), "PAPI_write");
	access_cell(44);
	test_must(PAPI_read(set, value), "PAPI_read");
	tap_equal(value[0], 5044, "read after write");
	access_cell(5);
	test_must(PAPI_stop(set, value), "PAPI_stop");
	tap_equal(value[0], 5049, "stopped");
	tap_equal((int64_t)samples, (100 + 11 + 22 + 33 + 44 + 5) / PERIOD,
		  "no reset has lost a sample");
	access_cell(50);
	test_must(PAPI_read(set, value), "PAPI_read");
	tap_equal(value[0], 5049, "nothing is counted while it is stopped");
	test_must(PAPI_start(set), "PAPI_start");
	access_cell(1);
	test_must(PAPI_stop(set, value), "PAPI_stop");
	tap_equal(value[0], 1, "a new run begins with zero");
}

/* Linux would make a sample of each access if it had to record the period. */
static void check_recorded_period(int set, int code)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.period = PERIOD,
		.parts = PERF_SAMPLE_PERIOD,
		.callback = on_sample,
	};

	samples = 0;
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
	access_cell(100);
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	tap_equal((int64_t)samples, 100 / PERIOD, "the period holds if it is asked for as a part");
}

static void check_drains(int set, int code)
{
	struct precis_papi_sampling sampling = { .size = sizeof(sampling),
						 .period = 1,
						 .callback = on_sample };
	long long value[1] = { 0 };

	samples = 0;
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
	access_cell(10);
	tap_equal((int64_t)samples, 0, "a batch waits");
	test_must(PAPI_read(set, value), "PAPI_read");
	tap_equal((int64_t)samples, 10, "PAPI_read delivers it");
	access_cell(20);
	tap_equal(precis_papi_drain(set), 20, "precis_papi_drain tells how many it delivered");
	tap_equal((int64_t)samples, 30, "and delivers them");
	access_cell(5);
	test_must(PAPI_accum(set, value), "PAPI_accum");
	tap_equal((int64_t)samples, 35, "PAPI_accum delivers");
	access_cell(6);
	test_must(PAPI_stop(set, value), "PAPI_stop");
	tap_equal((int64_t)samples, 41, "PAPI_stop delivers");
	tap_equal(precis_papi_drain(set), 0, "nothing is left then");
	tap_equal((int64_t)test_statistics(set, code).samples, 41, "statistics are of the run");
	test_must(PAPI_start(set), "PAPI_start");
	access_cell(2);
	test_must(PAPI_stop(set, value), "PAPI_stop");
	tap_equal((int64_t)test_statistics(set, code).samples, 2, "and begin with each");
	test_must(precis_papi_set_sampling(set, code, NULL), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
	access_cell(3);
	test_must(PAPI_stop(set, value), "PAPI_stop");
	tap_ok(samples == 43 && value[0] == 3, "no longer sampled, and counted as before");
}

int main(int argc, char **argv)
{
	int set, code;

	test_begin(argc, argv);
	test_init_breakpoints();
	set = test_set_of_breakpoint(&cell, &code);
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++)
		check_counts(set, code, delivery);
	check_recorded_period(set, code);
	check_drains(set, code);
	test_destroy(&set);
	return tap_done();
}
