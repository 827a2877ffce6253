/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The layout of a side file, precis-PID.objects: for the recorder that writes it and the reader. The same in
 * words is precis-objects(5).
 *
 * All numbers are little-endian. A header, then chunks in the order in which they were written, each of which
 * is one write(2) to a file that is opened for appending: a crash loses what threads had not written yet. A
 * chunk begins at a multiple of 8, and its payload is padded with zeros to one.
 *
 * EVENTS: events of one thread, in the order of their times. An event is
 *
 *   varint  (ticks since the event before << 4) | operation; 0 for an operation from 16 on, and then
 *   varint  the operation
 *           what operations.def says of it, each a varint
 *
 * A varint has seven bits in each byte, the lowest first, and bit 7 in each but the last. An address is
 * (zigzag(address / 16 - the one before / 16) << 1) | low, and where low is 1 a byte with address % 16
 * follows. The first event's ticks are since the chunk's first_time, its address since 0. Whatever id is 0 is
 * unknown: a stack that nobody has walked, a name that is none.
 *
 * Blocks from the threshold on are all in the file, as long as that costs no more than it may. Where it did,
 * a chunk has the flag LARGE_SAMPLED, and its payload begins with a u64, the mean bytes between samples of
 * such blocks, as 'interval' is of smaller ones.
 *
 * DEFINITIONS: stacks and strings. varint 1, id, flags, count, and for each return address, the innermost
 * first, zigzag(address - the one before); or varint 2, id, count, bytes.
 *
 * CLOCK: struct objects_clock, each. TRAILER: struct objects_trailer.
 */
#ifndef PRECIS_OBJECTS_FORMAT_H
#define PRECIS_OBJECTS_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define OBJECTS_MAGIC "PRECISOB"
#define OBJECTS_VERSION 1u
#define OBJECTS_CHUNK_MAGIC 0x4b435250u /* "PRCK" */
#define OBJECTS_PAYLOAD_MOST (64u * 1024u) /* bytes of a chunk's payload */
#define OBJECTS_DEPTH_MOST 128u /* return addresses of a stack */
#define OBJECTS_STRING_MOST 4096u /* bytes of a string */
#define OBJECTS_EVENT_MOST 64u /* bytes that an event can have */
#define OBJECTS_COMM "precis:" /* and eight hexadecimal digits: the name that a thread has for a moment */

enum objects_operation {
#define OPERATION(number, name, text, fields) OBJECTS_##name = (number),
#include "operations.def"
#undef OPERATION
};

enum objects_clock_id { OBJECTS_CLOCK_MONOTONIC = 1, OBJECTS_CLOCK_TSC = 2 };
enum objects_unwinder { OBJECTS_NO_UNWINDER = 0, OBJECTS_FRAME_POINTERS = 1, OBJECTS_CALL_FRAMES = 2 };

enum objects_flags {
	OBJECTS_SMALL_DROPPED = 1, /* no sampling: blocks below the threshold are not in the file */
	OBJECTS_OTHER_MALLOC = 2, /* the executable has a malloc of its own: no heap block is in the file */
	OBJECTS_NOT_MAPPED = 4, /* the file could not be mapped executable: recordings do not name it */
	OBJECTS_OTHER_NEW = 8 /* operator new is the allocator's own: what it gives is not in the file */
};

struct objects_header {
	uint8_t magic[8];
	uint32_t version;
	uint32_t bytes; /* of the header: chunks begin behind them */
	uint32_t pid;
	uint32_t parent_pid; /* forked from: what lives then is in the parent's file; 0: began with exec */
	uint32_t clock; /* enum objects_clock_id */
	uint32_t unwinder; /* enum objects_unwinder */
	uint64_t start_ticks;
	uint64_t start_monotonic; /* ns, read just after */
	uint64_t threshold; /* blocks of so many bytes are always recorded; 0: there is none */
	uint64_t interval; /* mean bytes between samples of smaller ones; 0: no sampling */
	uint64_t seed;
	uint32_t depth; /* return addresses of a stack at most */
	uint32_t max_overhead; /* per cent; 0: whatever it costs */
	uint32_t flags; /* enum objects_flags */
	uint32_t build_id_bytes; /* of the executable; 0: it has none */
	uint8_t build_id[32];
	char executable[256]; /* its path, cut off where it is longer */
	uint64_t lost_from; /* ticks: from then on the file could not be written; 0: it could */
	uint64_t reserved[3];
};

