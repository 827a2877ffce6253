/* SPDX-License-Identifier: BSD-3-Clause */
/* Which task ran on a CPU at a time, for samples that do not say it themselves. */
#ifndef PRECIS_PERF_TRACE_TASKS_H
#define PRECIS_PERF_TRACE_TASKS_H

#include <precis/file.h>
#include <precis/tool_records.h>

#include "timelines.h"

/* Zeroed memory knows nothing. */
struct trace_tasks {
	struct timelines cpus;    /* to the task: pid in the upper half */
	struct timelines threads; /* to the process */
	uint32_t has_end;         /* 1: there was no room for what changed from 'end' on */
	uint64_t end;
};

/* Learn from a record of any type. @return 0, PRECIS_E_NO_MEMORY */
int trace_tasks_record(struct trace_tasks *tasks, struct precis_file *file,
		       const struct precis_record *record);

#define TRACE_TASK_PID (1u << 0)
#define TRACE_TASK_TID (1u << 1)

/*
 * The task at a time in a trace.
 *
 * @param is_open  1: records may come that have not been learnt from; what was learnt last on
 *                 a CPU may no longer hold then
 * @return TRACE_TASK_*: what is known
 */
uint32_t trace_tasks_find(const struct trace_tasks *tasks, const struct precis_auxtrace *trace,
			  uint64_t time, int is_open, uint32_t *pid, uint32_t *tid);

void trace_tasks_free(struct trace_tasks *tasks);

#endif
