/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting records other than SAMPLE, and what they say of losses. */
#include "losses.h"

#include <precis/kernel_records.h>
#include <precis/tool_records.h>

#include "loss_counters.h"
#include "thread_losses.h"
#include "throttle_spans.h"

/* tools/lib/perf/include/perf/event.h: these were filtered out on request, not lost */
#define MISC_LOST_SAMPLES_BPF (1u << 15)

/* Where a record counts: its CPU, and its thread if that is known */
struct loss_rows {
	struct precis_loss *loss[2];
	uint32_t count;
};

static struct precis_loss *row_of_origin(struct losses *losses, const struct loss_origin *origin)
{
	uint32_t cpu = origin->trailer.present & PRECIS_SAMPLE_CPU ? origin->trailer.cpu
								   : PRECIS_LOSS_NONE;
	uint32_t number = losses_row_of(&losses->cpus, losses_index_of(origin->event), cpu);

	return &losses_row(&losses->cpus, number)->loss;
}

static struct loss_rows rows_of_origin(struct losses *losses, const struct loss_origin *origin)
{
	struct loss_rows rows = { { row_of_origin(losses, origin) }, 1 };
	struct loss_row *of_thread = precis_thread_row_of_origin(losses, origin);

	if (of_thread)
		rows.loss[rows.count++] = &of_thread->loss;
	return rows;
}

/*
 * The id is that of the event whose record came next into a buffer with room
 * again: it names the buffer, not the event that lost records.
 */
static void note_lost(struct losses *losses, const struct precis_record *record,
		      struct loss_origin *origin)
{
	struct precis_lost lost = { .size = sizeof(lost) };
	const struct loss_stream *stream;
	struct file_event *event;
	struct loss_row *of_thread;
	struct precis_loss *loss;

	losses->counts.lost_records++;
	if (precis_lost_parse(record, &lost))
		return;
	loss_count(&losses->counts.lost, lost.lost);
	event = file_events_by_id(losses->events, lost.id);
	if (event)
		loss_count(&event->counts.lost, lost.lost);
	stream = losses_find_stream(losses, lost.id);
	if (!(origin->trailer.present & PRECIS_SAMPLE_CPU) && stream && stream->is_indexed &&
	    stream->cpu != PRECIS_LOSS_NONE) {
		origin->trailer.cpu = stream->cpu;
		origin->trailer.present |= PRECIS_SAMPLE_CPU;
	}
	origin->event = losses->events->count == 1 ? losses->events->event[0] : NULL;
	loss = row_of_origin(losses, origin);
	loss->lost_records++;
	loss_count(&loss->lost, lost.lost);
	of_thread = precis_thread_row_of_buffer(losses, stream, losses_index_of(origin->event));
	if (of_thread) {
		of_thread->loss.lost_records++;
		loss_count(&of_thread->loss.lost, lost.lost);
	}
}

static void note_lost_samples(struct losses *losses, const struct precis_record *record,
			      const struct loss_origin *origin)
{
	struct precis_lost_samples samples = { .size = sizeof(samples) };
	struct loss_rows rows;

	losses->counts.lost_samples_records++;
	if (precis_lost_samples_parse(record, &samples))
		return;
	if (record->misc & MISC_LOST_SAMPLES_BPF) {
		rows = rows_of_origin(losses, origin);
		for (uint32_t n = 0; n < rows.count; n++)
			rows.loss[n]->filtered += samples.lost;
		return;
	}
	losses->counts.lost_samples += samples.lost;
	if (precis_loss_counter_appended(origin)) {
		precis_loss_counter_note_appended(losses, origin, samples.lost);
		return;
	}
	rows = rows_of_origin(losses, origin);
	for (uint32_t n = 0; n < rows.count; n++) {
		rows.loss[n]->lost_samples_records++;
		rows.loss[n]->lost_samples += samples.lost;
	}
}

