/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which threads share lines, in the program itself: counters that stand side by side, one of each thread,
 * as they are and 64 bytes apart. Each thread hands one in some thousand of its own stores over; where there
 * is a PMU with addresses, samples of an EventSet do it (precis_papi_sharing_sample() in their callback).
 *
 *   sharing [THREADS [SECONDS]]
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <papi.h>
#include <precis/papi.h>

#define THREADS_MOST 16
#define LINE 64
#define PERIOD 2048

static volatile uint64_t counters[THREADS_MOST * LINE / sizeof(uint64_t)]
	__attribute__((aligned(LINE)));
static int must_end;
static size_t apart; /* elements from one counter to the next */

static void *count(void *data)
{
	volatile uint64_t *own = &counters[(uintptr_t)data * apart];
	unsigned int seed = (unsigned int)(uintptr_t)data + 1;
	unsigned int left = PERIOD;

	while (!__atomic_load_n(&must_end, __ATOMIC_RELAXED)) {
		++*own;
		if (--left)
			continue;
		/* about one store in PERIOD, at random */
		precis_papi_sharing_access(own, sizeof(*own), PRECIS_PAPI_STORED, PERIOD);
		left = 1 + (unsigned int)rand_r(&seed) % (2 * PERIOD - 1);
	}
	return NULL;
}

static void must(int error, const char *what)
{
	if (error == PAPI_OK)
		return;
	fprintf(stderr, "sharing: %s: %s\n", what, precis_papi_strerror(error));
	exit(1);
}

/* Rows wrote, columns got. Millions of transfers */
static void print_matrix(uint32_t threads)
{
	struct precis_papi_sharing_thread thread = { .size = sizeof(thread) };
	struct precis_papi_sharing_flow flow = { .size = sizeof(flow) };

	for (uint32_t from = 0; from < threads; from++) {
		must(precis_papi_sharing_thread(from, &thread), "a thread");
		printf("tid %u", (unsigned int)thread.tid);
		for (uint32_t to = 0; to < threads; to++) {
			must(precis_papi_sharing_flow(from, to, &flow), "a flow");
			printf(" %8.3f", flow.transfers / 1e6);
		}
		printf("\n");
	}
}

static void print(const char *name)
{
	struct precis_papi_sharing_result found = { .size = sizeof(found) };
	struct precis_papi_sharing_line line = { .size = sizeof(line) };

	must(precis_papi_sharing_result(&found), "the result");
	printf("%s: %.3f million transfers [%.3f, %.3f], %.0f%% false; %llu experiments, %.2f%% of "
	       "the time\n",
	       name, found.transfers / 1e6, found.transfers_low / 1e6, found.transfers_high / 1e6,
	       found.transfers > 0 ? 100 * found.false_transfers / found.transfers : 0,
	       (unsigned long long)found.experiments, 100 * found.overhead);
	print_matrix(found.threads);
	for (uint32_t n = 0; n < found.lines && n < 3; n++) {
		must(precis_papi_sharing_line(n, &line), "a line");
		printf("line %#llx: %.0f%% of all, %.0f%% of that false\n",
		       (unsigned long long)line.address, 100 * line.share, 100 * line.false_share);
	}
}

static void observe(const char *name, long threads, double seconds, size_t elements)
{
	const struct timespec while_they_count = {
		(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)
	};
	pthread_t running[THREADS_MOST];

	apart = elements;
	must_end = 0;
	must(precis_papi_sharing_start(NULL), "precis_papi_sharing_start");
	for (long n = 0; n < threads; n++)
		pthread_create(&running[n], NULL, count, (void *)(uintptr_t)n);
	nanosleep(&while_they_count, NULL);
	__atomic_store_n(&must_end, 1, __ATOMIC_RELAXED);
	for (long n = 0; n < threads; n++)
		pthread_join(running[n], NULL);
	must(precis_papi_sharing_stop(), "precis_papi_sharing_stop");
	print(name);
}

int main(int argc, char **argv)
{
	const long threads = argc > 1 ? strtol(argv[1], NULL, 10) : 4;
	const double seconds = argc > 2 ? strtod(argv[2], NULL) : 2;

	if (threads < 1 || threads > THREADS_MOST || !(seconds > 0 && seconds < 1e6)) {
		fprintf(stderr, "usage: sharing [THREADS [SECONDS]], up to %d threads\n",
			THREADS_MOST);
		return 2;
	}
	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) {
		fprintf(stderr, "sharing: PAPI_library_init failed\n");
		return 1;
	}
	observe("side by side", threads, seconds, 1);
	observe("64 bytes apart", threads, seconds, LINE / sizeof(uint64_t));
	return 0;
}
