/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tests of the component share: results as TAP lines, and the few steps that all of them
 * begin with. Exit status: 0, 1 if anything failed, 77 if all was skipped, TEST_AGAIN (precis_traps.h).
 *
 * With the argument TESTS_QUIET, which the src/run_tests.sh of PAPI gives to its tests, they are such tests:
 * the one word PASSED, SKIPPED or FAILED, by PAPI's testlib, and its exit statuses. The lines are
 * shown if one failed.
 *
 * Results are the main thread's: other threads keep theirs for it.
 */
#ifndef PRECIS_TEST_H
#define PRECIS_TEST_H

#include <inttypes.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <papi.h>
#include <papi_test.h>
#include <precis/papi.h>

#include "precis_traps.h"

static int tap_count, tap_failed, tap_skipped;
static const char *tap_indent = ""; /* of a subtest's lines */

static inline void tap_line(const char *result, const char *format, va_list arguments)
{
	printf("%s%s %d - ", tap_indent, result, ++tap_count);
	vprintf(format, arguments);
}

__attribute__((format(printf, 2, 3))) static inline int tap_ok(int is_so, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	tap_line(is_so ? "ok" : "not ok", format, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
	tap_failed += !is_so;
	return is_so;
}

__attribute__((format(printf, 3, 4))) static inline int
tap_equal(int64_t got, int64_t expected, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	tap_line(got == expected ? "ok" : "not ok", format, arguments);
	va_end(arguments);
	putchar('\n');
	if (got != expected)
		printf("# got %" PRId64 ", expected %" PRId64 "\n", got, expected);
	fflush(stdout);
	tap_failed += got != expected;
	return got == expected;
}

/* A call of PAPI's or of the component's: its reason is told if it fails. */
__attribute__((format(printf, 2, 3))) static inline int tap_call(int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	tap_line(error == PAPI_OK ? "ok" : "not ok", format, arguments);
	va_end(arguments);
	putchar('\n');
	if (error != PAPI_OK)
		printf("# %d: %s\n", error, precis_papi_strerror(error));
	fflush(stdout);
	tap_failed += error != PAPI_OK;
	return error == PAPI_OK;
}

__attribute__((format(printf, 2, 3))) static inline void tap_skip(const char *reason,
								  const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	tap_line("ok", format, arguments);
	va_end(arguments);
	printf(" # SKIP %s\n", reason);
	fflush(stdout);
	tap_skipped++;
}

/* What waitpid(2) says of a child that is a test: it may have been skipped, too. */
static inline void tap_child(int status, const char *what)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		tap_skip("as it says itself", "%s", what);
	else
		tap_equal(status, 0, "%s", what);
}

/* --- as one of PAPI's tests ---------------------------------------------------- */

static struct {
	pid_t process; /* the test's, not one of a child that it makes */
	int output;    /* where PAPI's word goes; -1: to nobody, and the lines to standard output */
	FILE *lines;
} test_quiet = { .output = -1 };

/* First of all in main() */
static inline void test_begin(int argc, char **argv)
{
	tests_quiet(argc, argv);
	PAPI_set_debug(PAPI_QUIET); /* errors that are expected are no news */
	test_take_traps();
	if (!TESTS_QUIET)
		return;
	test_quiet.process = getpid();
	test_quiet.lines = tmpfile();
	fflush(stdout);
	test_quiet.output = dup(STDOUT_FILENO);
	if (!test_quiet.lines || test_quiet.output < 0 ||
	    dup2(fileno(test_quiet.lines), STDOUT_FILENO) < 0)
		test_fail(__FILE__, __LINE__, "no file for what the test says", 1);
}

/* The lines, of which one says what failed, or is the last of a test that could not go on */
static inline void test_show_lines(void)
{
	char line[512];

	rewind(test_quiet.lines);
	while (fgets(line, sizeof(line), test_quiet.lines))
		printf("  | %s", line);
}

/* @return 'status', that of a test that speaks TAP, or of a child; else this is the end */
static inline int test_end(int status)
{
	const unsigned int traps = test_traps ? atomic_load(test_traps) : 0;

	if (traps)
		printf("%s# debug exceptions that named no cause, and short counts of the kernel: %u\n",
		       tap_indent, traps);
	if (test_quiet.output < 0 || test_quiet.process != getpid())
		return status == 1 && traps ? TEST_AGAIN : status;
	fflush(stdout);
	dup2(test_quiet.output, STDOUT_FILENO);
	if (status == 0)
		test_pass(__FILE__);
	if (status == 77)
		test_skip(__FILE__, __LINE__, "all of it", 1);
	if (traps)
		test_skip(__FILE__, __LINE__, "debug exceptions name no cause", 1);
	test_show_lines();
	test_fail(__FILE__, __LINE__, "see above", 1);
}

