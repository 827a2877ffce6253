/* SPDX-License-Identifier: BSD-3-Clause */
/* See modules.h. */
#define _GNU_SOURCE
#include "modules.h"

#include <link.h>

#include "definitions.h"

/* Changes with each library that is loaded or unloaded; the first one is asked */
static int count_changes(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	*(uint64_t *)data = info->dlpi_adds + info->dlpi_subs;
	return 1;
}

static void put_block(struct thread *thread, uint32_t operation, uint64_t address, uint64_t size,
		      const char *name)
{
	uint32_t id = definition_of_string(name);
	uint8_t *at = thread_event(thread, ticks_now(), operation);

	at = put_address(at, address, &thread->last_address);
	at = put_varint(at, size);
	if (operation == OBJECTS_TLS)
		at = put_varint(at, id);
	thread_put(thread, at);
}

/* A block of this thread that is there; one that it has not used yet is looked for again. */
static int tell_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct thread *thread = data;

	(void)size;
	if (!info->dlpi_tls_modid)
		return 0;
	for (int n = 0; n < info->dlpi_phnum; n++) {
		if (info->dlpi_phdr[n].p_type != PT_TLS)
			continue;
		if (info->dlpi_tls_data)
			put_block(thread, OBJECTS_TLS, (uint64_t)info->dlpi_tls_data,
				  info->dlpi_phdr[n].p_memsz, info->dlpi_name);
		else
			thread->modules = 0;
	}
	return 0;
}

void modules_tell(struct thread *thread)
{
	uint64_t changes = 0;

	dl_iterate_phdr(count_changes, &changes);
	if (thread->modules == changes)
		return;
	if (!thread->is_known && thread->stack.high)
		put_block(thread, OBJECTS_THREAD_STACK, thread->stack.low,
			  thread->stack.high - thread->stack.low, NULL);
	thread->is_known = 1;
	thread->modules = changes;
	dl_iterate_phdr(tell_module, thread);
}
