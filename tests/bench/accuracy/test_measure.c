/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Real events of this machine: what is counted in software is exact to the last sample, in each thread; what
 * is not here has a reason. Skipped by name where an event cannot be had.
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "bench/accuracy/judge.h"
#include "bench/accuracy/metrics.h"
#include "kernels_here.h"
#include "tests/support/tap.h"

/* An event that vanishes: so many times more it is switched on or off, and its counter has ended. */
static int switches_left = -1, has_ended; /* -1: for ever */
/* At so many switches, one after another, a debug exception comes whose cause is not named. */
static atomic_int causeless_left;

int __real_ioctl(int fd, unsigned long request, unsigned long argument);
ssize_t __real_read(int fd, void *buffer, size_t bytes);
int __wrap_ioctl(int fd, unsigned long request, ...);
ssize_t __wrap_read(int fd, void *buffer, size_t bytes);

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	unsigned long argument;
	va_list list;

	va_start(list, request);
	argument = va_arg(list, unsigned long);
	va_end(list);
	if (!switches_left) {
		errno = ENODEV;
		return -1;
	}
	switches_left -= switches_left > 0;
	if (atomic_load(&causeless_left) > 0 && atomic_fetch_sub(&causeless_left, 1) > 0)
		raise(SIGTRAP);
	return __real_ioctl(fd, request, argument);
}

ssize_t __wrap_read(int fd, void *buffer, size_t bytes)
{
	return has_ended ? 0 : __real_read(fd, buffer, bytes);
}

#define RUNS 3u
#define THREADS 2u

static struct bench_machine machine(void)
{
	struct bench_machine here = { .root = "", .release = "" };
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");

	here.cpu.size = sizeof(here.cpu);
	if (file) {
		here.has_paranoid = fscanf(file, "%d", &here.paranoid) == 1;
		fclose(file);
	}
	return here;
}

/* The event, or NULL after the case has been skipped: no kernels, not permitted, never fires, ... */
static const struct bench_event *there_is(const char *name)
{
	static char why[EVENT_REASON + 64];
	const struct bench_event *event = event_named(name, strlen(name));
	const struct bench_machine here = machine();
	char reason[EVENT_REASON];

	CU_ASSERT_PTR_NOT_NULL_FATAL(event);
	if (!measure_probe(event, &here, event->period, reason))
		return event;
	snprintf(why, sizeof(why), "%s: %s", name, reason);
	tap_skip(why);
	return NULL;
}

static void measure(const struct bench_event *event, const char *kernel, uint64_t period, uint64_t outer,
		    uint64_t slice, struct run runs[RUNS])
{
	const struct bench_machine here = machine();
	struct measure_request request = {
		.kernel = kernel_named(kernel), .event = event, .machine = &here, .period = period,
		.inner = 500, .outer = outer, .slice = slice, .threads = THREADS, .cpu = -1,
	};
	char reason[EVENT_REASON];

	for (uint32_t n = 0; n < RUNS; n++) {
		request.seed = n;
		CU_ASSERT_EQUAL_FATAL(measure_run(&request, &runs[n], reason), 0);
	}
}

static struct series series_of(const struct bench_event *event, const char *kernel, uint64_t period,
			       const struct run runs[RUNS])
{
	return (struct series){
		.kernel = kernel_named(kernel), .event = event, .period = period, .runs = runs, .count = RUNS,
	};
}

static void free_runs(struct run runs[RUNS])
{
	for (uint32_t n = 0; n < RUNS; n++)
		run_free(&runs[n]);
}

static void is_value(enum metric metric, const struct series *series, double value)
{
	const struct metric_result result = metric_of(metric, series);

	CU_ASSERT_TRUE(result.is_there);
	CU_ASSERT_EQUAL(result.value, value);
	if (!result.is_there || result.value != value)
		printf("# %s of %s: %f, expected %f; %s\n", metric_info(metric)->name, series->event->name,
		       result.value, value, result.says);
}

