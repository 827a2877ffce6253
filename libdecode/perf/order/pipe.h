/* SPDX-License-Identifier: BSD-3-Clause */
/* What records of a pipe say of the recording. */
#ifndef PRECIS_PERF_PIPE_H
#define PRECIS_PERF_PIPE_H

#include "libdecode/perf/machine/machine.h"

/* The records in front of the first sample: read to know the events, not yet handed out. */
struct prologue {
	uint8_t *bytes; /* {u64 offset; record} each */
	size_t count, room, at;
	int stopped; /* the error that ended it, to be told behind its records; 0: none */
	struct precis_file_error error;
};

/* Of a recording that is no pipe all but the first five are zero. */
struct pipe {
	struct file_errors *errors;
	struct record_stream *stream;
	struct file_events *events;
	struct feature_set *features;
	struct file_machine *machine;
	uint32_t is_pipe;
	struct prologue prologue;
	uint64_t arrived; /* records from this offset on have not been looked at */
	uint32_t late_events; /* that came behind the prologue */
};

/* Read the records in front of the first sample. */
int pipe_read_prologue(struct pipe *pipe);
/* A record has come that may describe the recording. */
int pipe_arrive(struct pipe *pipe, const struct precis_record *record);
/* @return 1, or 0 where no record of it is left */
int precis_prologue_next(struct prologue *prologue, struct precis_record *record);

#endif
