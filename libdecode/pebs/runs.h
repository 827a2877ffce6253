/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs of records of one layout. Those that follow one another mostly have the
 * same. The first of a run is taken apart with all checks; of the others the
 * first word is compared, which decides the layout, and their words are where
 * they must be.
 */
#ifndef PRECIS_PEBS_RUNS_H
#define PRECIS_PEBS_RUNS_H

#include <precis/pebs_record.h>

/* Where a word is, in bytes from the start of the record. */
struct word_place {
	uint16_t offset;
	uint8_t shift, bits;
};

struct pebs_run {
	const uint8_t *at;
	const struct word_place *places; /* NULL: one record, whose words are elsewhere */
	uint64_t key, key_mask; /* of the first word the bits that decide */
	size_t bytes, count;
	uint32_t judges_itself; /* 1: each record tells whether its retire latency is valid */
};

/*
 * The next run, of at most 'room' records. @return as precis_pebs_buffer_next(), but after an
 * error before which the caller has had a run in this call ('is_first' 0): 0, and the buffer
 * stays in front of it
 */
int precis_pebs_next_run(struct precis_pebs_buffer *buffer, size_t room, int is_first,
			 struct precis_pebs *first, struct pebs_run *run);

/* Is the retire latency of the n-th record valid? */
int precis_pebs_run_is_valid(const struct pebs_run *run, size_t n);

#endif
