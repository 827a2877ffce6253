/* SPDX-License-Identifier: BSD-3-Clause */
/* See elf_source.h. */
#include "elf_source.h"

#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <precis/error.h>

#include "elf_data.h"
#include "text_file.h"

#define BUILD_ID_MOST 64
/* zlib makes at most 1032 bytes of one: more is a lie that is not to be given memory */
#define DEFLATE_MOST 1040u

static int is_program(const GElf_Ehdr *header)
{
	return header->e_type == ET_EXEC || header->e_type == ET_DYN;
}

static int is_core(const GElf_Ehdr *header)
{
	return header->e_type == ET_CORE;
}

static int is_debug(const GElf_Ehdr *header)
{
	return is_program(header) || header->e_type == ET_REL;
}

static int open_elf(const char *root, const char *path, int (*is_right)(const GElf_Ehdr *header),
		    struct elf_source *source)
{
	struct stat status;
	GElf_Ehdr header;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return PRECIS_E_UNSUPPORTED;
	source->fd = precis_regular_open(root, path, &status);
	if (source->fd < 0)
		return PRECIS_E_IO;
	source->bytes = (uint64_t)status.st_size;
	source->image = NULL;
	/* Read, not mapped: somebody may cut the file short meanwhile */
	source->elf = elf_begin(source->fd, ELF_C_READ, NULL);
	if (source->elf && elf_kind(source->elf) == ELF_K_ELF &&
	    gelf_getehdr(source->elf, &header) && is_right(&header))
		return 0;
	precis_elf_close(source);
	return PRECIS_E_UNSUPPORTED;
}

int precis_elf_open(const char *root, const char *path, struct elf_source *source)
{
	return open_elf(root, path, is_program, source);
}

int precis_elf_open_core(const char *root, const char *path, struct elf_source *source)
{
	return open_elf(root, path, is_core, source);
}

int precis_elf_open_debug(const char *root, const char *path, struct elf_source *source)
{
	return open_elf(root, path, is_debug, source);
}

void precis_elf_close(struct elf_source *source)
{
	elf_end(source->elf);
	if (source->fd >= 0)
		close(source->fd);
	free(source->image);
}