/* @return the exit status */
static inline int tap_done(void)
{
	printf("%s1..%d\n", tap_indent, tap_count);
	if (tap_failed)
		return test_end(1);
	return test_end(tap_skipped == tap_count ? 77 : 0);
}

/* --- what every test begins with ----------------------------------------------- */

static inline _Noreturn void test_bail_out(const char *what, int error)
{
	printf("Bail out! %s: %d: %s\n", what, error, precis_papi_strerror(error));
	exit(test_end(1));
}

static inline void test_must(int error, const char *what)
{
	if (error != PAPI_OK)
		test_bail_out(what, error);
}

/* PAPI with the component, enabled; or this program ends. */
static inline void test_init(void)
{
	const PAPI_component_info_t *info;
	int version = PAPI_library_init(PAPI_VER_CURRENT);

	if (version != PAPI_VER_CURRENT)
		test_bail_out("PAPI_library_init", version);
	info = PAPI_get_component_info(PAPI_get_component_index("precis"));
	if (!info)
		test_bail_out("PAPI_get_component_index", PAPI_ENOCMP);
	if (info->disabled) {
		printf("%s1..0 # SKIP %s\n", tap_indent, info->disabled_reason);
		exit(test_end(77));
	}
}

/* Some virtual machines let a data breakpoint be set and never deliver it. */
static inline int test_breakpoints_fire(void)
{
	static volatile uint64_t cell;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = (uintptr_t)&cell,
		.bp_len = HW_BREAKPOINT_LEN_8,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	uint64_t count = 0;

	if (fd < 0)
		return 1; /* the test is told why */
	cell = 1;
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		count = 0;
	close(fd);
	return count > 0;
}

/* Or this program, which has no results yet, ends. */
static inline void test_need_breakpoints(void)
{
	if (test_breakpoints_fire())
		return;
	printf("%s1..0 # SKIP data breakpoints can be set here, but never fire (virtual machine)\n",
	       tap_indent);
	exit(test_end(77));
}

static inline void test_init_breakpoints(void)
{
	test_need_breakpoints();
	test_init();
}

/* An EventSet with one event by its name ("BREAKPOINT:..."); or this program ends. */
static inline int test_set_of(const char *event, int *code)
{
	char name[PAPI_MAX_STR_LEN];
	int set = PAPI_NULL;

	snprintf(name, sizeof(name), "precis:::%s", event);
	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	test_must(PAPI_event_name_to_code(name, code), name);
	test_must(PAPI_add_event(set, *code), name);
	return set;
}

/* The name of a breakpoint's event: eight bytes that are written */
static inline void test_name_breakpoint(char name[PAPI_MAX_STR_LEN], uintptr_t address)
{
	snprintf(name, PAPI_MAX_STR_LEN, "precis:::BREAKPOINT:addr=0x%" PRIxPTR ":len=8:access=w", address);
}

/* Such an event, the EventSet's next one */
static inline int test_add_breakpoint(int set, const volatile void *address)
{
	char name[PAPI_MAX_STR_LEN];
	int code = PAPI_NULL;

	test_name_breakpoint(name, (uintptr_t)address);
	test_must(PAPI_event_name_to_code(name, &code), name);
	test_must(PAPI_add_event(set, code), name);
	return code;
}

/* An EventSet with that alone */
static inline int test_set_of_breakpoint(const volatile void *address, int *code)
{
	int set = PAPI_NULL;

	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	*code = test_add_breakpoint(set, address);
	return set;
}

static inline void test_destroy(int *set)
{
	test_must(PAPI_cleanup_eventset(*set), "PAPI_cleanup_eventset");
	test_must(PAPI_destroy_eventset(set), "PAPI_destroy_eventset");
}

/* @return nanoseconds since some time */
static inline uint64_t test_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline pid_t test_tid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

static inline struct precis_papi_statistics test_statistics(int set, int code)
{
	struct precis_papi_statistics statistics = { .size = sizeof(statistics) };

	test_must(precis_papi_get_statistics(set, code, &statistics),
		  "precis_papi_get_statistics");
	return statistics;
}

#endif
