/* SPDX-License-Identifier: BSD-3-Clause */
/* What is measured: threads that inherit, other threads, CPUs, the kernel; and threads that end. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "precis_test.h"

#define ACCESSES 700
#define PERIOD 7

static volatile long cell __attribute__((aligned(8)));
static volatile uint64_t samples;
static uint64_t wrong_tid, wrong_cpu, in_kernel, in_user;
static volatile pid_t expected_tid;
static int expected_cpu = -1;

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	uint64_t value;

	(void)arrival;
	(void)user;
	samples++;
	wrong_tid +=
		expected_tid && (!precis_get_tid(sample, &value) || (pid_t)value != expected_tid);
	wrong_cpu += expected_cpu >= 0 &&
		     (!precis_get_cpu(sample, &value) || (int)value != expected_cpu);
	if (precis_get_ip(sample, &value)) {
		in_kernel += value >> 63;
		in_user += !(value >> 63);
	}
}

static struct precis_papi_sampling sampling_of(uint32_t delivery, uint64_t period)
{
	samples = wrong_tid = wrong_cpu = in_kernel = in_user = 0;
	expected_tid = 0;
	expected_cpu = -1;
	return (struct precis_papi_sampling){ .size = sizeof(struct precis_papi_sampling),
					      .delivery = delivery,
					      .period = period,
					      .callback = on_sample };
}

static void access_cell(void)
{
	for (long n = 0; n < ACCESSES; n++)
		cell = n;
}

/* --- inherit ---------------------------------------------------------------------- */

static void *access_once(void *unused)
{
	access_cell();
	return unused;
}

static void check_inherit(void)
{
	struct precis_papi_sampling sampling = sampling_of(PRECIS_PAPI_BATCH, PERIOD);
	PAPI_option_t option = { .inherit = { .inherit = PAPI_INHERIT_ALL } };
	int set = PAPI_NULL, code, error;
	long long count[1];
	pthread_t thread;

	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	code = test_add_breakpoint(set, &cell);
	option.inherit.eventset = set;
	test_must(PAPI_set_opt(PAPI_INHERIT, &option), "PAPI_INHERIT");
	error = precis_papi_set_sampling(set, code, &sampling);
	tap_ok(error == PAPI_ENOSUPP && strstr(precis_papi_strerror(error), "inherit"),
	       "events that threads inherit cannot be sampled");
	test_must(PAPI_start(set), "PAPI_start");
	access_cell();
	test_must(pthread_create(&thread, NULL, access_once, NULL), "pthread_create");
	pthread_join(thread, NULL);
	test_must(PAPI_stop(set, count), "PAPI_stop");
	tap_equal(count[0], 2 * ACCESSES, "but counted: the count has the child's part");
	test_destroy(&set);
}

/* --- another thread ------------------------------------------------------------------- */

static pthread_barrier_t barrier;

static void *access_when_told(void *unused)
{
	expected_tid = test_tid();
	pthread_barrier_wait(&barrier); /* here I am */
	pthread_barrier_wait(&barrier); /* started */
	access_cell();
	pthread_barrier_wait(&barrier); /* done */
	pthread_barrier_wait(&barrier); /* stopped */
	return unused;
}

static void check_attached(uint32_t delivery)
{
	struct precis_papi_sampling sampling = sampling_of(delivery, PERIOD);
	int set = PAPI_NULL, code;
	long long count[1];
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	test_must(pthread_create(&thread, NULL, access_when_told, NULL), "pthread_create");
	pthread_barrier_wait(&barrier);
	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	code = test_add_breakpoint(set, &cell);
	test_must(PAPI_attach(set, (unsigned long)expected_tid), "PAPI_attach");
	tap_call(precis_papi_set_sampling(set, code, &sampling),
		 "delivery %u: attached to a thread", delivery);
	test_must(PAPI_start(set), "PAPI_start");
	access_cell(); /* not this thread's */
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	test_must(PAPI_stop(set, count), "PAPI_stop");
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	tap_equal(count[0], ACCESSES, "the count is that thread's");
	tap_equal((int64_t)samples, ACCESSES / PERIOD, "the samples, too");
	tap_equal((int64_t)wrong_tid, 0, "and they say so");
	sampling.delivery = PRECIS_PAPI_SAMPLE;
	tap_equal(precis_papi_set_sampling(set, code, &sampling), PAPI_EINVAL,
		  "no signals from an attached EventSet");
	test_destroy(&set);
	pthread_barrier_destroy(&barrier);
}

/* --- CPUs ---------------------------------------------------------------------------------- */

