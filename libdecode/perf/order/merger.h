/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files of a directory recording as one sequence. Each holds what one CPU
 * or thread wrote, in the order of its times: the next record is the earliest
 * of the files' next ones. Records without a time come as soon as they are met.
 */
#ifndef PRECIS_PERF_MERGER_H
#define PRECIS_PERF_MERGER_H

#include "libdecode/perf/events/events.h"
#include "libdecode/perf/reader/record_stream.h"

struct merger;

/*
 * @param most    streams that may be added
 * @param events  which know the times of records
 * @return 0, PRECIS_E_NO_MEMORY
 */
int precis_merger_new(uint32_t most, struct file_events *events, struct merger **merger);

/* NULL is allowed. The streams are closed, those of add_ours() are not. */
void precis_merger_free(struct merger *merger);

/* A stream to be filled in; NULL if there are 'most' already. */
struct record_stream *precis_merger_add(struct merger *merger);

/* A stream of the caller's, which has to outlive the merger. */
void precis_merger_add_ours(struct merger *merger, struct record_stream *stream);

/* The stream of one file of the directory; NULL if there is none. */
struct record_stream *precis_merger_stream(struct merger *merger, uint32_t data_file);

/* All from the beginning. */
void precis_merger_rewind(struct merger *merger);

/* The next record, which lives until the next call. @return 1, 0 at the end, or negative */
int precis_merger_next(struct merger *merger, struct precis_record *record);

/* Have compressed records been met in one of the streams? */
int precis_merger_is_compressed(const struct merger *merger);

/* Bytes consumed of all streams. */
uint64_t precis_merger_position(const struct merger *merger);

/* Records that came after one of a later time. */
uint64_t precis_merger_late(const struct merger *merger);

#endif
