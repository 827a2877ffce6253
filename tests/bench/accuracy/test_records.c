/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals between samples, memory and interrupts: of counts that are made up, and of files that are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/accuracy/interrupts.h"
#include "bench/accuracy/judge.h"
#include "bench/accuracy/metrics.h"
#include "tests/support/tap.h"

#define RUNS 2u

struct made {
	struct run runs[RUNS];
	struct series series;
};

static void make(struct made *made, const char *event, uint32_t threads, uint32_t events)
{
	static const struct kernel none = { .name = "none" };

	memset(made, 0, sizeof(*made));
	made->series = (struct series){
		.event = event_named(event, strlen(event)),
		.kernel = &none,
		.period = 100,
		.runs = made->runs,
		.count = RUNS,
	};
	CU_ASSERT_PTR_NOT_NULL_FATAL(made->series.event);
	for (uint32_t n = 0; n < RUNS; n++)
		CU_ASSERT_EQUAL_FATAL(run_allocate(&made->runs[n], threads, events), 0);
}

static void unmake(struct made *made)
{
	for (uint32_t n = 0; n < RUNS; n++)
		run_free(&made->runs[n]);
}

static void is_absent(enum metric metric, const struct made *made, const char *why)
{
	const struct metric_result result = metric_of(metric, &made->series);

	CU_ASSERT_FALSE(result.is_there);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.says, why));
	if (!strstr(result.says, why))
		printf("# %s\n", result.says);
}

/* 90, 100, 110, 140 about a period of 100: mean 110, variance 350, by hand */
static void spread(void)
{
	static const uint64_t events[] = { 90, 100, 110, 140 };
	struct metric_result result;
	struct made made;

	make(&made, "page_faults", 1, 1);
	is_absent(METRIC_period_spread, &made, "no two samples");
	for (uint32_t n = 0; n < 4; n++) {
		struct counts *counts = run_counts(&made.runs[n % RUNS], 0, 0);
		const int64_t by = (int64_t)events[n] - 100;

		counts->intervals++;
		counts->interval_events += events[n];
		counts->interval_squares += (uint64_t)(by * by);
	}
	result = metric_of(METRIC_period_spread, &made.series);
	CU_ASSERT_TRUE(result.is_there);
	CU_ASSERT_EQUAL(result.n, 4);
	CU_ASSERT_DOUBLE_EQUAL(result.value, 100 * sqrt(350) / 110, 1e-9);
	/* what may not be summed is not known */
	run_counts(&made.runs[0], 0, 0)->interval_squares = UINT64_MAX;
	run_counts(&made.runs[1], 0, 0)->interval_squares = 0;
	is_absent(METRIC_period_spread, &made, "more than can be summed");
	unmake(&made);
	make(&made, "ibs_op", 1, 1);
	is_absent(METRIC_period_spread, &made, "random start");
	unmake(&made);
	make(&made, "pebs_loads", 1, 1);
	is_absent(METRIC_period_spread, &made, "PEBS");
	unmake(&made);
}

/* A ring of 65 pages in each thread, and of PEBS 64 KiB for each CPU, once for all events of a set */
static void memory(void)
{
	static const struct {
		const char *event;
		uint32_t member;
		double kib;
	} rows[] = { { "page_faults", 0, 2 * 260 },
		     { "pebs_loads", 0, 2 * 324 },
		     { "pebs_loads", 1, 2 * 260 } };

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct metric_result result;
		struct made made;

		make(&made, rows[n].event, 2, 2);
		made.series.member = rows[n].member;
		is_absent(METRIC_memory, &made, "no ring");
		for (uint32_t at = 0; at < RUNS * 4; at++) {
			struct counts *counts =
				run_counts(&made.runs[at % RUNS], at / RUNS % 2, at / RUNS / 2);

			counts->ring_bytes = 65 * 4096;
		}
		result = metric_of(METRIC_memory, &made.series);
		CU_ASSERT_TRUE(result.is_there);
		CU_ASSERT_EQUAL(result.value, rows[n].kib);
		unmake(&made);
	}
}

static void interrupts(void)
{
	struct metric_result result;
	struct made made;

	make(&made, "page_faults", 1, 1);
	is_absent(METRIC_records_per_interrupt, &made, "counted in software");
	unmake(&made);
	make(&made, "pebs_loads", 1, 1);
	is_absent(METRIC_records_per_interrupt, &made, "/proc/interrupts");
	for (uint32_t n = 0; n < RUNS; n++)
		made.runs[n].has_interrupts = 1;
	is_absent(METRIC_records_per_interrupt, &made, "no sample");
	for (uint32_t n = 0; n < RUNS; n++)
		run_counts(&made.runs[n], 0, 0)->all = 1000;
	is_absent(METRIC_records_per_interrupt, &made, "no interrupt");
	made.runs[0].interrupts = 20;
	made.runs[1].interrupts = 30;
	result = metric_of(METRIC_records_per_interrupt, &made.series);
	CU_ASSERT_EQUAL(result.value, 40);
	CU_ASSERT_EQUAL(result.n, 50);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.says, "several records"));
	made.runs[0].interrupts = 1990;
	result = metric_of(METRIC_records_per_interrupt, &made.series);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.says, "an interrupt of its own"));
	unmake(&made);
}

/* 1 if /proc/interrupts with that text tells, and so many */
static int told(const char *text, uint64_t *count)
{
	char root[] = "/tmp/test_records-XXXXXX", path[64];
	FILE *file;
	int found;

	*count = 0;
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/proc", root);
	CU_ASSERT_EQUAL_FATAL(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/proc/interrupts", root);
	file = fopen(path, "we");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(text, file);
	fclose(file);
	found = measure_interrupts(root, count);
	unlink(path);
	snprintf(path, sizeof(path), "%s/proc", root);
	rmdir(path);
	rmdir(root);
	return found;
}

static void file(void)
{
	uint64_t count;

	CU_ASSERT_EQUAL(told("           CPU0       CPU1\n NMI:   9   9   Non-maskable interrupts\n"
			     " PMI:         12         30   Performance monitoring interrupts\n", &count), 1);
	CU_ASSERT_EQUAL(count, 42);
	CU_ASSERT_EQUAL(told("PMI: 7\n", &count), 1);
	CU_ASSERT_EQUAL(count, 7);
	CU_ASSERT_EQUAL(told(" PMI:  Performance monitoring interrupts\n", &count), 0);
	CU_ASSERT_EQUAL(told("IPMI: 3 4 of another kind\n", &count), 0);
	CU_ASSERT_EQUAL(told("", &count), 0);
	CU_ASSERT_EQUAL(measure_interrupts("/there/is/none", &count), 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "how much events between samples vary", spread },
		{ "memory", memory },
		{ "records for each interrupt", interrupts },
		{ "/proc/interrupts", file },
	};

	return tap_main("bench_records", cases, sizeof(cases) / sizeof(cases[0]));
}
