/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of precis plan. */
#ifndef PLAN_OPTIONS_H
#define PLAN_OPTIONS_H

#include <sys/types.h>

#include "command/usage/page_format.h"
#include "events.h"

enum plan_task { PLAN_ADVISE, PLAN_CALIBRATE, PLAN_CHECK };

struct plan_options {
	const char *command;
	enum plan_task task;
	int is_help;
	const char *output, *calibration;
	const char *event; /* NULL: this machine's */
	const char *recording; /* of --check */
	char **program; /* whose events are counted, and its arguments; NULL: there is none */
	pid_t pid;      /* likewise a process; 0: none */
	double count_seconds; /* that it is counted for */
	double rate, peak;  /* 0: not given */
	double budget, share, error, samples, duration; /* likewise */
	double delay_ns, working_set, cache;
	double spin_ns; /* that calibration's signal handler takes on purpose */
	uint64_t period;
	uint32_t threads; /* 0: not given */
	uint32_t blocks, runs;
	int is_signalled, is_published;
	uint64_t parts; /* PRECIS_SAMPLE_* that --fields adds */
	uint32_t frames, registers, stack_bytes, branches;
	enum page_format format;
};

/* EXIT_OK, or EXIT_USAGE after it has been said why */
int plan_options_parse(struct plan_options *options, int argc, char **argv);

#endif
