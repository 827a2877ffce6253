/* SPDX-License-Identifier: BSD-3-Clause */
/* From record to record. */
#include "libdecode/perf/stream/sorter_usual.h"
#include "merger.h"
#include "private.h"
#include "stream_usual.h"

struct file_event *precis_file_by_id(struct precis_file *file, uint64_t id)
{
	uint32_t n;

	if (file->single)
		return file->events[0];
	n = precis_ids_find(&file->index, id);
	return n == IDS_NONE ? NULL : file->events[n];
}

static inline struct file_event *find_sample_event(struct precis_file *file, const uint8_t *record,
						   uint32_t size)
{
	if (file->single)
		return file->events[0];
	if (!file->id_offset || size < file->id_offset + 8)
		return NULL;
	return precis_file_by_id(file, load_u64(record + file->id_offset));
}

struct file_event *precis_file_find(struct precis_file *file, const struct precis_record *record)
{
	if (record->type == PRECIS_RECORD_SAMPLE)
		return find_sample_event(file, record->data, record->size);
	if (record->type >= PRECIS_RECORD_USER_FIRST)
		return NULL;
	if (file->single || (file->event_count == 1 && !file->id_from_end))
		return file->events[0];
	if (!file->id_from_end || record->size < RECORD_HEADER_BYTES + file->id_from_end)
		return NULL;
	return precis_file_by_id(file, load_u64(record->data + record->size - file->id_from_end));
}

const struct precis_event *precis_file_event_of(struct precis_file *file,
						const struct precis_record *record)
{
	struct file_event *event = file && record ? precis_file_find(file, record) : NULL;

	return event ? &event->view : NULL;
}

static inline void count_sample(struct precis_file *file, const struct precis_record *record)
{
	struct file_event *event = find_sample_event(file, record->data, record->size);

	file->sampled = event;
	file->sampled_at = record->data;
	file->counts.samples++;
	if (unlikely(!event)) {
		file->counts.samples_unread++;
		return;
	}
	event->counts.samples++;
	if (likely(record->size >= event->losses.time_end))
		losses_note_time(&file->losses, &event->losses,
				 load_u64(record->data + event->losses.time_end - 8));
	if (unlikely(event->losses.counters))
		precis_loss_counters_sample(file, event, record);
}

static inline void count_other(struct precis_file *file, const struct precis_record *record)
{
	precis_file_count(file, record);
	if (record->type == PRECIS_RECORD_AUXTRACE)
		precis_file_note_payload(file, record);
}

/* Apart, so that it does not weigh on those who take records as they come. @return as there */
static __attribute__((noinline)) int pull(struct precis_file *file, struct precis_record *record)
{
	if (file->sorter && sorter_take_usual(file->sorter, record))
		return 1;
	return precis_file_pull(file, record);
}

int precis_file_next(struct precis_file *file, struct precis_record *record)
{
	int found;

	if (unlikely(!file || !record))
		return PRECIS_E_ARGUMENT;
	if (unlikely(!file->in_file_order || !stream_take_usual(&file->stream, record))) {
		found = pull(file, record);
		if (found <= 0)
			return found;
	}
	if (likely(record->type == PRECIS_RECORD_SAMPLE))
		count_sample(file, record);
	else
		count_other(file, record);
	file->counts.records++;
	return 1;
}

void precis_file_begin(struct precis_file *file)
{
	if (file->merger)
		precis_merger_rewind(file->merger);
	else if (file->info.form != PRECIS_FORM_PIPE)
		precis_stream_rewind(&file->stream);
	memset(&file->counts, 0, sizeof(file->counts));
	precis_losses_reset(&file->losses);
	file->faulted = 0;
	memset(&file->payload, 0, sizeof(file->payload));
	file->stopped = 0;
	file->in_file_order = 0;
	file->is_straight = 0;
	for (uint32_t n = 0; n < file->event_count; n++) {
		file->events[n]->losses.first_time = UINT64_MAX;
		memset(&file->events[n]->counts, 0, sizeof(file->events[n]->counts));
		file->events[n]->counts.size = sizeof(file->events[n]->counts);
	}
}

int precis_file_rewind(struct precis_file *file)
{
	if (!file)
		return PRECIS_E_ARGUMENT;
	if (file->stream.source.is_stream)
		return precis_file_fail(file, PRECIS_E_UNSUPPORTED, NO_OFFSET,
					"what came through a pipe is gone");
	/* what they say of the recording has been taken in, and is not taken in again */
	file->prologue.at = file->prologue.count;
	file->prologue.stopped = 0;
	precis_stream_rewind(&file->stream);
	if (file->sorter)
		sorter_reset(file->sorter);
	precis_file_begin(file);
	return 0;
}
