/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Usage: papi_threads
 *
 * What sampling one thread through PAPI costs beside others that are sampled and sleep: a signal for
 * each sample, and the helper thread, idle and at work with rings of one page. Breakpoints: each store
 * is a sample.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <papi.h>
#include <precis/papi.h>

#define STORES 20000u
#define BURST 16u /* stores that a ring of one page has room for */
/* From when on the helper thread has got used to idle ones, and how long it is measured then */
#define SETTLED_US 2000000u
#define IDLE_US 5000000u

static const unsigned int thread_counts[] = { 1, 10, 100, 1000 };

static volatile long cell __attribute__((aligned(8)));
static pthread_barrier_t started, done;
static uint32_t delivery;

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void must(int error, const char *what)
{
	if (error == PAPI_OK)
		return;
	fprintf(stderr, "papi_threads: %s: %s\n", what, precis_papi_strerror(error));
	exit(1);
}

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)sample;
	(void)arrival;
	(void)user;
}

static int start(int *code)
{
	const struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.period = 1,
		.ring_bytes = 4096,
		.watermark_samples = delivery == PRECIS_PAPI_THREAD ? BURST / 2 : 0,
		.callback = on_sample,
	};
	char name[PAPI_MAX_STR_LEN];
	int set = PAPI_NULL;

	snprintf(name, sizeof(name), "precis:::BREAKPOINT:addr=%p:len=8:access=w", (void *)&cell);
	must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	must(PAPI_event_name_to_code(name, code), name);
	must(PAPI_add_event(set, *code), name);
	must(precis_papi_set_sampling(set, *code, &sampling), "precis_papi_set_sampling");
	must(PAPI_start(set), "PAPI_start");
	return set;
}

static void destroy(int set)
{
	must(PAPI_cleanup_eventset(set), "PAPI_cleanup_eventset");
	must(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
}

static void *sleeper(void *unused)
{
	int code, set;

	(void)unused;
	must(PAPI_register_thread(), "PAPI_register_thread");
	set = start(&code);
	pthread_barrier_wait(&started);
	pthread_barrier_wait(&done);
	must(PAPI_stop(set, NULL), "PAPI_stop");
	destroy(set);
	must(PAPI_unregister_thread(), "PAPI_unregister_thread");
	return NULL;
}

static void at_work(int set, int code, double idle, unsigned int threads)
{
	struct precis_papi_statistics statistics = { .size = sizeof(statistics) };
	double began = seconds(CLOCK_THREAD_CPUTIME_ID), took;

	for (unsigned int n = 0; n < STORES; n++) {
		cell = n;
		if (delivery == PRECIS_PAPI_THREAD && n % BURST == 0)
			usleep(50);
	}
	took = seconds(CLOCK_THREAD_CPUTIME_ID) - began;
	must(PAPI_stop(set, NULL), "PAPI_stop");
	must(precis_papi_get_statistics(set, code, &statistics), "precis_papi_get_statistics");
	if (!statistics.samples)
		printf("%7u threads: not measured: no breakpoint fires here (virtual machine)\n", threads);
	else if (delivery == PRECIS_PAPI_SAMPLE)
		printf("%7u threads: %8.2f us a sample with its signal\n", threads,
		       took / (double)statistics.samples * 1e6);
	else
		printf("%7u threads: %8.2f %% of a CPU idle, %6.2f %% of the samples delivered\n", threads,
		       100 * idle, 100.0 * (double)statistics.samples / STORES);
	fflush(stdout);
}

static void measure(unsigned int threads)
{
	pthread_t *others = calloc(threads, sizeof(*others));
	double idle = 0;
	int set, code;

	if (!others)
		must(PAPI_ENOMEM, "calloc");
	pthread_barrier_init(&started, NULL, threads);
	pthread_barrier_init(&done, NULL, threads);
	for (unsigned int n = 1; n < threads; n++)
		must(pthread_create(&others[n], NULL, sleeper, NULL) ? PAPI_ESYS : PAPI_OK, "pthread_create");
	pthread_barrier_wait(&started);
	set = start(&code);
	if (delivery == PRECIS_PAPI_THREAD) {
		usleep(SETTLED_US);
		idle = seconds(CLOCK_PROCESS_CPUTIME_ID);
		usleep(IDLE_US);
		idle = (seconds(CLOCK_PROCESS_CPUTIME_ID) - idle) / (IDLE_US * 1e-6);
	}
	at_work(set, code, idle, threads);
	destroy(set);
	pthread_barrier_wait(&done);
	for (unsigned int n = 1; n < threads; n++)
		pthread_join(others[n], NULL);
	free(others);
}

int main(void)
{
	const uint32_t deliveries[] = { PRECIS_PAPI_SAMPLE, PRECIS_PAPI_THREAD };

	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		must(PAPI_EMISC, "PAPI_library_init");
	must(PAPI_thread_init((unsigned long (*)(void))pthread_self), "PAPI_thread_init");
	for (size_t way = 0; way < sizeof(deliveries) / sizeof(deliveries[0]); way++) {
		delivery = deliveries[way];
		for (size_t n = 0; n < sizeof(thread_counts) / sizeof(thread_counts[0]); n++)
			measure(thread_counts[n]);
	}
	return 0;
}
