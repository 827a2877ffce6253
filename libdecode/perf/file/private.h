/* SPDX-License-Identifier: BSD-3-Clause */
/* struct precis_file, and what the files that work on it offer each other. */
#ifndef PRECIS_PERF_FILE_PRIVATE_H
#define PRECIS_PERF_FILE_PRIVATE_H

#include <precis/decoder.h>
#include <precis/error.h>
#include <precis/file.h>
#include <precis/pebs_sample.h>

#include "ids.h"
#include "libdecode/perf/records/record_header.h"
#include "libdecode/perf/stream/sorter.h"
#include "losses.h"
#include "record_stream.h"

#define STREAM_WINDOW_BYTES ((size_t)256 << 10)
#define FEATURE_COUNT 256u /* bits of the header's bitmap */

/* Contexts of the kernel's words: by enum precis_core_type, and by event, the first of unknown ones */
#define CORE_TYPES (PRECIS_CORE_TYPE_LP_E + 1)
#define PEBS_KINDS (PRECIS_PEBS_FACILITY_COUNT + 1)

/* struct perf_file_section */
struct file_section {
	uint64_t offset, bytes;
};

struct file_event {
	uint8_t *attr;
	uint64_t *ids;
	char *updated_name; /* by an EVENT_UPDATE; NULL: none */
	struct precis_event view;
	uint32_t time_offset; /* of the time in a SAMPLE from its start; 0 = none there */
	uint32_t time_from_end; /* of the time in other records, back from their end; 0 = none */
	struct precis_event_counts counts;
	struct precis_decoder decoder; /* its contexts are the file's */
	struct loss_event losses;
	uint32_t payload_judged; /* 1: the kind is no longer to be guessed from a payload */
	char *made_name; /* of an event whose name was not recorded; NULL: it was */
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

/* The records in front of the first sample of a pipe: read to know the events, not yet handed out. */
struct prologue {
	uint8_t *bytes; /* {u64 offset; record} each */
	size_t count, room, at;
	int stopped; /* the error that ended it, to be told behind its records; 0: none */
	struct precis_file_error error;
};

struct precis_file {
	struct record_stream stream; /* of a directory: of its file "data" */
	struct prologue prologue;
	uint64_t arrived; /* records of a pipe from this offset on have not been looked at */
	uint32_t late_events; /* that came behind the prologue */
	struct merger *merger; /* of a directory with files data.N */
	struct sorter *sorter; /* of PRECIS_ORDER_TIME */
	uint32_t is_straight; /* 1: the next record of the file stands next in 'stream' */
	uint32_t in_file_order; /* 1: and is the next one to be handed out */
	int stopped; /* the error that ended reading: it stays until a rewind */
	uint32_t failing_data_file; /* of the file of a directory that is being read */
	int sys_errno; /* of the system call that failed last */
	struct precis_file_info info;
	struct precis_file_error error;
	struct file_section attrs;
	uint64_t attr_bytes; /* size of one entry of 'attrs' */
	char *directory, *os_release, *cpuid, *temporary_directory; /* of the path and the options */
	uint32_t use_sysfs, fetch_layout, has_perf_capabilities;
	uint64_t perf_capabilities, expansion_limit;

