/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said on stderr after the last sample: what could not be read, what was lost. */
#ifndef CLOSING_H
#define CLOSING_H

#include "recording.h"

/* The first of several samples with the same kind of fault. */
struct fault {
	uint64_t count;
	uint64_t offset; /* of the record */
	char reason[160];
};

/* "FILE: 3 WHAT, the first at offset ...: REASON" */
void fault_print(const struct recording *recording, const struct fault *fault, const char *what);

/* Zeroed memory is none. */
struct faults {
	struct fault unread;      /* records that could not be taken apart */
	struct fault undecodable; /* IBS payloads that are none */
	struct fault bodies;      /* of records other than samples */
	uint64_t no_payload;      /* samples of IBS events without one */
	uint64_t nothing;         /* of these: nor does perf tell anything of them */
	const char *no_payload_event;
};

/* What an input found of one kind: enum precis_input_fault_kind */
void fault_of_input(const struct precis_input *input, uint32_t kind, struct fault *fault);

/* What it found wrong with samples */
void faults_take(struct faults *faults, const struct precis_input *input);

/* Behind precis_input_sample(), where payload_error is set: is it one of those with 'nothing'? */
void faults_note_empty(struct faults *faults, const struct precis_input *input,
		       const struct precis_sample *sample);

/* Note a record whose body could not be taken apart: 'code' says why. */
void faults_note_body(struct faults *faults, const struct precis_record *record, int code);

/* A line for each kind. EXIT_OK, or EXIT_FAILED if something in the file is wrong. */
int faults_print(const struct faults *faults, const struct recording *recording);

/* A line with what was lost and how often the kernel throttled, if anything was. */
void losses_print(const struct recording *recording);

/* A line if there were records of types that are not known. */
void unknown_print(const struct recording *recording);

/* A line, and EXIT_FAILED, if there were records of tasks and mappings that found no memory. */
int unlearnt_print(const struct recording *recording, uint64_t unlearnt);

#endif
