/* SPDX-License-Identifier: BSD-3-Clause */
/* precis info FILE: what a recording is, read through once, then described. */
#ifndef INFO_H
#define INFO_H

#include "document/facts.h"
#include "command/recording/closing.h"
#include "command/recording/recording.h"
#include "command/validity/validity.h"

#define INFO_RECORD_TYPES 128

/* Why some fields are in no sample of an event, by its first sample. */
struct info_absence {
	enum precis_reason reason;
	const char *detail;
	uint64_t fields[PRECIS_FIELD_WORDS];
};

struct info_event {
	const struct precis_event *event;
	struct precis_event_counts counts;
	uint64_t present[PRECIS_FIELD_WORDS]; /* in some sample */
	uint32_t cores;			      /* the cores that the CPU can be */
	uint32_t absence_count;
	struct info_absence absence[PRECIS_FIELD_COUNT];
	int is_l3_miss_only; /* some sample says so */
	int has_sample; /* 1: 'first' is its first sample */
	struct precis_sample first;
};

struct info {
	struct recording *recording;
	struct precis_file_info file;
	struct precis_file_counts counts;
	struct precis_cpu cpu;
	struct validity validity; /* its file and CPU are those above */
	int has_time;
	uint64_t first_time, last_time; /* ns */
	uint64_t record_counts[INFO_RECORD_TYPES]; /* by type */
	struct faults faults;
	struct precis_pebs_pt_counts traces; /* 'size' 0: it has no PEBS records in Intel PT */
	uint32_t event_count;
	struct info_event *events;
};

/* Read through the recording. EXIT_OK, or EXIT_FAILED if memory is short (said on stderr). */
int info_gather(struct info *info, struct recording *recording,
		const struct recording_options *options);
void info_free(struct info *info);

/*
 * Remark n on what of an event can be decoded and what not, and why; NULL past the
 * last. In 'room' if it is not static.
 */
const char *info_remark(const struct info *info, const struct info_event *event, uint32_t n,
			char *room, size_t bytes);

/* "IP", "TID", …; NULL for a bit that is not known. */
const char *info_sample_type_name(unsigned int bit);
const char *info_kind_name(uint32_t kind);
const char *info_kind_source_name(uint32_t source);

/* Does the erratum concern that event? */
int info_erratum_applies(const struct info_event *event, const struct precis_erratum *erratum);

/* The column of labels in text */
#define INFO_LABEL 14

/* What the recording is, as a document. */
void info_describe(const struct info *info, struct document *document);
/* Of it: CPUs, memory, caches, clock, groups; PEBS records in Intel PT; an event */
void info_describe_system(const struct info *info, struct document *document);
void info_describe_traces(const struct info *info, struct document *document);
void info_describe_event(const struct info *info, const struct info_event *shown,
			 struct document *document);

#endif
