/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting records other than SAMPLE, and what they say of losses. */
#include <stdlib.h>

#include <precis/kernel_records.h>
#include <precis/tool_records.h>

#include "private.h"

/* tools/lib/perf/include/perf/event.h: these were filtered out on request, not lost */
#define MISC_LOST_SAMPLES_BPF (1u << 15)
#define ROOM_FIRST 16u

static void begin_row(struct loss_row *row, uint32_t event, uint32_t cpu)
{
	row->loss.size = sizeof(row->loss);
	row->loss.event = event;
	row->loss.cpu = cpu;
}

struct loss_row *losses_row(struct losses *losses, uint32_t number)
{
	if (number != NUMBER_NONE)
		return &losses->rows[number];
	begin_row(&losses->rest, PRECIS_LOSS_NONE, PRECIS_LOSS_NONE);
	losses->rest.loss.is_rest = 1;
	return &losses->rest;
}

/* Room for one more than 'count' items, of which there are 'most'. @return 0 if memory is short */
static int make_room(void **items, uint32_t *room, uint32_t count, uint32_t most, size_t bytes)
{
	uint32_t larger = *room ? 2 * *room : ROOM_FIRST;
	uint8_t *moved;

	if (count < *room || count == most)
		return 1;
	moved = realloc(*items, larger * bytes);
	if (!moved)
		return 0;
	memset(moved + *room * bytes, 0, (larger - *room) * bytes);
	*items = moved;
	*room = larger;
	return 1;
}

uint32_t losses_row_of(struct losses *losses, uint32_t event, uint32_t cpu)
{
	uint64_t key = (uint64_t)event << 32 | cpu;
	void *rows = losses->rows;
	uint32_t number;

	if (!make_room(&rows, &losses->row_room, losses->row_numbers.count, LOSS_ROWS,
		       sizeof(*losses->rows)))
		return NUMBER_NONE;
	losses->rows = rows;
	number = numbering_take(&losses->row_numbers, key, LOSS_ROWS);
	if (number != NUMBER_NONE)
		begin_row(&losses->rows[number], event, cpu);
	return number;
}

struct loss_stream *losses_stream(struct losses *losses, uint64_t id)
{
	void *streams = losses->streams;
	uint32_t number;

	if (!make_room(&streams, &losses->stream_room, losses->stream_numbers.count, LOSS_STREAMS,
		       sizeof(*losses->streams)))
		return NULL;
	losses->streams = streams;
	number = numbering_take(&losses->stream_numbers, id, LOSS_STREAMS);
	return number == NUMBER_NONE ? NULL : &losses->streams[number];
}

const struct loss_stream *losses_find_stream(const struct losses *losses, uint64_t id)
{
	uint32_t number = numbering_find(&losses->stream_numbers, id);

	return number == NUMBER_NONE ? NULL : &losses->streams[number];
}

void precis_losses_free(struct losses *losses)
{
	numbering_free(&losses->stream_numbers);
	numbering_free(&losses->row_numbers);
	free(losses->streams);
	free(losses->rows);
}

void precis_losses_reset(struct losses *losses)
{
	precis_losses_free(losses);
	memset(losses, 0, sizeof(*losses));
}

static uint32_t index_of(const struct file_event *event)
{
	return event ? event->view.index : PRECIS_LOSS_NONE;
}

static struct loss_row *row_of_origin(struct precis_file *file, const struct loss_origin *origin)
{
	uint32_t cpu = origin->trailer.present & PRECIS_SAMPLE_CPU ? origin->trailer.cpu
								   : PRECIS_LOSS_NONE;

	return losses_row(&file->losses,
			  losses_row_of(&file->losses, index_of(origin->event), cpu));
}

/*
 * The id is that of the event whose record came next into a buffer with room
 * again: it names the buffer, not the event that lost records.
 */
static void note_lost(struct precis_file *file, const struct precis_record *record,
		      struct loss_origin *origin)
{
	struct precis_lost lost = { .size = sizeof(lost) };
	struct file_event *event;
	struct loss_row *row;

	file->counts.lost_records++;
	if (precis_lost_parse(record, &lost))
		return;
	file->counts.lost += lost.lost;
	event = precis_file_by_id(file, lost.id);
	if (event)
		event->counts.lost += lost.lost;
	if (!(origin->trailer.present & PRECIS_SAMPLE_CPU)) {
		const struct loss_stream *stream = losses_find_stream(&file->losses, lost.id);

		if (stream && stream->is_indexed && stream->cpu != PRECIS_LOSS_NONE) {
			origin->trailer.cpu = stream->cpu;
			origin->trailer.present |= PRECIS_SAMPLE_CPU;
		}
	}
	origin->event = file->event_count == 1 ? file->events[0] : NULL;
	row = row_of_origin(file, origin);
	row->loss.lost_records++;
	row->loss.lost += lost.lost;
}