	struct file_event **events; /* each of its own: users keep their addresses */
	uint32_t event_count, event_room;
	uint32_t single; /* 1: all records are event 0's, ids or not */
	uint32_t id_offset; /* as in struct precis_layout, the same for all events */
	uint32_t id_from_end;
	uint32_t time_offset; /* of a SAMPLE's time, if all events have it at one place; else 0 */
	uint64_t id_count; /* of all events */
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
	struct losses losses;
	struct precis_cpu cpu;
	uint32_t old_fetch_layout;
	struct file_event *sampled; /* whose sample precis_file_next() handed out last, and that */
	const uint8_t *sampled_at;
	struct {
		uint64_t number; /* counts.records with the record that it follows */
		uint64_t record_at, at, left; /* in the file; 'at' and 'left' go on as it is read */
		uint32_t data_file;
	} payload; /* behind the record that was handed out last, if it has one */
	uint64_t faulted; /* counts.records when a sample was last counted as unread or undecodable */
	struct precis_ibs_context ibs;
	struct precis_pebs_context *pebs[CORE_TYPES][PEBS_KINDS]; /* made when there is such an event */
};

/* errors.c */

#define NO_OFFSET UINT64_MAX

/* Note where and why; returns 'code'. The text says what was expected and what was found. */
int precis_file_fail(struct precis_file *file, int code, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* A failed system call, or memory that there is none of: no offset, no text */
int precis_file_fail_system(struct precis_file *file, int code);
/* @return 0 or PRECIS_E_NO_MEMORY */
int precis_file_warn(struct precis_file *file, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* header.c: magic and sections */
int precis_file_read_header(struct precis_file *file);
/* Does the section lie in the file? */
int precis_file_has(const struct precis_file *file, const struct file_section *section);
/* Read exactly this much of the header parts, or fail with TRUNCATED */
int precis_file_read(struct precis_file *file, uint64_t offset, void *bytes, size_t count);

/* spool.c: a stream that has to be read more than once: into a temporary file, from its window on */
int precis_file_spool(struct precis_file *file);

/* attrs.c: the events of a seekable file */
int precis_file_read_attrs(struct precis_file *file);

/* events.c */

/*
 * Add an event. Its ids are for the caller to fill in; then index_events().
 * @param attr    64 bytes or more
 * @param room    what an attr.size may be at most
 * @param offset  of the attr in the file
 */
int precis_file_add_event(struct precis_file *file, const uint8_t *attr, uint64_t room,
			  uint64_t offset, uint64_t id_count, struct file_event **added);
int precis_file_index_events(struct precis_file *file);
void precis_file_free_events(struct precis_file *file);

/* features.c */

int precis_file_has_feature(const struct precis_file *file, uint32_t feature);
/* Those of a seekable file */
int precis_file_read_features(struct precis_file *file);
/* Those whose bytes are there, one after the other */
int precis_file_parse_features(struct precis_file *file);
/* A feature that came as a record. The first of its number counts. */
int precis_file_keep_feature(struct precis_file *file, uint64_t feature, uint64_t offset,
			     const uint8_t *bytes, size_t count);

/* event_names.c: of those without; from event 'first' on. @return 0 or PRECIS_E_NO_MEMORY */
int precis_file_name_events(struct precis_file *file, uint32_t first);

/* simpleperf.c: formats of tracepoints that are inside a record of a seekable file */
int precis_file_find_tracing_data(struct precis_file *file);

/* machine.c: which CPU and kernel recorded, from what is known so far */
int precis_file_find_machine(struct precis_file *file);

/*
 * kinds.c: which events are IBS or PEBS, and what the others are called; from event 'first' on.
 * @return 0, PRECIS_E_NO_MEMORY
 */
int precis_file_find_kinds(struct precis_file *file, uint32_t first);
/*
 * pebs_events.c: is it one of Intel's precise events, and what do the kernel's words mean?
 * @return 0, PRECIS_E_NO_MEMORY
 */
int precis_file_find_pebs(struct precis_file *file, struct file_event *event);
/* What PEBS means on that machine, of an event that is not known. NULL if memory is short */
struct precis_pebs_context *precis_file_unknown_pebs(struct precis_file *file);
void precis_file_free_pebs(struct precis_file *file);
void precis_file_judge_payload(struct file_event *event, const struct precis_bytes *raw);

/* losses.c */

/* Count a record other than a SAMPLE, and what it says of losses */
void precis_file_count(struct precis_file *file, const struct precis_record *record);
/* As before the first record. Zeroed memory may be reset, and freed */
void precis_losses_reset(struct losses *losses);
void precis_losses_free(struct losses *losses);

/* pipe.c */

/* Read the records in front of the first sample. */
int precis_file_read_prologue(struct precis_file *file);
/* A record of a pipe has come that may describe the recording. */
int precis_file_arrive(struct precis_file *file, const struct precis_record *record);
/* @return 1, or 0 where no record of it is left */
int precis_prologue_next(struct prologue *prologue, struct precis_record *record);

/* directory.c: the files data.N beside 'data' */
int precis_file_open_parts(struct precis_file *file);

/* order.c: file order, or that of times */
int precis_file_pull(struct precis_file *file, struct precis_record *record);
/* Records handed out behind one of a later time */
uint64_t precis_file_late(const struct precis_file *file);
/* The time that a record is ordered by; 0: it has none */
uint64_t precis_file_time_of(struct precis_file *file, const struct precis_record *record);

/* payload.c: a record is about to be handed out and counted that has data behind it */
void precis_file_note_payload(struct precis_file *file, const struct precis_record *record);

/* next.c */

/* Nothing has been read, nothing been counted. */
void precis_file_begin(struct precis_file *file);
/* The event of an id that a record's body holds; NULL if none */
struct file_event *precis_file_by_id(struct precis_file *file, uint64_t id);
/* The event of a record; NULL if its id matches none */
struct file_event *precis_file_find(struct precis_file *file, const struct precis_record *record);

#endif
