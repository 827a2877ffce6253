/* SPDX-License-Identifier: BSD-3-Clause */
/* PAPI_profil and PAPI_sprofil: each sample is in one bucket, and in the right one. */
#define _GNU_SOURCE /* registers in <ucontext.h> */

#include "precis_tools.h"

#define STORES 1500u /* fewer than a ring has room for */
#define CLOCK_PERIOD 100000 /* nanoseconds */
#define FULL_SCALE 65536u /* a bucket for each two bytes of text */
#define BUCKETS 4096

static volatile long cell __attribute__((aligned(8)));

static uint64_t sum(const unsigned int *buckets, size_t count)
{
	uint64_t samples = 0;

	for (size_t n = 0; n < count; n++)
		samples += buckets[n];
	return samples;
}

static void test_breakpoint(int period)
{
	static unsigned int buckets[BUCKETS];
	unsigned int bytes = (unsigned int)(__stop_precis_stores - __start_precis_stores) + 2;
	int code, set = test_set_of_breakpoint(&cell, &code);
	long long value[1];

	memset(buckets, 0, sizeof(buckets));
	tap_call(PAPI_profil(buckets, (bytes / 2 + 1) * (unsigned int)sizeof(buckets[0]),
			     (vptr_t)(uintptr_t)__start_precis_stores, FULL_SCALE, set, code,
			     period, PAPI_PROFIL_POSIX | PAPI_PROFIL_BUCKET_32),
		 "PAPI_profil of a breakpoint, period %d", period);
	test_must(PAPI_start(set), "PAPI_start");
	tools_store(&cell, STORES);
	test_must(PAPI_stop(set, value), "PAPI_stop");
	tap_equal((int64_t)sum(buckets, bytes / 2 + 1), (int64_t)(STORES / (unsigned int)period),
		  "the buckets of the stores' text have one sample for every %d stores", period);
	tap_equal((int64_t)test_statistics(set, code).samples, (int64_t)sum(buckets, BUCKETS),
		  "no other bucket has any");
	tap_call(PAPI_profil(NULL, 0, 0, 0, set, code, 0, PAPI_PROFIL_POSIX),
		 "PAPI_profil ends it");
	test_must(PAPI_start(set), "PAPI_start");
	tools_store(&cell, STORES);
	test_must(PAPI_stop(set, value), "PAPI_stop");
	tap_equal((int64_t)sum(buckets, BUCKETS), (int64_t)(STORES / (unsigned int)period),
		  "afterwards the buckets stay as they are");
	tap_equal(value[0], STORES, "and the event is counted");
	test_destroy(&set);
}

/*
 * A bucket for all there is, and those of text that one knows: the nearest below an address is
 * taken.
 */
static void test_sprofil(void)
{
	static unsigned int stores[BUCKETS];
	static unsigned int elsewhere;
	PAPI_sprofil_t parts[] = {
		{ .pr_base = &elsewhere, .pr_size = sizeof(elsewhere), .pr_off = 0, .pr_scale = 2 },
		{ .pr_base = stores,
		  .pr_size = sizeof(stores),
		  .pr_off = (vptr_t)(uintptr_t)__start_precis_stores,
		  .pr_scale = FULL_SCALE },
	};
	int code, set = test_set_of_breakpoint(&cell, &code);
	long long value[1];

	tap_call(PAPI_sprofil(parts, 2, set, code, 3, PAPI_PROFIL_POSIX | PAPI_PROFIL_BUCKET_32),
		 "PAPI_sprofil of a breakpoint");
	test_must(PAPI_start(set), "PAPI_start");
	tools_store(&cell, STORES);
	test_must(PAPI_stop(set, value), "PAPI_stop");
	tap_equal((int64_t)sum(stores, BUCKETS), STORES / 3, "all samples are in the stores' text");
	tap_equal(elsewhere, 0, "and none elsewhere");
	tap_call(PAPI_sprofil(parts, 2, set, code, 0, PAPI_PROFIL_POSIX | PAPI_PROFIL_BUCKET_32),
		 "PAPI_sprofil ends it");
	test_destroy(&set);
}

