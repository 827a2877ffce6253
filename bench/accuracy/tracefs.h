/* SPDX-License-Identifier: BSD-3-Clause */
/* What tracefs tells of a tracepoint, by SYSTEM/NAME. */
#ifndef ACCURACY_TRACEFS_H
#define ACCURACY_TRACEFS_H

#include <stdio.h>

#include <linux/perf_event.h>

/* Of one without a number: its name is to be filled in */
#define TRACEFS_NONE                                                                               \
	"the tracepoint %.60s cannot be looked up: tracefs is not mounted, may not be read, or the " \
	"kernel has none"

/* A file of the tracepoint, below 'root'; "": this machine. NULL: there is none */
FILE *tracefs_open(const char *root, const char *tracepoint, const char *file);

/* Set type and config. 1, or 0 if it has no number there */
int tracefs_attr(const char *root, const char *tracepoint, struct perf_event_attr *attr);

#endif
