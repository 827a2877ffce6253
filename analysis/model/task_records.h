/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records that say what is mapped where, kept until they can be told to the
 * symbols in the order of their times: in the file those of one CPU stand
 * behind those of another.
 */
#ifndef ANALYSIS_MODEL_TASK_RECORDS_H
#define ANALYSIS_MODEL_TASK_RECORDS_H

#include <precis/precis.h>

struct task_record;
struct task_block;

struct task_records {
	struct task_record *list;
	size_t count, room;
	struct task_block *blocks; /* of the records' bytes, one behind the other */
	size_t block_count, block_room;
	uint32_t used; /* of the last block */
	int is_unsorted; /* they did not come in the order in which they are to be told */
	uint64_t clock; /* the latest time so far */
};

/*
 * When the record was made. Without times in the recording its place in the file
 * is all there is: then each record is later than the one before.
 */
uint64_t task_records_time(struct task_records *tasks, struct precis_file *file,
			   const struct precis_record *record);

/* Keep a copy. 0, or -1 if that is more than is kept, which so many share, or memory is short. */
int task_records_keep(struct task_records *tasks, const struct precis_record *record, uint64_t time,
		      uint32_t sharers);

/*
 * Tell them all, by time, and forget each, so that what the symbols make of them takes its place.
 * @return how many the symbols had no memory for
 */
uint64_t task_records_tell(struct task_records *tasks, struct precis_symbols *symbols);

void task_records_free(struct task_records *tasks);

#endif
