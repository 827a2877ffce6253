/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel takes for a sample is in max_overhead where it is stated, or where a calibration of this
 * machine has it: the period becomes what makes samples cost that much of the time, in the mean. The time
 * that passes is known between two looks at the clock; nothing depends on how long it is.
 */
#include <math.h>
#include <stddef.h>
#include <sys/utsname.h>
#include <time.h>

#include "precis_test.h"

#define PERIOD 16
#define MAX_OVERHEAD 0.25
#define KERNEL_NS 1000000.0 /* far above what it is: of the component's own time there is little */
/* Accesses between two deliveries; that 16 of them may be a sample is far too often */
#define ACCESSES 4096
#define PAUSE_US 2000
/* It is at what was asked for if so many looks in a row find it there: from this part on, not above it */
#define SETTLED 20
#define LEAST_PART 0.8
/* Where a breakpoint costs 30 us, and others have the CPUs, a look takes half a second. */
#define PATIENCE_S 240

static volatile long cell __attribute__((aligned(8)));

static struct {
	uint64_t samples, least;
	uint32_t changes;
} seen;

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)sample;
	(void)arrival;
	(void)user;
	seen.samples++;
}

static void on_change(int set, int code, uint64_t from, uint64_t to, void *user)
{
	(void)set;
	(void)code;
	(void)user;
	(void)from;
	if (to < seen.least)
		seen.least = to;
	seen.changes++;
}

static struct precis_papi_sampling usual(void)
{
	return (struct precis_papi_sampling){
		.size = sizeof(struct precis_papi_sampling),
		.delivery = PRECIS_PAPI_BATCH,
		.period = PERIOD,
		.max_overhead = MAX_OVERHEAD,
		.callback = on_sample,
		.period_changed = on_change,
	};
}

/* The share of the time since 'began' that samples have taken, if one costs the kernel so much */
static double share(int set, int code, double kernel_ns, uint64_t began)
{
	struct precis_papi_statistics statistics = test_statistics(set, code);
	double spent = (double)(statistics.component_ns + statistics.callback_ns) +
		       kernel_ns * (double)statistics.samples;

	return spent / (double)(test_now() - began);
}

/* @return the share at which it stays for a while, or the last one */
static double settle(int set, int code, double kernel_ns, uint64_t began)
{
	time_t end = time(NULL) + PATIENCE_S;
	double found = 0;

	for (int good = 0; good < SETTLED && time(NULL) < end;) {
		for (long n = 0; n < ACCESSES; n++)
			cell = n;
		precis_papi_drain(set);
		usleep(PAUSE_US);
		found = share(set, code, kernel_ns, began);
		good = found <= MAX_OVERHEAD && found >= LEAST_PART * MAX_OVERHEAD ? good + 1 : 0;
	}
	return found;
}

/* By what is stated, or by what a calibration says; 0: it is not known, and nothing else is so much */
static void check(int set, int code, double stated, double expected, const char *what)
{
	struct precis_papi_sampling sampling = usual();
	struct precis_papi_statistics statistics;
	long long count[1];
	double kernel, found = 0;
	uint64_t began;

	memset(&seen, 0, sizeof(seen));
	seen.least = UINT64_MAX;
	sampling.kernel_ns = stated;
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	began = test_now();
	test_must(PAPI_start(set), "PAPI_start");
	if (expected > 0) {
		found = settle(set, code, expected, began);
		tap_ok(found <= MAX_OVERHEAD && found >= LEAST_PART * MAX_OVERHEAD,
		       "%s: samples take %.4f of the time, %.2f is asked for", what, found, MAX_OVERHEAD);
		tap_ok(seen.changes > 0 && seen.least >= PERIOD,
		       "the period changed %u times, to no less than %d", seen.changes, PERIOD);
	} else {
		for (long n = 0; n < ACCESSES; n++)
			cell = n;
		precis_papi_drain(set);
	}
	test_must(PAPI_stop(set, count), "PAPI_stop");
	statistics = test_statistics(set, code);
	kernel = expected * (double)seen.samples;
	tap_ok(seen.samples && !statistics.lost && statistics.samples == seen.samples &&
		       fabs((double)statistics.kernel_ns - kernel) <= 1e-3 * kernel + 1,
	       "%s: %" PRIu64 " samples cost the kernel %" PRIu64 " ns, %.0f are right", what,
	       statistics.samples, statistics.kernel_ns, kernel);
}

/* --- calibrations --- */

