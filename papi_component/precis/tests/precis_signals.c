/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The component's signal: in use by the program, another one instead, a queue that is full, SIGIO.
 */
#define _GNU_SOURCE /* registers in <ucontext.h> */
#include <execinfo.h>
#include <signal.h>
#include <sys/resource.h>

#include "precis_tools.h"

#define STORES 5000u
#define OTHER_SIGNAL 7 /* a distance from SIGRTMIN */

static volatile long cell __attribute__((aligned(8)));
static volatile uint64_t sampled, handled, programs_signals;

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)sample;
	(void)arrival;
	(void)user;
	sampled = sampled + 1;
}

static void on_overflow(int set, void *address, long long vector, void *context)
{
	(void)set;
	(void)address;
	(void)vector;
	(void)context;
	handled = handled + 1;
}

static void on_programs_signal(int number)
{
	(void)number;
	programs_signals = programs_signals + 1;
}

static void catch (int number, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };

	sigemptyset(&action.sa_mask);
	if (sigaction(number, &action, NULL))
		test_bail_out("sigaction", PAPI_ESYS);
}

static int sample(int set, int code, enum precis_papi_delivery delivery)
{
	const struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.period = 1,
		.callback = on_sample,
	};

	return precis_papi_set_sampling(set, code, &sampling);
}

static struct precis_papi_statistics run(int set, int code)
{
	long long value[1];

	sampled = handled = 0;
	test_must(PAPI_start(set), "PAPI_start");
	tools_store(&cell, STORES);
	test_must(PAPI_stop(set, value), "PAPI_stop");
	return test_statistics(set, code);
}

/* --- who else has the signal ---------------------------------------------------- */

static void test_in_use(void)
{
	int code, set = test_set_of_breakpoint(&cell, &code), number = SIGRTMIN + OTHER_SIGNAL, error;
	struct precis_papi_statistics statistics;
	char text[16];

	snprintf(text, sizeof(text), "%d", OTHER_SIGNAL);
	setenv("PRECIS_PAPI_SIGNAL", text, 1);
	catch (number, on_programs_signal);
	error = sample(set, code, PRECIS_PAPI_SAMPLE);
	tap_equal(error, PAPI_ECNFLCT, "a signal that the program has is not taken away");
	tap_ok(strstr(precis_papi_strerror(error), "PRECIS_PAPI_SIGNAL") != NULL,
	       "the reason says what can be done: %s", precis_papi_strerror(error));
	tap_equal(PAPI_overflow(set, code, 10, 0, on_overflow), PAPI_ECNFLCT,
		  "not by PAPI_overflow either");
	raise(number);
	tap_equal((int64_t)programs_signals, 1, "the program's handler is still there");

	tap_call(sample(set, code, PRECIS_PAPI_BATCH), "a batch needs no signal");
	statistics = run(set, code);
	tap_equal((int64_t)(sampled + statistics.lost), STORES,
		  "and has what its ring has room for");

	setenv("PRECIS_PAPI_SIGNAL", "8", 1);
	tap_call(sample(set, code, PRECIS_PAPI_SAMPLE), "another signal will do");
	run(set, code);
	tap_equal((int64_t)sampled, STORES, "and tells of all samples");

	setenv("PRECIS_PAPI_SIGNAL", text, 1);
	run(set, code);
	tap_equal((int64_t)sampled, STORES, "which signal it is does not change once it is taken");
	unsetenv("PRECIS_PAPI_SIGNAL");
	tap_call(sample(set, code, PRECIS_PAPI_SAMPLE), "nor for other options");
	run(set, code);
	tap_equal((int64_t)sampled, STORES, "which have all samples, too");
	tap_equal((int64_t)programs_signals, 1, "the program gets none of the component's signals");
	test_destroy(&set);
}

/* --- how deep a handler runs ------------------------------------------------------ */

/* Itself, PAPI's dispatcher, the signal's handler, what that returns to: as of PAPI's perf_event */
#define FRAMES_MOST 4

static volatile int frames_above; /* between the interrupted function and the handler, with it */

static void on_deep_overflow(int set, void *address, long long vector, void *context)
{
	void *frames[64];
	int count = backtrace(frames, 64), caller = 0;

	on_overflow(set, address, vector, context);
	/* a sanitizer's backtrace() has a frame of its own */
	while (caller < count && frames[caller] != __builtin_return_address(0))
		caller++;
	for (int n = caller; n < count && !frames_above; n++) {
		if (tools_is_store(frames[n]))
			frames_above = n - caller + 1;
	}
}

static void test_depth(void)
{
	int code, set = test_set_of_breakpoint(&cell, &code);
	void *frames[1];

	backtrace(frames, 1); /* which loads a library the first time */
	test_must(PAPI_overflow(set, code, 100, 0, on_deep_overflow), "PAPI_overflow");
	run(set, code);
	tap_ok(frames_above > 0 && frames_above <= FRAMES_MOST,
	       "the handler of PAPI_overflow runs %d frames from what was interrupted", frames_above);
	test_must(PAPI_overflow(set, code, 0, 0, on_deep_overflow), "PAPI_overflow(0)");
	test_destroy(&set);
}

/* --- a signal during callbacks -------------------------------------------------- */

static volatile long other __attribute__((aligned(8)));

static void store_on_sample(const struct precis_sample *sample,
			    const struct precis_papi_arrival *arrival, void *user)
{
	on_sample(sample, arrival, user);
	tools_store(&other, 1);
}

