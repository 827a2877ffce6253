/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The component's signal handler allocates and frees nothing, however samples come. This program has the C
 * library's allocator behind functions of its own, and stands before the handler, so that it knows what is
 * called in it.
 */
#include <signal.h>

#include "precis_test.h"

#define ACCESSES 2000
/* A busy machine may take its time; one that never delivers fails. */
#define PATIENCE_S 60

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_ALLOCATOR 0
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define HAS_ALLOCATOR 0
#endif
#ifndef HAS_ALLOCATOR
#define HAS_ALLOCATOR 1
#endif

static volatile long cell __attribute__((aligned(8)));
static volatile sig_atomic_t is_in_handler, allocates;
static volatile uint64_t runs, calls, samples; /* of the handler; of the allocator in it */
static void (*handler)(int number, siginfo_t *info, void *context);
static void *volatile block;

#if HAS_ALLOCATOR
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void __libc_free(void *memory);

void *malloc(size_t bytes)
{
	calls += is_in_handler;
	return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
	calls += is_in_handler;
	return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
	calls += is_in_handler;
	return __libc_realloc(memory, bytes);
}

void free(void *memory)
{
	calls += is_in_handler;
	__libc_free(memory);
}
#endif

static void before_handler(int number, siginfo_t *info, void *context)
{
	runs++;
	is_in_handler = 1;
	handler(number, info, context);
	is_in_handler = 0;
}

static void count(void)
{
	samples++;
	if (!allocates)
		return;
	block = malloc(16);
	free(block);
}

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)sample;
	(void)arrival;
	(void)user;
	count();
}

static void on_overflow(int set, void *address, long long vector, void *context)
{
	(void)set;
	(void)address;
	(void)vector;
	(void)context;
	count();
}

/* The events begin with PAPI_start, and the handler has nothing to do until the first access. */
static void stand_before_it(int number)
{
	struct sigaction action;

	if (sigaction(number, NULL, &action) || !(action.sa_flags & SA_SIGINFO))
		test_bail_out("the component's signal has no handler", PAPI_EBUG);
	handler = action.sa_sigaction;
	action.sa_sigaction = before_handler;
	sigaction(number, &action, NULL);
}

static void leave(int number)
{
	struct sigaction action;

	if (sigaction(number, NULL, &action))
		return;
	action.sa_sigaction = handler;
	sigaction(number, &action, NULL);
}

static void run(int set)
{
	int number = PAPI_get_component_info(PAPI_get_component_index("precis"))->hardware_intr_sig;
	time_t end = time(NULL) + PATIENCE_S;

	runs = calls = samples = 0;
	test_must(PAPI_start(set), "PAPI_start");
	stand_before_it(number);
	for (long n = 0; n < ACCESSES; n++)
		cell = n;
	while (samples < ACCESSES / 2 && time(NULL) < end)
		cell = 0;
	leave(number);
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
}

static void check(const char *what)
{
	tap_ok(runs > 0 && samples >= ACCESSES / 2, "%s: samples come in the handler", what);
	tap_equal((int64_t)calls, 0, "%s: it allocates and frees nothing", what);
}

static void check_sampling(int set, int code, struct precis_papi_sampling sampling, const char *what)
{
	sampling.size = sizeof(sampling);
	sampling.period = 1;
	sampling.callback = on_sample;
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	run(set);
	check(what);
}

/* A test that could not fail would prove nothing. */
static void check_itself(int set)
{
	allocates = 1;
	run(set);
	allocates = 0;
	tap_ok(samples > 0 && calls >= 2 * samples, "what a callback allocates there is seen");
}

int main(int argc, char **argv)
{
	int set, code;

	test_begin(argc, argv);
	test_init_breakpoints();
	if (!HAS_ALLOCATOR) {
		tap_skip("the allocator is a sanitizer's, or not that of the GNU C library", "allocations");
		return tap_done();
	}
	set = test_set_of_breakpoint(&cell, &code);
	check_sampling(set, code, (struct precis_papi_sampling){ .delivery = PRECIS_PAPI_SAMPLE },
		       "each sample");
	check_itself(set);
	check_sampling(set, code,
		       (struct precis_papi_sampling){ .delivery = PRECIS_PAPI_SAMPLE,
						      .parts = PRECIS_SAMPLE_CALLCHAIN | PRECIS_SAMPLE_RAW },
		       "with call chains");
	check_sampling(set, code,
		       (struct precis_papi_sampling){ .delivery = PRECIS_PAPI_WATERMARK,
						      .watermark_samples = 8 },
		       "at a watermark");
	check_sampling(set, code,
		       (struct precis_papi_sampling){ .delivery = PRECIS_PAPI_SAMPLE, .max_overhead = 0.5 },
		       "with a budget");
	test_must(precis_papi_set_sampling(set, code, NULL), "precis_papi_set_sampling");
	test_must(PAPI_overflow(set, code, 1, 0, on_overflow), "PAPI_overflow");
	run(set);
	check("PAPI_overflow");
	test_must(PAPI_overflow(set, code, 0, 0, NULL), "PAPI_overflow");
	test_destroy(&set);
	return tap_done();
}
