/* SPDX-License-Identifier: BSD-3-Clause */
/* See scan.h. */
#include "scan.h"

#include <stdlib.h>
#include <sys/auxv.h>

#include "chunk.h"
#include "definitions.h"

/*
 * Where chunks are damaged, the next one is looked for. Of each byte of a file so many may be summed up for
 * that.
 */
#define SEARCH_FACTOR 16u

/* --- the header --- */

static int check_header(struct precis_object_file *file, size_t got)
{
	const struct objects_header *header = &file->header;

	if (got < sizeof(header->magic) || memcmp(header->magic, OBJECTS_MAGIC, sizeof(header->magic)))
		return file_fail(&file->errors, PRECIS_E_NOT_OBJECTS, 0,
				 "the magic '%s' was expected", OBJECTS_MAGIC);
	if (got < offsetof(struct objects_header, pid))
		return file_fail(&file->errors, PRECIS_E_TRUNCATED, got, "the file ends in its header");
	if (header->version != OBJECTS_VERSION)
		return file_fail(&file->errors, PRECIS_E_UNSUPPORTED,
				 offsetof(struct objects_header, version),
				 "version %u was expected, and %u was found", OBJECTS_VERSION,
				 header->version);
	if (header->bytes < sizeof(*header) || header->bytes % 8 || header->bytes > OBJECTS_PAYLOAD_MOST)
		return file_fail(&file->errors, PRECIS_E_BAD_SIZE,
				 offsetof(struct objects_header, bytes),
				 "a header of %zu bytes was expected, and %u were found",
				 sizeof(*header), header->bytes);
	if (got < sizeof(*header))
		return file_fail(&file->errors, PRECIS_E_TRUNCATED, got, "a header of %zu bytes was expected",
				 sizeof(*header));
	if (header->clock != OBJECTS_CLOCK_MONOTONIC && header->clock != OBJECTS_CLOCK_TSC)
		return file_fail(&file->errors, PRECIS_E_UNSUPPORTED, offsetof(struct objects_header, clock),
				 "clock 1 or 2 was expected, and %u was found", header->clock);
	return 0;
}

static int read_header(struct precis_object_file *file)
{
	struct objects_header *header = &file->header;
	size_t got;
	int error;

	if (byte_source_read(&file->source, 0, header, sizeof(*header), &got)) {
		file->errors.sys_errno = file->source.sys_errno;
		return file_fail_system(&file->errors, PRECIS_E_IO);
	}
	error = check_header(file, got);
	header->executable[sizeof(header->executable) - 1] = '\0';
	if (header->build_id_bytes > sizeof(header->build_id))
		header->build_id_bytes = 0;
	return error;
}

/* --- threads --- */

/* By a number of this process that no file can know, as ids could be made that would else be one slot's. */
static uint64_t hash_of(const struct precis_object_file *file, uint32_t tid)
{
	uint64_t hash = (file->tid_seed ^ tid) * UINT64_C(0x9e3779b97f4a7c15);

	hash = (hash ^ hash >> 32) * (file->tid_seed | 1);
	return hash ^ hash >> 32;
}

static uint32_t *slot_of(const struct precis_object_file *file, uint32_t tid)
{
	for (uint64_t n = hash_of(file, tid);; n++) {
		uint32_t *slot = &file->by_tid[n & (file->tid_slots - 1)];

		if (!*slot || file->threads[*slot - 1].about.tid == tid)
			return slot;
	}
}

/* The hash has at least twice as many slots as threads. @return 0, PRECIS_E_NO_MEMORY */
static int grow_tids(struct precis_object_file *file)
{
	size_t old = file->tid_slots, slots = old ? 2 * old : 64;

	if (file->thread_count < old / 2)
		return 0;
	objects_give(file, file->by_tid, old * sizeof(*file->by_tid));
	file->tid_slots = 0;
	file->by_tid = objects_take(file, slots * sizeof(*file->by_tid));
	if (!file->by_tid)
		return PRECIS_E_NO_MEMORY;
	file->tid_slots = slots;
	for (size_t n = 0; n < file->thread_count; n++)
		*slot_of(file, file->threads[n].about.tid) = (uint32_t)n + 1;
	return 0;
}

/* Of the thread that this chunk goes on with, or begins. @return its number, or PRECIS_E_NO_MEMORY */
static int64_t thread_of(struct precis_object_file *file, const struct objects_chunk *chunk)
{
	struct object_thread *thread;
	uint32_t *slot;

	if (grow_tids(file) || objects_room(file, &file->threads, &file->thread_room, file->thread_count + 1,
					    sizeof(*file->threads)))
		return PRECIS_E_NO_MEMORY;
	slot = slot_of(file, chunk->tid);
	thread = *slot ? &file->threads[*slot - 1] : NULL;
	if (thread && chunk->number >= thread->next_number)
		return *slot - 1;
	/* The number begins anew with a thread that has the id of one that has ended. */
	thread = &file->threads[file->thread_count++];
	memset(thread, 0, sizeof(*thread));
	thread->about = (struct precis_object_thread){ .size = sizeof(thread->about), .tid = chunk->tid,
						       .first_time = chunk->first_time,
						       .first_interval = chunk->interval };
	*slot = (uint32_t)file->thread_count;
	return *slot - 1;
}