/* The clock's samples come when they come */
static void test_clock(void)
{
	static unsigned int stores[BUCKETS];
	static unsigned int all;
	PAPI_sprofil_t everything = { .pr_base = &all, .pr_size = sizeof(all), .pr_scale = 2 };
	int code, set = test_set_of("SW_CPU_CLOCK", &code);
	long long value[1];

	tap_call(PAPI_sprofil(&everything, 1, set, code, CLOCK_PERIOD,
			      PAPI_PROFIL_POSIX | PAPI_PROFIL_BUCKET_32),
		 "PAPI_sprofil of a clock");
	test_must(PAPI_start(set), "PAPI_start");
	while (test_statistics(set, code).samples < 20)
		;
	test_must(PAPI_stop(set, value), "PAPI_stop");
	tap_equal(all, (int64_t)test_statistics(set, code).samples,
		  "one bucket for all text has all samples");
	tap_call(PAPI_profil(stores, sizeof(stores), (vptr_t)(uintptr_t)__start_precis_stores,
			     FULL_SCALE, set, code, CLOCK_PERIOD,
			     PAPI_PROFIL_POSIX | PAPI_PROFIL_BUCKET_32),
		 "PAPI_profil of it");
	test_must(PAPI_start(set), "PAPI_start");
	while (!sum(stores, BUCKETS)) {
		tools_store(&cell, STORES);
		test_must(PAPI_read(set, value), "PAPI_read");
	}
	test_must(PAPI_stop(set, value), "PAPI_stop");
	tap_ok(sum(stores, BUCKETS) <= test_statistics(set, code).samples,
	       "buckets of some text have no more than there are");
	test_destroy(&set);
}

static volatile uint64_t handled;

static void on_overflow(int set, void *address, long long vector, void *context)
{
	(void)set;
	(void)address;
	(void)vector;
	(void)context;
	handled = handled + 1;
}

/* One event of a set is profiled, another has a handler. */
static void test_both(void)
{
	static volatile long other __attribute__((aligned(8)));
	static unsigned int buckets[BUCKETS];
	long long values[2];
	int code[2], set;

	set = test_set_of_breakpoint(&cell, &code[0]);
	code[1] = test_add_breakpoint(set, &other);
	memset(buckets, 0, sizeof(buckets));
	tap_call(PAPI_overflow(set, code[0], 10, 0, on_overflow), "a handler for one event");
	tap_call(PAPI_profil(buckets, sizeof(buckets), (vptr_t)(uintptr_t)__start_precis_stores,
			     FULL_SCALE, set, code[1], 4,
			     PAPI_PROFIL_POSIX | PAPI_PROFIL_BUCKET_32),
		 "buckets for the other");
	test_must(PAPI_start(set), "PAPI_start");
	tools_store(&cell, STORES);
	tools_store(&other, STORES);
	test_must(PAPI_stop(set, values), "PAPI_stop");
	tap_equal((int64_t)handled, STORES / 10, "the handler has its samples");
	tap_equal((int64_t)sum(buckets, BUCKETS), STORES / 4, "the buckets have theirs");
	tap_call(PAPI_profil(NULL, 0, 0, 0, set, code[1], 0, PAPI_PROFIL_POSIX),
		 "PAPI_profil ends for the one event");
	handled = 0;
	test_must(PAPI_start(set), "PAPI_start");
	tools_store(&cell, STORES);
	tools_store(&other, STORES);
	test_must(PAPI_stop(set, values), "PAPI_stop");
	tap_equal((int64_t)handled, STORES / 10, "the handler of the other goes on");
	test_destroy(&set);
}

static void test_refused(void)
{
	static unsigned int buckets[BUCKETS];
	int code, set = test_set_of_breakpoint(&cell, &code);

	tap_ok(PAPI_profil(buckets, sizeof(buckets), (vptr_t)(uintptr_t)__start_precis_stores,
			   FULL_SCALE, set, code, 10,
			   PAPI_PROFIL_DATA_EAR | PAPI_PROFIL_BUCKET_32) != PAPI_OK,
	       "profiles by event address registers are refused");
	test_destroy(&set);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	alarm(1800); /* a deadlock ends, too, but not a slow machine's run */
	test_init_breakpoints();
	test_breakpoint(1);
	test_breakpoint(7);
	test_sprofil();
	test_clock();
	test_both();
	test_refused();
	return tap_done();
}
