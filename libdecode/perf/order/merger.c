/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams merged by a heap of their next records. */
#include "merger.h"

#include <stdlib.h>

struct source {
	struct record_stream *stream;
	struct record_stream own;
	struct precis_record record; /* read and not yet handed out, if it is in the heap */
	uint64_t time;
};

struct merger {
	struct file_events *events;
	uint32_t count, most;
	uint32_t waiting; /* sources that have a record, in the heap */
	struct source *last; /* whose record was handed out: the view is its stream's */
	uint32_t next_unread; /* sources from there on have not been asked yet */
	uint64_t latest, late;
	int failed; /* the first error: of a source that is out of the merge since */
	struct precis_file_error error;
	struct source **heap; /* the earliest first; of equal ones the first source's */
	struct source source[];
};

int precis_merger_new(uint32_t most, struct file_events *events, struct merger **merger)
{
	struct merger *made = calloc(1, sizeof(*made) + most * sizeof(struct source));

	if (made)
		made->heap = calloc((size_t)most + 1, sizeof(struct source *));
	if (!made || !made->heap) {
		free(made);
		return PRECIS_E_NO_MEMORY;
	}
	made->events = events;
	made->most = most;
	*merger = made;
	return 0;
}

void precis_merger_free(struct merger *merger)
{
	if (!merger)
		return;
	for (uint32_t n = 0; n < merger->count; n++) {
		if (merger->source[n].stream == &merger->source[n].own)
			precis_stream_close(&merger->source[n].own);
	}
	free(merger->heap);
	free(merger);
}

struct record_stream *precis_merger_add(struct merger *merger)
{
	struct source *source;

	if (merger->count == merger->most)
		return NULL;
	source = &merger->source[merger->count++];
	source->stream = &source->own;
	source->own.source.fd = -1;
	return source->stream;
}

void precis_merger_add_ours(struct merger *merger, struct record_stream *stream)
{
	merger->source[merger->count++].stream = stream;
}

struct record_stream *precis_merger_stream(struct merger *merger, uint32_t data_file)
{
	for (uint32_t n = 0; n < merger->count; n++) {
		if (merger->source[n].stream->data_file == data_file)
			return merger->source[n].stream;
	}
	return NULL;
}

void precis_merger_rewind(struct merger *merger)
{
	for (uint32_t n = 0; n < merger->count; n++)
		precis_stream_rewind(merger->source[n].stream);
	merger->waiting = 0;
	merger->last = NULL;
	merger->next_unread = 0;
	merger->latest = 0;
	merger->late = 0;
	merger->failed = 0;
}

static int is_before(const struct source *left, const struct source *right)
{
	return left->time != right->time ? left->time < right->time : left < right;
}

static void sift_up(struct merger *merger, struct source *source)
{
	uint32_t at = merger->waiting++;

	for (; at && is_before(source, merger->heap[(at - 1) / 2]); at = (at - 1) / 2)
		merger->heap[at] = merger->heap[(at - 1) / 2];
	merger->heap[at] = source;
}

static struct source *take_first(struct merger *merger)
{
	struct source *first = merger->heap[0], *moved = merger->heap[--merger->waiting];
	uint32_t at = 0, child;

	for (; (child = 2 * at + 1) < merger->waiting; at = child) {
		if (child + 1 < merger->waiting &&
		    is_before(merger->heap[child + 1], merger->heap[child]))
			child++;
		if (!is_before(merger->heap[child], moved))
			break;
		merger->heap[at] = merger->heap[child];
	}
	merger->heap[at] = moved;
	return first;
}

/* Read a source's next record into the heap, or hand it out. @return 1 if it is to be handed out */
static int read_source(struct merger *merger, struct source *source, struct precis_record *record)
{
	struct file_errors *errors = source->stream->errors;
	int found;

	errors->data_file = source->stream->data_file;
	found = precis_stream_next(source->stream, &source->record);
	errors->data_file = 0;
	if (found < 0 && !merger->failed) {
		merger->failed = found;
		merger->error = errors->last;
	}
	if (found <= 0)
		return 0;
	source->time = file_events_time_of(merger->events, &source->record);
	if (!source->time) {
		*record = source->record;
		return 1;
	}
	sift_up(merger, source);
	return 0;
}

int precis_merger_next(struct merger *merger, struct precis_record *record)
{
	struct source *source;

	while (merger->last || merger->next_unread < merger->count) {
		source = merger->last ? merger->last : &merger->source[merger->next_unread++];
		merger->last = NULL;
		if (read_source(merger, source, record)) {
			merger->last = source;
			return 1;
		}
	}
	if (!merger->waiting) {
		if (merger->failed)
			merger->events->errors->last = merger->error;
		return merger->failed;
	}
	source = take_first(merger);
	merger->last = source;
	merger->late += source->time < merger->latest;
	if (source->time > merger->latest)
		merger->latest = source->time;
	*record = source->record;
	return 1;
}

uint64_t precis_merger_position(const struct merger *merger)
{
	uint64_t position = 0;

	for (uint32_t n = 0; n < merger->count; n++) {
		const struct record_stream *stream = merger->source[n].stream;

		position += byte_source_consumed(&stream->source) - stream->data_offset;
	}
	return position;
}

uint64_t precis_merger_late(const struct merger *merger)
{
	return merger->late;
}

int precis_merger_is_compressed(const struct merger *merger)
{
	for (uint32_t n = 0; n < merger->count; n++) {
		if (merger->source[n].stream->inflater)
			return 1;
	}
	return 0;
}
