/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks on CPUs, by context switches and by ITRACE_START, which names the task that runs when a
 * trace begins: as tools/perf/util/intel-pt.c does it, intel_pt_context_switch() and
 * intel_pt_process_itrace_start().
 */
#include "trace_tasks.h"

#include <precis/error.h>
#include <precis/kernel_records.h>

#define UNKNOWN UINT64_MAX

static uint64_t task_of(uint32_t pid, uint32_t tid)
{
	return (uint64_t)pid << 32 | tid;
}

/* Who runs on the CPU after a switch; UNKNOWN if the record does not say it */
static uint64_t after_switch(const struct precis_record *record, const struct precis_sample_id *id)
{
	struct precis_switch change = { .size = sizeof(change) };

	if (precis_switch_parse(record, &change))
		return UNKNOWN;
	if (!change.is_out)
		return id->present & PRECIS_SAMPLE_TID ? task_of(id->pid, id->tid) : UNKNOWN;
	return change.has_other ? task_of(change.other_pid, change.other_tid) : UNKNOWN;
}

static int learn(struct trace_tasks *tasks, struct timelines *lines, uint64_t key, uint64_t time,
		 uint64_t value)
{
	int error = timelines_learn(lines, key, time, value);

	if (error == PRECIS_E_NO_SPACE) {
		if (!tasks->has_end || time < tasks->end)
			tasks->end = time;
		tasks->has_end = 1;
		return 0;
	}
	return error;
}

/* A switch may be among records that were lost: who has run since the last one is not known. */
static void forget_last(struct trace_tasks *tasks, uint32_t cpu, uint64_t time)
{
	struct timeline *line = timelines_find(&tasks->cpus, cpu);
	const struct timeline_change *last = line ? timeline_at(line, time) : NULL;

	if (last)
		line->change[last - line->change].value = UNKNOWN;
}

/* The sample_id of any event: all of a recording with a trace have the same */
static int sample_id_of(struct precis_file *file, const struct precis_record *record,
			struct precis_sample_id *id)
{
	const struct precis_event *event = precis_file_event_of(file, record);

	if (!event)
		event = precis_file_event(file, 0);
	return event && !precis_sample_id_parse(event->layout, record, id) &&
	       (id->present & PRECIS_SAMPLE_TIME);
}

static int begin_trace(struct trace_tasks *tasks, const struct precis_record *record,
		       const struct precis_sample_id *id)
{
	struct precis_itrace_start start = { .size = sizeof(start) };
	int error;

	if (precis_itrace_start_parse(record, &start))
		return 0;
	error = learn(tasks, &tasks->threads, start.tid, id->time, start.pid);
	if (!error && id->present & PRECIS_SAMPLE_CPU)
		error = learn(tasks, &tasks->cpus, id->cpu, id->time,
			      task_of(start.pid, start.tid));
	return error;
}

int trace_tasks_record(struct trace_tasks *tasks, struct precis_file *file,
		       const struct precis_record *record)
{
	struct precis_sample_id id = { .size = sizeof(id) };

	switch (record->type) {
	case PRECIS_RECORD_ITRACE_START:
	case PRECIS_RECORD_SWITCH:
	case PRECIS_RECORD_SWITCH_CPU_WIDE:
	case PRECIS_RECORD_LOST:
		break;
	default:
		return 0;
	}
	if (!sample_id_of(file, record, &id))
		return 0;
	if (record->type == PRECIS_RECORD_ITRACE_START)
		return begin_trace(tasks, record, &id);
	if (!(id.present & PRECIS_SAMPLE_CPU))
		return 0;
	if (record->type == PRECIS_RECORD_LOST) {
		forget_last(tasks, id.cpu, id.time);
		return 0;
	}
	return learn(tasks, &tasks->cpus, id.cpu, id.time, after_switch(record, &id));
}

uint32_t trace_tasks_find(const struct trace_tasks *tasks, const struct precis_auxtrace *trace,
			  uint64_t time, int is_open, uint32_t *pid, uint32_t *tid)
{
	int is_thread = trace->cpu == -1;
	const struct timeline *line = timelines_find(is_thread ? &tasks->threads : &tasks->cpus,
						     (uint32_t)(is_thread ? trace->tid : trace->cpu));
	const struct timeline_change *change = line ? timeline_at(line, time) : NULL;

	*tid = (uint32_t)trace->tid;
	if (change && !is_thread && ((is_open && change == &line->change[line->count - 1]) ||
				     (tasks->has_end && time >= tasks->end)))
		change = NULL;
	if (change && change->value != UNKNOWN) {
		*pid = (uint32_t)(is_thread ? change->value : change->value >> 32);
		*tid = is_thread ? *tid : (uint32_t)change->value;
		return TRACE_TASK_PID | TRACE_TASK_TID;
	}
	return is_thread && trace->tid != -1 ? TRACE_TASK_TID : 0;
}

void trace_tasks_free(struct trace_tasks *tasks)
{
	timelines_free(&tasks->cpus);
	timelines_free(&tasks->threads);
	tasks->has_end = 0;
}