/* Counted exactly, at the right instruction, in the right mode, with the right address, nothing lost */
static void all_is_exact(const char *name, const char *kernel, uint64_t period, uint64_t outer,
			 uint64_t slice)
{
	const struct bench_event *event = there_is(name);
	struct run runs[RUNS];
	struct series series;

	if (!event)
		return;
	measure(event, kernel, period, outer, slice, runs);
	series = series_of(event, kernel, period, runs);
	is_value(METRIC_exact, &series, 100);
	is_value(METRIC_wrong_mode, &series, 0);
	is_value(METRIC_lost, &series, 0);
	is_value(METRIC_unscheduled, &series, 0);
	if (event->place != PLACE_NOWHERE)
		is_value(METRIC_wrong_rate, &series, 0);
	if (event->word >= 0 || event->quantity == QUANTITY_PAGES)
		is_value(METRIC_wrong_address, &series, 0);
	CU_ASSERT_EQUAL(metric_of(METRIC_error, &series).verdict, VERDICT_OK);
	/* by the counter at each sample a period lies between two of them, each time */
	is_value(METRIC_period_spread, &series, 0);
	free_runs(runs);
}

static void page_faults(void)
{
	all_is_exact("page_faults", "touch", 1, 10, 1);
}

static void each_seventh_page_fault(void)
{
	all_is_exact("minor_faults", "touch", 7, 10, 1);
}

static void tracepoints(void)
{
	all_is_exact("enter_read", "syscalls", 1, 4, 1);
}

static void each_seventh_return(void)
{
	all_is_exact("exit_write", "syscalls", 7, 8, 2);
}

static void stores(void)
{
	all_is_exact("breakpoint_store", "watch", 1, 40, 2);
}

static void accesses(void)
{
	all_is_exact("breakpoint_access", "watch", 7, 40, 2);
}

static void executions(void)
{
	all_is_exact("breakpoint_execute", "watch", 7, 40, 2);
}

/* What read(2) stores into a word is the operating system's, all of it: user code stores nothing there. */
static void stores_of_the_kernel(void)
{
	all_is_exact("breakpoint_kernel", "syscalls", 1, 4, 1);
}

/*
 * The emulator of qemu: a breakpoint that has been hit stays so until one behind it in the list is hit, and
 * the last of four is reported at the hits of the others, too (cpu_check_watchpoint() leaves its loop at the
 * first match). precis bench says so of it: three of four samples are at wrong instructions.
 */
static int is_emulated(void)
{
	char name[13] = "";
#ifdef __x86_64__
	unsigned int eax, ebx, ecx, edx;

	__cpuid(0x40000000, eax, ebx, ecx, edx);
	memcpy(name, &ebx, sizeof(ebx));
	memcpy(name + 4, &ecx, sizeof(ecx));
	memcpy(name + 8, &edx, sizeof(edx));
#endif
	return strcmp(name, "TCGTCGTCGTCG") == 0;
}

static void four_at_once(void)
{
	const struct bench_event *event = there_is("breakpoints_four"), *members[EVENTS_MOST];
	struct run runs[RUNS];
	struct series series;

	if (!event)
		return;
	if (is_emulated()) {
		tap_skip("qemu's emulator reports the last of four breakpoints at the hits of the others");
		return;
	}
	CU_ASSERT_EQUAL_FATAL(event_members(event, members), 4);
	measure(event, "watch", 1, 20, 1, runs);
	for (uint32_t n = 0; n < 4; n++) {
		series = series_of(members[n], "watch", 1, runs);
		series.member = n;
		is_value(METRIC_exact, &series, 100);
		is_value(METRIC_wrong_rate, &series, 0);
		is_value(METRIC_wrong_address, &series, 0);
	}
	free_runs(runs);
}

/* x86 has four: the fifth is refused, and named. Opening tells, whether they fire or not. */
static void the_fifth(void)
{
	const struct bench_event *five = event_named("breakpoints_five", 16);
	const struct bench_machine here = machine();
	char reason[EVENT_REASON];

	if (!there_are_kernels())
		return;
	CU_ASSERT_EQUAL(measure_probe(five, &here, five->period, reason), -1);
	if (strstr(reason, "number 1 of 5"))
		tap_skip("no breakpoint may be set here");
	else
		CU_ASSERT_PTR_NOT_NULL(strstr(reason, "number 5 of 5: the CPU's debug registers are all in "
						      "use"));
}

