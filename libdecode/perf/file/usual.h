/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The short way to the next sample and through it, which nearly every record of a recording
 * takes: precis_file_next() and precis_file_sample() for those that are inside the library.
 */
#ifndef PRECIS_PERF_FILE_USUAL_H
#define PRECIS_PERF_FILE_USUAL_H

#include "libdecode/perf/decoder/decode.h"
#include "libdecode/perf/losses/loss_counters.h"
#include "libdecode/perf/reader/stream_usual.h"
#include "private.h"

/* A SAMPLE that is handed out; 'event' NULL: its id belongs to none */
static inline void file_count_sample(struct precis_file *file, struct file_event *event,
				     const struct precis_record *record)
{
	file->losses.counts.records++;
	file->losses.counts.samples++;
	if (unlikely(!event)) {
		file->losses.counts.samples_unread++;
		return;
	}
	event->counts.samples++;
	if (likely(record->size >= event->losses.time_end))
		losses_note_time(&file->losses, &event->losses,
				 load_u64(record->data + event->losses.time_end - 8));
	losses_count_sample(&file->losses, event, record);
	if (unlikely(event->losses.counters))
		precis_loss_counters_sample(&file->losses, event, record);
}

/* The same, and whose sample it is, for precis_file_sample() */
static inline void file_hand_out_sample(struct precis_file *file,
					const struct precis_record *record)
{
	file->sampled = file_events_of_sample(&file->events, record->data, record->size);
	file->sampled_at = record->data;
	file_count_sample(file, file->sampled, record);
}

/* @return 1 with a SAMPLE; 0: ask precis_file_next() */
static inline int file_next_usual(struct precis_file *file, struct precis_record *record)
{
	if (unlikely(!file->order.in_file_order || !stream_take_usual(&file->stream, record)))
		return 0;
	file_hand_out_sample(file, record);
	return 1;
}

/*
 * Decode a SAMPLE of that event, and count what is wrong with it. The kind of an event may come
 * with its first payload, the machine with a late record.
 */
static inline int file_decode(struct precis_file *file, struct file_event *event,
			      const struct precis_record *record, const uint64_t *wanted,
			      struct precis_perf_sample *perf, struct precis_sample *sample)
{
	struct precis_decoder *decoder = &event->decoder;
	int error;

	if (unlikely(!event->payload_judged))
		precis_file_judge(event, record);
	decoder->kind = event->view.kind;
	decoder->old_fetch_layout = file->machine.old_fetch_layout;
	decoder->ibs = &file->machine.ibs;
	error = precis_decoder_decode(decoder, record, wanted, perf, sample);
	if (unlikely(error || sample->payload_error))
		precis_file_count_fault(file, event, error);
	return error;
}

#endif
