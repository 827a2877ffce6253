/* SPDX-License-Identifier: BSD-3-Clause */
/* See tasks.h. */
#define _GNU_SOURCE /* tdestroy() */

#include "tasks.h"

#include <search.h>
#include <string.h>

#include <precis/error.h>

struct naming {
	uint64_t since; /* until the next one */
	const char *name; /* NULL: not known */
};

struct task {
	uint32_t tid;
	uint32_t count, room; /* 0: 'first' is the room */
	struct naming first; /* most have no other */
	struct naming *more;
};

static struct naming *namings(struct task *task)
{
	return task->room ? task->more : &task->first;
}

static int by_tid(const void *a, const void *b)
{
	const struct task *left = a, *right = b;

	return (left->tid > right->tid) - (left->tid < right->tid);
}

static struct task *find_task(const struct tasks *tasks, uint32_t tid)
{
	const struct task key = { .tid = tid };
	struct task **found = tfind(&key, &tasks->tree, by_tid);

	return found ? *found : NULL;
}

static struct task *make_task(struct tasks *tasks, uint32_t tid, struct budget *budget)
{
	struct task *task = find_task(tasks, tid);

	if (task)
		return task;
	task = budget_alloc_found(budget, sizeof(*task));
	if (!task)
		return NULL;
	task->tid = tid;
	if (tsearch(task, &tasks->tree, by_tid))
		return task;
	budget_free_found(budget, task, sizeof(*task));
	return NULL;
}

static int make_room(struct task *task, struct budget *budget)
{
	const uint32_t room = task->room ? task->room * 2 : 2;
	struct naming *larger;

	if (task->count < (task->room ? task->room : 1))
		return 0;
	larger = budget_alloc(budget, room * sizeof(*larger));
	if (!larger)
		return PRECIS_E_NO_MEMORY;
	memcpy(larger, namings(task), task->count * sizeof(*larger));
	budget_free(budget, task->more, task->room * sizeof(*larger));
	task->more = larger;
	task->room = room;
	return 0;
}

/* 'name' is kept, or NULL */
static int add_naming(struct task *task, uint64_t since, const char *name, struct budget *budget)
{
	struct naming *last = task->count ? &namings(task)[task->count - 1] : NULL;
	int error;

	if (last && last->name == name)
		return 0;
	if (last && since <= last->since) {
		last->name = name; /* nothing can be asked of the one before */
		return 0;
	}
	error = make_room(task, budget);
	if (error)
		return error;
	namings(task)[task->count++] = (struct naming){ since, name };
	return 0;
}

int precis_tasks_rename(struct tasks *tasks, uint32_t tid, uint64_t since, const char *name,
			struct budget *budget)
{
	const char *kept = precis_names_keep(&tasks->names, name, budget);
	struct task *task = kept ? make_task(tasks, tid, budget) : NULL;

	return task ? add_naming(task, since, kept, budget) : PRECIS_E_NO_MEMORY;
}

int precis_tasks_fork(struct tasks *tasks, uint32_t tid, uint32_t parent, uint64_t since,
		      struct budget *budget)
{
	const char *inherited = precis_tasks_name(tasks, parent, UINT64_MAX);
	struct task *task = find_task(tasks, tid);

	/* Of an unknown task's child there is nothing to tell, but that it is not the one before */
	if (!task && !inherited)
		return 0;
	task = make_task(tasks, tid, budget);
	return task ? add_naming(task, since, inherited, budget) : PRECIS_E_NO_MEMORY;
}

const char *precis_tasks_name(const struct tasks *tasks, uint32_t tid, uint64_t time)
{
	struct task *task = find_task(tasks, tid);
	uint32_t low = 0, high = task ? task->count : 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (namings(task)[middle].since <= time)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0)
		return namings(task)[low - 1].name;
	/* Every CPU's idle task has this number, which none is born with */
	return tid == 0 ? "swapper" : NULL;
}

static void free_task(void *node)
{
	struct task *task = node;

	free(task->more);
	free(task);
}

void precis_tasks_free(struct tasks *tasks)
{
	tdestroy(tasks->tree, free_task);
	precis_names_free(&tasks->names);
	tasks->tree = NULL;
}
