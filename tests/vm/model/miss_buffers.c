// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Miss buffers (AMD: MAB, Intel: LFB): one for each line that is on its way to the L1 data
 * cache. A miss that finds all of them in use waits for the first that becomes free.
 *
 * Misses come in program order, their cycles do not: one that waits for an older load's data
 * may take its buffer after a younger one did. So a buffer has the time from which it is in
 * use, and a miss takes the one that became free last: a chain of loads, each waiting for the
 * one before, then passes on a single buffer instead of reserving all of them for the future.
 * (Of such a chain only the youngest miss is known, so that a count of buffers in use at an
 * earlier time may leave out one for each chain.)
 */
#include "parts.h"

const struct vm_miss *vm_miss_buffers_find(const struct vm_miss_buffers *buffers, vm_u64 line,
					   vm_u64 cycle)
{
	for (vm_u32 i = 0; i < buffers->count; i++)
		if (buffers->buffer[i].line == line && buffers->buffer[i].free_at > cycle)
			return &buffers->buffer[i];
	return NULL;
}

static bool suits_better(const struct vm_miss *a, const struct vm_miss *b, vm_u64 cycle)
{
	bool a_is_free = a->free_at <= cycle, b_is_free = b->free_at <= cycle;

	if (a_is_free != b_is_free)
		return a_is_free;
	return a_is_free ? a->free_at > b->free_at : a->free_at < b->free_at;
}

static vm_u32 count_open(const struct vm_miss_buffers *buffers, vm_u64 cycle)
{
	vm_u32 open = 0;

	for (vm_u32 i = 0; i < buffers->count; i++)
		open += buffers->buffer[i].taken_at <= cycle && buffers->buffer[i].free_at > cycle;
	return open;
}

const struct vm_miss *vm_miss_buffers_take(struct vm_miss_buffers *buffers, vm_u64 line,
					   vm_u64 cycle, vm_u32 latency, enum vm_level level)
{
	struct vm_miss *mine = &buffers->buffer[0];

	for (vm_u32 i = 1; i < buffers->count; i++)
		if (suits_better(&buffers->buffer[i], mine, cycle))
			mine = &buffers->buffer[i];
	if (mine->free_at > cycle)
		cycle = mine->free_at;
	*mine = (struct vm_miss){ .line = line, .taken_at = cycle, .free_at = cycle + latency,
				  .level = (vm_u8)level };
	mine->open = count_open(buffers, cycle);
	return mine;
}
