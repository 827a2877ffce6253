/* SPDX-License-Identifier: BSD-3-Clause */
/* What --dlarg options ask for. */
#ifndef DLFILTER_ARGUMENTS_H
#define DLFILTER_ARGUMENTS_H

#include <precis/precis.h>

#include "events.h"

/* The fields to print, in that order */
struct field_list {
	uint32_t count;
	struct printed {
		uint32_t field;
		uint32_t type; /* enum precis_type */
		uint32_t unit; /* enum precis_unit */
		const char *name;
		size_t name_length;
	} printed[PRECIS_FIELD_COUNT];
};

#define EVENT_KINDS 4u /* enum precis_event_kind */

struct arguments {
	struct field_list print[EVENT_KINDS]; /* what is printed of samples of that kind */
	int has_filter;
	struct precis_filter filter;
	int only;      /* perf's own line is not wanted */
	int lines;     /* what is printed are lines of their own, not the beginnings of perf's */
	int csv;
	int reasons;   /* absent fields say why */
	int old_fetch; /* fetch payloads have the layout of kernels before 5.10 */
	const char *path; /* of the output; NULL: stdout, before perf's line */
	struct precis_cpu cpu; /* vendor UNKNOWN: judge by the capability word */
	int has_capabilities;
	uint64_t capabilities; /* IA32_PERF_CAPABILITIES */
	const char *os_release; /* NULL: not known */
};

/*
 * Read the options. 0, or -1 after printing on stderr what is wrong; also for
 * "help", which prints the help. Event names that the filter compares with are put
 * into 'events'.
 */
int arguments_read(struct arguments *arguments, int count, char **texts, struct events *events);

/* The options, for filter_description() and help */
extern const char arguments_help[];

#endif
