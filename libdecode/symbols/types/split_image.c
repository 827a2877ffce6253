/* SPDX-License-Identifier: BSD-3-Clause */
/* DWARF 5, section 7.3.2 (split files), GNU's form of them for version 4; ELF: System V gABI, chapter 4. */
#include "split_image.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

/* Compilers write a dozen; of names that are longer libdw knows none */
#define SECTIONS_MOST 256u
#define NAME_MOST 32u
/* Beside what is lent, the names, and the first, which is none */
#define PARTS_MOST (SECTIONS_MOST - 4)
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

/* @return where its bytes are to be */
static uint8_t *add(struct image *image, const char *name, size_t bytes)
{
	Elf64_Shdr *section = &image->section[image->sections];
	uint8_t *at = image->memory + image->used;

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

	for (uint64_t address; take_fixed(&left, 8, &address); to += 8) {
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

	for (; take_bytes(&left, pair, sizeof(pair)); to += sizeof(pair)) {
		if (pair[0] == UINT64_MAX)
			pair[1] -= lent->base;
		memcpy(to, pair, sizeof(pair));
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

static int has_room(const struct split_lent *lent, size_t most, size_t bytes)
{
	return lent->addresses.bytes <= most - bytes &&
	       lent->ranges.bytes <= most - bytes - lent->addresses.bytes;
}

/* @return 0 if memory is short */
static int fill(struct image *image, const struct split_part *part, size_t parts,
		const GElf_Ehdr *header, const struct split_lent *lent)
{
	size_t bytes = sizeof(Elf64_Ehdr) + ALIGNED(lent->addresses.bytes) +
		       ALIGNED(lent->ranges.bytes) + ALIGNED(sizeof(image->names)) +
		       sizeof(image->section);

	for (size_t n = 0; n < parts; n++)
		bytes += ALIGNED(part[n].bytes.bytes);
	image->memory = calloc(1, bytes);
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
	for (size_t n = 0; n < parts; n++) {
		uint8_t *to = add(image, part[n].name, part[n].bytes.bytes);

		if (part[n].bytes.bytes)
			memcpy(to, part[n].bytes.at, part[n].bytes.bytes);
	}
	end(image, header);
	return 1;
}

int precis_split_image_make(const struct split_part *part, size_t parts, const GElf_Ehdr *header,
			    const struct split_lent *lent, size_t most, size_t *bytes,
			    struct elf_source *made)
{
	struct image *image;

	*made = (struct elf_source){ .fd = -1 };
	if (parts > PARTS_MOST || !has_room(lent, most, *bytes))
		return PRECIS_E_EXPANSION;
	*bytes += lent->addresses.bytes + lent->ranges.bytes;
	image = calloc(1, sizeof(*image));
	if (!image)
		return PRECIS_E_NO_MEMORY;
	if (fill(image, part, parts, header, lent)) {
		made->image = image->memory;
		made->bytes = image->used;
		made->elf = elf_memory(made->image, made->bytes);
	}
	free(image);
	if (made->elf)
		return 0;
	free(made->image);
	*made = (struct elf_source){ .fd = -1 };
	return PRECIS_E_NO_MEMORY;
}

/* --- a split file ------------------------------------------------------------------------ */

/* Units of types are in groups, a section each. libdw reads one section of a name, and none of a group. */
static const char *const joined[] = { ".debug_info.dwo", ".debug_types.dwo" };
#define JOINED (sizeof(joined) / sizeof(joined[0]))

struct own_parts {
	struct split_part part[PARTS_MOST];
	size_t parts;
	uint8_t *memory[JOINED];
};

/* A section with debug information, of a name that is not too long. @return NULL if it is none */
static const char *read_section(const struct elf_source *source, size_t names, Elf_Scn *scn,
				uint64_t *flags, struct line_bytes *bytes)
{
	GElf_Shdr header;
	const char *name =
		gelf_getshdr(scn, &header) ? elf_strptr(source->elf, names, header.sh_name) : NULL;
	const Elf_Data *data = name && header.sh_type == SHT_PROGBITS &&
					       strncmp(name, ".debug_", 7) == 0 &&
					       strlen(name) < NAME_MOST
				       ? elf_getdata(scn, NULL)
				       : NULL;

	if (!data || !data->d_buf || data->d_size > header.sh_size)
		return NULL;
	*flags = header.sh_flags;
	*bytes = (struct line_bytes){ data->d_buf, data->d_size };
	return name;
}

static int is_joined(const char *name)
{
	for (size_t n = 0; n < JOINED; n++) {
		if (strcmp(name, joined[n]) == 0)
			return 1;
	}
	return 0;
}

/* Sections of a name, one behind the other. @param to  NULL: they are counted. @return their bytes */
static size_t join(const struct elf_source *source, size_t names, const char *wanted, uint8_t *to)
{
	Elf_Scn *scn = NULL;
	struct line_bytes bytes;
	uint64_t flags;
	size_t all = 0;

	while ((scn = elf_nextscn(source->elf, scn)) != NULL) {
		const char *name = read_section(source, names, scn, &flags, &bytes);

		if (!name || strcmp(name, wanted) != 0)
			continue;
		if (to)
			memcpy(to + all, bytes.at, bytes.bytes);
		all += bytes.bytes;
	}
	return all;
}

/* @return 0 if memory is short */
static int find_parts(const struct elf_source *source, size_t names, struct own_parts *own)
{
	Elf_Scn *scn = NULL;
	struct line_bytes bytes;
	uint64_t flags;

	for (size_t n = 0; n < JOINED; n++) {
		const size_t all = join(source, names, joined[n], NULL);

		own->memory[n] = malloc(all + 1);
		if (!own->memory[n])
			return 0;
		join(source, names, joined[n], own->memory[n]);
		if (all)
			own->part[own->parts++] =
				(struct split_part){ joined[n], { own->memory[n], all } };
	}
	while (own->parts < PARTS_MOST && (scn = elf_nextscn(source->elf, scn)) != NULL) {
		const char *name = read_section(source, names, scn, &flags, &bytes);

		if (name && !(flags & SHF_GROUP) && !is_joined(name))
			own->part[own->parts++] = (struct split_part){ name, bytes };
	}
	return 1;
}

int precis_split_image_lend(struct elf_source *source, const struct split_lent *lent, size_t most,
			    size_t *bytes)
{
	struct own_parts *own;
	struct elf_source made;
	GElf_Ehdr header;
	size_t names;
	int error = PRECIS_E_NO_MEMORY;

	if (!lent->addresses.bytes || lent->address_bytes != 8 ||
	    !gelf_getehdr(source->elf, &header) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    elf_getshdrstrndx(source->elf, &names) != 0)
		return 0;
	own = calloc(1, sizeof(*own));
	if (!own)
		return PRECIS_E_NO_MEMORY;
	if (find_parts(source, names, own))
		error = precis_split_image_make(own->part, own->parts, &header, lent, most, bytes,
						&made);
	for (size_t n = 0; n < JOINED; n++)
		free(own->memory[n]);
	free(own);
	if (error)
		return error;
	precis_elf_close(source);
	*source = made;
	return 0;
}
