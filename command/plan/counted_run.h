/* SPDX-License-Identifier: BSD-3-Clause */
/* How many events a program makes: counted, not sampled, while it runs. */
#ifndef PLAN_COUNTED_RUN_H
#define PLAN_COUNTED_RUN_H

#include <stdint.h>
#include <sys/types.h>

#include "kernel_event.h"

/* What is counted: a command, so often, or a process that runs, for so long */
struct counted_request {
	char **command; /* NULL: 'pid' is counted */
	uint32_t runs;
	int keeps_output; /* else its standard output goes to standard error */
	pid_t pid;
	double seconds;
	struct perf_event_attr attr; /* type and config */
	/* Counting slows it: the kernel counts each event. A command runs once more for each run, to know
	 * its time without; of a process that time is what is left without the ns of each event */
	int is_slowed;
	double event_ns; /* 0: not known */
};

struct counted_run {
	double events, cpu_seconds, seconds; /* of a run, in the mean; CPU time of all its threads */
	double rate;           /* events in a second of CPU time */
	double rate_deviation; /* its standard error, as of one more run; NAN: one run has none */
	double peak;     /* the highest rate, of a tenth of a second or more; not below 'rate' */
	/* What counting took more than the run without, for each event, in ns; NAN: there was none. And its
	 * standard error, as that of the rate */
	double slowed_ns, slowed_deviation;
	double cpus;     /* that were busy, in the mean */
	double share;    /* of the time that it ran in which the event was counted: below 1 it is scaled up */
	uint32_t runs;   /* that ended */
	uint32_t threads; /* of a process, as it was found; 0: of a command */
	int is_user_only; /* the kernel does not let its own events be counted */
	int has_slowed;   /* and how much it did is not known: without counting the rate is higher */
	int is_cut;       /* it did not end by itself: it was killed, or the user did not want to wait */
	char end[128];    /* how it ended, if that is worth a word; else "" */
};

/* EXIT_OK, or another exit code and why */
int counted_run(const struct counted_request *request, struct counted_run *counted,
		char reason[PLAN_REASON]);

#endif
