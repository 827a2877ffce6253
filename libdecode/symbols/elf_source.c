/* SPDX-License-Identifier: BSD-3-Clause */
#include "elf_source.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <precis/error.h>

#define BUILD_ID_MOST 64
#define DEBUG_DIRECTORY "/usr/lib/debug/.build-id/"

/* Opening a device can have effects: look first, and again at what was opened */
static int open_regular(const char *path, uint64_t *bytes)
{
	struct stat status;
	int fd;

	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -1;
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
		close(fd);
		return -1;
	}
	*bytes = (uint64_t)status.st_size;
	return fd;
}

int precis_elf_open(const char *path, struct elf_source *source)
{
	GElf_Ehdr header;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return PRECIS_E_UNSUPPORTED;
	source->fd = open_regular(path, &source->bytes);
	if (source->fd < 0)
		return PRECIS_E_IO;
	/* Read, not mapped: somebody may cut the file short meanwhile */
	source->elf = elf_begin(source->fd, ELF_C_READ, NULL);
	if (source->elf && elf_kind(source->elf) == ELF_K_ELF &&
	    gelf_getehdr(source->elf, &header) &&
	    (header.e_type == ET_EXEC || header.e_type == ET_DYN))
		return 0;
	precis_elf_close(source);
	return PRECIS_E_UNSUPPORTED;
}

void precis_elf_close(struct elf_source *source)
{
	elf_end(source->elf);
	close(source->fd);
}

size_t precis_elf_build_id(const struct elf_source *source, const uint8_t **id)
{
	const void *found;
	ssize_t bytes = dwelf_elf_gnu_build_id(source->elf, &found);

	if (bytes < 2 || bytes > BUILD_ID_MOST)
		return 0;
	*id = found;
	return (size_t)bytes;
}

int precis_elf_open_debug(const struct elf_source *source, const char *symfs,
			  struct elf_source *debug)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *id, *debug_id;
	char name[2 * BUILD_ID_MOST + 2], path[4096];
	size_t bytes = precis_elf_build_id(source, &id);
	size_t i, at = 0;
	int error;

	if (bytes == 0)
		return PRECIS_E_UNSUPPORTED;
	for (i = 0; i < bytes; i++) {
		if (i == 1)
			name[at++] = '/';
		name[at++] = digits[id[i] >> 4];
		name[at++] = digits[id[i] & 15];
	}
	name[at] = '\0';
	if (snprintf(path, sizeof(path), "%s" DEBUG_DIRECTORY "%s.debug", symfs, name) >=
	    (int)sizeof(path))
		return PRECIS_E_UNSUPPORTED;
	error = precis_elf_open(path, debug);
	if (error)
		return error;
	if (precis_elf_build_id(debug, &debug_id) == bytes && memcmp(id, debug_id, bytes) == 0)
		return 0;
	precis_elf_close(debug);
	return PRECIS_E_UNSUPPORTED;
}

Elf_Scn *precis_elf_section(const struct elf_source *source, uint32_t type, const char *name,
			    GElf_Shdr *header)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(source->elf, &names) != 0)
		return NULL;
	while ((scn = elf_nextscn(source->elf, scn)) != NULL) {
		const char *found;

		if (!gelf_getshdr(scn, header) || header->sh_type != type)
			continue;
		if (!name)
			return scn;
		found = elf_strptr(source->elf, names, header->sh_name);
		if (found && strcmp(found, name) == 0)
			return scn;
	}
	return NULL;
}

Elf_Data *precis_elf_data(const struct elf_source *source, Elf_Scn *scn, GElf_Shdr *header)
{
	Elf_Data *data;

	if (!scn || !gelf_getshdr(scn, header) || header->sh_type == SHT_NOBITS ||
	    (header->sh_flags & SHF_COMPRESSED) || header->sh_offset > source->bytes ||
	    header->sh_size > source->bytes - header->sh_offset)
		return NULL;
	data = elf_getdata(scn, NULL);
	return data && data->d_buf ? data : NULL;
}
