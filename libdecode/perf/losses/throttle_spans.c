/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Spans in which the kernel took no samples of an event because it had
 * interrupted too often.
 *
 * Records of one stream are in one buffer and in order, whatever the order of
 * the file; so spans are followed stream by stream and their times are not
 * compared with those of others.
 */
#include "throttle_spans.h"

#include <precis/kernel_records.h>

#include "thread_losses.h"

static void count(struct losses *losses, struct file_event *event, int starts)
{
	losses->counts.throttle += (uint64_t)starts;
	losses->counts.unthrottle += (uint64_t)!starts;
	if (event) {
		event->counts.throttle += (uint64_t)starts;
		event->counts.unthrottle += (uint64_t)!starts;
	}
}

static uint32_t cpu_of(const struct loss_origin *origin, const struct loss_stream *of_id)
{
	if (origin->trailer.present & PRECIS_SAMPLE_CPU)
		return origin->trailer.cpu;
	return of_id && of_id->is_indexed ? of_id->cpu : PRECIS_LOSS_NONE;
}

/* An event of a task: it ends with the task, and no record says so. */
static int is_of_task(uint64_t id, uint64_t stream_id, const struct loss_stream *of_id)
{
	return id != stream_id || (of_id && of_id->is_task);
}

/* The open span of a stream is none any more. @return its row */
static struct loss_row *take_open(struct losses *losses, struct loss_stream *stream)
{
	struct loss_row *row = losses_row(&losses->cpus, stream->throttle_row);

	stream->is_throttled = 0;
	if (stream->is_task_span) {
		row->open_tasks--;
	} else {
		row->loss.open--;
		row->open_since -= stream->throttled_since;
	}
	return row;
}

static void begin_span(struct losses *losses, struct loss_stream *stream, uint32_t row_number,
		       uint64_t time, int is_task)
{
	struct loss_row *row = losses_row(&losses->cpus, row_number);

	stream->is_throttled = 1;
	stream->is_task_span = (uint8_t)is_task;
	stream->throttled_since = time;
	stream->throttle_row = row_number;
	if (is_task) {
		row->open_tasks++;
	} else {
		row->loss.open++;
		row->open_since += time;
	}
}

static void end_span(struct losses *losses, struct loss_stream *stream, uint64_t time)
{
	uint64_t length = time - stream->throttled_since;
	struct loss_row *row = take_open(losses, stream);

	row->loss.spans++;
	row->loss.throttled_ns += length;
	if (length > row->loss.longest_ns)
		row->loss.longest_ns = length;
}

static void note_throttle(struct losses *losses, struct loss_stream *stream, uint32_t row,
			  uint64_t time, int is_task)
{
	losses_row(&losses->cpus, row)->loss.throttle++;
	if (!stream) {
		losses_row(&losses->cpus, row)->loss.unfinished++;
		return;
	}
	if (stream->is_throttled)
		take_open(losses, stream)->loss.unfinished++;
	begin_span(losses, stream, row, time, is_task);
}

/* The row of a span is that of its THROTTLE; its UNTHROTTLE counts there too */
static void note_unthrottle(struct losses *losses, struct loss_stream *stream, uint32_t row,
			    uint64_t time)
{
	if (stream && stream->is_throttled && time >= stream->throttled_since) {
		losses_row(&losses->cpus, stream->throttle_row)->loss.unthrottle++;
		end_span(losses, stream, time);
		return;
	}
	losses_row(&losses->cpus, row)->loss.unthrottle++;
	losses_row(&losses->cpus, row)->loss.unmatched++;
}

void precis_throttle_note(struct losses *losses, const struct precis_record *record,
			  const struct loss_origin *origin)
{
	int starts = record->type == PRECIS_RECORD_THROTTLE;
	struct precis_throttle throttle = { .size = sizeof(throttle) };
	const struct loss_stream *of_id;
	struct loss_stream *stream;
	struct file_event *event;
	uint32_t row, tid;
	int is_task;

	if (precis_throttle_parse(record, &throttle)) {
		count(losses, NULL, starts);
		return;
	}
	event = file_events_by_id(losses->events, throttle.id);
	count(losses, event, starts);
	if (event)
		losses_note_time(losses, &event->losses, throttle.time);
	of_id = losses_find_stream(losses, throttle.id);
	row = losses_row_of(&losses->cpus, losses_index_of(event), cpu_of(origin, of_id));
	is_task = is_of_task(throttle.id, throttle.stream_id, of_id);
	tid = is_task ? precis_thread_of_throttle(&throttle, origin, of_id) : PRECIS_LOSS_NONE;
	stream = losses_stream(losses, throttle.stream_id); /* 'of_id' ends with it */
	if (tid != PRECIS_LOSS_NONE)
		precis_thread_throttle(losses, stream, losses_index_of(event), tid, &throttle, starts);
	if (starts)
		note_throttle(losses, stream, row, throttle.time, is_task);
	else
		note_unthrottle(losses, stream, row, throttle.time);
}