static void pin(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

static void work(void)
{
	for (unsigned int n = 0; n < 1000000; n++)
		__asm__ volatile("" : : "r"(n));
}

static void check_cpu(int by_granularity)
{
	struct precis_papi_sampling sampling = sampling_of(PRECIS_PAPI_BATCH, 1000000);
	PAPI_option_t cpu = { .cpu = { .cpu_num = 0 } };
	PAPI_option_t granularity = { .granularity = { .granularity = PAPI_GRN_SYS } };
	int code, error, set = test_set_of("SW_CPU_CLOCK", &code);
	time_t end = time(NULL) + 60;
	const char *what = by_granularity ? "PAPI_GRN_SYS" : "PAPI_CPU_ATTACH";
	cpu_set_t before;

	sched_getaffinity(0, sizeof(before), &before);
	pin(0);
	cpu.cpu.eventset = granularity.granularity.eventset = set;
	error = by_granularity ? PAPI_set_opt(PAPI_GRANUL, &granularity)
			       : PAPI_set_opt(PAPI_CPU_ATTACH, &cpu);
	if (error == PAPI_EPERM) {
		tap_skip("whole CPUs may not be measured by this user", "%s", what);
	} else {
		tap_call(error, "%s", what);
		tap_call(precis_papi_set_sampling(set, code, &sampling), "sampled");
		expected_cpu = 0;
		test_must(PAPI_start(set), "PAPI_start");
		while (samples < 20 && time(NULL) < end) {
			work();
			precis_papi_drain(set);
		}
		test_must(PAPI_stop(set, NULL), "PAPI_stop");
		tap_ok(samples >= 20 && !wrong_cpu, "samples come, and are of that CPU");
	}
	sched_setaffinity(0, sizeof(before), &before);
	test_destroy(&set);
}

/* --- domains --------------------------------------------------------------------------------- */

static void check_domain(int domain, const char *name)
{
	struct precis_papi_sampling sampling = sampling_of(PRECIS_PAPI_BATCH, 200000);
	PAPI_option_t option = { .domain = { .domain = domain } };
	int code, error, set = test_set_of("SW_CPU_CLOCK", &code);
	time_t end = time(NULL) + 60;
	int enough;

	option.domain.eventset = set;
	error = PAPI_set_opt(PAPI_DOMAIN, &option);
	if (error == PAPI_EPERM) {
		tap_skip("the kernel may not be measured by this user", "%s", name);
		test_destroy(&set);
		return;
	}
	tap_call(error, "domain %s", name);
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
	do {
		work();
		for (unsigned int n = 0; n < 10000; n++)
			getppid();
		precis_papi_drain(set);
		enough = (!(domain & PAPI_DOM_USER) || in_user >= 5) &&
			 (!(domain & PAPI_DOM_KERNEL) || in_kernel >= 5);
	} while (!enough && time(NULL) < end);
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	tap_ok(enough, "has its samples: user %" PRIu64 ", kernel %" PRIu64, in_user, in_kernel);
	tap_ok((domain & PAPI_DOM_USER || !in_user) && (domain & PAPI_DOM_KERNEL || !in_kernel),
	       "and no others");
	test_destroy(&set);
}

/* --- a thread that ends ------------------------------------------------------------------------ */

static int left_set, left_code;

static void *leave_samples(void *argument)
{
	struct precis_papi_sampling sampling = sampling_of(*(uint32_t *)argument, 1);

	test_must(PAPI_register_thread(), "PAPI_register_thread");
	left_set = PAPI_NULL;
	test_must(PAPI_create_eventset(&left_set), "PAPI_create_eventset");
	left_code = test_add_breakpoint(left_set, &cell);
	sampling.watermark_samples = sampling.delivery == PRECIS_PAPI_WATERMARK ? 10000 : 0;
	test_must(precis_papi_set_sampling(left_set, left_code, &sampling),
		  "precis_papi_set_sampling");
	test_must(PAPI_start(left_set), "PAPI_start");
	access_cell();
	return NULL;
}

static void check_exit(uint32_t delivery)
{
	long long count[1] = { 0 };
	pthread_t thread;

	test_must(pthread_create(&thread, NULL, leave_samples, &delivery), "pthread_create");
	pthread_join(thread, NULL);
	tap_call(PAPI_stop(left_set, count), "delivery %u: its thread has ended, it is stopped",
		 delivery);
	tap_equal(count[0], ACCESSES, "the count is there");
	tap_equal((int64_t)samples, ACCESSES, "and all samples");
	tap_call(PAPI_cleanup_eventset(left_set), "it is cleaned up");
	tap_call(PAPI_destroy_eventset(&left_set), "and destroyed");
}

int main(void)
{
	test_init();
	test_must(PAPI_thread_init((unsigned long (*)(void))pthread_self), "PAPI_thread_init");
	check_inherit();
	check_attached(PRECIS_PAPI_BATCH);
	check_attached(PRECIS_PAPI_THREAD);
	check_cpu(0);
	check_cpu(1);
	check_domain(PAPI_DOM_USER, "user");
	check_domain(PAPI_DOM_KERNEL, "kernel");
	check_domain(PAPI_DOM_USER | PAPI_DOM_KERNEL, "user and kernel");
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++)
		check_exit(delivery);
	return tap_done();
}
