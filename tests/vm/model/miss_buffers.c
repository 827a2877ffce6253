// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Miss buffers (AMD: MAB, Intel: LFB): one for each line that is on its way to the L1 data
 * cache. A miss that finds all of them in use waits for the first that becomes free. A buffer
 * counts as in use from its being given out in program order, even where an earlier
 * instruction's request starts later than a younger one's.
 */
#include "parts.h"

const struct vm_miss_buffer *vm_miss_buffers_find(const struct vm_miss_buffers *buffers,
						  vm_u64 line, vm_u64 cycle)
{
	for (vm_u32 i = 0; i < buffers->count; i++)
		if (buffers->buffer[i].line == line && buffers->buffer[i].free_at > cycle)
			return &buffers->buffer[i];
	return NULL;
}

static struct vm_miss_buffer *first_to_be_free(struct vm_miss_buffers *buffers)
{
	struct vm_miss_buffer *first = &buffers->buffer[0];

	for (vm_u32 i = 1; i < buffers->count; i++)
		if (buffers->buffer[i].free_at < first->free_at)
			first = &buffers->buffer[i];
	return first;
}

vm_u64 vm_miss_buffers_take(struct vm_miss_buffers *buffers, vm_u64 line, vm_u64 cycle,
			    vm_u32 latency, enum vm_level level, vm_u32 *open)
{
	struct vm_miss_buffer *mine = first_to_be_free(buffers);

	if (mine->free_at > cycle)
		cycle = mine->free_at;
	mine->line = line;
	mine->free_at = cycle + latency;
	mine->level = (vm_u8)level;
	*open = 0;
	for (vm_u32 i = 0; i < buffers->count; i++)
		*open += buffers->buffer[i].free_at > cycle;
	return mine->free_at;
}
