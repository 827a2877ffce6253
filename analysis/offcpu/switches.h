/* SPDX-License-Identifier: BSD-3-Clause */
/* Context switches of a recording: samples of sched:sched_switch, or SWITCH records. */
#ifndef OFFCPU_RECORDS_H
#define OFFCPU_RECORDS_H

#include <precis/precis.h>

#include "tasks.h"

enum switch_source { SWITCH_NONE, SWITCH_TRACEPOINT, SWITCH_RECORDS };

struct switch_fields {
	const struct precis_tracepoint_field *prev_pid, *prev_state, *next_pid, *prev_comm,
		*next_comm;
};

struct offcpu_records {
	struct offcpu offcpu;
	enum switch_source source; /* what has been seen; a tracepoint goes before records */
	struct precis_tracepoints *tracepoints;
	uint64_t tracepoint; /* attr.config of sched_switch, if 'fields' are known */
	struct switch_fields fields;
	uint64_t unread; /* switches without a time, or that could not be taken apart */
	uint64_t last_time; /* of any record */
};

/* Has the recording an event that may tell of switches? For them its order is to be that of times. */
int offcpu_is_recorded(const struct precis_file *file);

/* Each record, in the order of times. */
void offcpu_records_add(struct offcpu_records *records, struct precis_file *file,
			const struct precis_record *record);
void offcpu_records_finish(struct offcpu_records *records);
void offcpu_records_free(struct offcpu_records *records);

#endif
