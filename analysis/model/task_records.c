/* SPDX-License-Identifier: BSD-3-Clause */
/* See task_records.h. */
#include "task_records.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/record_id.h"
#include "statistics/room.h"

/* Of all kept records; a process has about 1 KiB of them */
#define KEPT_BYTES ((size_t)64 << 20)

struct task_record {
	uint64_t time, offset;
	size_t at;
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

int task_records_keep(struct task_records *tasks, const struct precis_record *record, uint64_t time)
{
	struct task_record *list;
	unsigned char *bytes;

	if (record->size > KEPT_BYTES - tasks->used)
		return -1;
	bytes = array_with_room(tasks->bytes, tasks->used + record->size, &tasks->space, 1);
	list = array_with_room(tasks->list, tasks->count + 1, &tasks->room, sizeof(*list));
	tasks->bytes = bytes ? bytes : tasks->bytes;
	tasks->list = list ? list : tasks->list;
	if (!bytes || !list)
		return -1;
	tasks->list[tasks->count].time = time;
	tasks->list[tasks->count].offset = record->offset;
	tasks->list[tasks->count].at = tasks->used;
	tasks->count++;
	memcpy(tasks->bytes + tasks->used, record->data, record->size);
	tasks->used += record->size;
	return 0;
}

/* Of one time: in the file's order, in which they may not have been told; of one offset as they were */
static int by_time(const void *a, const void *b)
{
	const struct task_record *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	return left->at < right->at ? -1 : left->at > right->at;
}

uint64_t task_records_tell(struct task_records *tasks, struct precis_symbols *symbols)
{
	struct precis_record record = { 0 };
	uint64_t untold = 0;

	if (tasks->count)
		qsort(tasks->list, tasks->count, sizeof(*tasks->list), by_time);
	for (size_t i = 0; i < tasks->count; i++) {
		const struct task_record *task = &tasks->list[i];

		if (!precis_record_at(tasks->bytes + task->at, tasks->used - task->at, &record))
			untold += precis_symbols_record(symbols, &record, task->time) ==
				  PRECIS_E_NO_MEMORY;
	}
	tasks->count = tasks->used = 0;
	return untold;
}

void task_records_free(struct task_records *tasks)
{
	free(tasks->list);
	free(tasks->bytes);
	memset(tasks, 0, sizeof(*tasks));
}
