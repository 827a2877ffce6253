/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which thread a loss can be put down to.
 *
 * An id of a thread counts only while that thread runs, or one that inherited it. So whatever such
 * an event writes while it counts (THROTTLE, LOST_SAMPLES, AUX) has in its sample_id the thread
 * that it happened to. LOST has not: it is written by whoever finds room again, for a buffer that
 * all share that write there; and an inherited event counts what it loses with the one that it was
 * inherited from (kernel/events/ring_buffer.c, __perf_output_begin()).
 */
#include "thread_losses.h"

#include "libdecode/perf/records/attr.h"

/* --- ids --- */

void precis_thread_note_index(struct losses *losses, struct file_event *event,
			      const struct precis_id_index_entry *entry)
{
	struct loss_index *index = &losses->index;

	index->has_ids = 1;
	if (entry->tid == -1) {
		index->has_cpu_wide = 1;
		return;
	}
	if (!index->has_tid)
		index->tid = (uint32_t)entry->tid;
	index->has_tid = 1;
	index->has_other_tids |= index->tid != (uint32_t)entry->tid;
	index->has_task_on_cpu |= entry->cpu != -1;
	if (!event || event->losses.is_task)
		return;
	event->losses.is_task = 1;
	event->losses.without_tid = event->counts.samples;
}

/* Is a buffer one thread's? Those of threads that share CPUs are not, unless there is only one. */
static int owns_buffers(const struct loss_index *index)
{
	return !index->has_task_on_cpu || (!index->has_other_tids && !index->has_cpu_wide);
}

/* Whatever the event writes says which thread it happened to. */
static int names_threads(const struct file_event *event)
{
	const struct precis_layout *layout = &event->decoder.layout;

	return layout->sample_id_all && (layout->sample_type & PRECIS_SAMPLE_TID);
}

static int is_inherited(const struct file_event *event)
{
	return attr_bits(event->attr, ATTR_INHERIT, 1) != 0;
}

enum precis_loss_by_thread precis_thread_knowledge(const struct losses *losses,
						   const struct file_event *event)
{
	if (!losses->index.has_ids)
		return PRECIS_LOSS_THREADS_UNTOLD;
	if (!event->losses.is_task)
		return PRECIS_LOSS_THREADS_NONE;
	if (is_inherited(event))
		return names_threads(event) ? PRECIS_LOSS_THREADS_THROTTLED :
					      PRECIS_LOSS_THREADS_NONE;
	if (owns_buffers(&losses->index))
		return PRECIS_LOSS_THREADS_ALL;
	return event->decoder.layout.id_from_end ? PRECIS_LOSS_THREADS_COUNTED :
						   PRECIS_LOSS_THREADS_THROTTLED;
}

/* --- rows --- */

static struct loss_row *row_of(struct losses *losses, uint32_t event, uint32_t tid)
{
	return losses_row(&losses->threads, losses_row_of(&losses->threads, event, tid));
}

struct loss_row *precis_thread_row_of_id(struct losses *losses, const struct loss_stream *stream)
{
	if (!stream->is_indexed || !stream->is_task || stream->event >= losses->events->count ||
	    is_inherited(losses->events->event[stream->event]))
		return NULL;
	return row_of(losses, stream->event, stream->tid);
}

struct loss_row *precis_thread_row_of_buffer(struct losses *losses,
					     const struct loss_stream *stream, uint32_t event)
{
	if (!stream || !stream->is_indexed || !stream->is_task ||
	    stream->event >= losses->events->count ||
	    precis_thread_knowledge(losses, losses->events->event[stream->event]) <
		    PRECIS_LOSS_THREADS_ALL)
		return NULL;
	return row_of(losses, event, stream->tid);
}

/* What perf record writes itself has no time, and no thread: its id alone is right. */
static int is_of_recorder(const struct precis_sample_id *trailer)
{
	return !(trailer->present & PRECIS_SAMPLE_TIME) || !trailer->time;
}