/* The line of /proc/cpuinfo, without what stands before its value */
static void cpu_line(const char *key, char *value)
{
	char line[256], name[64];
	FILE *file = fopen("/proc/cpuinfo", "re");

	*value = '\0';
	while (file && !*value && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63[^\t:]", name) == 1 && strcmp(name, key) == 0)
			sscanf(strchr(line, ':') ? strchr(line, ':') + 1 : "", " %63s", value);
	}
	if (file)
		fclose(file);
}

static char path[] = "/tmp/precis-kernel-cost-XXXXXX";

/* A calibration of this machine, or of the kernel that is named */
static void write_calibration(const char *event, const char *kernel)
{
	char vendor[64], family[64], model[64], stepping[64];
	struct utsname names;
	FILE *file = fopen(path, "we");

	cpu_line("vendor_id", vendor);
	cpu_line("cpu family", family);
	cpu_line("model", model);
	cpu_line("stepping", stepping);
	if (!file || uname(&names))
		test_bail_out(path, PAPI_ESYS);
	/* 0.1 ms is the standard error: the upper end is at twice that */
	fprintf(file,
		"precis-calibration 1\ncpu %s,%s,%s,%s\nkernel %s\nevent %s\nns sample %.0f\n"
		"covariance sample sample 1e10\nas interrupt sample 1\nas wakeup sample 1\n"
		"ns byte 0\nreach 2\nend 1\n",
		vendor, family, model, stepping, kernel ? kernel : names.release, event, KERNEL_NS);
	fclose(file);
}

static void refuse(int set, int code, int expected, const char *words)
{
	struct precis_papi_sampling sampling = usual();
	int error = precis_papi_set_sampling(set, code, &sampling);

	tap_ok(error == expected && strstr(precis_papi_strerror(error), words), "%d, expected %d: %s", error,
	       expected, precis_papi_strerror(error));
}

static void check_calibrations(int set, int code)
{
	struct precis_papi_sampling sampling = usual();
	FILE *file;

	setenv("PRECIS_PAPI_CALIBRATION", path, 1);
	write_calibration("breakpoint", NULL);
	check(set, code, 0, KERNEL_NS + 2e5, "a calibration, at the upper end of its interval");
	check(set, code, 0.5 * KERNEL_NS, 0.5 * KERNEL_NS, "what is stated goes before a calibration");
	write_calibration("breakpoint", "1.2.3");
	refuse(set, code, PAPI_ENOSUPP, "which this machine is not");
	write_calibration("page-faults", NULL);
	refuse(set, code, PAPI_ENOSUPP, "has no breakpoint");
	file = fopen(path, "we");
	if (file) {
		fprintf(file, "precis-calibration 1\ncpu x\n\001\n");
		fclose(file);
	}
	refuse(set, code, PAPI_EINVAL, "line 3");
	unlink(path);
	refuse(set, code, PAPI_EINVAL, "No such file");
	sampling.max_overhead = 0;
	tap_equal(precis_papi_set_sampling(set, code, &sampling), PAPI_OK,
		  "without max_overhead nobody asks for it");
	unsetenv("PRECIS_PAPI_CALIBRATION");
}

static void check_members(int set, int code)
{
	static const double bad[] = { -1, NAN, INFINITY, 2e12 };
	struct precis_papi_sampling sampling = usual();

	for (size_t n = 0; n < sizeof(bad) / sizeof(bad[0]); n++) {
		int error;

		sampling.kernel_ns = bad[n];
		error = precis_papi_set_sampling(set, code, &sampling);
		tap_ok(error == PAPI_EINVAL && strstr(precis_papi_strerror(error), "kernel_ns"),
		       "%g ns: %s", bad[n], precis_papi_strerror(error));
	}
	sampling.size = offsetof(struct precis_papi_sampling, kernel_ns);
	tap_equal(precis_papi_set_sampling(set, code, &sampling), PAPI_OK,
		  "of a program that was compiled without that member it is not read");
}

int main(int argc, char **argv)
{
	int set, code, file;

	test_begin(argc, argv);
	test_init_breakpoints();
	unsetenv("PRECIS_PAPI_CALIBRATION");
	file = mkstemp(path);
	if (file < 0)
		test_bail_out(path, PAPI_ESYS);
	close(file);
	set = test_set_of_breakpoint(&cell, &code);
	check(set, code, KERNEL_NS, KERNEL_NS, "stated");
	check(set, code, 0, 0, "not known: published costs are not taken");
	check_calibrations(set, code);
	check_members(set, code);
	test_destroy(&set);
	return tap_done();
}
