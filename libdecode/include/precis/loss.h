/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a recording lost, and how long sampling was throttled.
 *
 * Three sources tell of records that did not fit into a ring buffer, and they
 * overlap: never add them up.
 *
 *   LOST records       one counter for each buffer, whatever event wrote into
 *                      it. What was lost after a buffer's last record is in none.
 *   the ids' counters  read_format LOST (Linux 6.0): one counter for each id, in
 *                      READ records, in samples with READ, and in the LOST_SAMPLES
 *                      records that perf record (6.1) appends when it ends. They are
 *                      cumulative, so the highest reading of an id counts.
 *   LOST_SAMPLES       of the kernel: samples that never came to a buffer, lost in
 *                      the PMU. Those that perf record appends are told from these
 *                      by a trailer without a time; where no record has times
 *                      they cannot be told, and count as readings.
 *
 * The kernel writes THROTTLE when an event has interrupted too often in one
 * timer tick, and UNTHROTTLE when it may go on: a span without samples. Since
 * Linux 6.16 a group is throttled as a whole, and its leader alone says so.
 *
 * Source: include/uapi/linux/perf_event.h, kernel/events/core.c and
 * tools/perf/builtin-record.c of Linux 7.3.
 */
#ifndef PRECIS_LOSS_H
#define PRECIS_LOSS_H

#include <precis/file.h>

PRECIS_BEGIN_DECLS

/** For 'event' and 'cpu': the records do not say which. */
#define PRECIS_LOSS_NONE UINT32_MAX
/** For 'event' and 'cpu' of precis_file_loss_sum(): every one, and none. */
#define PRECIS_LOSS_ANY (UINT32_MAX - 1)

/** For 'samples': not known. */
#define PRECIS_LOSS_UNCOUNTED UINT64_MAX

/**
 * What was lost of one event on one CPU, or in one thread.
 *
 * LOST records belong to a buffer and not to an event: in a recording of
 * several events they stand in rows without one.
 *
 * A span of throttling goes from a THROTTLE to the UNTHROTTLE that follows it
 * with the same stream_id: an id, or what a task inherited of one. It belongs to the
 * CPU of its THROTTLE. Then throttle = spans + open + unfinished and unthrottle =
 * spans + unmatched, and throttled_ns is what is certain: it counts no span of which one
 * end is not known. Of a task's event it includes time in which the task did not run.
 */
struct precis_loss {
	uint32_t size;    /* sizeof(struct precis_loss), set by the caller */
	uint32_t event;   /* index of the event, or PRECIS_LOSS_NONE */
	uint32_t cpu;     /* by the record's sample_id, else by ID_INDEX; or PRECIS_LOSS_NONE.
			   * Of a thread's row PRECIS_LOSS_ANY */
	uint32_t is_rest; /* 1: the sum of all events and CPUs that no row was left for */
	/* Records of any type that did not fit into a buffer: two views of the same */
	uint64_t lost_records; /* LOST records */
	uint64_t lost;         /* what they add up to */
	uint64_t counted;      /* by the counters of the ids, each at its highest reading */
	uint64_t counters_ignored; /* readings of ids beyond the first 65536 */
	/* Samples that never came to a buffer */
	uint64_t lost_samples_records; /* LOST_SAMPLES records of the kernel */
	uint64_t lost_samples;         /* what they add up to */
	uint64_t filtered;             /* samples that perf record --filter dropped: not a loss */
	/* AUX records that say that trace data are missing, and the bytes that they still have */
	uint64_t aux_truncated, aux_truncated_bytes; /* the buffer was full */
	uint64_t aux_partial, aux_partial_bytes;     /* the trace has gaps */
	uint64_t aux_collisions, aux_collision_bytes; /* samples collided with others */
	/* Throttling; times in ns of the recording's clock */
	uint64_t throttle;     /* THROTTLE records */
	uint64_t unthrottle;   /* UNTHROTTLE records */
	uint64_t spans;        /* with both ends */
	uint64_t throttled_ns; /* length of all spans, open ones included */
	uint64_t longest_ns;   /* the longest of 'spans' */
	uint64_t open;         /* THROTTLE last: counted up to the recording's last time */
	uint64_t open_ns;      /* their part of throttled_ns */
	uint64_t unfinished;   /* THROTTLE followed by another, or last of a task, which may have
				* ended: not counted in throttled_ns */
	uint64_t unmatched;    /* UNTHROTTLE without a THROTTLE before it: not counted either */
	/* SAMPLE records that came, of that event and CPU or thread; where there is no event, of all
	 * events, which write into one buffer. PRECIS_LOSS_UNCOUNTED: some do not say where they
	 * were taken */
	uint64_t samples;
};

/** With the '\0' */
#define PRECIS_THREAD_NAME_BYTES 16

/** Whose row precis_file_loss_thread() gives. */
struct precis_loss_thread {
	uint32_t size; /* sizeof(struct precis_loss_thread), set by the caller */
	uint32_t tid;  /* PRECIS_LOSS_NONE if is_rest */
	char name[PRECIS_THREAD_NAME_BYTES]; /* by COMM and FORK, the last one; "" if not known */
	/* From its first sample or record of throttling of the event to its last; 0: not known, or
	 * the row has no event */
	uint64_t recorded_ns;
};