static void note_lost_samples(struct precis_file *file, const struct precis_record *record,
			      const struct loss_origin *origin)
{
	struct precis_lost_samples samples = { .size = sizeof(samples) };
	struct loss_row *row;

	file->counts.lost_samples_records++;
	if (precis_lost_samples_parse(record, &samples))
		return;
	if (record->misc & MISC_LOST_SAMPLES_BPF) {
		row_of_origin(file, origin)->loss.filtered += samples.lost;
		return;
	}
	file->counts.lost_samples += samples.lost;
	if (precis_loss_counter_appended(origin)) {
		precis_loss_counter_note_appended(file, origin, samples.lost);
		return;
	}
	row = row_of_origin(file, origin);
	row->loss.lost_samples_records++;
	row->loss.lost_samples += samples.lost;
}

static void note_aux(struct precis_file *file, const struct precis_record *record,
		     const struct loss_origin *origin)
{
	const uint64_t gaps = PRECIS_AUX_TRUNCATED | PRECIS_AUX_PARTIAL | PRECIS_AUX_COLLISION;
	struct precis_aux aux = { .size = sizeof(aux) };
	struct precis_loss *loss;

	if (precis_aux_parse(record, &aux) || !(aux.flags & gaps))
		return;
	loss = &row_of_origin(file, origin)->loss;
	if (aux.flags & PRECIS_AUX_TRUNCATED) {
		loss->aux_truncated++;
		loss->aux_truncated_bytes += aux.aux_size;
	}
	if (aux.flags & PRECIS_AUX_PARTIAL) {
		loss->aux_partial++;
		loss->aux_partial_bytes += aux.aux_size;
	}
	if (aux.flags & PRECIS_AUX_COLLISION) {
		loss->aux_collisions++;
		loss->aux_collision_bytes += aux.aux_size;
	}
}

static void note_id_index(struct precis_file *file, const struct precis_record *record)
{
	struct precis_id_index_entry entry = { .size = sizeof(entry) };
	struct precis_id_index index = { .size = sizeof(index) };

	if (precis_id_index_parse(record, &index))
		return;
	for (uint64_t n = 0; !precis_id_index_entry(&index, n, &entry); n++) {
		struct loss_stream *stream = losses_stream(&file->losses, entry.id);

		if (!stream)
			continue;
		stream->is_indexed = 1;
		stream->event = index_of(precis_file_by_id(file, entry.id));
		stream->cpu = (uint32_t)entry.cpu;
		stream->is_task = entry.tid != -1;
	}
}

/* Records that perf makes up by itself have a time of 0, or of all ones. */
static void find_origin(struct precis_file *file, const struct precis_record *record,
			struct loss_origin *origin)
{
	const struct precis_sample_id *trailer = &origin->trailer;

	origin->trailer.size = sizeof(origin->trailer);
	origin->trailer.present = 0;
	origin->event = precis_file_find(file, record);
	if (!origin->event ||
	    precis_sample_id_parse(&origin->event->decoder.layout, record, &origin->trailer))
		return;
	if ((trailer->present & PRECIS_SAMPLE_TIME) && trailer->time && trailer->time != UINT64_MAX)
		losses_note_time(&file->losses, &origin->event->losses, trailer->time);
}

static void count_kernel_record(struct precis_file *file, const struct precis_record *record)
{
	struct loss_origin origin;

	find_origin(file, record, &origin);
	switch (record->type) {
	case PRECIS_RECORD_LOST:
		note_lost(file, record, &origin);
		break;
	case PRECIS_RECORD_LOST_SAMPLES:
		note_lost_samples(file, record, &origin);
		break;
	case PRECIS_RECORD_THROTTLE:
	case PRECIS_RECORD_UNTHROTTLE:
		precis_throttle_note(file, record, &origin);
		break;
	case PRECIS_RECORD_READ:
		precis_loss_counters_read(file, record, &origin);
		break;
	case PRECIS_RECORD_AUX:
		note_aux(file, record, &origin);
		break;
	default:
		break;
	}
}

void precis_file_count(struct precis_file *file, const struct precis_record *record)
{
	if (record->type < PRECIS_RECORD_USER_FIRST)
		count_kernel_record(file, record);
	else if (record->type == PRECIS_RECORD_ID_INDEX)
		note_id_index(file, record);
	file->counts.unknown_records += !precis_record_name(record->type);
}
