/* SPDX-License-Identifier: BSD-3-Clause */
/* See modules.h. */
#define _GNU_SOURCE
#include "modules.h"

#include <errno.h>
#include <link.h>

#include "definitions.h"
#include "libraries.h"
#include "system.h"

static uint32_t build_id_string(const struct dl_phdr_info *info)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t id[32];
	char text[2 * sizeof(id) + 1] = "";
	uint32_t bytes = libraries_build_id(info, id, sizeof(id));

	for (uint32_t n = 0; n < bytes; n++) {
		text[2 * n] = digits[id[n] >> 4];
		text[2 * n + 1] = digits[id[n] & 15];
	}
	return bytes ? definition_of_string(text) : 0;
}

/* Whole pages, as they are mapped */
static void put_code(struct thread *thread, const struct dl_phdr_info *info, int number, uint32_t build_id)
{
	const ElfW(Phdr) *segment = &info->dlpi_phdr[number];
	const uint64_t start = info->dlpi_addr + segment->p_vaddr, into = start % 4096;
	const uint32_t name = definition_of_string(info->dlpi_name);
	uint8_t *at = thread_event(thread, ticks_now(), OBJECTS_MODULE);

	at = put_address(at, start - into, &thread->last_address);
	at = put_varint(at, segment->p_filesz + into);
	at = put_varint(at, segment->p_offset - into);
	at = put_varint(at, name);
	at = put_varint(at, build_id);
	thread_put(thread, at);
}

/* The vdso is in no file: its name has no '/', as the executable's, which is empty */
static int tell_code(struct dl_phdr_info *info, size_t size, void *data)
{
	const char *name = info->dlpi_name;
	uint32_t build_id;

	(void)size;
	while (*name && *name != '/')
		name++;
	if (*info->dlpi_name && !*name)
		return 0;
	build_id = build_id_string(info);
	for (int n = 0; n < info->dlpi_phnum; n++)
		if (info->dlpi_phdr[n].p_type == PT_LOAD && info->dlpi_phdr[n].p_flags & PF_X)
			put_code(data, info, n, build_id);
	return 0;
}

void modules_tell_code(struct thread *thread)
{
	const uint64_t begin = ticks_now(), changes = libraries_changes();
	const int saved = errno;
	uint64_t begin_ns;

	if (__atomic_load_n(&shared.modules, __ATOMIC_RELAXED) == changes) {
		thread->own.ticks += own_ticks_since(begin);
		return;
	}
	begin_ns = clock_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
	libraries_each(tell_code, thread);
	/* not before: what another thread records meanwhile is not to come before it */
	__atomic_store_n(&shared.modules, changes, __ATOMIC_RELAXED);
	thread->own.ns += clock_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
	errno = saved;
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

/* Once: who jumps out of a handler is not to leave out the rest. */
static void tell_blocks(struct thread *thread, uint64_t changes)
{
	const uint64_t signals = signals_block();

	if (!thread->is_known && thread->stack.high)
		put_block(thread, OBJECTS_THREAD_STACK, thread->stack.low,
			  thread->stack.high - thread->stack.low, NULL);
	thread->is_known = 1;
	thread->modules = changes;
	libraries_each(tell_module, thread);
	signals_restore(signals);
}

void modules_tell(struct thread *thread)
{
	const int saved = errno;
	const uint64_t changes = libraries_changes();

	if (thread->modules != changes)
		tell_blocks(thread, changes);
	errno = saved;
}
