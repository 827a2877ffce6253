/* SPDX-License-Identifier: BSD-3-Clause */
/* What records other than samples say of losses, and how many of them there are. */
#include "file_private.h"

/* tools/lib/perf/include/perf/event.h: these were filtered out on request, not lost */
#define MISC_LOST_SAMPLES_BPF (1u << 15)

static void count_lost(struct precis_file *file, const struct precis_record *record)
{
	struct cursor body = record_body(record);
	struct file_event *event;
	uint64_t id, lost;

	file->counts.lost_records++;
	if (!cursor_u64(&body, &id) || !cursor_u64(&body, &lost))
		return;
	file->counts.lost += lost;
	event = precis_file_by_id(file, id);
	if (event)
		event->counts.lost += lost;
}

static void count_lost_samples(struct precis_file *file, const struct precis_record *record)
{
	struct cursor body = record_body(record);
	uint64_t lost;

	file->counts.lost_samples_records++;
	if (!(record->misc & MISC_LOST_SAMPLES_BPF) && cursor_u64(&body, &lost))
		file->counts.lost_samples += lost;
}

static void count_throttle(struct precis_file *file, const struct precis_record *record)
{
	int starts = record->type == PRECIS_RECORD_THROTTLE;
	struct cursor body = record_body(record);
	struct file_event *event = NULL;
	uint64_t time, id;

	if (cursor_u64(&body, &time) && cursor_u64(&body, &id))
		event = precis_file_by_id(file, id);
	file->counts.throttle += (uint64_t)starts;
	file->counts.unthrottle += (uint64_t)!starts;
	if (event) {
		event->counts.throttle += (uint64_t)starts;
		event->counts.unthrottle += (uint64_t)!starts;
	}
}

void precis_file_count(struct precis_file *file, const struct precis_record *record)
{
	switch (record->type) {
	case PRECIS_RECORD_LOST:
		count_lost(file, record);
		break;
	case PRECIS_RECORD_LOST_SAMPLES:
		count_lost_samples(file, record);
		break;
	case PRECIS_RECORD_THROTTLE:
	case PRECIS_RECORD_UNTHROTTLE:
		count_throttle(file, record);
		break;
	default:
		file->counts.unknown_records += !precis_record_name(record->type);
		break;
	}
}