static void describe_thread(struct object_thread *thread, const struct objects_chunk *chunk)
{
	const uint64_t large_interval = chunk_large_interval(chunk);
	struct precis_object_thread *about = &thread->about;

	about->last_time = chunk->last_time;
	about->fs_base = chunk->fs_base;
	about->stack_low = chunk->stack_low;
	about->stack_high = chunk->stack_high;
	about->events += chunk->count;
	about->events_lost += chunk->lost;
	about->allocations = chunk->allocations;
	about->allocated = chunk->allocated;
	about->last_interval = chunk->interval;
	if (chunk->interval > about->most_interval)
		about->most_interval = chunk->interval;
	if (large_interval > about->large_interval)
		about->large_interval = large_interval;
	memcpy(about->name, chunk->name, sizeof(about->name) - 1);
}

static void note_large(struct precis_object_file_info *info, const struct objects_chunk *chunk)
{
	const uint64_t interval = chunk_large_interval(chunk);

	if (!interval)
		return;
	if (!info->large_interval || chunk->first_time < info->large_sampled_from)
		info->large_sampled_from = chunk->first_time;
	if (interval > info->large_interval)
		info->large_interval = interval;
}

static int take_events(struct precis_object_file *file, const struct objects_chunk *chunk, uint64_t offset)
{
	int64_t number = thread_of(file, chunk);
	struct object_thread *thread;

	if (number < 0 || objects_room(file, &file->chunks, &file->chunk_room,
				       file->chunk_count + 1, sizeof(*file->chunks)))
		return PRECIS_E_NO_MEMORY;
	thread = &file->threads[number];
	file->chunks[file->chunk_count++] =
		(struct chunk_place){ offset, chunk->first_time, 0 };
	if (thread->last)
		file->chunks[thread->last - 1].next = (uint32_t)file->chunk_count;
	else
		thread->first = (uint32_t)file->chunk_count;
	thread->last = (uint32_t)file->chunk_count;
	file->info.chunks_lost += chunk->number - thread->next_number;
	thread->next_number = chunk->number + 1;
	file->info.own_time += chunk->own_ticks - thread->own_ticks;
	thread->own_ticks = chunk->own_ticks;
	describe_thread(thread, chunk);
	note_large(&file->info, chunk);
	return 0;
}

/* --- what a chunk says --- */

static int take_clocks(struct precis_object_file *file, const struct objects_chunk *chunk)
{
	size_t count = chunk->bytes / sizeof(struct objects_clock);

	if (objects_room(file, &file->clocks, &file->clock_room, file->clock_count + count,
			 sizeof(*file->clocks)))
		return PRECIS_E_NO_MEMORY;
	if (count)
		memcpy(file->clocks + file->clock_count, chunk + 1, count * sizeof(*file->clocks));
	file->clock_count += count;
	return 0;
}

static int take_definitions(struct precis_object_file *file, const struct objects_chunk *chunk,
			    uint64_t offset)
{
	int bad, error = definitions_take(file, (const uint8_t *)(chunk + 1), chunk->bytes, &bad);

	if (bad && !error) {
		file->info.bytes_unread += chunk->bytes;
		error = file_warn(&file->errors, "offset %llu: definitions that make no sense",
				  (unsigned long long)offset);
	}
	return error;
}

static int take_chunk(struct precis_object_file *file, const struct objects_chunk *chunk, uint64_t offset)
{
	file->info.chunks++;
	switch (chunk->kind) {
	case OBJECTS_EVENTS: return take_events(file, chunk, offset);
	case OBJECTS_DEFINITIONS: return take_definitions(file, chunk, offset);
	case OBJECTS_CLOCKS: return take_clocks(file, chunk);
	case OBJECTS_TRAILER:
		if (chunk->bytes >= sizeof(file->trailer))
			memcpy(&file->trailer, chunk + 1, sizeof(file->trailer));
		return 0;
	default: return 0; /* a later version's */
	}
}

/* --- from one to the next --- */

static int need(struct precis_object_file *file, size_t count)
{
	if (!byte_source_need(&file->source, count))
		return 0;
	file->errors.sys_errno = file->source.sys_errno;
	return file_fail_system(&file->errors, PRECIS_E_IO);
}

