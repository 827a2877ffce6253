/* SPDX-License-Identifier: BSD-3-Clause */
/* DWARF 5, section 7.3.2 (split files), GNU's form of them for version 4; ELF: System V gABI, chapter 4. */
#include "split_image.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

/* Compilers write a dozen; of names that are longer libdw knows none */
#define SECTIONS_MOST 256u
#define NAME_MOST 32u
#define ALIGNED(bytes) (((bytes) + 7) & ~(size_t)7)

#define ADDRESSES ".debug_addr.dwo"
#define RANGES ".debug_ranges.dwo"

struct image {
	uint8_t *memory;
	size_t used;
	Elf64_Shdr section[SECTIONS_MOST];
	char names[SECTIONS_MOST * NAME_MOST];
	size_t sections, name_bytes;
};

/* Sections with debug information that libdw reads: in no group, of names that are not too long */
static const char *name_of(const struct elf_source *source, size_t names, const GElf_Shdr *header)
{
	const char *name = elf_strptr(source->elf, names, header->sh_name);

	return name && header->sh_type == SHT_PROGBITS && !(header->sh_flags & SHF_GROUP) &&
			       strncmp(name, ".debug_", 7) == 0 && strlen(name) < NAME_MOST
		       ? name
		       : NULL;
}

static size_t bytes_of(const struct elf_source *source, size_t names)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	size_t bytes = 0;

	while ((scn = elf_nextscn(source->elf, scn)) != NULL) {
		if (gelf_getshdr(scn, &header) && name_of(source, names, &header))
			bytes += ALIGNED((size_t)header.sh_size);
	}
	return bytes;
}

/* @return where its bytes are to be; NULL if there are too many sections */
static uint8_t *add(struct image *image, const char *name, size_t bytes)
{
	Elf64_Shdr *section = &image->section[image->sections];
	uint8_t *at = image->memory + image->used;

	if (image->sections == SECTIONS_MOST)
		return NULL;
	*section = (Elf64_Shdr){ .sh_name = (Elf64_Word)image->name_bytes,
				 .sh_type = SHT_PROGBITS,
				 .sh_offset = image->used,
				 .sh_size = bytes,
				 .sh_addralign = 8 };
	memcpy(image->names + image->name_bytes, name, strlen(name) + 1);
	image->name_bytes += strlen(name) + 1;
	image->used += ALIGNED(bytes);
	image->sections++;
	return at;
}

static void add_addresses(struct image *image, const struct split_lent *lent)
{
	struct line_bytes left = lent->addresses;
	uint8_t *to = add(image, ADDRESSES, left.bytes & ~(size_t)7);

	for (uint64_t address; to && take_fixed(&left, 8, &address); to += 8) {
		address -= lent->base;
		memcpy(to, &address, 8);
	}
}

/* Pairs, which are counted from the base already; one that begins with the highest number sets another */
static void add_ranges(struct image *image, const struct split_lent *lent)
{
	struct line_bytes left = lent->ranges;
	uint8_t *to = add(image, RANGES, left.bytes & ~(size_t)15);
	uint64_t pair[2];

	for (; to && take_bytes(&left, pair, sizeof(pair)); to += sizeof(pair)) {
		if (pair[0] == UINT64_MAX)
			pair[1] -= lent->base;
		memcpy(to, pair, sizeof(pair));
	}
}

static void add_own(struct image *image, const struct elf_source *source, size_t names)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	/* the last is that of the names */
	while (image->sections + 1 < SECTIONS_MOST &&
	       (scn = elf_nextscn(source->elf, scn)) != NULL) {
		const char *name =
			gelf_getshdr(scn, &header) ? name_of(source, names, &header) : NULL;
		const Elf_Data *data = name ? elf_getdata(scn, NULL) : NULL;

		if (data && data->d_buf && data->d_size <= header.sh_size)
			memcpy(add(image, name, data->d_size), data->d_buf, data->d_size);
	}
}

static void end(struct image *image, const GElf_Ehdr *from)
{
	Elf64_Ehdr header = { .e_type = ET_REL,
			      .e_machine = from->e_machine,
			      .e_version = EV_CURRENT,
			      .e_ehsize = sizeof(Elf64_Ehdr),
			      .e_shentsize = sizeof(Elf64_Shdr) };
	static const char own[] = ".shstrtab";
	uint8_t *to = add(image, own, image->name_bytes + sizeof(own));

	image->section[image->sections - 1].sh_type = SHT_STRTAB;
	memcpy(to, image->names, image->name_bytes);
	memcpy(header.e_ident, from->e_ident, EI_NIDENT);
	header.e_shoff = image->used;
	header.e_shnum = (Elf64_Half)image->sections;
	header.e_shstrndx = (Elf64_Half)(image->sections - 1);
	memcpy(image->memory, &header, sizeof(header));
	memcpy(image->memory + image->used, image->section,
	       image->sections * sizeof(image->section[0]));
	image->used += image->sections * sizeof(image->section[0]);
}

/* @return 0 if memory is short */
static int copy(struct image *image, const struct elf_source *source, size_t names,
		const GElf_Ehdr *header, const struct split_lent *lent)
{
	image->memory =
		calloc(1, sizeof(Elf64_Ehdr) + bytes_of(source, names) +
				  ALIGNED(lent->addresses.bytes) + ALIGNED(lent->ranges.bytes) +
				  ALIGNED(sizeof(image->names)) + sizeof(image->section));
	if (!image->memory)
		return 0;
	image->used = sizeof(Elf64_Ehdr);
	image->sections = 1; /* the first has nothing */
	image->name_bytes = 1;
	/* before its own: of two of one name libdw takes the first */
	if (lent->addresses.bytes)
		add_addresses(image, lent);
	if (lent->ranges.bytes)
		add_ranges(image, lent);
	add_own(image, source, names);
	end(image, header);
	return 1;
}

int precis_split_image_lend(struct elf_source *source, const struct split_lent *lent, size_t most,
			    size_t *bytes)
{
	struct elf_source made = { .fd = -1 };
	struct image *image;
	GElf_Ehdr header;
	size_t names;

	if (!lent->addresses.bytes || lent->address_bytes != 8 ||
	    !gelf_getehdr(source->elf, &header) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    elf_getshdrstrndx(source->elf, &names) != 0)
		return 0;
	if (lent->addresses.bytes > most - *bytes ||
	    lent->ranges.bytes > most - *bytes - lent->addresses.bytes)
		return PRECIS_E_EXPANSION;
	*bytes += lent->addresses.bytes + lent->ranges.bytes;
	image = calloc(1, sizeof(*image));
	if (!image)
		return PRECIS_E_NO_MEMORY;
	if (copy(image, source, names, &header, lent)) {
		made.image = image->memory;
		made.bytes = image->used;
		made.elf = elf_memory(made.image, made.bytes);
	}
	free(image);
	if (!made.elf) {
		free(made.image);
		return PRECIS_E_NO_MEMORY;
	}
	precis_elf_close(source);
	*source = made;
	return 0;
}