/* A ring that is not looked at for long loses; what is lost is told, and the books balance. */
static void losses(void)
{
	const struct bench_event *event = there_is("enter_read");
	struct metric_result lost, unexplained;
	struct run runs[RUNS];
	struct series series;

	if (!event)
		return;
	measure(event, "syscalls", 1, 40, 40, runs);
	series = series_of(event, "syscalls", 1, runs);
	lost = metric_of(METRIC_lost, &series);
	unexplained = metric_of(METRIC_unexplained, &series);
	CU_ASSERT_TRUE(lost.is_there && lost.value > 20);
	CU_ASSERT_EQUAL(lost.verdict, VERDICT_WORSE);
	is_value(METRIC_exact, &series, 0);
	CU_ASSERT_TRUE(unexplained.value > -0.01 && unexplained.value < 0.01);
	CU_ASSERT_EQUAL(metric_of(METRIC_error, &series).verdict, VERDICT_WORSE);
	free_runs(runs);
}

/* What it means that an event is refused depends on privileges, kernel and hypervisor. */
static void refusals(void)
{
	static const struct {
		const char *event;
		int error, paranoid, is_privileged, is_guest;
		const char *says;
	} rows[] = {
		{ "page_faults", EACCES, 3, 0, 0, "is 3, it needs 2 or less, or CAP_PERFMON" },
		{ "ibs_op", EACCES, 2, 0, 0, "is 2, to count in the kernel, too, needs 1 or less" },
		{ "page_faults", EPERM, 3, 1, 0, "although privileges and perf_event_paranoid allow it" },
		{ "breakpoint_store", ENOSPC, 1, 0, 0, "the CPU's debug registers are all in use" },
		{ "pebs_loads", ENOSPC, 1, 0, 0, "counters are all in use" },
		{ "pebs_loads", ENOENT, 1, 0, 1, "nor CPU have it: the hypervisor may hide it" },
		{ "pebs_loads", ENOENT, 1, 0, 0, "neither kernel nor CPU have it" },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		const struct bench_machine here = {
			.root = "/there/is/none", .release = "", .has_paranoid = 1,
			.paranoid = rows[n].paranoid, .is_privileged = rows[n].is_privileged,
			.is_guest = rows[n].is_guest,
		};
		char reason[EVENT_REASON];

		event_refused(event_named(rows[n].event, strlen(rows[n].event)), &here, rows[n].error,
			      reason);
		CU_ASSERT_PTR_NOT_NULL(strstr(reason, rows[n].says));
		if (!strstr(reason, rows[n].says))
			printf("# %s: %s\n", rows[n].event, reason);
	}
}

/* Ended from outside a run has what was measured so far, and that is right. */
static void stopped(void)
{
	static const volatile sig_atomic_t stop = 1;
	const struct bench_machine here = machine();
	struct measure_request request = {
		.kernel = kernel_named("alu20"), .machine = &here, .inner = 10, .outer = 10, .slice = 1,
		.threads = 1, .cpu = -1, .stop = &stop,
	};
	char reason[EVENT_REASON];
	struct run run;

	if (!there_are_kernels())
		return;
	CU_ASSERT_EQUAL(measure_run(&request, &run, reason), 0);
	CU_ASSERT_EQUAL(run.is_stopped, 1);
	CU_ASSERT_EQUAL(run.thread[0].outer, 0);
	run_free(&run);
}

