/* SPDX-License-Identifier: BSD-3-Clause */
/* From record to record. */
#include "libdecode/perf/losses/losses.h"
#include "libdecode/perf/stream/sorter_usual.h"
#include "usual.h"

const struct precis_event *precis_file_event_of(struct precis_file *file,
						const struct precis_record *record)
{
	struct file_event *event = file && record ? file_events_of(&file->events, record) : NULL;

	return event ? &event->view : NULL;
}

const struct precis_event *precis_file_event_of_id(struct precis_file *file, uint64_t id)
{
	struct file_event *event = file ? file_events_by_id(&file->events, id) : NULL;

	return event ? &event->view : NULL;
}

static inline void count_other(struct precis_file *file, const struct precis_record *record)
{
	losses_count(&file->losses, record);
	if (record->type == PRECIS_RECORD_AUXTRACE)
		precis_file_note_payload(file, record);
	file->losses.counts.records++;
}

/* Apart, so that it does not weigh on those who take records as they come. @return as there */
static __attribute__((noinline)) int pull(struct precis_file *file, struct precis_record *record)
{
	int found = 1;

	if (!file->order.sorter || !sorter_take_usual(file->order.sorter, record))
		found = file_order_pull(&file->order, record);
	if (found <= 0)
		return found;
	if (likely(record->type == PRECIS_RECORD_SAMPLE))
		file_hand_out_sample(file, record);
	else
		count_other(file, record);
	return 1;
}

int precis_file_next(struct precis_file *file, struct precis_record *record)
{
	if (unlikely(!file || !record))
		return PRECIS_E_ARGUMENT;
	return likely(file_next_usual(file, record)) ? 1 : pull(file, record);
}

void precis_file_begin(struct precis_file *file)
{
	file_order_begin(&file->order);
	losses_reset(&file->losses);
	file_events_reset(&file->events);
	file->faulted = 0;
	memset(&file->payload, 0, sizeof(file->payload));
}

int precis_file_rewind(struct precis_file *file)
{
	if (!file)
		return PRECIS_E_ARGUMENT;
	if (file->stream.source.is_stream)
		return file_fail(&file->errors, PRECIS_E_UNSUPPORTED, NO_OFFSET,
				 "what came through a pipe is gone");
	file_order_rewind(&file->order);
	precis_file_begin(file);
	return 0;
}
