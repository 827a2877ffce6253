/* SPDX-License-Identifier: BSD-3-Clause */
/* In which order records are handed out: that of the file, or that of their times. */
#include "libdecode/perf/stream/sorter_usual.h"
#include "merger.h"
#include "private.h"
#include "stream_usual.h"

/* A sample's time stands where its event puts it, that of the others in their trailer. */
uint64_t precis_file_time_of(struct precis_file *file, const struct precis_record *record)
{
	const struct file_event *event;
	uint32_t place, bytes = record->size;

	if (likely(record->type == PRECIS_RECORD_SAMPLE && file->time_offset))
		return file->time_offset + 8 <= bytes ? load_u64(record->data + file->time_offset)
						      : 0;
	if (record->type >= PRECIS_RECORD_USER_FIRST)
		return 0;
	event = precis_file_find(file, record);
	if (!event)
		return 0;
	if (record->type == PRECIS_RECORD_SAMPLE) {
		place = event->time_offset;
		return place && place + 8 <= bytes ? load_u64(record->data + place) : 0;
	}
	place = event->time_from_end;
	if (!place || place + RECORD_HEADER_BYTES > bytes)
		return 0;
	return load_u64(record->data + bytes - place);
}

/* Does the next record stand next in the file, with nothing to be handed out before? */
static int comes_straight(const struct precis_file *file)
{
	return !file->merger && !file->stream.inflater && !file->stream.payload &&
	       file->prologue.at == file->prologue.count && !file->prologue.stopped;
}

/* In the file's order; what describes the recording is taken in on the way. */
static int pull_next(struct precis_file *file, struct precis_record *record)
{
	int found, error;

	if (precis_prologue_next(&file->prologue, record))
		return 1;
	/* the other files of a directory can still be read; the merger meets the error again */
	if (file->prologue.stopped && !file->merger) {
		file->error = file->prologue.error;
		return file->prologue.stopped;
	}
	found = file->merger ? precis_merger_next(file, file->merger, record)
			     : precis_stream_next(file, &file->stream, record);
	if (found > 0 && record->type >= PRECIS_RECORD_USER_FIRST) {
		error = precis_file_arrive(file, record);
		if (error)
			return error;
	}
	file->is_straight = found > 0 && comes_straight(file);
	return found;
}

/*
 * Have usual samples wait for as long as there are some and room is at hand.
 * @return 1 if there is one more, in 'record', which there was no room for
 */
static int hold_usual(struct precis_file *file, struct sorter *sorter,
		      struct precis_record *record, uint64_t *time)
{
	uint32_t place = file->time_offset;

	while (stream_take_usual(&file->stream, record)) {
		*time = record->size >= place + 8 ? load_u64(record->data + place) : 0;
		if (unlikely(*time == 0 || *time == UINT64_MAX ||
			     !sorter_hold(sorter, record, *time)))
			return 1;
	}
	return 0;
}

static int pull_timed(void *from, struct sorter *sorter, struct precis_record *record,
		      uint64_t *time)
{
	struct precis_file *file = from;
	int found;

	if (file->is_straight && file->time_offset && hold_usual(file, sorter, record, time))
		return 1;
	found = pull_next(file, record);
	if (found > 0)
		*time = precis_file_time_of(file, record);
	return found;
}

/* The sorter's own failure, or that of what it pulled, which has been described. */
static int fail_sorter(struct precis_file *file, int code)
{
	struct sorter_state state;

	sorter_state(file->sorter, &state);
	if (code == PRECIS_E_IO && state.sys_errno) {
		precis_file_fail(file, code, NO_OFFSET,
				 "records that wait for their turn need a temporary file in %s",
				 state.directory);
		file->error.sys_errno = state.sys_errno;
	} else if (file->error.code != code) {
		precis_file_fail_system(file, code);
	}
	return code;
}

/* In the order that was asked for */
static int pull_ordered(struct precis_file *file, struct precis_record *record)
{
	int found;

	if (!file->sorter)
		return pull_next(file, record);
	found = sorter_next(file->sorter, pull_timed, file, record);
	return found < 0 ? fail_sorter(file, found) : found;
}

int precis_file_pull(struct precis_file *file, struct precis_record *record)
{
	int found = file->stopped ? file->stopped : pull_ordered(file, record);

	if (found < 0)
		file->stopped = found;
	file->in_file_order = found > 0 && file->is_straight && !file->sorter;
	return found;
}

uint64_t precis_file_late(const struct precis_file *file)
{
	struct sorter_state state = { 0 };

	if (file->merger)
		return precis_merger_late(file->merger);
	if (file->sorter)
		sorter_state(file->sorter, &state);
	return state.late;
}
