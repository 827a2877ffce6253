/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of the CPU clock agree with the CPU time of the thread, as the kernel
 * accounts it: from 60 % of it to the event's own count. The event's clock goes
 * on while a hypervisor runs something else, and then has one sample for all of
 * that time; CPU time does not, on kernels that know of it. Elsewhere a run of
 * which much was taken is made again.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_POPULATE */
#endif
#include <sys/mman.h>
#include <time.h>

#include "precis_test.h"

#define PERIOD_NS 1000000
#define FREQUENCY 1000
#define CPU_TIME_NS 200000000
#define LEAST_SHARE 0.6
#define MOST_RUNS 50
/* Samples that may be due at the very beginning or end, and at a switch of threads */
#define MARGIN 10
#define MEMORY ((size_t)1 << 20) /* that the kernel fills with zeros */

static uint64_t samples, period_sum, without_ip, wrong_arrival;

/* In user mode: time in the kernel is counted, but its samples are outside the domain. */
static void work(void)
{
	for (unsigned int n = 0; n < 1000000; n++)
		__asm__ volatile("" : : "r"(n));
}

static uint64_t cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	uint64_t ip, period = 0;

	samples++;
	without_ip += !precis_get_ip(sample, &ip) || !ip;
	if (precis_get_period(sample, &period))
		period_sum += period;
	wrong_arrival += arrival->period != *(uint64_t *)user;
}

struct run {
	uint64_t spent; /* CPU time */
	double sampled; /* time that samples stand for, and what was lost or throttled */
	long long count[1];
	struct precis_papi_statistics statistics;
};

static struct run run_once(int set, int code)
{
	struct run run;
	uint64_t began;

	samples = period_sum = 0;
	began = cpu_time();
	test_must(PAPI_start(set), "PAPI_start");
	while ((run.spent = cpu_time() - began) < CPU_TIME_NS)
		work();
	test_must(PAPI_stop(set, run.count), "PAPI_stop");
	run.statistics = test_statistics(set, code);
	run.sampled = (double)(period_sum + run.statistics.lost * PERIOD_NS +
			       run.statistics.throttled_ns);
	return run;
}

static void check(uint32_t delivery, uint64_t period, uint64_t frequency)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.period = period,
		.frequency = frequency,
		.callback = on_sample,
		.user = &period,
	};
	int code, set = test_set_of("SW_CPU_CLOCK", &code), too_many = 0, untold = 0, runs = 0;
	struct run run;

	without_ip = wrong_arrival = 0;
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	do {
		run = run_once(set, code);
		too_many += run.sampled > (double)run.count[0] + MARGIN * PERIOD_NS;
		untold += run.statistics.samples != samples;
	} while (run.sampled < LEAST_SHARE * (double)run.spent && ++runs < MOST_RUNS);
	tap_ok(samples > 0 && !untold, "delivery %u, %s: samples arrive", delivery,
	       period ? "period" : "frequency");
	tap_ok(run.sampled >= LEAST_SHARE * (double)run.spent, "not less than the CPU time");
	tap_ok(!too_many, "not more than the count");
	tap_ok(!without_ip, "each has an instruction address");
	tap_ok(!wrong_arrival, "and the period that was asked for: %" PRIu64, period);
	printf("# CPU time %" PRIu64 " ns, count %lld ns, samples %" PRIu64 " for %" PRIu64
	       " ns, lost %" PRIu64 ", throttled %" PRIu64 " times for %" PRIu64
	       " ns; %d runs before\n",
	       run.spent, run.count[0], samples, period_sum, run.statistics.lost,
	       run.statistics.throttled, run.statistics.throttled_ns, runs);
	test_destroy(&set);
}

/* Nearly all time in the kernel */
static void work_in_kernel(void)
{
	void *memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (memory != MAP_FAILED)
		munmap(memory, MEMORY);
}

/* What the documents say of domains: they choose samples, not what is counted. */
static void check_domain(void)
{
	uint64_t period = PERIOD_NS, began, spent;
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.period = PERIOD_NS,
		.callback = on_sample,
		.user = &period,
	};
	long long count[1];
	int code, set = test_set_of("SW_CPU_CLOCK", &code);

	samples = 0;
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	began = cpu_time();
	test_must(PAPI_start(set), "PAPI_start");
	while ((spent = cpu_time() - began) < CPU_TIME_NS)
		work_in_kernel();
	test_must(PAPI_stop(set, count), "PAPI_stop");
	tap_ok((double)count[0] >= LEAST_SHARE * (double)spent,
	       "domain user: time in the kernel is counted, %lld ns", count[0]);
	tap_ok(samples * PERIOD_NS < CPU_TIME_NS / 2, "but has no samples: %" PRIu64, samples);
	test_destroy(&set);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_init();
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++)
		check(delivery, PERIOD_NS, 0);
	check(PRECIS_PAPI_BATCH, 0, FREQUENCY);
	check(PRECIS_PAPI_THREAD, 0, FREQUENCY);
	check_domain();
	return tap_done();
}
