/* SPDX-License-Identifier: BSD-3-Clause */
/* See libraries.h. */
#define _GNU_SOURCE
#include "libraries.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#include "state.h"
#include "system.h"

static int looking; /* threads that may hold the lock */
static int is_lost; /* the lock is nobody's */
static uint64_t last_changes;

void libraries_mend(void)
{
	if (__atomic_load_n(&looking, __ATOMIC_SEQ_CST) > 0)
		is_lost = 1;
	looking = 0;
}

/* The state is empty in a child that has not begun: what was going on in the parent goes on in it. */
static int is_new_child(void)
{
	return __atomic_load_n(&shared.running, __ATOMIC_SEQ_CST) == NOT_BEGUN;
}

int libraries_each(int (*look)(struct dl_phdr_info *info, size_t size, void *data), void *data)
{
	uint64_t signals;

	if (is_new_child())
		libraries_mend();
	if (is_lost)
		return -1;
	signals = signals_block(); /* who jumps out of a handler would leave the lock taken for ever */
	__atomic_fetch_add(&looking, 1, __ATOMIC_SEQ_CST);
	dl_iterate_phdr(look, data);
	if (is_new_child())
		libraries_mend();
	else
		__atomic_fetch_sub(&looking, 1, __ATOMIC_SEQ_CST);
	signals_restore(signals);
	return 0;
}

/* The first one is asked: all say the same. */
static int count_changes(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	*(uint64_t *)data = info->dlpi_adds + info->dlpi_subs;
	return 1;
}

uint64_t libraries_changes(void)
{
	uint64_t changes;

	if (libraries_each(count_changes, &changes))
		return __atomic_load_n(&last_changes, __ATOMIC_RELAXED);
	__atomic_store_n(&last_changes, changes, __ATOMIC_RELAXED);
	return changes;
}

/* Of one segment of notes */
static uint32_t build_id_in(const uint8_t *at, const uint8_t *end, uint8_t *id, size_t room)
{
	while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
		const uint8_t *name = at + sizeof(*note), *text = name + ((note->n_namesz + 3) & ~3u);

		if ((size_t)(end - name) < ((note->n_namesz + 3) & ~3u) + (size_t)note->n_descsz)
			break;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(name, "GNU", 4) &&
		    note->n_descsz <= room) {
			memcpy(id, text, note->n_descsz);
			return note->n_descsz;
		}
		at = text + ((note->n_descsz + 3) & ~3u);
	}
	return 0;
}

uint32_t libraries_build_id(const struct dl_phdr_info *info, uint8_t *id, size_t room)
{
	uint32_t bytes = 0;

	for (int n = 0; n < info->dlpi_phnum && !bytes; n++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[n];
		const uint8_t *at = (const uint8_t *)(info->dlpi_addr + segment->p_vaddr);

		if (segment->p_type == PT_NOTE)
			bytes = build_id_in(at, at + segment->p_memsz, id, room);
	}
	return bytes;
}
