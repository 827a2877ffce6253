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

#define EVENT "MEM_LOAD_RETIRED_L3_MISS"
#define CONFIG 0x20d1u /* event and unit mask of MEM_LOAD_RETIRED.L3_MISS */

typedef long system_call(long number, ...);

static int most_precise; /* of the CPU */
static long only_cpu = -1; /* that the PMU has, of two kinds of cores; -1: it has all */
static struct perf_event_attr asked; /* what was taken last */

/* @return an errno; 0: *attr is taken */
static int take(struct perf_event_attr *attr, long cpu)
{
	if (only_cpu >= 0 && cpu >= 0 && cpu != only_cpu)
		return ENOENT;
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
			errno = take(&attr, a[2]);
			if (errno)
				return -1;
			a[0] = (long)&attr;
		}
	}
	return original(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* A PMU of the core, for the component to find; MEM_LOADS is described there */
static const struct {
	const char *path, *text; /* no text: a folder */
} sysfs[] = {
	{ "cpu", NULL },
	{ "cpu/type", "4\n" }, /* PERF_TYPE_RAW */
	{ "cpu/events", NULL },
	{ "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n" },
	{ "cpu/format", NULL },
	{ "cpu/format/event", "config:0-7\n" },
	{ "cpu/format/umask", "config:8-15\n" },
	{ "cpu/format/ldlat", "config1:0-15\n" },
};

#define SYSFS_ENTRIES (sizeof(sysfs) / sizeof(sysfs[0]))

static char folder[] = "/tmp/precis-test-XXXXXX";

static const char *path_of(size_t entry)
{
	static char path[96];

	snprintf(path, sizeof(path), "%s/%s", folder, sysfs[entry].path);
	return path;
}

static void make_sysfs(void)
{
	if (!mkdtemp(folder))
		test_bail_out("mkdtemp", PAPI_ESYS);
	setenv("PRECIS_SYSFS", folder, 1);
	for (size_t n = 0; n < SYSFS_ENTRIES; n++) {
		FILE *file = sysfs[n].text ? fopen(path_of(n), "w") : NULL;

		if (sysfs[n].text ? !file || fputs(sysfs[n].text, file) < 0 || fclose(file)
				  : mkdir(path_of(n), 0700))
			test_bail_out(path_of(n), PAPI_ESYS);
	}
}

static void remove_sysfs(void)
{
	for (size_t n = SYSFS_ENTRIES; n-- > 0;)
		remove(path_of(n));
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

static void check_overflow_refused(int set, int code, int most, const char *word)
{
	int error;

	most_precise = most;
	error = PAPI_overflow(set, code, 1000000, 0, on_overflow);
	tap_ok(error == PAPI_ENOSUPP && strstr(precis_papi_strerror(error), word),
	       "PAPI_overflow on a CPU of %d is refused", most);
}

static int sample_with(int set, int code, int most, int precise)
{
	struct precis_papi_sampling sampling = { .size = sizeof(sampling),
						 .period = 1000000,
						 .precise = precise,
						 .callback = on_sample };

	most_precise = most;
	memset(&asked, 0, sizeof(asked));
	return precis_papi_set_sampling(set, code, &sampling);
}

static void check_callback(int set, int code, int most, int precise, int expected)
{
	tap_call(sample_with(set, code, most, precise), "precise = %d on a CPU of %d", precise,
		 most);
	tap_equal(asked.precise_ip, expected, "its event is of %d", expected);
}

/* Refused, and the text has both words; the event is counted as before */
static void check_refused(int set, int code, int most, int precise, int error, const char *word)
{
	int got = sample_with(set, code, most, precise);
	const char *text = precis_papi_strerror(got);

	if (!tap_ok(got == error && strstr(text, word), "precise = %d on a CPU of %d is refused",
		    precise, most))
		printf("# got %d, expected %d with \"%s\"\n", got, error, word);
	printf("# %s\n", text);
	tap_ok(!asked.sample_period && !asked.precise_ip, "the event is counted");
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

/* An event of libpfm4 that may be precise or not */
static void check_listed(void)
{
	int code, set = test_set_of(EVENT, &code);

	tap_equal(asked.config & 0xffff, CONFIG, "a precise event is counted");
	tap_equal(asked.precise_ip, 0, "without being precise");
	check_overflow(set, code, 3, 2);
	check_overflow(set, code, 2, 2);
	check_overflow(set, code, 1, 1);
	check_overflow_refused(set, code, 0, "precise=1");
	check_callback(set, code, 3, PRECIS_PAPI_MOST_PRECISE, 3);
	check_callback(set, code, 2, PRECIS_PAPI_MOST_PRECISE, 2);
	check_refused(set, code, 0, PRECIS_PAPI_MOST_PRECISE, PAPI_ENOSUPP, "precise=1");
	check_callback(set, code, 3, 1, 1);
	check_domain(set, PAPI_DOM_ALL, 1);
	check_callback(set, code, 2, PRECIS_PAPI_MOST_PRECISE, 2);
	check_domain(set, PAPI_DOM_USER, 2);
	check_callback(set, code, 3, PRECIS_PAPI_NOT_PRECISE, 0);
	check_domain(set, PAPI_DOM_ALL, 0);
	check_refused(set, code, 2, 3, PAPI_ENOSUPP, "precise=3");
	test_destroy(&set);
}

/* The level in an event's name is its default. */
static void check_named(const char *event)
{
	int code, set = test_set_of(event, &code);

	check_callback(set, code, 3, PRECIS_PAPI_MOST_PRECISE, 2);
	check_callback(set, code, 3, 1, 1);
	check_refused(set, code, 1, PRECIS_PAPI_MOST_PRECISE, PAPI_ENOSUPP, "precise=2");
	test_must(precis_papi_set_sampling(set, code, NULL), "precis_papi_set_sampling");
	check_overflow(set, code, 3, 2);
	check_overflow_refused(set, code, 1, "precise=2");
	test_destroy(&set);
}

/* What has neither address nor latency without being precise */
static void check_memory(void)
{
	int code, set = test_set_of("MEM_LOADS", &code);

	check_callback(set, code, 3, PRECIS_PAPI_MOST_PRECISE, 3);
	check_callback(set, code, 1, PRECIS_PAPI_MOST_PRECISE, 1);
	tap_ok((asked.sample_type & PERF_SAMPLE_WEIGHT_STRUCT) != 0, "with its latency");
	check_refused(set, code, 0, PRECIS_PAPI_MOST_PRECISE, PAPI_ENOSUPP, "precise=1");
	check_refused(set, code, 3, PRECIS_PAPI_NOT_PRECISE, PAPI_EINVAL, "only precise samples");
	test_destroy(&set);
}

/* Where there are two kinds of cores: threads that inherit are sampled on those of the event. */
static void check_inherited(void)
{
	PAPI_option_t option = { .inherit = { .inherit = PAPI_INHERIT_ALL } };
	int code, set = test_set_of("MEM_LOADS", &code);

	option.inherit.eventset = set;
	test_must(PAPI_set_opt(PAPI_INHERIT, &option), "PAPI_INHERIT");
	check_callback(set, code, 3, PRECIS_PAPI_MOST_PRECISE, 3);
	only_cpu = sysconf(_SC_NPROCESSORS_CONF) - 1;
	check_callback(set, code, 2, PRECIS_PAPI_MOST_PRECISE, 2);
	only_cpu = 1 << 20;
	check_refused(set, code, 2, PRECIS_PAPI_MOST_PRECISE, PAPI_ENOSUPP, "no such event");
	only_cpu = -1;
	check_callback(set, code, 1, PRECIS_PAPI_MOST_PRECISE, 1);
	tap_call(PAPI_start(set), "it can be started");
	tap_call(PAPI_stop(set, NULL), "and stopped");
	test_destroy(&set);
}

static void check_levels_in_names(void)
{
	static const char *const bad[] = { "precis:::MEM_LOADS:precise=0",
					   "precis:::MEM_LOADS:precise=4" };

	for (size_t n = 0; n < sizeof(bad) / sizeof(bad[0]); n++) {
		int set = PAPI_NULL, error;

		test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
		error = PAPI_add_named_event(set, bad[n]);
		tap_ok(error == PAPI_EINVAL && strstr(precis_papi_strerror(error), "1, 2 or 3"),
		       "%s is refused", bad[n]);
		PAPI_cleanup_eventset(set);
		PAPI_destroy_eventset(&set);
	}
}

/* What has no levels */
static void check_clock(void)
{
	int code, set = test_set_of("SW_CPU_CLOCK", &code);

	check_refused(set, code, 3, 1, PAPI_ENOSUPP, "no levels");
	tap_call(sample_with(set, code, 3, PRECIS_PAPI_MOST_PRECISE), "the most of none");
	tap_call(sample_with(set, code, 3, PRECIS_PAPI_NOT_PRECISE), "and no more than none");
	test_destroy(&set);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	make_sysfs();
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	test_init();
	most_precise = 3;
	check_listed();
	check_named("MEM_LOAD_RETIRED:L3_MISS:precise=2");
	check_named("MEM_LOADS:precise=2");
	check_memory();
	check_inherited();
	check_levels_in_names();
	check_clock();
	remove_sysfs();
	return tap_done();
}