/* What is gone in the middle of a run is told: its counts are no figures. */
static void vanished(void)
{
	static const struct {
		int switches, is_at_end;
		const char *says;
	} rows[] = {
		{ 0, 0, "it cannot be switched on any more: No such device" },
		{ 3, 0, "it cannot be switched off any more: No such device" },
		{ -1, 1, "its counter has ended: the kernel gave the event up" },
		{ -1, 0, NULL },
	};
	const struct bench_event *event = there_is("minor_faults");
	const struct bench_machine here = machine();
	struct measure_request request = {
		.kernel = kernel_named("touch"), .event = event, .machine = &here, .period = 7, .inner = 100,
		.outer = 4, .slice = 1, .threads = 1, .cpu = -1,
	};

	for (size_t n = 0; event && n < sizeof(rows) / sizeof(rows[0]); n++) {
		char reason[EVENT_REASON] = "";
		struct run run;
		int code;

		switches_left = rows[n].switches;
		has_ended = rows[n].is_at_end;
		code = measure_run(&request, &run, reason);
		switches_left = -1;
		has_ended = 0;
		CU_ASSERT_EQUAL(code, rows[n].says ? -1 : 0);
		if (rows[n].says) {
			CU_ASSERT_STRING_EQUAL(reason, rows[n].says);
			printf("# %s\n", reason);
		}
		run_free(&run);
	}
}

/* A debug exception that names no cause ends nobody: the run is made again, and so many times at most. */
static void causeless_traps(void)
{
	static const struct {
		int left;
		uint32_t again;
	} rows[] = { { 0, 0 }, { 1, 1 }, { 1000000, MEASURE_AGAIN_MOST } };
	const struct bench_event *event = there_is("minor_faults");
	const struct bench_machine here = machine();
	struct measure_request request = {
		.kernel = kernel_named("touch"),
		.event = event,
		.machine = &here,
		.period = 7,
		.inner = 100,
		.outer = 4,
		.slice = 1,
		.threads = 2,
		.cpu = -1,
	};

	for (size_t n = 0; event && n < sizeof(rows) / sizeof(rows[0]); n++) {
		char reason[EVENT_REASON] = "";
		struct run run;

		atomic_store(&causeless_left, rows[n].left);
		CU_ASSERT_EQUAL(measure_run(&request, &run, reason), 0);
		CU_ASSERT_EQUAL(run.again, rows[n].again);
		CU_ASSERT_EQUAL(run.thread[0].outer, 4);
		run_free(&run);
	}
	atomic_store(&causeless_left, 0);
}

/* Every event can be had, or there is a reason; every set consists of events, each kernel of a row is one. */
static void tables(void)
{
	const struct bench_event *event, *members[EVENTS_MOST];
	const struct bench_machine here = machine();

	for (size_t n = 0; (event = event_at(n)); n++) {
		char reason[EVENT_REASON] = "";

		if (measure_probe(event, &here, event->period, reason)) {
			CU_ASSERT_NOT_EQUAL(*reason, 0);
			CU_ASSERT_PTR_NULL(strstr(reason, "memory"));
		}
		CU_ASSERT_TRUE(event_members(event, members) > 0);
		CU_ASSERT_TRUE(event->period > 0);
		CU_ASSERT_TRUE(event->family != EVENT_IBS || event->period / 16 % 2 == 1);
		if (kernels_why_not())
			continue;
		for (const char *at = event->kernels, *next; *at; at = next) {
			char name[64];

			next = at + strcspn(at, ",");
			snprintf(name, sizeof(name), "%.*s", (int)(next - at), at);
			next += *next == ',';
			CU_ASSERT_PTR_NOT_NULL_FATAL(kernel_named(name));
			CU_ASSERT_TRUE(kernel_site_count(kernel_named(name)) <= SITES_MOST);
		}
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "events, their kernels and their reasons", tables },
		{ "page faults", page_faults },
		{ "each seventh page fault", each_seventh_page_fault },
		{ "calls of read(2), by tracepoint", tracepoints },
		{ "each seventh return of write(2), by tracepoint", each_seventh_return },
		{ "stores, by breakpoint", stores },
		{ "each seventh access, by breakpoint", accesses },
		{ "each seventh execution, by breakpoint", executions },
		{ "stores of the kernel, by breakpoint", stores_of_the_kernel },
		{ "four breakpoints at once", four_at_once },
		{ "the fifth breakpoint", the_fifth },
		{ "what a ring loses", losses },
		{ "a run that is ended", stopped },
		{ "an event that vanishes in the middle of a run", vanished },
		{ "debug exceptions that name no cause", causeless_traps },
		{ "what refusals mean", refusals },
	};

	return tap_main("bench_measure", cases, sizeof(cases) / sizeof(cases[0]));
}
