/* SPDX-License-Identifier: BSD-3-Clause */
/* In which order records are handed out: that of the file, or that of their times. */
#ifndef PRECIS_PERF_ORDER_H
#define PRECIS_PERF_ORDER_H

#include "libdecode/perf/stream/sorter.h"
#include "merger.h"
#include "pipe.h"

struct file_order {
	struct file_errors *errors;
	struct record_stream *stream; /* of a directory: of its file "data" */
	struct pipe *pipe;
	struct file_events *events;
	struct merger *merger; /* of a directory with files data.N */
	struct sorter *sorter; /* of PRECIS_ORDER_TIME */
	uint32_t is_straight; /* 1: the next record of the file stands next in 'stream' */
	uint32_t in_file_order; /* 1: and is the next one to be handed out */
	uint32_t told; /* records read ahead since the caller was told of it */
	int stopped; /* the error that ended reading: it stays until a rewind */
};

/* @return 1, 0 at the end, or negative */
int file_order_pull(struct file_order *order, struct precis_record *record);

/* The first record is next. */
void file_order_begin(struct file_order *order);
/* Before that if records have been read: what describes the recording is not taken in again. */
void file_order_rewind(struct file_order *order);

/* Records handed out behind one of a later time */
uint64_t file_order_late(const struct file_order *order);

void file_order_free(struct file_order *order);

#endif