/*
 * The chunk at the window's begin, whole.
 * @param summed  raised by the bytes whose checksum was made
 * @return 1; 0: there is none; PRECIS_E_IO
 */
static int have_chunk(struct precis_object_file *file, uint64_t *summed)
{
	struct byte_source *source = &file->source;
	const struct objects_chunk *chunk;
	size_t bytes;

	if (need(file, sizeof(*chunk)))
		return PRECIS_E_IO;
	chunk = (const struct objects_chunk *)(const void *)source->at;
	if ((size_t)(source->end - source->at) < sizeof(*chunk) ||
	    !chunk_is_one(chunk, source->limit - byte_source_offset(source)))
		return 0;
	bytes = chunk_bytes(chunk);
	if (need(file, bytes))
		return PRECIS_E_IO;
	if ((size_t)(source->end - source->at) < bytes)
		return 0;
	*summed += bytes;
	return chunk_is_whole(
		(struct objects_chunk *)(void *)(source->window + (source->at - source->window)));
}

/* Step over what is no chunk. @return 0, PRECIS_E_IO, PRECIS_E_NO_MEMORY */
static int pass_damage(struct precis_object_file *file)
{
	struct byte_source *source = &file->source;
	uint64_t start = byte_source_offset(source), summed = 0, most = SEARCH_FACTOR * source->file_bytes;
	int found = 0;

	while (!found && byte_source_offset(source) < source->limit && summed < most) {
		byte_source_skip(source, 8);
		found = have_chunk(file, &summed);
	}
	if (found < 0)
		return found;
	if (!found)
		byte_source_skip(source, source->limit - byte_source_offset(source));
	file->info.bytes_unread += byte_source_offset(source) - start;
	return file_warn(&file->errors, "offset %llu: %llu bytes are no chunk: damaged, or cut off",
			 (unsigned long long)start, (unsigned long long)(byte_source_offset(source) - start));
}

static int scan_chunks(struct precis_object_file *file)
{
	struct byte_source *source = &file->source;
	uint64_t summed = 0;
	int error = 0;

	byte_source_section(source, file->header.bytes, source->file_bytes);
	while (!error && byte_source_offset(source) < source->limit) {
		int found = have_chunk(file, &summed);

		if (found > 0) {
			const struct objects_chunk *chunk =
				(const struct objects_chunk *)(const void *)source->at;
			uint64_t offset = byte_source_offset(source);

			error = take_chunk(file, chunk, offset);
			byte_source_skip(source, chunk_bytes(chunk));
		} else {
			error = found < 0 ? found : pass_damage(file);
		}
	}
	return error;
}

static int compare_threads(const void *one, const void *other)
{
	const struct object_thread *a = one, *b = other;

	if (a->about.first_time != b->about.first_time)
		return a->about.first_time < b->about.first_time ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static int compare_points(const void *one, const void *other)
{
	const struct precis_object_point *a = one, *b = other;

	return (a->before > b->before) - (a->before < b->before);
}

/* Those of CLOCK_MONOTONIC, in order */
static int settle_points(struct precis_object_file *file)
{
	file->points = objects_take(file, file->clock_count * sizeof(*file->points));
	if (!file->points)
		return PRECIS_E_NO_MEMORY;
	for (size_t n = 0; n < file->clock_count; n++) {
		const struct objects_clock *clock = &file->clocks[n];

		if (clock->kind == OBJECTS_CLOCK_PAIR && clock->before <= clock->after)
			file->points[file->point_count++] =
				(struct precis_object_point){ clock->before, clock->after, clock->value };
	}
	qsort(file->points, file->point_count, sizeof(*file->points), compare_points);
	return 0;
}

/* AT_RANDOM: 16 bytes that the kernel makes for each program */
static uint64_t random_seed(void)
{
	const void *bytes = (const void *)getauxval(AT_RANDOM);
	uint64_t seed = (uint64_t)(uintptr_t)&bytes;

	if (bytes)
		memcpy(&seed, bytes, sizeof(seed));
	return seed;
}

int objects_scan(struct precis_object_file *file)
{
	int error = read_header(file);

	file->tid_seed = random_seed();
	if (!error)
		error = scan_chunks(file);
	if (!error)
		error = settle_points(file);
	if (error)
		return error;
	definitions_settle(&file->definitions);
	if (file->thread_count)
		qsort(file->threads, file->thread_count, sizeof(*file->threads), compare_threads);
	for (size_t n = 0; n < file->thread_count; n++) {
		const struct object_thread *thread = &file->threads[n];

		file->info.events += thread->about.events;
		file->info.events_lost += thread->about.events_lost;
		file->info.allocations += thread->about.allocations;
		file->info.allocated += thread->about.allocated;
	}
	return 0;
}
