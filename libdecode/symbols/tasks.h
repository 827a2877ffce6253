/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of tasks (threads), one after another. */
#ifndef PRECIS_SYMBOLS_TASKS_H
#define PRECIS_SYMBOLS_TASKS_H

#include <stdint.h>

#include "names.h"

/** Zeroed memory knows of no task. */
struct tasks {
	void *tree; /* of tsearch(3): no choice of numbers makes it slow */
	struct names names;
};

/** A task has that name from then on. @return 0, PRECIS_E_NO_MEMORY */
int precis_tasks_rename(struct tasks *tasks, uint32_t tid, uint64_t since, const char *name,
			struct budget *budget);

/** A task begins, with its parent's name of then. @return 0, PRECIS_E_NO_MEMORY */
int precis_tasks_fork(struct tasks *tasks, uint32_t tid, uint32_t parent, uint64_t since,
		      struct budget *budget);

/** @return NULL if the name that it had at that time is not known */
const char *precis_tasks_name(const struct tasks *tasks, uint32_t tid, uint64_t time);

void precis_tasks_free(struct tasks *tasks);

#endif
