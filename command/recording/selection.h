/* SPDX-License-Identifier: BSD-3-Clause */
/* Which samples are wanted: -e, --cpu, --pid, --tid, --time, --filter. */
#ifndef SELECTION_H
#define SELECTION_H

#include <getopt.h>

#include <precis/precis.h>

#include "ranges.h"
#include "recording.h"

/* Their rows in a subcommand's table of long options, and their part of its help. */
enum {
	OPTION_EVENT = 'e',
	OPTION_CPU = 0x2000,
	OPTION_PID,
	OPTION_TID,
	OPTION_TIME,
	OPTION_FILTER
};
#define SELECTION_LONG_OPTIONS                                                                     \
	{ "event", required_argument, NULL, OPTION_EVENT },                                        \
	{ "cpu", required_argument, NULL, OPTION_CPU },                                            \
	{ "pid", required_argument, NULL, OPTION_PID },                                            \
	{ "tid", required_argument, NULL, OPTION_TID },                                            \
	{ "time", required_argument, NULL, OPTION_TIME },                                          \
	{ "filter", required_argument, NULL, OPTION_FILTER }
#define SELECTION_HELP                                                                             \
	"Which samples (all conditions must hold):\n"                                              \
	"  -e, --event EVENT       of that event: its name, its PMU or its number in\n"            \
	"                          `precis info`; can be given more than once\n"                   \
	"      --cpu LIST          of these CPUs: 0-3,7\n"                                         \
	"      --pid LIST          of these processes\n"                                           \
	"      --tid LIST          of these threads\n"                                             \
	"      --time START,STOP   between these times, in seconds of the recording's clock\n"     \
	"                          to the nanosecond, both included; either may be left out.\n"    \
	"                          Several: 'A,B C,D'. In percent of the time that the samples\n"  \
	"                          are of: 10%-20%,30%-40%; 10%/2 is the second tenth\n"           \
	"      --filter EXPR       that satisfy EXPR, for example\n"                               \
	"                          'dcache_miss_latency > 200 && mem_level == DRAM',\n"            \
	"                          'comm == \"find\" && symbol ~ \"*alloc*\"'\n"                   \
	"                          (see precis-filter(7))\n"

/* Zeroed memory selects everything. */
struct selection {
	const char **event; /* words of -e */
	size_t event_count;
	uint8_t *event_wanted; /* by index; NULL: all */
	uint32_t events_known; /* how many of them; in pipe mode more may come */
	struct number_list cpu, pid, tid;
	struct time_ranges time;
	const char *expression;
	struct precis_filter filter;
	int op_unit; /* selection_of_unit(); 0: any */
	int is_op_unit_alone;
	uint64_t fields[PRECIS_FIELD_WORDS]; /* to be decoded besides what is printed */
	int checks_fields; /* 0: whatever has the right event is selected */
};

/*
 * Take one of these options as getopt_long() found it.
 * EXIT_OK; an exit code after the error has been printed; -1 if it is none of them.
 */
int selection_option(struct selection *selection, const char *command, int option,
		     const char *value);

/*
 * Beside what the user wants: of ibs_op those samples alone whose period counts that. 'is_alone': and of
 * other events none; otherwise, also those of ibs_op that do not say what theirs counts
 */
void selection_of_unit(struct selection *selection, enum precis_period_unit unit, int is_alone);

/* Can the event, by what it is configured to count, have samples that are selected so? */
int selection_has_unit(const struct selection *selection, const struct precis_event *event);

/*
 * Look events up and compile the expression. EXIT_OK, or an exit code as above.
 * 'file' is NULL for what is no recording: it has no events. 'names' are what the expression may
 * compare beside fields, NULL: none.
 */
int selection_open(struct selection *selection, const char *command, const char *path,
		   const struct precis_file *file, const struct precis_filter_names *names);

/*
 * Of times in percent: when that is in the recording, which selection_open() has been called for.
 * EXIT_OK, or an exit code as above.
 */
int selection_place_times(struct selection *selection, const struct recording *recording,
			  const struct recording_options *options);

/* Give back what selection_open() made of it. Of options that are for several files there is a copy. */
void selection_close(struct selection *selection);

/* Out of line part of selection_has_event(). */
int selection_has_late_event(const struct selection *selection, const struct precis_event *event);

/* Before decoding: is the record's event wanted? An event of NULL is: its fault is to be told. */
static inline int selection_has_event(const struct selection *selection,
				      const struct precis_event *event)
{
	if (!selection->event_wanted || !event)
		return 1;
	if (event->index < selection->events_known)
		return selection->event_wanted[event->index];
	return selection_has_late_event(selection, event);
}

/* Of a sample out of the AUX area; 'event' is NULL where that is not known. It is decoded. */
int selection_has_traced(const struct selection *selection, const struct precis_event *event,
			 const struct precis_sample *sample);

/* After decoding. A sample without a field that is asked for is not selected. */
int selection_has(const struct selection *selection, const struct precis_sample *sample);

void selection_free(struct selection *selection);

#endif
