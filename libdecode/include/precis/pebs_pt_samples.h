/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The samples that a recording holds in its AUX area: PEBS records in Intel PT,
 * read from behind AUXTRACE records, decoded, and with their event, time and
 * task from what other records of the file say. What none says is absent from
 * the sample, with a reason (precis_why()).
 *
 * Source: as pebs_pt.h and pebs_pt_events.h; which parts a sample has: Linux 6.1
 * tools/perf/util/intel-pt.c, intel_pt_do_synth_pebs_sample().
 */
#ifndef PRECIS_PEBS_PT_SAMPLES_H
#define PRECIS_PEBS_PT_SAMPLES_H

#include <precis/export.h>
#include <precis/file.h>
#include <precis/pebs_pt.h>

PRECIS_BEGIN_DECLS

/** The reading of one file's traces. Not to be used by two threads at once. */
struct precis_pebs_pt_samples;

/** What has been read so far. */
struct precis_pebs_pt_counts {
	uint32_t size;     /* sizeof(struct precis_pebs_pt_counts), set by the caller */
	int32_t error;     /* why a trace could not be read: the first enum precis_error; else 0 */
	uint64_t traces;   /* AUXTRACE records of Intel PT */
	uint64_t bytes;    /* that they announce; UINT64_MAX: more than that */
	uint64_t bytes_read;
	uint64_t packets;  /* of the trace, those of records included */
	uint64_t bytes_skipped; /* in search of a packet to start at */
	uint64_t overflows; /* OVF packets: the CPU dropped some */
	uint64_t records;  /* PEBS records */
	uint64_t repeated; /* of these: in more than one snapshot of the buffer, handed out once */
	uint64_t by_counters; /* whose events AUX_OUTPUT_HW_ID records tell */
	uint64_t by_being_alone; /* that are of the only event there is */
	uint64_t unmatched; /* of no event that is known: handed out without one */
	uint64_t partly_matched; /* of events that are known, and of counters that are nobody's */
	uint64_t samples;  /* handed out: one for each event of a record */
	uint64_t records_lost; /* begun in the trace, and never ended */
	uint64_t problems[PRECIS_PEBS_PT_PROBLEM_CAPACITY]; /* by enum precis_pebs_pt_problem */
	uint64_t traces_unread; /* of which bytes are missing or cannot be read */
	uint64_t bad_ids;  /* AUX_OUTPUT_HW_ID records that could not be used */
	uint64_t fault_offset; /* in the file: of the first AUXTRACE or AUX_OUTPUT_HW_ID record with
				* which one of the last four counts rose; UINT64_MAX: of none */
};

/** Where a sample came from. */
struct precis_pebs_pt_origin {
	uint32_t size;   /* sizeof(struct precis_pebs_pt_origin), set by the caller */
	uint32_t data_file;   /* as of struct precis_record */
	uint64_t offset; /* in the file: of the AUXTRACE record in whose data the record ended */
	uint64_t aux_offset; /* in the AUX area: of the record's first packet */
	uint64_t regs_intr; /* which registers the parts have, as attr.sample_regs_intr counts them */
	uint32_t problems; /* bit n: enum precis_pebs_pt_problem n was met in the record */
	uint32_t reserved;
};

/** Has the recording an event whose samples go into the trace (attr.aux_output)? 1 or 0. */
PRECIS_API int precis_file_has_pebs_pt(const struct precis_file *file);

/**
 * Begin, before the first record of a file is read.
 *
 * A file that has such events, and can be read twice, is read here once, without its traces: what
 * it says of counters and tasks is known then wherever it stands. Of a pipe only what comes before
 * a trace is.
 *
 * @param file  stays open for as long as what is opened here
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_pebs_pt_samples_open(struct precis_file *file,
					   struct precis_pebs_pt_samples **samples);
PRECIS_API void precis_pebs_pt_samples_close(struct precis_pebs_pt_samples *samples);

/**
 * A record of the file has come, and is alive. Call this with all of them, and after each
 * precis_pebs_pt_samples_next() until it has no more.
 *
 * @return 0, also for records that cannot be used, which are counted; PRECIS_E_ARGUMENT;
 *         PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_pebs_pt_samples_record(struct precis_pebs_pt_samples *samples,
					     const struct precis_record *record);

/**
 * No more records come: what precis_pebs_pt_samples_next() still has is handed out now.
 * @return 0, PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_pebs_pt_samples_end(struct precis_pebs_pt_samples *samples);

/** The file has been rewound: start over, with all counts at 0. @return as _record() */
PRECIS_API int precis_pebs_pt_samples_rewind(struct precis_pebs_pt_samples *samples);

/**
 * The next sample out of the trace behind the last record; a PEBS record that is of several events
 * is a sample of each. They come in the order of the trace.
 *
 * @param wanted  as of precis_file_sample()
 * @param perf    the parts that the trace gives, in ABI terms; NULL if not wanted; 'size' must be
 *                set. Its views live until the next call
 * @param sample  initialised by precis_sample_init(), or filled before
 * @param origin  NULL if not wanted; 'size' must be set
 * @return 1 with a sample; 0: no more; PRECIS_E_ARGUMENT; PRECIS_E_NO_MEMORY. A trace that
 *         cannot be read is no failure here: it is counted
 */
PRECIS_API int precis_pebs_pt_samples_next(struct precis_pebs_pt_samples *samples,
					   const uint64_t *wanted, struct precis_perf_sample *perf,
					   struct precis_sample *sample,
					   struct precis_pebs_pt_origin *origin);

/** What has been counted so far. @return 0 or PRECIS_E_ARGUMENT */
PRECIS_API int precis_pebs_pt_samples_counts(const struct precis_pebs_pt_samples *from,
					     struct precis_pebs_pt_counts *counts);

PRECIS_END_DECLS

#endif