int precis_elf_detach(struct elf_source *source)
{
	if (elf_cntl(source->elf, ELF_C_FDREAD) != 0)
		return PRECIS_E_IO;
	close(source->fd);
	source->fd = -1;
	return 0;
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

void precis_elf_debug_link(const struct elf_source *source, char *name, size_t room, uint32_t *crc)
{
	GElf_Shdr header;
	Elf_Scn *scn = precis_elf_section(source, SHT_PROGBITS, ".gnu_debuglink", &header);
	Elf_Data *data = precis_elf_data(source, scn, &header);
	size_t length = data ? strnlen(data->d_buf, data->d_size) : 0;
	size_t crc_at = (length + 1 + 3) & ~(size_t)3;

	name[0] = '\0';
	if (length == 0 || length >= room || crc_at + sizeof(*crc) > data->d_size ||
	    memchr(data->d_buf, '/', length))
		return;
	memcpy(name, data->d_buf, length + 1);
	memcpy(crc, (const char *)data->d_buf + crc_at, sizeof(*crc));
}

/* The storage of the program itself ends at the thread pointer of x86-64, aligned as it is */
static uint64_t thread_bytes(const GElf_Phdr *segment)
{
	const uint64_t align = segment->p_align ? segment->p_align : 1;
	const uint64_t over = segment->p_memsz % align;

	if (align > UINT32_MAX || segment->p_memsz > UINT32_MAX)
		return 0;
	return segment->p_memsz + (over ? align - over : 0);
}

void precis_elf_read_segments(const struct elf_source *source, struct elf_segments *segments)
{
	GElf_Phdr segment;
	size_t count, i;

	segments->count = 0;
	segments->bytes = source->bytes;
	segments->thread_bytes = 0;
	if (elf_getphdrnum(source->elf, &count) != 0)
		return;
	for (i = 0; i < count && segments->count < ELF_SEGMENTS; i++) {
		if (!gelf_getphdr(source->elf, (int)i, &segment))
			continue;
		if (segment.p_type == PT_LOAD)
			segments->segment[segments->count++] = segment;
		else if (segment.p_type == PT_TLS)
			segments->thread_bytes = thread_bytes(&segment);
	}
}

int precis_elf_offset_of(const struct elf_segments *segments, uint64_t address, uint64_t *offset)
{
	size_t i;

	for (i = 0; i < segments->count; i++) {
		const GElf_Phdr *segment = &segments->segment[i];

		if (address < segment->p_vaddr || address - segment->p_vaddr >= segment->p_filesz)
			continue;
		*offset = address - segment->p_vaddr + segment->p_offset;
		return *offset < segments->bytes;
	}
	return 0;
}

int precis_elf_address_of(const struct elf_segments *segments, uint64_t offset, uint64_t *address)
{
	size_t i;

	for (i = 0; i < segments->count; i++) {
		const GElf_Phdr *segment = &segments->segment[i];

		/* Segments may share a page of the file: the one that runs is meant */
		if (!(segment->p_flags & PF_X) || offset < segment->p_offset ||
		    offset - segment->p_offset >= segment->p_filesz)
			continue;
		*address = offset - segment->p_offset + segment->p_vaddr;
		return 1;
	}
	return 0;
}

void precis_elf_read_extent(const struct elf_segments *segments, struct elf_data *data)
{
	data->low = UINT64_MAX;
	data->high = 0;
	for (size_t i = 0; i < segments->count; i++) {
		const GElf_Phdr *segment = &segments->segment[i];
		uint64_t end;

		if (__builtin_add_overflow(segment->p_vaddr, segment->p_memsz, &end))
			end = UINT64_MAX;
		data->low = segment->p_vaddr < data->low ? segment->p_vaddr : data->low;
		data->high = end > data->high ? end : data->high;
		if (!(segment->p_flags & PF_X) || data->count == ELF_DATA_SEGMENTS)
			continue;
		data->code[data->count].address = segment->p_vaddr;
		data->code[data->count].offset = segment->p_offset;
		data->code[data->count++].bytes = segment->p_filesz;
	}
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

/* @return 0 if the section is as it is, or now is what it was before it was compressed */
static int decompress(Elf_Scn *scn, const GElf_Shdr *header, size_t most)
{
	GElf_Chdr compression;

	if (!(header->sh_flags & SHF_COMPRESSED))
		return 0;
	if (!gelf_getchdr(scn, &compression) || compression.ch_type != ELFCOMPRESS_ZLIB ||
	    compression.ch_size > most || compression.ch_size / DEFLATE_MOST > header->sh_size)
		return -1;
	return elf_compress(scn, 0, 0) < 0 ? -1 : 0;
}

Elf_Data *precis_elf_debug_data(const struct elf_source *source, const char *name, size_t most)
{
	GElf_Shdr header;
	Elf_Scn *scn = precis_elf_section(source, SHT_PROGBITS, name, &header);
	Elf_Data *data;

	if (!scn || header.sh_offset > source->bytes ||
	    header.sh_size > source->bytes - header.sh_offset || header.sh_size > most ||
	    decompress(scn, &header, most))
		return NULL;
	data = elf_getdata(scn, NULL);
	return data && data->d_buf && data->d_size <= most ? data : NULL;
}

struct line_bytes precis_elf_section_bytes(const struct elf_source *source, const char *name)
{
	GElf_Shdr header;
	Elf_Scn *scn = precis_elf_section(source, SHT_PROGBITS, name, &header);
	const Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;

	return data && data->d_buf ? (struct line_bytes){ data->d_buf, data->d_size }
				   : (struct line_bytes){ NULL, 0 };
}

static int is_debug_name(const char *name)
{
	return name && (strncmp(name, ".debug_", 7) == 0 || strncmp(name, ".zdebug_", 8) == 0);
}

/* One section. @return as precis_elf_unpack_debug() */
static int unpack(const struct elf_source *source, Elf_Scn *scn, const char *name, size_t most, size_t *bytes)
{
	GElf_Shdr header;

	if (!gelf_getshdr(scn, &header) || header.sh_type == SHT_NOBITS)
		return 0;
	/* .zdebug_: what binutils made before 2.32; its size is not checked by libelf */
	if (name[1] == 'z' || header.sh_offset > source->bytes ||
	    header.sh_size > source->bytes - header.sh_offset)
		return PRECIS_E_BAD_SIZE;
	if (header.sh_size > most - *bytes)
		return PRECIS_E_EXPANSION;
	if (decompress(scn, &header, most - *bytes) || !gelf_getshdr(scn, &header))
		return PRECIS_E_BAD_SIZE;
	if (header.sh_size > most - *bytes)
		return PRECIS_E_EXPANSION;
	*bytes += (size_t)header.sh_size;
	return 0;
}

int precis_elf_unpack_debug(const struct elf_source *source, size_t most, size_t *bytes)
{
	Elf_Scn *scn = NULL;
	size_t names;
	int error = 0;

	if (elf_getshdrstrndx(source->elf, &names) != 0)
		return PRECIS_E_BAD_SIZE;
	while (!error && (scn = elf_nextscn(source->elf, scn)) != NULL) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(scn, &header)
					   ? elf_strptr(source->elf, names, header.sh_name) : NULL;

		if (is_debug_name(name))
			error = unpack(source, scn, name, most, bytes);
	}
	return error;
}
