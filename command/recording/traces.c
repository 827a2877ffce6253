/* SPDX-License-Identifier: BSD-3-Clause */
/* PEBS records in Intel PT that are not there, or not whole, in a line. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command/usage/complain.h"
#include "traces.h"

#define LINE_ROOM 1024

/* What the CPU, or the recorder, did to a trace that can be read all the same */
static const uint8_t is_no_fault[PRECIS_PEBS_PT_PROBLEM_COUNT] = {
	[PRECIS_PEBS_PT_INTERRUPTED] = 1,
	[PRECIS_PEBS_PT_OVERFLOW] = 1,
	[PRECIS_PEBS_PT_STRAY_END] = 1,
	[PRECIS_PEBS_PT_NO_IP] = 1,
	[PRECIS_PEBS_PT_IP_UNKNOWN] = 1,
};

/* "; 3 WHAT", if there are any */
static void add(char text[LINE_ROOM], uint64_t count, const char *what)
{
	size_t length = strlen(text);

	if (count)
		snprintf(text + length, LINE_ROOM - length, "%s%" PRIu64 " %s",
			 length ? "; " : "", count, what);
}

static void add_problems(char text[LINE_ROOM], const struct precis_pebs_pt_counts *counts)
{
	char what[80];

	for (uint32_t n = 0; n < PRECIS_PEBS_PT_PROBLEM_COUNT; n++) {
		snprintf(what, sizeof(what), "x %s", precis_pebs_pt_problem_name(n));
		add(text, counts->problems[n], what);
	}
}

static int is_faulty(const struct precis_pebs_pt_counts *counts)
{
	int faulty = counts->traces_unread || counts->bad_ids;

	for (uint32_t n = 0; n < PRECIS_PEBS_PT_PROBLEM_COUNT; n++)
		faulty |= !is_no_fault[n] && counts->problems[n];
	return faulty;
}

int recording_traces(const struct recording *recording, struct precis_pebs_pt_counts *counts)
{
	if (recording->has_saved_traces)
		counts->samples = recording->saved_traced;
	return recording->has_saved_traces || precis_input_traces(recording->input, counts) > 0;
}

int traces_print(const struct recording *recording)
{
	struct precis_pebs_pt_counts counts = { .size = sizeof(counts) };
	char text[LINE_ROOM] = "", where[96] = "", what[120];

	if (!recording_traces(recording, &counts))
		return EXIT_OK;
	add(text, counts.records_lost, "records lost");
	add(text, counts.unmatched, "records of no known event");
	add(text, counts.partly_matched, "records with a counter of no known event");
	add(text, counts.overflows, "times the CPU dropped packets");
	add_problems(text, &counts);
	add(text, counts.bytes_skipped, "bytes skipped");
	snprintf(what, sizeof(what), "traces could not be read: %s",
		 counts.error ? precis_strerror(counts.error) : "");
	add(text, counts.traces_unread, what);
	add(text, counts.bad_ids, "AUX_OUTPUT_HW_ID records that are none");
	if (counts.fault_offset != UINT64_MAX)
		snprintf(where, sizeof(where), "; the first fault with the record at offset 0x%"
			 PRIx64 " (%" PRIu64 ")", counts.fault_offset, counts.fault_offset);
	if (*text)
		complain(recording->command, "%s: PEBS in Intel PT: %s%s", recording->path, text,
			 where);
	return is_faulty(&counts) ? EXIT_FAILED : EXIT_OK;
}
