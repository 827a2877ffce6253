/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How precise an event is asked for. libpfm4 is told to take this CPU for a Skylake, and what would
 * go to its PMU goes to the kernel's clock instead, by the rules that Linux has for precise events
 * (x86_pmu_hw_config() in arch/x86/events/core.c): only sampled ones, and not beyond what the CPU
 * can do.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/stat.h>

#include "precis_test.h"

#define EVENT "precis:::MEM_LOAD_RETIRED_L3_MISS"
#define CONFIG 0x20d1u /* event and unit mask of MEM_LOAD_RETIRED.L3_MISS */

typedef long system_call(long number, ...);

static int most_precise; /* of the CPU */
static struct perf_event_attr asked; /* what was taken last */

/* @return an errno; 0: *attr is taken */
static int take(struct perf_event_attr *attr)
{
	if ((int)attr->precise_ip > most_precise)
		return EOPNOTSUPP;
	if (attr->precise_ip && !attr->sample_period)
		return EINVAL;
	asked = *attr;
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	attr->config1 = 0;
	attr->precise_ip = 0;
	return 0;
}

/* In the place of the C library's, for libpapi */
long syscall(long number, ...)
{
	system_call *original = (system_call *)(uintptr_t)dlsym(RTLD_NEXT, "syscall");
	struct perf_event_attr attr;
	va_list arguments;
	long a[6];

	va_start(arguments, number);
	for (int n = 0; n < 6; n++)
		a[n] = va_arg(arguments, long);
	va_end(arguments);
	if (number == SYS_perf_event_open) {
		attr = *(struct perf_event_attr *)a[0];
		if (attr.type == PERF_TYPE_RAW) {
			errno = take(&attr);
			if (errno)
				return -1;
			a[0] = (long)&attr;
		}
	}
	return original(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* A PMU of the core, for the component to find */
static void make_sysfs(void)
{
	static char folder[] = "/tmp/precis-test-XXXXXX", path[64];
	FILE *file;

	if (!mkdtemp(folder))
		test_bail_out("mkdtemp", PAPI_ESYS);
	setenv("PRECIS_SYSFS", folder, 1);
	snprintf(path, sizeof(path), "%s/cpu", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/cpu/type", folder);
	file = fopen(path, "w");
	if (!file || fputs("4\n", file) < 0 || fclose(file))
		test_bail_out(path, PAPI_ESYS);
}

static void remove_sysfs(void)
{
	const char *folder = getenv("PRECIS_SYSFS");
	char path[64];

	snprintf(path, sizeof(path), "%s/cpu/type", folder);
	remove(path);
	snprintf(path, sizeof(path), "%s/cpu", folder);
	remove(path);
	remove(folder);
}

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)sample;
	(void)arrival;
	(void)user;
}

static void on_overflow(int set, void *address, long long vector, void *context)
{
	(void)set;
	(void)address;
	(void)vector;
	(void)context;
}

static void check_overflow(int set, int code, int most, int expected)
{
	most_precise = most;
	tap_call(PAPI_overflow(set, code, 1000000, 0, on_overflow), "PAPI_overflow on a CPU of %d",
		 most);
	tap_equal(asked.precise_ip, expected, "its event is of %d", expected);
	tap_call(PAPI_overflow(set, code, 0, 0, on_overflow), "no longer");
	tap_ok(!asked.precise_ip && !asked.sample_period, "counted without");
}

static void check_callback(int set, int code, int most, int precise, int expected)
{
	struct precis_papi_sampling sampling = { .size = sizeof(sampling),
						 .period = 1000000,
						 .precise = precise,
						 .callback = on_sample };

	most_precise = most;
	tap_equal(precis_papi_set_sampling(set, code, &sampling),
		  expected < 0 ? PAPI_ENOSUPP : PAPI_OK, "precise = %d on a CPU of %d", precise,
		  most);
	tap_equal(asked.precise_ip, expected < 0 ? 0 : expected, "its event is of %d",
		  expected < 0 ? 0 : expected);
}

/* The event is opened again for it. */
static void check_domain(int set, int domain, int expected)
{
	PAPI_option_t option = { .domain = { .eventset = set, .domain = domain } };

	tap_call(PAPI_set_opt(PAPI_DOMAIN, &option), "domain %d", domain);
	tap_ok((int)asked.precise_ip == expected &&
		       !asked.exclude_kernel == !!(domain & PAPI_DOM_KERNEL),
	       "its event is still of %d", expected);
}

int main(void)
{
	int set = PAPI_NULL, code;

	make_sysfs();
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	test_init();
	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	test_must(PAPI_event_name_to_code(EVENT, &code), EVENT);
	most_precise = 3;
	tap_call(PAPI_add_event(set, code), "a precise event is counted");
	tap_equal(asked.config & 0xffff, CONFIG, "it is the one");
	tap_equal(asked.precise_ip, 0, "without being precise");
	check_overflow(set, code, 3, 2);
	check_overflow(set, code, 2, 2);
	check_overflow(set, code, 1, 1);
	check_callback(set, code, 3, -1, 3);
	check_callback(set, code, 2, -1, 2);
	check_callback(set, code, 0, -1, 0);
	check_callback(set, code, 3, 1, 1);
	check_domain(set, PAPI_DOM_ALL, 1);
	check_callback(set, code, 2, -1, 2);
	check_domain(set, PAPI_DOM_USER, 2);
	check_callback(set, code, 3, 0, 0);
	check_domain(set, PAPI_DOM_ALL, 0);
	check_callback(set, code, 2, 3, -1);
	tap_ok(strstr(precis_papi_strerror(PAPI_ENOSUPP), "precise=3") != NULL,
	       "it is told why: %s", precis_papi_strerror(PAPI_ENOSUPP));
	test_destroy(&set);
	remove_sysfs();
	return tap_done();
}
