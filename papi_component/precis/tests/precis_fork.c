/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * After fork(2) the child may give the parent's EventSet up for its own; the parent goes on. What the child
 * holds is in nobody's way who only gives something up.
 */
#include <signal.h>
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

#define REGISTERS 4 /* that x86 has for breakpoints */

static void on_overflow(int set, void *address, long long vector, void *context)
{
	(void)set;
	(void)address;
	(void)vector;
	(void)context;
	samples++;
}

/* A child that has the parent's descriptors, and does nothing */
static pid_t hold(void)
{
	pid_t child = fork();

	while (!child)
		pause();
	return child;
}

static void let_go(pid_t child)
{
	int status = 0;

	tap_ok(child > 0 && !kill(child, SIGKILL) && waitpid(child, &status, 0) == child, "the child ends");
}

/* All debug registers are a child's, too. */
static void check_given_up(void)
{
	static volatile long cells[REGISTERS] __attribute__((aligned(8)));
	int set = PAPI_NULL, codes[REGISTERS];
	long long count[REGISTERS];
	pid_t child;

	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	for (int n = 0; n < REGISTERS; n++) {
		codes[n] = test_add_breakpoint(set, &cells[n]);
		test_must(PAPI_overflow(set, codes[n], 1, 0, on_overflow), "PAPI_overflow");
	}
	child = hold();
	tap_call(PAPI_overflow(set, codes[0], 0, 0, on_overflow),
		 "an event need not be sampled any more while a child has all debug registers");
	tap_equal(PAPI_start(set), PAPI_ECNFLCT, "it cannot be counted meanwhile");
	let_go(child);
	tap_call(PAPI_start(set), "then it can");
	cells[0] = cells[1] = 1;
	tap_call(PAPI_stop(set, count), "and the EventSet be stopped");
	tap_ok(count[0] == 1 && count[1] == 1, "with its counts");
	child = hold();
	tap_call(PAPI_cleanup_eventset(set), "the EventSet can be cleaned up while a child has all of it");
	let_go(child);
	test_must(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_init_breakpoints();
	check_given_up();
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++)
		check(delivery);
	return tap_done();
}
