/* SPDX-License-Identifier: BSD-3-Clause */
/* In which order records are handed out: that of the file, or that of their times. */
#include "order.h"

#include "libdecode/perf/reader/stream_usual.h"
#include "libdecode/perf/stream/sorter_usual.h"

#define TELL_EVERY 512u /* records that are read ahead one by one */

/* Does the next record stand next in the file, with nothing to be handed out before? */
static int comes_straight(const struct file_order *order)
{
	const struct prologue *prologue = &order->pipe->prologue;

	return !order->merger && !order->stream->inflater && !order->stream->payload &&
	       prologue->at == prologue->count && !prologue->stopped;
}

/* In the file's order; what describes the recording is taken in on the way. */
static int pull_next(struct file_order *order, struct precis_record *record)
{
	struct prologue *prologue = &order->pipe->prologue;
	int found, error;

	if (precis_prologue_next(prologue, record))
		return 1;
	/* the other files of a directory can still be read; the merger meets the error again */
	if (prologue->stopped && !order->merger) {
		order->errors->last = prologue->error;
		return prologue->stopped;
	}
	found = order->merger ? precis_merger_next(order->merger, record)
			      : precis_stream_next(order->stream, record);
	if (found > 0 && record->type >= PRECIS_RECORD_USER_FIRST) {
		error = pipe_arrive(order->pipe, record);
		if (error)
			return error;
	}
	order->is_straight = found > 0 && comes_straight(order);
	return found;
}

/*
 * Have usual samples wait for as long as there are some and room is at hand.
 * @return 1 if there is one more, in 'record', which there was no room for
 */
static int hold_usual(struct file_order *order, struct sorter *sorter, struct precis_record *record,
		      uint64_t *time)
{
	uint32_t place = order->events->time_offset;

	while (stream_take_usual(order->stream, record)) {
		*time = record->size >= place + 8 ? load_u64(record->data + place) : 0;
		if (unlikely(*time == 0 || *time == UINT64_MAX ||
			     !sorter_hold(sorter, record, *time)))
			return 1;
	}
	return 0;
}

/* One record, or many that were held at once, has been read ahead. */
static void tell_sorting(struct file_order *order, uint32_t share)
{
	const struct byte_source *source = &order->stream->source;

	order->told += share;
	if (likely(order->told < TELL_EVERY))
		return;
	order->told = 0;
	byte_source_tell(source, PRECIS_FILE_STEP_SORT, byte_source_consumed(source));
}

static int pull_timed(void *from, struct sorter *sorter, struct precis_record *record,
		      uint64_t *time)
{
	struct file_order *order = from;
	int found;

	tell_sorting(order, 1);
	if (order->is_straight && order->events->time_offset &&
	    hold_usual(order, sorter, record, time)) {
		tell_sorting(order, TELL_EVERY); /* the room of many records is full */
		return 1;
	}
	found = pull_next(order, record);
	if (found > 0)
		*time = file_events_time_of(order->events, record);
	return found;
}

/* The sorter's own failure, or that of what it pulled, which has been described. */
static int fail_sorter(struct file_order *order, int code)
{
	struct sorter_state state;

	sorter_state(order->sorter, &state);
	if (code == PRECIS_E_IO && state.sys_errno) {
		file_fail(order->errors, code, NO_OFFSET,
			  "records that wait for their turn need a temporary file in %s",
			  state.directory);
		order->errors->last.sys_errno = state.sys_errno;
	} else if (order->errors->last.code != code) {
		file_fail_system(order->errors, code);
	}
	return code;
}

/* In the order that was asked for */
static int pull_ordered(struct file_order *order, struct precis_record *record)
{
	int found;

	if (!order->sorter)
		return pull_next(order, record);
	found = sorter_next(order->sorter, pull_timed, order, record);
	return found < 0 ? fail_sorter(order, found) : found;
}

int file_order_pull(struct file_order *order, struct precis_record *record)
{
	int found = order->stopped ? order->stopped : pull_ordered(order, record);

	if (found < 0)
		order->stopped = found;
	order->in_file_order = found > 0 && order->is_straight && !order->sorter;
	return found;
}

uint64_t file_order_late(const struct file_order *order)
{
	struct sorter_state state = { 0 };

	if (order->merger)
		return precis_merger_late(order->merger);
	if (order->sorter)
		sorter_state(order->sorter, &state);
	return state.late;
}

void file_order_begin(struct file_order *order)
{
	if (order->merger)
		precis_merger_rewind(order->merger);
	else if (!order->pipe->is_pipe)
		precis_stream_rewind(order->stream);
	order->stopped = 0;
	order->in_file_order = 0;
	order->is_straight = 0;
}

void file_order_rewind(struct file_order *order)
{
	struct prologue *prologue = &order->pipe->prologue;

	prologue->at = prologue->count;
	prologue->stopped = 0;
	precis_stream_rewind(order->stream);
	if (order->sorter)
		sorter_reset(order->sorter);
}

void file_order_free(struct file_order *order)
{
	sorter_free(order->sorter);
	precis_merger_free(order->merger);
}
