/* SPDX-License-Identifier: BSD-3-Clause */
/* Which records tell of switches, and what they say. */
#include "switches.h"

#include <stdlib.h>
#include <string.h>

#define TYPE_TRACEPOINT 2u /* PERF_TYPE_TRACEPOINT */
#define ATTR_FLAGS 0x28u /* perf_event_attr's flag bits */
#define ATTR_CONTEXT_SWITCH (UINT64_C(1) << 26)
#define MISC_SWITCH_OUT (1u << 13)
#define MISC_SWITCH_OUT_PREEMPT (1u << 14)

static int records_switches(const struct precis_event *event)
{
	uint64_t flags;

	if (event->attr_bytes < ATTR_FLAGS + sizeof(flags))
		return 0;
	memcpy(&flags, event->attr + ATTR_FLAGS, sizeof(flags));
	return (flags & ATTR_CONTEXT_SWITCH) != 0;
}

int offcpu_is_recorded(const struct precis_file *file)
{
	for (uint32_t n = 0; n < precis_file_event_count(file); n++) {
		const struct precis_event *event = precis_file_event(file, n);

		if (event->type == TYPE_TRACEPOINT || records_switches(event))
			return 1;
	}
	return 0;
}

/* Once, at the first sample of a tracepoint: a pipe has the descriptions before it. */
static void find_tracepoint(struct offcpu_records *records, const struct precis_file *file)
{
	static const char *const names[] = { "prev_pid", "prev_state", "next_pid", "prev_comm",
					     "next_comm" };
	const struct precis_tracepoint_field *found[5];
	const struct precis_tracepoint *tracepoint;
	struct precis_bytes data;

	records->tracepoint = UINT64_MAX;
	if (precis_file_feature(file, PRECIS_FEATURE_TRACING_DATA, &data) ||
	    precis_tracepoints_new(data.data, data.bytes, &records->tracepoints, NULL))
		return;
	for (size_t n = 0; (tracepoint = precis_tracepoints_at(records->tracepoints, n)); n++) {
		if (strcmp(tracepoint->system, "sched") || strcmp(tracepoint->name, "sched_switch"))
			continue;
		for (uint32_t i = 0; i < 5; i++)
			found[i] = precis_tracepoint_field(tracepoint, names[i]);
		if (!found[0] || !found[1] || !found[2])
			return;
		records->fields =
			(struct switch_fields){ found[0], found[1], found[2], found[3], found[4] };
		records->tracepoint = tracepoint->id;
		return;
	}
}

static void name_task(struct offcpu_records *records, uint64_t tid,
		      const struct precis_tracepoint_field *field, const struct precis_bytes *raw)
{
	struct precis_bytes comm;

	if (field && !precis_tracepoint_string(field, raw->data, raw->bytes, &comm))
		offcpu_name(&records->offcpu, (uint32_t)tid, (const char *)comm.data, comm.bytes);
}

static void add_tracepoint(struct offcpu_records *records, const struct precis_perf_sample *sample)
{
	const struct switch_fields *fields = &records->fields;
	const struct precis_bytes *raw = &sample->raw;
	uint64_t prev, state, next;

	if (!(sample->present & PRECIS_SAMPLE_TIME) || !(sample->present & PRECIS_SAMPLE_RAW) ||
	    precis_tracepoint_number(fields->prev_pid, raw->data, raw->bytes, &prev) ||
	    precis_tracepoint_number(fields->prev_state, raw->data, raw->bytes, &state) ||
	    precis_tracepoint_number(fields->next_pid, raw->data, raw->bytes, &next)) {
		records->unread++;
		return;
	}
	records->source = SWITCH_TRACEPOINT;
	offcpu_leave(&records->offcpu, sample->time, (uint32_t)prev, offcpu_kind_of(state));
	offcpu_enter(&records->offcpu, sample->time, (uint32_t)next);
	name_task(records, prev, fields->prev_comm, raw);
	name_task(records, next, fields->next_comm, raw);
}

static void add_sample(struct offcpu_records *records, struct precis_file *file,
		       const struct precis_record *record)
{
	const struct precis_event *event = precis_file_event_of(file, record);
	struct precis_perf_sample sample = { .size = sizeof(sample) };

	if (!event || event->type != TYPE_TRACEPOINT)
		return;
	if (!records->tracepoint)
		find_tracepoint(records, file);
	if (event->config != records->tracepoint)
		return;
	precis_perf_sample_parse(event->layout, record, &sample);
	add_tracepoint(records, &sample);
}

static void add_switch(struct offcpu_records *records, const struct precis_record *record,
		       const struct precis_sample_id *id)
{
	if (records->source == SWITCH_TRACEPOINT)
		return;
	if (!(id->present & PRECIS_SAMPLE_TIME) || !(id->present & PRECIS_SAMPLE_TID)) {
		records->unread++;
		return;
	}
	records->source = SWITCH_RECORDS;
	if (record->misc & MISC_SWITCH_OUT)
		offcpu_leave(&records->offcpu, id->time, id->tid,
			     record->misc & MISC_SWITCH_OUT_PREEMPT ? OFFCPU_RUNNABLE
								    : OFFCPU_WAITING);
	else
		offcpu_enter(&records->offcpu, id->time, id->tid);
}

static void add_other(struct offcpu_records *records, const struct precis_record *record,
		      const struct precis_sample_id *id)
{
	struct precis_task task = { .size = sizeof(task) };
	struct precis_comm comm = { .size = sizeof(comm) };

	switch (record->type) {
	case PRECIS_RECORD_LOST:
	case PRECIS_RECORD_LOST_SAMPLES:
		offcpu_lost(&records->offcpu);
		break;
	case PRECIS_RECORD_SWITCH:
	case PRECIS_RECORD_SWITCH_CPU_WIDE:
		add_switch(records, record, id);
		break;
	case PRECIS_RECORD_COMM:
		if (!precis_comm_parse(record, &comm))
			offcpu_name(&records->offcpu, comm.tid, comm.name, strlen(comm.name));
		break;
	case PRECIS_RECORD_FORK:
		if (!precis_task_parse(record, &task))
			offcpu_inherit_name(&records->offcpu, task.tid, task.parent_tid);
		break;
	case PRECIS_RECORD_EXIT:
		if (!precis_task_parse(record, &task))
			offcpu_exit(&records->offcpu, task.time, task.tid);
		break;
	}
}

void offcpu_records_add(struct offcpu_records *records, struct precis_file *file,
			const struct precis_record *record)
{
	struct precis_sample_id id = { .size = sizeof(id) };
	const struct precis_event *event;

	if (record->type == PRECIS_RECORD_SAMPLE) {
		add_sample(records, file, record);
		return;
	}
	if (record->type >= PRECIS_RECORD_USER_FIRST)
		return;
	event = precis_file_event_of(file, record);
	if (event && !precis_sample_id_parse(event->layout, record, &id) &&
	    (id.present & PRECIS_SAMPLE_TIME) && id.time > records->last_time)
		records->last_time = id.time;
	add_other(records, record, &id);
}

void offcpu_records_finish(struct offcpu_records *records)
{
	uint64_t last = records->last_time;

	if (records->offcpu.clock > last)
		last = records->offcpu.clock;
	offcpu_finish(&records->offcpu, last);
}

void offcpu_records_free(struct offcpu_records *records)
{
	offcpu_free(&records->offcpu);
	precis_tracepoints_free(records->tracepoints);
	memset(records, 0, sizeof(*records));
}