static void add_aux(struct precis_loss *loss, const struct precis_aux *aux)
{
	if (aux->flags & PRECIS_AUX_TRUNCATED) {
		loss->aux_truncated++;
		loss->aux_truncated_bytes += aux->aux_size;
	}
	if (aux->flags & PRECIS_AUX_PARTIAL) {
		loss->aux_partial++;
		loss->aux_partial_bytes += aux->aux_size;
	}
	if (aux->flags & PRECIS_AUX_COLLISION) {
		loss->aux_collisions++;
		loss->aux_collision_bytes += aux->aux_size;
	}
}

static void note_aux(struct losses *losses, const struct precis_record *record,
		     const struct loss_origin *origin)
{
	const uint64_t gaps = PRECIS_AUX_TRUNCATED | PRECIS_AUX_PARTIAL | PRECIS_AUX_COLLISION;
	struct precis_aux aux = { .size = sizeof(aux) };
	struct loss_rows rows;

	if (precis_aux_parse(record, &aux) || !(aux.flags & gaps))
		return;
	rows = rows_of_origin(losses, origin);
	for (uint32_t n = 0; n < rows.count; n++)
		add_aux(rows.loss[n], &aux);
}

static void note_id_index(struct losses *losses, const struct precis_record *record)
{
	struct precis_id_index_entry entry = { .size = sizeof(entry) };
	struct precis_id_index index = { .size = sizeof(index) };

	if (precis_id_index_parse(record, &index))
		return;
	for (uint64_t n = 0; !precis_id_index_entry(&index, n, &entry); n++) {
		struct loss_stream *stream = losses_stream(losses, entry.id);
		struct file_event *event = file_events_by_id(losses->events, entry.id);

		precis_thread_note_index(losses, event, &entry);
		if (!stream)
			continue;
		stream->is_indexed = 1;
		stream->event = losses_index_of(event);
		stream->cpu = (uint32_t)entry.cpu;
		stream->tid = (uint32_t)entry.tid;
		stream->is_task = entry.tid != -1;
	}
}

/* Records that perf makes up by itself have a time of 0, or of all ones. */
static void find_origin(struct losses *losses, const struct precis_record *record,
			struct loss_origin *origin)
{
	const struct precis_sample_id *trailer = &origin->trailer;

	origin->trailer.size = sizeof(origin->trailer);
	origin->trailer.present = 0;
	origin->event = file_events_of(losses->events, record);
	if (!origin->event ||
	    precis_sample_id_parse(&origin->event->decoder.layout, record, &origin->trailer))
		return;
	if ((trailer->present & PRECIS_SAMPLE_TIME) && trailer->time && trailer->time != UINT64_MAX)
		losses_note_time(losses, &origin->event->losses, trailer->time);
}

static uint64_t time_of(const struct loss_origin *origin)
{
	return origin->trailer.present & PRECIS_SAMPLE_TIME ? origin->trailer.time : 0;
}

static void count_kernel_record(struct losses *losses, const struct precis_record *record)
{
	struct loss_origin origin;

	find_origin(losses, record, &origin);
	switch (record->type) {
	case PRECIS_RECORD_LOST:
		note_lost(losses, record, &origin);
		break;
	case PRECIS_RECORD_LOST_SAMPLES:
		note_lost_samples(losses, record, &origin);
		break;
	case PRECIS_RECORD_THROTTLE:
	case PRECIS_RECORD_UNTHROTTLE:
		precis_throttle_note(losses, record, &origin);
		break;
	case PRECIS_RECORD_READ:
		precis_loss_counters_read(losses, record, &origin);
		break;
	case PRECIS_RECORD_AUX:
		note_aux(losses, record, &origin);
		break;
	case PRECIS_RECORD_COMM:
	case PRECIS_RECORD_FORK:
		if (losses->index.has_tid)
			precis_thread_names_note(&losses->names, record, time_of(&origin));
		break;
	default:
		break;
	}
}

void losses_count(struct losses *losses, const struct precis_record *record)
{
	if (record->type < PRECIS_RECORD_USER_FIRST)
		count_kernel_record(losses, record);
	else if (record->type == PRECIS_RECORD_ID_INDEX)
		note_id_index(losses, record);
	losses->counts.unknown_records += !precis_record_name(record->type);
}
