/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See order.h. Each thread's chunks are in order; a heap has each thread by the time of its next event. A
 * chunk is read when its first event is the earliest of all, so that as many are in memory as threads were
 * at work.
 */
#include "order.h"

#include "chunk.h"
#include "libdecode/sample/abi.h"

static int ends_lifetime(uint32_t operation)
{
	return operation == OBJECTS_FREE || operation == OBJECTS_REALLOC_FREE || operation == OBJECTS_UNMAP ||
	       operation == OBJECTS_FORGET;
}

/* --- the heap --- */

static int is_before(const struct precis_object_file *file, uint32_t one, uint32_t other)
{
	const struct run *a = &file->runs[one], *b = &file->runs[other];

	if (a->time != b->time)
		return a->time < b->time;
	return a->is_end != b->is_end ? a->is_end : one < other;
}

static void sink(struct precis_object_file *file, size_t n)
{
	uint32_t *heap = file->heap, moved = heap[n];

	for (;;) {
		size_t child = 2 * n + 1;

		if (child >= file->heap_count)
			break;
		if (child + 1 < file->heap_count && is_before(file, heap[child + 1], heap[child]))
			child++;
		if (!is_before(file, heap[child], moved))
			break;
		heap[n] = heap[child];
		n = child;
	}
	heap[n] = moved;
}

/* --- runs --- */

void order_free(struct precis_object_file *file)
{
	for (size_t n = 0; file->runs && n < file->thread_count; n++)
		chunk_close(file, &file->runs[n].reader);
	objects_give(file, file->runs, file->thread_count * sizeof(*file->runs));
	objects_give(file, file->heap, file->thread_count * sizeof(*file->heap));
	file->runs = NULL;
	file->heap = NULL;
	file->is_begun = 0;
}

static int begin(struct precis_object_file *file)
{
	file->runs = objects_take(file, file->thread_count * sizeof(*file->runs));
	file->heap = file->runs ? objects_take(file, file->thread_count * sizeof(*file->heap)) : NULL;
	if (!file->heap)
		return PRECIS_E_NO_MEMORY;
	file->heap_count = file->thread_count;
	for (size_t n = 0; n < file->thread_count; n++) {
		struct run *run = &file->runs[n];

		run->chunk = file->threads[n].first;
		run->time = file->chunks[run->chunk - 1].first_time;
		run->is_end = 1; /* it may be: it has to be looked at */
		file->heap[n] = (uint32_t)n;
	}
	for (size_t n = file->heap_count / 2; n-- > 0;)
		sink(file, n);
	file->is_begun = 1;
	return 0;
}

static int tell_rest(struct precis_object_file *file, const struct chunk_reader *reader)
{
	size_t rest = (size_t)(reader->end - reader->at);

	file->info.bytes_unread += rest;
	return file_warn(&file->errors,
			 "offset %llu: %u events in the last %zu bytes of this chunk make no sense",
			 (unsigned long long)reader->event.offset, reader->left, rest);
}

/* The run goes on with its next chunk, which is not read yet. */
static void follow(struct precis_object_file *file, struct run *run)
{
	chunk_close(file, &run->reader);
	run->chunk = file->chunks[run->chunk - 1].next;
	if (!run->chunk)
		return;
	if (file->chunks[run->chunk - 1].first_time > run->time)
		run->time = file->chunks[run->chunk - 1].first_time;
	run->is_end = 1;
}

/* @return 0; PRECIS_E_IO, PRECIS_E_NO_MEMORY */
static int advance(struct precis_object_file *file, struct run *run)
{
	int error = chunk_next(file, &run->reader);

	if (error > 0) {
		run->time = run->reader.event.time;
		run->is_end = ends_lifetime(run->reader.event.operation);
		return 0;
	}
	if (error && tell_rest(file, &run->reader))
		return PRECIS_E_NO_MEMORY;
	follow(file, run);
	return 0;
}

/* @return 0; PRECIS_E_IO, PRECIS_E_NO_MEMORY */
static int open_chunk(struct precis_object_file *file, struct run *run)
{
	uint64_t offset = file->chunks[run->chunk - 1].offset;
	int error = chunk_open(file, &run->reader, offset);

	if (error == PRECIS_E_IO) {
		file->errors.sys_errno = file->source.sys_errno;
		return file_fail_system(&file->errors, error);
	}
	if (error == PRECIS_E_NO_MEMORY)
		return error;
	if (!error)
		return advance(file, run);
	follow(file, run);
	return file_warn(&file->errors, "offset %llu: this chunk changed while the file was read",
			 (unsigned long long)offset);
}

int precis_object_file_rewind(struct precis_object_file *file)
{
	if (!file)
		return PRECIS_E_ARGUMENT;
	order_free(file);
	return 0;
}

int precis_object_file_next(struct precis_object_file *file, struct precis_object_event *event)
{
	int error = 0;

	if (!file)
		return PRECIS_E_ARGUMENT;
	ABI_OUT(struct precis_object_event, event, precis_object_file_next(file, &abi));
	if (!file->is_begun && file->thread_count)
		error = begin(file);
	while (!error && file->heap_count) {
		struct run *run = &file->runs[file->heap[0]];
		int is_open = run->chunk && run->reader.bytes;

		if (is_open)
			*event = run->reader.event;
		error = is_open ? advance(file, run) : run->chunk ? open_chunk(file, run) : 0;
		if (!run->chunk)
			file->heap[0] = file->heap[--file->heap_count];
		if (file->heap_count)
			sink(file, 0);
		if (is_open && !error)
			return 1;
	}
	return error;
}
