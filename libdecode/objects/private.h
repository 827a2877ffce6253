/* SPDX-License-Identifier: BSD-3-Clause */
/* An open side file: what its parts share. */
#ifndef PRECIS_OBJECTS_PRIVATE_H
#define PRECIS_OBJECTS_PRIVATE_H

#include <precis/object_file.h>

#include "format.h"
#include "libdecode/perf/reader/errors.h"
#include "libdecode/perf/stream/source.h"

/* Where a chunk of events is, and what the order needs of it */
struct chunk_place {
	uint64_t offset, first_time;
	uint32_t next; /* of the same thread, number + 1; 0: none */
};

/* A thread while the file is looked through */
struct object_thread {
	struct precis_object_thread about;
	uint32_t first, last; /* chunks, number + 1; 0: none */
	uint32_t next_number; /* that its next chunk should have */
	uint64_t own_ticks; /* as its last chunk has them */
};

struct object_stack {
	uint32_t id, count, flags;
	uint64_t at; /* of 'addresses' */
};

struct object_string {
	uint32_t id;
	uint64_t at; /* of 'texts' */
};

struct object_definitions {
	struct object_stack *stacks;
	struct object_string *strings;
	uint64_t *addresses;
	char *texts;
	size_t stack_count, string_count, address_count, text_bytes;
	size_t stack_room, string_room, address_room, text_room;
};

/* An event whose chunk is in memory */
struct chunk_reader {
	uint8_t *bytes; /* struct objects_chunk and payload; NULL: it is not open */
	const uint8_t *at, *end;
	uint64_t time, address;
	uint32_t left; /* events */
	struct precis_object_event event; /* the next one */
};

/* A thread's place in the order */
struct run {
	uint32_t chunk; /* that is open or comes next, number + 1; 0: it is over */
	uint64_t time; /* of its next event */
	int is_end; /* 1: which ends a lifetime */
	struct chunk_reader reader;
};

struct precis_object_file {
	struct byte_source source;
	struct file_errors errors;
	struct objects_header header;
	struct objects_trailer trailer; /* end 0: there is none */
	struct precis_object_file_info info;
	struct object_definitions definitions;
	struct chunk_place *chunks;
	struct object_thread *threads;
	struct objects_clock *clocks;
	struct precis_object_point *points; /* of CLOCK_MONOTONIC */
	size_t chunk_count, chunk_room, thread_count, thread_room, clock_count, clock_room, point_count;
	uint32_t *by_tid; /* hash of tid: number of its last thread + 1 */
	size_t tid_slots;
	uint64_t tid_seed; /* of the hash */
	struct run *runs;
	uint32_t *heap; /* of runs: the first is the earliest */
	size_t heap_count;
	int is_begun;
	uint64_t memory, memory_most;
};

/*
 * Room for one more of an array that grows, counted in the file's memory.
 * @return 0; PRECIS_E_NO_MEMORY, which is noted
 */
int objects_room(struct precis_object_file *file, void *array, size_t *room, size_t needed, size_t element);
/* The same of memory that is given back: what malloc() has */
void *objects_take(struct precis_object_file *file, size_t bytes);
void objects_give(struct precis_object_file *file, void *memory, size_t bytes);

#endif