/** What a recording tells by thread, of one event. Each tells what those before it tell. */
enum precis_loss_by_thread {
	/* No ID_INDEX says whether ids are of threads: of what a thread inherited alone it is known
	 * that it was throttled */
	PRECIS_LOSS_THREADS_UNTOLD = 0,
	/* Nothing. The event samples CPUs, whatever runs there: a LOST record names the thread that
	 * wrote when there was room again, and THROTTLE the one that ran then. Or threads inherited
	 * the event, and records do not name them */
	PRECIS_LOSS_THREADS_NONE = 1,
	/* Throttling, and samples that the PMU lost. Threads that inherit an event share its
	 * counter, which READ records do not split up, and a CPU's buffer; or they have ids of their
	 * own, which records do not name */
	PRECIS_LOSS_THREADS_THROTTLED = 2,
	/* 'counted' too: each thread has ids of its own; but they share buffers */
	PRECIS_LOSS_THREADS_COUNTED = 3,
	/* All: each thread has buffers of its own (perf record --per-thread), or there is only one;
	 * 'counted' if records name their ids or the event has only one */
	PRECIS_LOSS_THREADS_ALL = 4
};

/** How much of an event's throttling is how much of its time. */
struct precis_throttled_share {
	uint32_t size; /* sizeof(struct precis_throttled_share), set by the caller */
	uint32_t ids;  /* how many ids the event has (on that CPU) */
	uint64_t throttled_ns; /* as in struct precis_loss */
	uint64_t recorded_ns;  /* from the event's first time to the recording's last */
	uint64_t of_ns; /* ids * recorded_ns. 0: the share is not known, no two times are */
};

/** What can be known of records that did not fit into a buffer. */
enum precis_loss_knowledge {
	PRECIS_LOSS_UNKNOWN = 0,  /* the buffer is overwritten: the kernel tells of no loss */
	PRECIS_LOSS_REPORTED = 1, /* by LOST records: not what was lost behind a buffer's last one */
	PRECIS_LOSS_COUNTED = 2   /* all: perf record read the counters of the ids when it ended, and
				   * the recording is one file that it finished */
};

/**
 * How many rows there are. There is one for each event and CPU of which
 * something was lost or throttled, at most 16384 and one that is_rest.
 */
PRECIS_API uint32_t precis_file_loss_count(const struct precis_file *file);

/**
 * Row n, in the order in which the recording tells of them, by what has been
 * read so far: spans that are open then count up to the last time read.
 * @return 0, or PRECIS_E_ARGUMENT past the last
 */
PRECIS_API int precis_file_loss(const struct precis_file *file, uint32_t n,
				struct precis_loss *loss);

/**
 * The sum of rows; all 0 if there are none. 'longest_ns' is the longest of all.
 *
 * @param event  an index, PRECIS_LOSS_NONE, or PRECIS_LOSS_ANY
 * @param cpu    a CPU, PRECIS_LOSS_NONE, or PRECIS_LOSS_ANY
 * @return 0 or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_file_loss_sum(const struct precis_file *file, uint32_t event, uint32_t cpu,
				    struct precis_loss *loss);

/**
 * The share of time in which an event was throttled: throttled_ns / of_ns.
 *
 * What it is a share of: the time from the event's first record to the
 * recording's last, once for each id of the event. An id is the event on one
 * CPU, or of one task on one CPU; perf record starts and stops all of them
 * together, so a CPU without samples counts like one that is busy. (The first
 * record of another event would not do: perf record's own, of mappings and
 * tasks, is on before sampling is.) For one CPU the ids that ID_INDEX puts
 * there count; without ID_INDEX an event has one id on each CPU. Tasks that
 * inherit an event share its ids and may be throttled while others run: their
 * share is an upper bound, and may exceed 1.
 *
 * @param event  an index
 * @param cpu    a CPU, or PRECIS_LOSS_ANY
 * @return 0 or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_file_throttled_share(const struct precis_file *file, uint32_t event,
					   uint32_t cpu, struct precis_throttled_share *share);

/**
 * How many rows of threads there are: one for each event and thread of which it is known that
 * something of it was lost or throttled, at most 16384 and one that is_rest. They tell nothing that
 * the rows of CPUs do not tell, too, and need not add up to them.
 */
PRECIS_API uint32_t precis_file_loss_thread_count(const struct precis_file *file);

/**
 * Row n of a thread, and which it is, by what has been read so far. Its 'event' is PRECIS_LOSS_NONE
 * where several events share the thread's buffer. What precis_file_loss_by_thread() does not say
 * to be known is 0. A span that does not end in the thread where it began is 'unfinished' in the
 * one and 'unmatched' in the other, for a switch between threads that inherit the same
 * event may hand it over; 'open' is always 0.
 * @return 0, or PRECIS_E_ARGUMENT past the last
 */
PRECIS_API int precis_file_loss_thread(const struct precis_file *file, uint32_t n,
				       struct precis_loss *loss,
				       struct precis_loss_thread *thread);

/** @param event an index @return enum precis_loss_by_thread, or PRECIS_E_ARGUMENT */
PRECIS_API int precis_file_loss_by_thread(const struct precis_file *file, uint32_t event);

/**
 * How far the absence of losses in a recording that was read to its end means
 * that nothing was lost. @param event an index
 * @return enum precis_loss_knowledge, or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_file_loss_knowledge(const struct precis_file *file, uint32_t event);

PRECIS_END_DECLS

#endif
