/* SPDX-License-Identifier: BSD-3-Clause */
/* How precis bench is called. */
#ifndef BENCH_ARGUMENTS_H
#define BENCH_ARGUMENTS_H

#include "bench/accuracy/periods.h"
#include "command/usage/page_format.h"
#include "thread_numbers.h"

/* A list of names, a bit of each row of a table: no table has more rows. */
#define NAMES_MOST 64u

struct bench_arguments {
	const char *command, *output, *sysroot, *plots;
	const char *read, *compare; /* files of an earlier call; NULL: none */
	enum page_format format;
	int is_help, is_list, is_dry_run, is_check, is_full;
	int says_how; /* to measure, in whatever way */
	int is_alone; /* without what others published */
	uint64_t events, kernels, metrics; /* bits of the tables' rows; 0: all, or those of the rows */
	/* Numbers, and PERIOD_OWN and PERIOD_NEXT: the event's own, and all around it */
	struct chosen_period periods[PERIODS_MOST];
	uint32_t period_count; /* 0: each event's own */
	uint32_t runs;
	struct thread_numbers threads; /* at the same time: with each of these numbers */
	uint64_t samples; /* of a run, at most; 0: as many as --quick or --full makes */
	int cpu; /* -1: any */
	uint64_t seed;
	double bounds[METRIC_COUNT]; /* the table's, or those that were asked for */
};

/* EXIT_OK, or another exit code after it has been said why */
int bench_arguments_parse(struct bench_arguments *arguments, int argc, char **argv);

/* Is row n of a table among those that were asked for? */
static inline int is_asked(uint64_t names, size_t n)
{
	return !names || names >> n & 1;
}

#endif
