/* SPDX-License-Identifier: BSD-3-Clause */
/* See libraries.h. */
#define _GNU_SOURCE
#include "libraries.h"

#include <elf.h>
#include <link.h>
#include <string.h>

/* The first one is asked: all say the same. */
static int count_changes(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	*(uint64_t *)data = info->dlpi_adds + info->dlpi_subs;
	return 1;
}

uint64_t libraries_changes(void)
{
	uint64_t changes = 0;

	dl_iterate_phdr(count_changes, &changes);
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
