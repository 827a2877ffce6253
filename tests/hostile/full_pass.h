/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Everything that the library does with a recording, on any bytes: all of its
 * description, every record in every order, every parser, every field,
 * symbols, and all over again after a rewind. A broken promise traps.
 */
#ifndef TESTS_HOSTILE_FULL_PASS_H
#define TESTS_HOSTILE_FULL_PASS_H

#include <stdint.h>

#include <precis/record.h>

/* What one pass over the records gave. */
struct full_pass {
	uint64_t records;
	uint64_t sum; /* of all records' types, sizes and bytes, whatever their order */
	int32_t code; /* 0 at the end, or the error that stopped it; of opening if 'opened' is 0 */
	uint32_t opened;
	uint32_t has_offset;
	uint32_t cut_short; /* 1: it had more records than anybody wants to wait for */
	uint64_t offset;
};

/* Handed each record of the pass in the file's order. */
typedef void full_pass_record(void *data, const struct precis_record *record);

/*
 * A recording in the order of the file, of time, and where it is one file also through a pipe: always
 * the same records, and the same error. 'result' is of the file's order.
 */
void full_pass(const char *path, full_pass_record *each, void *data, struct full_pass *result);

#endif
