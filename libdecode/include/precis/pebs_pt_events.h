/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whose a PEBS record in Intel PT is: the applicable counters of the record are
 * events of the recording by its AUX_OUTPUT_HW_ID records.
 *
 * Source: Linux 7.3 kernel/events/core.c, perf_report_aux_output_id();
 * tools/perf/util/intel-pt.c.
 */
#ifndef PRECIS_PEBS_PT_EVENTS_H
#define PRECIS_PEBS_PT_EVENTS_H

#include <precis/export.h>
#include <precis/file.h>
#include <precis/pebs_record.h>
#include <precis/tool_records.h>

PRECIS_BEGIN_DECLS

/** What a recording has said of counters and events. Not to be used by two threads at once. */
struct precis_pebs_pt_events;

/** No time is known. */
#define PRECIS_PEBS_PT_NO_TIME UINT64_MAX

/** How a record's events were found. */
enum precis_pebs_pt_by {
	PRECIS_PEBS_PT_BY_NOTHING = 0, /* they were not */
	PRECIS_PEBS_PT_BY_COUNTERS = 1, /* AUX_OUTPUT_HW_ID records */
	PRECIS_PEBS_PT_BY_BEING_ALONE = 2 /* only one event of the recording has attr.aux_output */
};

/** The events of one record. */
struct precis_pebs_pt_match {
	uint32_t size;      /* sizeof(struct precis_pebs_pt_match), set by the caller */
	uint32_t by;        /* enum precis_pebs_pt_by */
	uint32_t count;     /* events in 'event' */
	uint32_t reserved;
	uint64_t unmatched; /* applicable counters that no event is known for */
	uint64_t ambiguous; /* of these: several are, and the time does not tell which */
	uint32_t event[64]; /* indices, for precis_file_event() */
};

/**
 * Nothing known yet.
 * @param file  stays open for as long as what is opened here
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_pebs_pt_events_open(struct precis_file *file,
					  struct precis_pebs_pt_events **events);
PRECIS_API void precis_pebs_pt_events_close(struct precis_pebs_pt_events *events);

/**
 * Learn from a record of the file, which must be alive; only AUX_OUTPUT_HW_ID says something.
 *
 * @return 0; PRECIS_E_ARGUMENT; PRECIS_E_TRUNCATED; PRECIS_E_BAD_ID: of no event of the recording;
 *         PRECIS_E_UNSUPPORTED: its id is no counter's; PRECIS_E_NO_MEMORY; PRECIS_E_NO_SPACE after
 *         a million changes, 131072 counters of CPUs and threads, or for a change that more than
 *         1024 later ones of its counter came before. What was learned before stays
 */
PRECIS_API int precis_pebs_pt_events_record(struct precis_pebs_pt_events *events,
					    const struct precis_record *record);

/**
 * The events that a record is of.
 *
 * A counter changes hands: of what was said of it, the last before the record's time holds. Without
 * a time only what never changed does.
 *
 * @param trace   the AUXTRACE record in whose data the record was: its CPU, or thread
 * @param time    of the record in ns (precis_pebs_pt_time()), or PRECIS_PEBS_PT_NO_TIME
 * @param match   'size' must be set
 * @return 0 or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_pebs_pt_events_match(const struct precis_pebs_pt_events *events,
					   const struct precis_auxtrace *trace, uint64_t time,
					   const struct precis_pebs *record,
					   struct precis_pebs_pt_match *match);

/**
 * From a TSC value of the trace or of a record to the time of the recording's samples.
 *
 * @param info  of the recording's AUXTRACE_INFO record, of Intel PT
 * @param time  set to ns
 * @return 0; PRECIS_E_ARGUMENT; PRECIS_E_UNSUPPORTED if the recording does not say how
 */
PRECIS_API int precis_pebs_pt_time(const struct precis_auxtrace_info *info, uint64_t tsc,
				   uint64_t *time);

PRECIS_END_DECLS

#endif
