/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a recording, and how a record's event is found. */
#ifndef PRECIS_PERF_EVENTS_H
#define PRECIS_PERF_EVENTS_H

#include <precis/decoder.h>
#include <precis/file.h>

#include "ids.h"
#include "libdecode/perf/reader/errors.h"
#include "libdecode/perf/records/record_header.h"

/* What of an event's samples is looked at for losses, worked out when the event is described. */
struct loss_event {
	uint32_t
		time_end; /* of the time in a SAMPLE; UINT32_MAX: none is long enough to have one */
	uint32_t counters; /* offset of a READ block with LOST or times in a SAMPLE; 0: it has none */
	uint32_t cpu_end; /* of the word of the CPU in a SAMPLE, as time_end */
	uint32_t tid_end; /* of that of the thread, likewise */
	uint32_t is_task; /* its ids are of threads: known with ID_INDEX */
	uint64_t first_time; /* of its records of any type; UINT64_MAX: none has one */
	uint64_t *on_cpu; /* samples by CPU, of so many CPUs */
	uint32_t cpus;
	uint64_t without_cpu, without_tid; /* samples that are counted for no CPU, for no thread */
};

struct file_event {
	uint8_t *attr;
	uint64_t *ids;
	char *updated_name; /* by an EVENT_UPDATE; NULL: none */
	struct precis_event view;
	uint32_t time_offset; /* of the time in a SAMPLE from its start; 0 = none there */
	uint32_t time_from_end; /* of the time in other records, back from their end; 0 = none */
	struct precis_event_counts counts;
	struct precis_decoder decoder; /* its contexts are the machine's */
	struct loss_event losses;
	uint32_t payload_judged; /* 1: the kind is no longer to be guessed from a payload */
	char *made_name; /* of an event whose name was not recorded; NULL: it was */
};

struct file_events {
	struct file_errors *errors;
	struct file_event **event; /* each of its own: users keep their addresses */
	uint32_t count, room;
	uint32_t single; /* 1: all records are event 0's, ids or not */
	uint32_t id_offset; /* as in struct precis_layout, the same for all events */
	uint32_t id_from_end;
	uint32_t time_offset; /* of a SAMPLE's time, if all events have it at one place; else 0 */
	uint64_t id_count; /* of all events */
	struct precis_ids index;
};

/* None; a recording may have none at all. */
void file_events_init(struct file_events *events, struct file_errors *errors);
void file_events_free(struct file_events *events);

/*
 * Add an event. Its ids are for the caller to fill in; then file_events_index().
 * @param attr    64 bytes or more
 * @param room    what an attr.size may be at most
 * @param offset  of the attr in the file
 */
int file_events_add(struct file_events *events, const uint8_t *attr, uint64_t room, uint64_t offset,
		    uint64_t id_count, struct file_event **added);
int file_events_index(struct file_events *events);

/* As before the first record */
void file_events_reset(struct file_events *events);

/* The event of an id that a record's body holds; NULL if none */
static inline struct file_event *file_events_by_id(struct file_events *events, uint64_t id)
{
	uint32_t n;

	if (events->single)
		return events->event[0];
	n = precis_ids_find(&events->index, id);
	return n == IDS_NONE ? NULL : events->event[n];
}

/* The event of a SAMPLE */
static inline struct file_event *file_events_of_sample(struct file_events *events,
						       const uint8_t *record, uint32_t size)
{
	if (events->single)
		return events->event[0];
	if (!events->id_offset || size < events->id_offset + 8)
		return NULL;
	return file_events_by_id(events, load_u64(record + events->id_offset));
}

/* The event of a record of any type; NULL if its id matches none */
struct file_event *file_events_of(struct file_events *events, const struct precis_record *record);

/* The time that a record is ordered by; 0: it has none */
uint64_t file_events_time_of(struct file_events *events, const struct precis_record *record);

/* Where what follows these members of a SAMPLE begins, if each takes one word */
static inline uint32_t sample_offset_behind(uint64_t sample_type, uint64_t members)
{
	return RECORD_HEADER_BYTES + 8 * (uint32_t)__builtin_popcountll(sample_type & members);
}

#endif