struct loss_row *precis_thread_row_of_origin(struct losses *losses,
					     const struct loss_origin *origin)
{
	const struct precis_sample_id *trailer = &origin->trailer;
	const struct loss_stream *stream;

	if (!origin->event || !origin->event->losses.is_task)
		return NULL;
	if ((trailer->present & PRECIS_SAMPLE_TID) && !is_of_recorder(trailer))
		return row_of(losses, origin->event->view.index, trailer->tid);
	if (!(trailer->present & (PRECIS_SAMPLE_ID | PRECIS_SAMPLE_IDENTIFIER)))
		return NULL;
	stream = losses_find_stream(losses, trailer->id);
	return stream ? precis_thread_row_of_id(losses, stream) : NULL;
}

/* --- spans of throttling --- */

uint32_t precis_thread_of_throttle(const struct precis_throttle *throttle,
				   const struct loss_origin *origin,
				   const struct loss_stream *of_id)
{
	const struct file_event *event = origin->event;

	if (origin->trailer.present & PRECIS_SAMPLE_TID)
		return origin->trailer.tid;
	if (throttle->id == throttle->stream_id && of_id && of_id->is_task && event &&
	    !is_inherited(event))
		return of_id->tid;
	return PRECIS_LOSS_NONE;
}

/* An open span ends without an end that is known, or with one. @return its row */
static struct loss_row *take_open(struct losses *losses, struct loss_stream *stream)
{
	struct loss_row *row = losses_row(&losses->threads, stream->thread_row);

	stream->is_thread_span = 0;
	row->open_tasks--;
	return row;
}

static void begin_span(struct losses *losses, struct loss_stream *stream, uint32_t number,
		       uint64_t time)
{
	losses_row(&losses->threads, number)->loss.throttle++;
	if (!stream) {
		losses_row(&losses->threads, number)->loss.unfinished++;
		return;
	}
	if (stream->is_thread_span)
		take_open(losses, stream)->loss.unfinished++;
	stream->is_thread_span = 1;
	stream->thread_row = number;
	stream->in_thread_since = time;
	losses_row(&losses->threads, number)->open_tasks++;
}

static void end_span(struct losses *losses, struct loss_stream *stream, uint32_t number,
		     uint64_t time)
{
	struct loss_row *row = losses_row(&losses->threads, number);
	uint64_t length;

	row->loss.unthrottle++;
	if (!stream || !stream->is_thread_span || stream->thread_row != number ||
	    time < stream->in_thread_since) {
		if (stream && stream->is_thread_span && stream->thread_row != number)
			take_open(losses, stream)->loss.unfinished++;
		row->loss.unmatched++;
		return;
	}
	take_open(losses, stream);
	length = time - stream->in_thread_since;
	row->loss.spans++;
	row->loss.throttled_ns += length;
	if (length > row->loss.longest_ns)
		row->loss.longest_ns = length;
}

/* Where it is known from the first sample on since when the thread was there; else NULL */
static struct sample_tally *tally_of(struct losses *losses, uint32_t event, uint32_t tid)
{
	if (event >= losses->events->count || !losses->events->event[event]->losses.is_task)
		return NULL;
	return tallies_take(&losses->in_threads, event, tid);
}

void precis_thread_throttle(struct losses *losses, struct loss_stream *stream, uint32_t event,
			    uint32_t tid, const struct precis_throttle *throttle, int starts)
{
	uint32_t number = losses_row_of(&losses->threads, event, tid);
	struct sample_tally *tally = tally_of(losses, event, tid);

	if (tally)
		tally_note_times(tally, throttle->time, throttle->time);
	if (starts)
		begin_span(losses, stream, number, throttle->time);
	else
		end_span(losses, stream, number, throttle->time);
}

/* --- samples that came --- */

void precis_losses_count_in_thread(struct losses *losses, struct file_event *event,
				   const struct precis_record *record)
{
	struct loss_event *of = &event->losses;
	struct sample_tally *tally = NULL;

	if (likely(record->size >= of->tid_end))
		tally = tallies_take(&losses->in_threads, event->view.index,
				     load_u32(record->data + of->tid_end - 4));
	if (unlikely(!tally)) {
		of->without_tid++;
		return;
	}
	tally->samples++;
	if (likely(record->size >= of->time_end)) {
		const uint64_t time = load_u64(record->data + of->time_end - 8);

		tally_note_times(tally, time, time);
	}
}
