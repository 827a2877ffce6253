/* SPDX-License-Identifier: BSD-3-Clause */
/* See thread_names.h. */
#include "thread_names.h"

#include <stdlib.h>
#include <string.h>

#include <precis/kernel_records.h>

/* In the file's order a FORK may stand behind the COMM of what it began: times tell which is later. */
static void name(struct thread_names *names, uint32_t tid, const char *text, uint64_t time)
{
	struct thread_name *name;
	void *items = names->names;
	uint32_t number;

	if (!numbering_make_room(&names->numbers, THREAD_NAMES, &items, &names->room,
				 sizeof(*names->names)))
		return;
	names->names = items;
	number = numbering_take(&names->numbers, tid, THREAD_NAMES);
	if (number == NUMBER_NONE || time < names->names[number].since)
		return;
	name = &names->names[number];
	name->since = time;
	memset(name->text, 0, sizeof(name->text));
	memcpy(name->text, text, strnlen(text, sizeof(name->text) - 1));
}

/* The name is its parent's until it is given one. */
static void inherit(struct thread_names *names, const struct precis_task *task)
{
	char copy[PRECIS_THREAD_NAME_BYTES];

	memcpy(copy, precis_thread_name(names, task->parent_tid), sizeof(copy));
	name(names, task->tid, copy, task->time);
}

void precis_thread_names_note(struct thread_names *names, const struct precis_record *record,
			      uint64_t time)
{
	struct precis_comm comm = { .size = sizeof(comm) };
	struct precis_task task = { .size = sizeof(task) };

	if (record->type == PRECIS_RECORD_COMM && !precis_comm_parse(record, &comm))
		name(names, comm.tid, comm.name, time);
	else if (record->type == PRECIS_RECORD_FORK && !precis_task_parse(record, &task))
		inherit(names, &task);
}

const char *precis_thread_name(const struct thread_names *names, uint32_t tid)
{
	static const struct thread_name none;
	uint32_t number = numbering_find(&names->numbers, tid);

	return number == NUMBER_NONE ? none.text : names->names[number].text;
}

void precis_thread_names_free(struct thread_names *names)
{
	numbering_free(&names->numbers);
	free(names->names);
}
