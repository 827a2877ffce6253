/* SPDX-License-Identifier: BSD-3-Clause */
/* struct precis_file, and what the files that work on it offer each other. */
#ifndef PRECIS_PERF_FILE_PRIVATE_H
#define PRECIS_PERF_FILE_PRIVATE_H

#include <precis/error.h>
#include <precis/file.h>

#include "ids.h"
#include "record_header.h"
#include "source.h"

#define FEATURE_COUNT 256u /* bits of the header's bitmap */

/* struct perf_file_section */
struct file_section {
	uint64_t offset, bytes;
};

/*
 * The generic fields of one event's samples to fill in for one choice of
 * fields, worked out when it changes. If all of them stand at fixed places
 * before the payload, samples need not be taken apart for them: 'direct'.
 */
struct generic_plan {
	uint64_t wanted[PRECIS_FIELD_WORDS];
	uint32_t count;
	uint8_t rows[PRECIS_FIELD_COUNT];
	struct {
		uint8_t usable;
		uint8_t count;
		uint16_t raw_offset; /* of the payload's u32 size in the record */
		uint32_t tail_bytes; /* behind the payload */
		uint64_t written[PRECIS_FIELD_WORDS]; /* fields that every sample gets */
		struct {
			uint16_t offset; /* in the record */
			uint8_t field, width;
		} step[16];
	} direct;
};

struct file_event {
	struct precis_event view;
	struct precis_layout layout;
	struct precis_event_counts counts;
	struct generic_plan plan;
	uint32_t payload_judged; /* 1: the kind is no longer to be guessed from a payload */
	char fallback_name[20]; /* "event-4294967295" */
};

struct feature_section {
	struct file_section place;
	uint8_t *bytes; /* NULL until somebody wanted them */
};

struct pmu_mapping {
	const char *name;
	uint32_t type;
};

struct pmu_cap {
	const char *pmu, *name, *value;
};

struct precis_file {
	struct byte_source source;
	struct precis_file_info info;
	struct precis_file_error error;
	struct file_section attrs;
	uint64_t attr_bytes; /* size of one entry of 'attrs' */
	uint64_t section_end; /* where the data should end; the file may end before */

	struct file_event *events;
	uint32_t event_count;
	uint32_t single; /* 1: all records are event 0's, ids or not */
	uint32_t id_offset; /* as in struct precis_layout, the same for all events */
	uint32_t id_from_end;
	uint8_t *attr_entries;
	uint64_t *ids;
	struct precis_ids index;

	struct feature_section *features; /* FEATURE_COUNT */
	const char **commands;
	uint32_t command_count;
	struct pmu_mapping *pmus;
	uint32_t pmu_count;
	struct pmu_cap *caps;
	uint32_t cap_count;
	char **warnings;
	uint32_t warning_count;

	struct precis_file_counts counts;
	struct precis_cpu cpu;
	uint32_t old_fetch_layout;
	struct file_event *sampled; /* whose sample precis_file_next() handed out last, at that offset */
	uint64_t sampled_at;
	uint64_t faulted; /* offset + 1 of the last sample counted as unread or undecodable */
	struct precis_perf_sample scratch;
	struct precis_ibs_context ibs;
};

/* file_errors.c */

#define NO_OFFSET UINT64_MAX

/* Note where and why; returns 'code'. The text says what was expected and what was found. */
int precis_file_fail(struct precis_file *file, int code, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* A failed system call, or memory that there is none of: no offset, no text */
int precis_file_fail_system(struct precis_file *file, int code);
/* @return 0 or PRECIS_E_NO_MEMORY */
int precis_file_warn(struct precis_file *file, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* file_header.c: magic and sections */
int precis_file_read_header(struct precis_file *file);
/* Does the section lie in the file? */
int precis_file_has(const struct precis_file *file, const struct file_section *section);
/* Read exactly this much of the header parts, or fail with TRUNCATED */
int precis_file_read(struct precis_file *file, uint64_t offset, void *bytes, size_t count);

/* file_events.c: attrs and ids */
int precis_file_read_events(struct precis_file *file);

/* file_features.c */
int precis_file_read_features(struct precis_file *file);

/* file_kinds.c: which events are IBS, and what the others are called */
void precis_file_find_kinds(struct precis_file *file, int use_sysfs);
void precis_file_judge_payload(struct file_event *event, const struct precis_bytes *raw);

/* file_counts.c: count a record other than a SAMPLE */
void precis_file_count(struct precis_file *file, const struct precis_record *record);

/* file_next.c */

/* The event of an id that a record's body holds; NULL if none */
struct file_event *precis_file_by_id(struct precis_file *file, uint64_t id);
/* The event of a record; NULL if its id matches none */
struct file_event *precis_file_find(struct precis_file *file, const struct precis_record *record);

#endif
