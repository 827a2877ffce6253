/* SPDX-License-Identifier: BSD-3-Clause */
/* See task_records.h. */
#include "task_records.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/record_id.h"
#include "statistics/room.h"

/* Of all kept records with what is noted of them; a process has about 1 KiB of them */
#define KEPT_BYTES ((size_t)12 << 20)
#define BLOCK_BYTES (UINT32_C(256) << 10) /* records are of less than 64 KiB */

struct task_record {
	uint64_t time, offset;
	uint32_t block, at;
};

struct task_block {
	uint8_t *bytes;
	uint32_t untold; /* records in it */
};

uint64_t task_records_time(struct task_records *tasks, struct precis_file *file,
			   const struct precis_record *record)
{
	struct precis_sample_id id = { .size = sizeof(id) };

	if (!record_sample_id(file, record, &id) || !(id.present & PRECIS_SAMPLE_TIME))
		return ++tasks->clock;
	if (id.time > tasks->clock)
		tasks->clock = id.time;
	return id.time;
}

/* Of one time: in the file's order, in which they may not have been told; of one offset as they were */
static int by_time(const void *a, const void *b)
{
	const struct task_record *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	if (left->block != right->block)
		return left->block < right->block ? -1 : 1;
	return left->at < right->at ? -1 : left->at > right->at;
}

/* Room for a record in the last block. 0, or -1 if that is more than is kept, or memory is short. */
static int make_room(struct task_records *tasks, size_t bytes, uint32_t sharers)
{
	struct task_block *blocks;

	if (bytes > BLOCK_BYTES)
		return -1;
	if (tasks->block_count && bytes <= BLOCK_BYTES - tasks->used)
		return 0;
	if ((tasks->block_count + 1) * BLOCK_BYTES + tasks->count * sizeof(*tasks->list) >
	    KEPT_BYTES / sharers)
		return -1;
	blocks = array_with_room(tasks->blocks, tasks->block_count + 1, &tasks->block_room,
				 sizeof(*blocks));
	if (!blocks)
		return -1;
	tasks->blocks = blocks;
	blocks[tasks->block_count] = (struct task_block){ .bytes = malloc(BLOCK_BYTES) };
	if (!blocks[tasks->block_count].bytes)
		return -1;
	tasks->block_count++;
	tasks->used = 0;
	return 0;
}

int task_records_keep(struct task_records *tasks, const struct precis_record *record, uint64_t time,
		      uint32_t sharers)
{
	struct task_record *list, *added;
	struct task_block *block;

	if (make_room(tasks, record->size, sharers))
		return -1;
	list = array_with_room(tasks->list, tasks->count + 1, &tasks->room, sizeof(*list));
	if (!list)
		return -1;
	tasks->list = list;
	block = &tasks->blocks[tasks->block_count - 1];
	added = &list[tasks->count++];
	*added = (struct task_record){ time, record->offset, (uint32_t)(tasks->block_count - 1),
				       tasks->used };
	tasks->is_unsorted |= added > list && by_time(added - 1, added) > 0;
	memcpy(block->bytes + tasks->used, record->data, record->size);
	block->untold++;
	tasks->used += record->size;
	return 0;
}

static void forget_block(struct task_block *block)
{
	free(block->bytes);
	block->bytes = NULL;
}

uint64_t task_records_tell(struct task_records *tasks, struct precis_symbols *symbols)
{
	const uint64_t clock = tasks->clock;
	struct precis_record record = { 0 };
	uint64_t untold = 0;

	if (tasks->is_unsorted)
		qsort(tasks->list, tasks->count, sizeof(*tasks->list), by_time);
	for (size_t i = 0; i < tasks->count; i++) {
		const struct task_record *task = &tasks->list[i];
		struct task_block *block = &tasks->blocks[task->block];

		if (!precis_record_at(block->bytes + task->at, BLOCK_BYTES - task->at, &record))
			untold += precis_symbols_record(symbols, &record, task->time) ==
				  PRECIS_E_NO_MEMORY;
		if (--block->untold == 0)
			forget_block(block);
	}
	task_records_free(tasks);
	tasks->clock = clock;
	return untold;
}

void task_records_free(struct task_records *tasks)
{
	for (size_t n = 0; n < tasks->block_count; n++)
		forget_block(&tasks->blocks[n]);
	free(tasks->blocks);
	free(tasks->list);
	memset(tasks, 0, sizeof(*tasks));
}
