/* SPDX-License-Identifier: BSD-3-Clause */
/* See elf_image.h. */
#include "elf_image.h"

#include <string.h>

#include "elf_search.h"

static int find_symbol(const struct elf_source *source, const char *name, uint64_t *value)
{
	GElf_Shdr header, string_header;
	Elf_Data *data, *strings;
	GElf_Sym symbol;

	data = precis_elf_data(source, precis_elf_section(source, SHT_SYMTAB, NULL, &header), &header);
	if (!data)
		return 0;
	strings = precis_elf_data(source, elf_getscn(source->elf, header.sh_link), &string_header);
	if (!strings || string_header.sh_type != SHT_STRTAB)
		return 0;
	for (int n = 0; gelf_getsym(data, n, &symbol); n++) {
		const char *found = (const char *)strings->d_buf + symbol.st_name;

		if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= strings->d_size ||
		    strncmp(found, name, strings->d_size - symbol.st_name) != 0)
			continue;
		*value = symbol.st_value;
		return 1;
	}
	return 0;
}

static void take_segments(const struct elf_segments *segments, struct elf_image *image)
{
	image->count = 0;
	for (size_t n = 0; n < segments->count && image->count < IMAGE_SEGMENTS; n++) {
		const GElf_Phdr *segment = &segments->segment[n];

		if (!(segment->p_flags & PF_X))
			continue;
		image->segment[image->count].address = segment->p_vaddr;
		image->segment[image->count].bytes = segment->p_filesz;
		image->segment[image->count++].offset = segment->p_offset;
	}
}

enum precis_symbol_absent precis_elf_image_read(const struct places *places, const char *name,
						const struct build_id *recorded,
						const char *reference, struct elf_image *image)
{
	struct elf_search search;
	enum precis_symbol_absent absent = precis_elf_search_begin(&search, places, name, recorded);

	if (absent)
		return absent;
	take_segments(&search.segments, image);
	if (!find_symbol(&search.runtime, reference, &image->reference))
		absent = PRECIS_SYMBOL_NONE_THERE;
	precis_elf_search_end(&search);
	return absent;
}

enum precis_symbol_absent precis_elf_core_read(const char *path, uint64_t address,
					       struct elf_bytes *bytes)
{
	struct elf_segments segments;
	struct elf_source source;

	bytes->count = 0;
	if (precis_elf_open_core("", path, &source))
		return PRECIS_SYMBOL_NO_FILE;
	precis_elf_read_segments(&source, &segments);
	for (size_t n = 0; n < segments.count && !bytes->count; n++) {
		const GElf_Phdr *segment = &segments.segment[n];
		const uint64_t into = address - segment->p_vaddr;

		if (address < segment->p_vaddr || into >= segment->p_filesz ||
		    segment->p_offset >= segments.bytes ||
		    into >= segments.bytes - segment->p_offset)
			continue;
		precis_elf_read_at(&source, segment->p_offset + into, segment->p_filesz - into, bytes);
	}
	bytes->address = address;
	precis_elf_close(&source);
	return bytes->count ? PRECIS_SYMBOL_PRESENT : PRECIS_SYMBOL_NONE_THERE;
}
