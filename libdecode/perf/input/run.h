/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The short way to many samples: those of one IBS event that lie in the reader's window, one behind
 * the other. Whatever is not usual about a record ends the run in front of it: it goes the long way.
 */
#ifndef PRECIS_PERF_INPUT_RUN_H
#define PRECIS_PERF_INPUT_RUN_H

#include "libdecode/sample/abi.h"
#include "private.h"

struct input_run {
	struct file_event *event;
	uint32_t count; /* 0: none */
	const uint8_t *record[PRECIS_INPUT_RUN];
	union {
		struct precis_ibs_op op[PRECIS_INPUT_RUN];
		struct precis_ibs_fetch fetch[PRECIS_INPUT_RUN];
	} registers;
	/* Fields that payloads have, by word of their set: of words that have fields that were asked for */
	uint64_t present[FIELD_WORDS][PRECIS_INPUT_RUN];
	uint32_t payload_bytes; /* of the op that was parsed last */
};

/* Where the values of a column come from */
enum run_origin { RUN_OF_RECORD, RUN_OF_PAYLOAD, RUN_NOWHERE };

/*
 * Take up to 'most' samples that stand in front of the offset 'until'. The input counts them, and
 * none of them is the item that it handed out last.
 */
void precis_run_take(struct precis_input *input, const uint64_t *wanted, uint32_t most,
		     uint64_t until, struct input_run *run);

/* Columns of a run that has samples, and where each comes from; 'wanted' must have had them. */
void precis_run_decode(struct input_run *run, const uint32_t *fields, uint32_t count,
		       uint64_t *const *values, enum run_origin *origin);

#endif
