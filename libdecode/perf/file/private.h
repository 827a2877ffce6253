/* SPDX-License-Identifier: BSD-3-Clause */
/* struct precis_file: the parts of an open recording. */
#ifndef PRECIS_PERF_FILE_PRIVATE_H
#define PRECIS_PERF_FILE_PRIVATE_H

#include <precis/file.h>

#include "libdecode/perf/losses/loss_rows.h"
#include "libdecode/perf/order/order.h"

/* The data behind the record that was handed out last, if it has some */
struct payload {
	uint64_t number; /* counts.records with the record that it follows */
	uint64_t record_at, at, left; /* in the file; 'at' and 'left' go on as it is read */
	uint32_t data_file;
};

/* Each part knows those above it that it needs. */
struct precis_file {
	struct file_errors errors;
	struct record_stream stream; /* of a directory: of its file "data" */
	struct file_header header;
	struct file_events events;
	struct feature_set features;
	struct file_machine machine;
	struct pipe pipe;
	struct file_order order;
	struct losses losses;
	struct payload payload;
	char *directory, *temporary_directory; /* of the path and the options */
	struct file_event *sampled; /* whose sample precis_file_next() handed out last, and that */
	const uint8_t *sampled_at;
	uint64_t
		faulted; /* counts.records when a sample was last counted as unread or undecodable */
};

/* next.c: nothing has been read, nothing been counted */
void precis_file_begin(struct precis_file *file);

/* sample.c: what kind of event it is, by the payload of its first sample */
void precis_file_judge(struct file_event *event, const struct precis_record *record);
/* A sample that could not be read, or whose payload could not be decoded */
void precis_file_count_fault(struct precis_file *file, struct file_event *event, int error);

/* payload.c: a record is about to be handed out and counted that has data behind it */
void precis_file_note_payload(struct precis_file *file, const struct precis_record *record);

#endif
