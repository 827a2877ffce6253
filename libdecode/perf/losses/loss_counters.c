/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The counters of read_format LOST: how many records of an id did not fit into
 * its buffer since it was opened. An id's highest reading is its latest: what
 * a task inherits of an id reads as 0, for the kernel counts with the parent.
 * And its times: how long an event was on, and how long it counted.
 */
#include "loss_counters.h"

#include <precis/kernel_records.h>

#include "libdecode/perf/samples/read_format.h"
#include "thread_losses.h"

static int has_counters(const struct file_event *event)
{
	uint64_t format = event->decoder.layout.read_format;

	return (format & PRECIS_FORMAT_LOST) && !(format & ~(uint64_t)READ_FORMAT_KNOWN_BITS);
}

static int is_read(const struct file_event *event)
{
	return has_counters(event) || read_format_has_times(event->decoder.layout.read_format);
}

static struct precis_loss *row_of(struct losses *losses, const struct file_event *event,
				  uint32_t cpu, uint32_t *number)
{
	*number = losses_row_of(&losses->cpus, losses_index_of(event), cpu);
	return &losses_row(&losses->cpus, *number)->loss;
}

/* One reading; 'cpu' is where it was taken, for an id that ID_INDEX does not place */
static void note(struct losses *losses, uint64_t id, uint64_t lost, uint32_t cpu)
{
	struct loss_row *row_of_thread;
	struct loss_stream *stream;
	uint32_t row;

	if (!lost)
		return;
	stream = losses_stream(losses, id);
	if (!stream) {
		row_of(losses, file_events_by_id(losses->events, id), cpu, &row)
			->counters_ignored++;
		return;
	}
	if (!stream->is_counted) {
		row_of(losses, file_events_by_id(losses->events, id),
		       stream->is_indexed ? stream->cpu : cpu, &stream->counter_row);
		stream->is_counted = 1;
	}
	if (lost > stream->counted) {
		loss_count(&losses_row(&losses->cpus, stream->counter_row)->loss.counted,
			   lost - stream->counted);
		row_of_thread = precis_thread_row_of_id(losses, stream);
		if (row_of_thread)
			loss_count(&row_of_thread->loss.counted, lost - stream->counted);
		stream->counted = lost;
	}
}

/*
 * Times of an id grow. What a task inherits has its own, which are looked at if they are longer: it is
 * how much of the one the other is that matters.
 */
static void note_times(struct losses *losses, uint64_t id, const struct precis_read *read)
{
	struct file_event *event = file_events_by_id(losses->events, id);
	struct loss_stream *stream;

	if (!read_format_has_times(read->present) || !event ||
	    read->time_running > read->time_enabled)
		return;
	stream = losses_stream(losses, id);
	if (!stream || read->time_enabled <= stream->enabled_ns)
		return;
	event->counts.enabled_ns += read->time_enabled - stream->enabled_ns;
	event->counts.running_ns += read->time_running - stream->running_ns;
	stream->enabled_ns = read->time_enabled;
	stream->running_ns = read->time_running;
}

/* A block without ids is of an event that has only one; 'own' is what the record says of itself. */
static void note_all(struct losses *losses, const struct precis_read *read, const uint64_t *own,
		     uint32_t cpu)
{
	struct precis_read_value value = { .size = sizeof(value) };

	if (!(read->present & PRECIS_FORMAT_ID) && (!own || (read->present & PRECIS_FORMAT_GROUP)))
		return;
	for (uint64_t n = 0; !precis_read_value(read, n, &value); n++) {
		const uint64_t id = value.present & PRECIS_FORMAT_ID ? value.id : *own;

		note_times(losses, id, read);
		if (value.present & PRECIS_FORMAT_LOST)
			note(losses, id, value.lost, cpu);
	}
}

/* The only id of an event whose records carry none */
static const uint64_t *only_id(const struct file_event *event)
{
	static const uint64_t none;

	if (event->view.id_count > 1)
		return NULL;
	return event->view.id_count ? event->view.ids : &none;
}

void precis_loss_counters_read(struct losses *losses, const struct precis_record *record,
			       const struct loss_origin *origin)
{
	const uint32_t has_id = PRECIS_SAMPLE_ID | PRECIS_SAMPLE_IDENTIFIER;
	const struct precis_sample_id *trailer = &origin->trailer;
	struct precis_read_record read = { .size = sizeof(read) };

	if (!origin->event || !is_read(origin->event) ||
	    precis_read_record_parse(&origin->event->decoder.layout, record, &read))
		return;
	note_all(losses, &read.read,
		 trailer->present & has_id ? &trailer->id : only_id(origin->event),
		 trailer->present & PRECIS_SAMPLE_CPU ? trailer->cpu : PRECIS_LOSS_NONE);
}

void precis_loss_counters_sample(struct losses *losses, const struct file_event *event,
				 const struct precis_record *record)
{
	uint64_t own;
	struct precis_read read = { .size = sizeof(read) };
	uint32_t cpu = PRECIS_LOSS_NONE;
	struct precis_bytes block;

	if (record->size < event->losses.counters)
		return;
	block.data = record->data + event->losses.counters;
	block.bytes = record->size - event->losses.counters;
	if (precis_read_parse(event->decoder.layout.read_format, block, &read))
		return;
	if (record->size >= event->losses.cpu_end)
		cpu = load_u32(record->data + event->losses.cpu_end - 8);
	if (event->decoder.layout.id_offset)
		own = load_u64(record->data + event->decoder.layout.id_offset);
	note_all(losses, &read, event->decoder.layout.id_offset ? &own : only_id(event), cpu);
}

int precis_loss_counter_appended(const struct loss_origin *origin)
{
	return origin->event && has_counters(origin->event) &&
	       (!(origin->trailer.present & PRECIS_SAMPLE_TIME) || !origin->trailer.time);
}

void precis_loss_counter_note_appended(struct losses *losses, const struct loss_origin *origin,
				       uint64_t lost)
{
	const uint32_t has_id = PRECIS_SAMPLE_ID | PRECIS_SAMPLE_IDENTIFIER;
	const struct precis_sample_id *trailer = &origin->trailer;
	const uint64_t *own = trailer->present & has_id ? &trailer->id : only_id(origin->event);
	uint32_t row;

	/* its CPU is not the trailer's, which perf leaves at 0 */
	if (own)
		note(losses, *own, lost, PRECIS_LOSS_NONE);
	else /* one record for each id, which does not say its own */
		loss_count(&row_of(losses, origin->event, PRECIS_LOSS_NONE, &row)->counted, lost);
}