/* One event's callback makes the other's sample; its handler cannot run then, but soon after. */
static void test_nested(void)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.period = 10,
		.callback = store_on_sample,
	};
	int code, set = test_set_of_breakpoint(&cell, &code), second = test_add_breakpoint(set, &other);
	long long values[2];

	sampled = handled = 0;
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_overflow(set, second, 1, 0, on_overflow), "PAPI_overflow");
	test_must(PAPI_start(set), "PAPI_start");
	tools_store(&cell, 10);
	test_must(PAPI_read(set, values), "PAPI_read");
	tap_equal((int64_t)sampled, 1, "PAPI_read delivers a batch");
	tap_equal((int64_t)handled, 1, "what happened in its callback has been handled, too");
	test_must(PAPI_stop(set, values), "PAPI_stop");
	tap_equal((int64_t)handled, 1, "once");
	test_destroy(&set);
}

/* --- the queue is full ------------------------------------------------------------ */

static void limit_queue(rlim_t signals)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_SIGPENDING, &limit))
		test_bail_out("getrlimit", PAPI_ESYS);
	limit.rlim_cur = signals;
	if (setrlimit(RLIMIT_SIGPENDING, &limit))
		test_bail_out("setrlimit", PAPI_ESYS);
}

/* The signals of the component that are blocked fill the queue; once it is full they are SIGIO. */
static struct precis_papi_statistics run_blocked(int set, int code)
{
	sigset_t all, before;
	long long value[1];

	sampled = handled = 0;
	test_must(PAPI_start(set), "PAPI_start");
	test_fill_signals(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	tools_store(&cell, 500);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	tools_store(&cell, STORES - 500);
	test_must(PAPI_stop(set, value), "PAPI_stop");
	return test_statistics(set, code);
}

static void test_full_queue(rlim_t signals)
{
	int code, set = test_set_of_breakpoint(&cell, &code);
	struct precis_papi_statistics statistics;

	limit_queue(signals);
	for (int blocked = 0; blocked < 2; blocked++) {
		const char *how = blocked ? ", blocked at first" : "";

		tap_call(sample(set, code, PRECIS_PAPI_SAMPLE), "room for %d signals%s: a callback",
			 (int)signals, how);
		statistics = blocked ? run_blocked(set, code) : run(set, code);
		tap_equal((int64_t)sampled, STORES, "it has all samples");
		tap_equal((int64_t)(statistics.lost + statistics.discarded), 0, "none is lost");
		test_must(precis_papi_set_sampling(set, code, NULL), "precis_papi_set_sampling");
		tap_call(PAPI_overflow(set, code, 1, 0, on_overflow),
			 "room for %d signals%s: PAPI_overflow", (int)signals, how);
		statistics = blocked ? run_blocked(set, code) : run(set, code);
		tap_equal((int64_t)handled, STORES, "its handler has all samples");
		tap_equal((int64_t)(statistics.lost + statistics.discarded), 0, "none is lost");
		test_must(PAPI_overflow(set, code, 0, 0, on_overflow), "PAPI_overflow(0)");
	}
	test_destroy(&set);
}

/*
 * Where the program has SIGIO itself, what no signal told of is delivered, or counted, at the end.
 */
static void test_sigio_in_use(rlim_t signals)
{
	int code, set;
	long long value[1];
	struct precis_papi_statistics statistics;

	catch (SIGIO, on_programs_signal);
	test_init_breakpoints();
	set = test_set_of_breakpoint(&cell, &code);
	limit_queue(0);
	tap_call(sample(set, code, PRECIS_PAPI_SAMPLE),
		 "no room for signals, and SIGIO is the program's: a callback");
	statistics = run(set, code);
	tap_equal((int64_t)(sampled + statistics.lost), STORES,
		  "it has what its ring has room for");
	test_must(precis_papi_set_sampling(set, code, NULL), "precis_papi_set_sampling");
	tap_call(PAPI_overflow(set, code, 1, 0, on_overflow), "PAPI_overflow");
	statistics = run(set, code);
	tap_equal((int64_t)(handled + statistics.discarded + statistics.lost), STORES,
		  "each sample has been handled or counted as discarded");
	tap_equal((int64_t)handled, (int64_t)statistics.samples, "what was handled is counted");

	handled = 0;
	test_must(PAPI_start(set), "PAPI_start");
	tools_store(&cell, 500);
	limit_queue(signals);
	test_must(PAPI_stop(set, value), "PAPI_stop");
	tap_equal((int64_t)handled, 500, "PAPI_stop calls the handler for what waits, if it can");
	test_destroy(&set);
}

/*
 * In a process of its own, which has SIGIO before the component can take it. Not in this one after
 * PAPI_shutdown(): PAPI 7.0.0 cannot be initialised again on some machines (../../README.md).
 */
static int in_child(rlim_t signals)
{
	tap_indent = "    ";
	alarm(1800); /* a deadlock ends, too, but not a slow machine's run */
	test_sigio_in_use(signals);
	return tap_done();
}

static int run_in_child(rlim_t signals)
{
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		exit(in_child(signals));
	if (child < 0 || waitpid(child, &status, 0) != child)
		status = -1;
	return status;
}

int main(int argc, char **argv)
{
	struct rlimit limit;
	int status;

	test_begin(argc, argv);
	alarm(1800); /* a deadlock ends, too, but not a slow machine's run */
	if (getrlimit(RLIMIT_SIGPENDING, &limit))
		test_bail_out("getrlimit", PAPI_ESYS);
	status = run_in_child(limit.rlim_cur);
	test_init_breakpoints();
	tap_child(status, "no room for signals, and SIGIO is the program's");
	test_in_use();
	test_depth();
	test_nested();
	test_full_queue(0);
	test_full_queue(3);
	return tap_done();
}