enum objects_chunk_kind {
	OBJECTS_EVENTS = 1,
	OBJECTS_DEFINITIONS = 2,
	OBJECTS_CLOCKS = 3,
	OBJECTS_TRAILER = 4
};

struct objects_chunk {
	uint32_t magic;
	uint16_t kind; /* enum objects_chunk_kind */
	uint16_t flags; /* OBJECTS_CHUNK_...: a reader refuses what it does not know */
	uint32_t bytes; /* of the payload, without padding */
	uint32_t checksum; /* objects_checksum() of the chunk with 0 here */
	/* the rest of EVENTS; of the others 0 */
	uint32_t tid;
	uint32_t number; /* of the thread's chunks, from 0: one that is missing was lost */
	uint64_t first_time, last_time; /* ticks */
	uint32_t count; /* of events */
	uint32_t lost; /* events of the thread, before these: signal handlers inside of the recorder */
	uint64_t fs_base; /* where its block of the executable's TLS ends */
	uint64_t stack_low, stack_high; /* 0: not known */
	uint64_t interval; /* of sampling, when the first event happened */
	uint64_t allocations, allocated; /* of the thread so far, recorded or not: blocks, bytes */
	uint64_t own_ticks; /* of the thread so far: what the recorder took, estimated */
	char name[16]; /* of the thread */
};

#define OBJECTS_CHUNK_LARGE_SAMPLED 1u /* flag: see above */

enum objects_clock_kind { OBJECTS_CLOCK_PAIR = 1, OBJECTS_CLOCK_COMM = 2 };

struct objects_clock {
	uint32_t kind; /* enum objects_clock_kind */
	uint32_t number; /* of COMM: that in the name */
	uint64_t before, after; /* ticks around reading CLOCK_MONOTONIC, or naming the thread */
	uint64_t value; /* ns of CLOCK_MONOTONIC; of COMM: the thread's id */
};

enum objects_end {
	OBJECTS_END_EXIT = 1,
	OBJECTS_END_IMMEDIATE = 2,
	OBJECTS_END_EXEC = 3,
	OBJECTS_END_FILTER = 4
};

struct objects_trailer {
	uint32_t end; /* enum objects_end */
	uint32_t threads;
	uint64_t events;
	uint64_t lost; /* events: as the chunks have it, and of threads that could not be stopped */
	uint64_t stacks, stacks_lost; /* different ones; events without one because the table was full */
	uint64_t chunks_lost; /* could not be written */
	uint64_t allocations, allocated; /* blocks and bytes, recorded or not */
	uint64_t own_ticks;
	uint64_t without_memory; /* of those that are lost: there was no memory for them */
	uint64_t reserved;
};

enum objects_definition { OBJECTS_STACK = 1, OBJECTS_STRING = 2 };

#define OBJECTS_STACK_CUT 1u /* flag of a stack: it went on beyond the depth */

_Static_assert(sizeof(struct objects_header) == 408, "written as it is");
_Static_assert(sizeof(struct objects_chunk) == 120, "written as it is");
_Static_assert(sizeof(struct objects_clock) == 32 && sizeof(struct objects_trailer) == 88,
	       "written as they are");

/* Of 'bytes', a multiple of 8 */
static inline uint32_t objects_checksum(const void *start, size_t bytes)
{
	const uint8_t *at = start, *end = at + bytes;
	uint64_t sum = bytes, word;

	for (; at < end; at += 8) {
		memcpy(&word, at, 8);
		sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return (uint32_t)(sum ^ sum >> 32);
}

static inline size_t objects_padded(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

static inline uint64_t objects_zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t objects_unzigzag(uint64_t value)
{
	return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

#endif
