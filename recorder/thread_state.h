/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is of a thread, for what records its events (thread.h) and what chooses them (sampling.h). */
#ifndef PRECIS_RECORDER_THREAD_STATE_H
#define PRECIS_RECORDER_THREAD_STATE_H

#include "clock.h"
#include "encode.h"
#include "stacks.h"
#include "state.h"

#define LEFT_MOST 64u
#define BUFFER_BYTES (32u * 1024u)

/* What happened while the thread was busy */
struct left {
	uint64_t time, address, size;
	uint32_t operation;
};

/* What recording costs a thread, since it was judged last */
struct sampling {
	uint64_t own, cpu; /* what these were then: ticks, ns */
	uint64_t look_at; /* ticks */
	uint64_t passed; /* blocks that were left out though they have the size */
	uint64_t allocations; /* of the thread, then */
	uint64_t small, large, large_bytes; /* that were recorded, by chance and by size */
	struct carried carried; /* of what it may cost, and of threads before it */
};

/* What an event changes */
struct position {
	uint8_t *at; /* where the next one goes */
	uint64_t last_time, last_address;
	uint32_t count;
};

struct thread {
	/* What a block that is left out needs is in one cache line. */
	int busy;
	uint32_t
		left_counts; /* of 'left': how many there have been, and << 16 how many were taken; 0: all */
	uint64_t always; /* blocks of so many bytes are recorded, all or by large_interval */
	int64_t until_sample; /* bytes */
	uint64_t allocations, allocated;
	uint64_t interval; /* 0: others than those of 'always' never */
	uint8_t *at,
		*limit; /* where the next event goes; from here on the buffer is to be written */
	uint64_t last_time, last_address;
	struct position before; /* the event that is being put, or was put last */
	uint64_t large_interval; /* between those from 'always' on that are recorded; 0: all are */
	int64_t until_large; /* bytes of these */
	struct sampling sampling;
	uint32_t calls; /* one in 64 is measured */
	uint32_t is_known; /* 1: its stack and TLS blocks have been told */
	uint32_t last_stack; /* the newest that it had: a larger one is new */
	struct stack_bounds stack;
	uint64_t random;
	uint64_t events, lost;
	struct own_time own;
	uint64_t window_ticks, window_wall; /* a moment before, by both clocks: ticks, ns */
	uint64_t modules; /* dlpi_adds of dl_iterate_phdr() when TLS blocks were told last */
	const uint64_t *busy_frame; /* of the function that is busy */
	int tid;
	int rounds; /* of destructors that its end has gone through */
	int is_over; /* 1: its end has been told; the struct is free when the thread is gone */
	struct thread *next; /* of all */
	struct left left[LEFT_MOST];
	struct objects_chunk chunk; /* and behind it its payload */
	uint8_t buffer[BUFFER_BYTES + 2 * OBJECTS_EVENT_MOST];
};

#endif
