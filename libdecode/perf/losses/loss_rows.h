/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of losses while a recording is read: rows by event and CPU or thread, streams by id. */
#ifndef PRECIS_PERF_LOSS_ROWS_H
#define PRECIS_PERF_LOSS_ROWS_H

#include <precis/loss.h>

#include "libdecode/perf/events/events.h"
#include "numbering.h"
#include "tallies.h"
#include "thread_names.h"

/* The most that there may be: memory is taken for those that there are */
#define LOSS_STREAMS 65536u
#define LOSS_ROWS 16384u
/* How many CPUs the kernel may have (CONFIG_NR_CPUS_RANGE_END), and counts there may be of all events */
#define LOSS_CPUS 8192u
#define LOSS_CPU_COUNTS (1u << 20)

/* No more than there is room for: a damaged file says what it likes, and a sum is no less than a part. */
static inline void loss_count(uint64_t *sum, uint64_t more)
{
	*sum = more > UINT64_MAX - *sum ? UINT64_MAX : *sum + more;
}

/* One event of the kernel: an id, or what a task inherited of one */
struct loss_stream {
	uint64_t throttled_since;
	uint64_t counted; /* the highest reading of its counter of lost records */
	uint32_t throttle_row; /* of the span that is open */
	uint32_t counter_row; /* of its counter */
	uint64_t enabled_ns, running_ns; /* the longest that READ tells */
	uint64_t in_thread_since;
	uint32_t thread_row; /* of the thread's span that is open, if is_thread_span */
	uint32_t event, cpu, tid; /* by ID_INDEX, if is_indexed; PRECIS_LOSS_NONE: any */
	uint8_t is_indexed;
	uint8_t is_task; /* of one task, by ID_INDEX */
	uint8_t is_throttled;
	uint8_t is_task_span; /* the span that is open is of a task's event */
	uint8_t is_thread_span;
	uint8_t is_counted; /* 'counter_row' is set */
};

struct loss_row {
	struct precis_loss loss; /* but for 'cpu' and 'samples' */
	uint32_t place; /* the CPU, or the thread */
	uint64_t open_tasks; /* open spans of tasks' events */
	uint64_t open_since; /* sum of where the others begin, modulo 2^64 */
};

struct loss_table {
	struct numbering numbers;
	struct loss_row *rows;
	uint32_t room;
	struct loss_row rest;
};

/* What ID_INDEX says of all ids together */
struct loss_index {
	uint32_t tid; /* the thread of the first that has one */
	uint8_t has_ids, has_tid;
	uint8_t has_other_tids;
	uint8_t has_cpu_wide; /* some are of CPUs, whatever runs there */
	uint8_t has_task_on_cpu; /* some are of a thread and write where others on that CPU do */
};

/* Zeroed memory has counted nothing. */
struct losses {
	struct file_events *events;
	struct precis_file_counts counts; /* of all records that were handed out */
	struct numbering stream_numbers;
	struct loss_stream *streams;
	uint32_t stream_room;
	struct loss_index index;
	struct loss_table cpus, threads;
	struct tallies in_threads; /* samples that came */
	uint32_t cpu_counts; /* of all events */
	struct thread_names names; /* of recordings of threads */
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

/* The same sample, of an event of threads */
void precis_losses_count_in_thread(struct losses *losses, struct file_event *event,
				   const struct precis_record *record);

/* Its first sample on a CPU of that number */
void precis_losses_first_on_cpu(struct losses *losses, struct file_event *event, uint32_t cpu);

/* A sample: where it was taken, so that what was lost there is known as a share */
static inline void losses_count_sample(struct losses *losses, struct file_event *event,
				       const struct precis_record *record)
{
	struct loss_event *of = &event->losses;

	if (likely(record->size >= of->cpu_end)) {
		uint32_t cpu = load_u32(record->data + of->cpu_end - 8);

		if (likely(cpu < of->cpus))
			of->on_cpu[cpu]++;
		else
			precis_losses_first_on_cpu(losses, event, cpu);
	} else {
		of->without_cpu++;
	}
	if (unlikely(of->is_task))
		precis_losses_count_in_thread(losses, event, record);
}

/* As before the first record */
void losses_reset(struct losses *losses);
void losses_free(struct losses *losses);

/* The row of an event and a CPU or thread, either may be PRECIS_LOSS_NONE; the rest if there is no room */
uint32_t losses_row_of(struct loss_table *table, uint32_t event, uint32_t place);
struct loss_row *losses_row(struct loss_table *table, uint32_t number);
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
