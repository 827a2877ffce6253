/* SPDX-License-Identifier: BSD-3-Clause */
/* After fork(2) the child may give the parent's EventSet up for its own; the parent goes on. */
#include <sys/wait.h>

#include "precis_test.h"

#define ACCESSES 100

static volatile long cell __attribute__((aligned(8)));
static volatile uint64_t samples;

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)sample;
	(void)arrival;
	(void)user;
	samples++;
}

static void access_cell(void)
{
	for (long n = 0; n < ACCESSES; n++)
		cell = n;
}

static void begin(int set, int code, uint32_t delivery)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.period = 1,
		.callback = on_sample,
	};

	samples = 0;
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
}

static int in_child(int set, int code, uint32_t delivery)
{
	long long count[1];
	int error;

	tap_indent = "    ";
	tap_count = tap_failed = 0;
	samples = 0;
	access_cell();
	error = precis_papi_drain(set);
	tap_ok(error == PAPI_EINVAL && strstr(precis_papi_strerror(error), "parent"),
	       "the parent's EventSet has nothing for the child");
	tap_call(PAPI_read(set, count), "it can be read");
	tap_equal(count[0], 0, "as the parent had read it last");
	tap_call(PAPI_stop(set, NULL), "it can be stopped");
	error = precis_papi_set_sampling(set, code, NULL);
	tap_ok(error == PAPI_EINVAL && strstr(precis_papi_strerror(error), "parent"),
	       "but not be changed");
	tap_equal(PAPI_start(set), PAPI_EINVAL, "nor started");
	tap_call(PAPI_cleanup_eventset(set), "it can be cleaned up");
	tap_equal((int64_t)samples, 0, "no sample came");
	code = test_add_breakpoint(set, &cell);
	begin(set, code, delivery);
	access_cell();
	test_must(PAPI_stop(set, count), "PAPI_stop");
	tap_ok(count[0] == ACCESSES && samples == ACCESSES, "and then be the child's own");
	test_destroy(&set);
	return tap_done();
}

static void check(uint32_t delivery)
{
	int set, code, status = -1;
	long long count[1];
	pid_t child;

	set = test_set_of_breakpoint(&cell, &code);
	begin(set, code, delivery);
	fflush(stdout);
	child = fork();
	if (!child)
		exit(in_child(set, code, delivery));
	access_cell();
	if (child < 0 || waitpid(child, &status, 0) != child)
		status = -1;
	access_cell();
	test_must(PAPI_stop(set, count), "PAPI_stop");
	tap_equal(status, 0, "delivery %u: the child", delivery);
	tap_equal(count[0], 2 * ACCESSES, "the parent's count has nothing of the child's");
	tap_equal((int64_t)samples, 2 * ACCESSES, "nor have its samples");
	test_destroy(&set);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_init_breakpoints();
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++)
		check(delivery);
	return tap_done();
}
