/* SPDX-License-Identifier: BSD-3-Clause */
/* See clocks.h. */
#define _GNU_SOURCE
#include "clocks.h"

#include "clock.h"
#include "output.h"
#include "state.h"

#define PAIR_EVERY UINT64_C(1000000000) /* ns */
#define COMM_EVERY UINT64_C(60000000000)

/* Is it time? One thread alone is told so. */
static int is_due(uint64_t *last, uint64_t now, uint64_t every)
{
	uint64_t was = __atomic_load_n(last, __ATOMIC_RELAXED);

	return now - was >= every &&
	       __atomic_compare_exchange_n(last, &was, now, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void clocks_note(int at_once)
{
	struct {
		struct objects_chunk chunk;
		struct objects_clock clocks[2];
	} note;
	uint64_t now = clock_nanoseconds(CLOCK_MONOTONIC_COARSE);
	uint32_t count = 0;

	if (is_due(&shared.clock_time, now, PAIR_EVERY) || at_once)
		clock_pair(&note.clocks[count++]);
	if (is_due(&shared.comm_time, now, COMM_EVERY) || at_once)
		clock_comm(&note.clocks[count++], __atomic_fetch_add(&shared.comm, 1, __ATOMIC_RELAXED));
	if (!count)
		return;
	memset(&note.chunk, 0, sizeof(note.chunk));
	note.chunk.kind = OBJECTS_CLOCKS;
	note.chunk.count = count;
	note.chunk.bytes = count * (uint32_t)sizeof(note.clocks[0]);
	output_chunk(&note.chunk);
}
