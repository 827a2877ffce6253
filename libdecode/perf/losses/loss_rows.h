/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of losses while a recording is read: rows by event and CPU, streams by id. */
#ifndef PRECIS_PERF_LOSS_ROWS_H
#define PRECIS_PERF_LOSS_ROWS_H

#include <precis/loss.h>

#include "libdecode/perf/events/events.h"
#include "numbering.h"

/* The most that there may be: memory is taken for those that there are */
#define LOSS_STREAMS 65536u
#define LOSS_ROWS 16384u

/* One event of the kernel: an id, or what a task inherited of one */
struct loss_stream {
	uint64_t throttled_since;
	uint64_t counted; /* the highest reading of its counter of lost records */
	uint32_t throttle_row; /* of the span that is open */
	uint32_t counter_row; /* of its counter */
	uint32_t event, cpu; /* by ID_INDEX, if is_indexed; PRECIS_LOSS_NONE: any */
	uint8_t is_indexed;
	uint8_t is_task; /* of one task, by ID_INDEX */
	uint8_t is_throttled;
	uint8_t is_task_span; /* the span that is open is of a task's event */
	uint8_t is_counted; /* 'counter_row' is set */
};

struct loss_row {
	struct precis_loss loss;
	uint64_t open_tasks; /* open spans of tasks' events */
	uint64_t open_since; /* sum of where the others begin, modulo 2^64 */
};

/* Zeroed memory has counted nothing. */
struct losses {
	struct file_events *events;
	struct precis_file_counts counts; /* of all records that were handed out */
	struct numbering stream_numbers, row_numbers;
	struct loss_stream *streams;
	struct loss_row *rows;
	uint32_t stream_room, row_room;
	struct loss_row rest;
	uint64_t last_time; /* of all records */
};

/*
 * Called for each sample. The last time is kept without a branch: in the
 * file's order CPUs take turns, and their times go to and fro.
 */
static inline void losses_note_time(struct losses *losses, struct loss_event *event, uint64_t time)
{
	uint64_t last = losses->last_time;

	last = time > last ? time : last;
	losses->last_time = last;
	if (unlikely(time < event->first_time))
		event->first_time = time;
}

/* As before the first record */
void losses_reset(struct losses *losses);
void losses_free(struct losses *losses);

/* The row of an event and a CPU, either may be PRECIS_LOSS_NONE; the rest if there is no room */
uint32_t losses_row_of(struct losses *losses, uint32_t event, uint32_t cpu);
struct loss_row *losses_row(struct losses *losses, uint32_t number);
/* The state of an id, new if it was not known; NULL if there is no room. Others may move. */
struct loss_stream *losses_stream(struct losses *losses, uint64_t id);
/* NULL if it is not known */
const struct loss_stream *losses_find_stream(const struct losses *losses, uint64_t id);

/* Where a record other than SAMPLE comes from; 'trailer' is its sample_id. */
struct loss_origin {
	struct file_event *event; /* NULL: not known */
	struct precis_sample_id trailer;
};

static inline uint32_t losses_index_of(const struct file_event *event)
{
	return event ? event->view.index : PRECIS_LOSS_NONE;
}

#endif
