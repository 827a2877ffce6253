/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stubs of the procedure linkage table, which no symbol table names. Stub n
 * belongs to relocation n of .rela.plt. Source: System V ABI, AMD64 supplement,
 * 5.2.4; with branch tracking (-z ibtplt) the stubs that are called lie in
 * .plt.sec and those of .plt only bind lazily.
 */
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "elf_source.h"

#define STUB_BYTES 16u

static const struct {
	const char *name;
	uint64_t header; /* bytes before the first stub */
} sections[] = {
	{ ".plt", STUB_BYTES },
	{ ".plt.sec", 0 },
};

/* The relocations with what they refer to */
struct relocations {
	Elf_Data *data;
	Elf_Data *symbols;
	Elf_Data *strings;
};

static int find_relocations(const struct elf_source *source, struct relocations *found)
{
	GElf_Shdr header, symbols;
	Elf_Scn *scn = precis_elf_section(source, SHT_RELA, ".rela.plt", &header);

	found->data = precis_elf_data(source, scn, &header);
	if (!found->data)
		return 0;
	scn = elf_getscn(source->elf, header.sh_link);
	found->symbols = precis_elf_data(source, scn, &symbols);
	if (!found->symbols || symbols.sh_type != SHT_DYNSYM)
		return 0;
	scn = elf_getscn(source->elf, symbols.sh_link);
	found->strings = precis_elf_data(source, scn, &header);
	return found->strings && header.sh_type == SHT_STRTAB;
}

/* The name that relocation n binds. @return its length; 0 if it has none */
static size_t bound_name(const struct relocations *relocations, int n, const char **name)
{
	const char *strings = relocations->strings->d_buf;
	size_t bytes = relocations->strings->d_size;
	GElf_Sym symbol;
	GElf_Rela rela;
	size_t length;

	if (!gelf_getrela(relocations->data, n, &rela) || GELF_R_SYM(rela.r_info) > INT32_MAX ||
	    !gelf_getsym(relocations->symbols, (int)GELF_R_SYM(rela.r_info), &symbol) ||
	    symbol.st_name >= bytes)
		return 0;
	*name = strings + symbol.st_name;
	length = strnlen(*name, bytes - symbol.st_name);
	return length < bytes - symbol.st_name ? length : 0;
}

static int add_section(const struct relocations *relocations, const GElf_Shdr *section,
		       uint64_t header, char *names, size_t room, struct symbol_table *table)
{
	GElf_Rela rela;
	int n;

	for (n = 0; gelf_getrela(relocations->data, n, &rela); n++) {
		uint64_t at = header + (uint64_t)n * STUB_BYTES;
		struct symbol symbol = { .binding = SYMBOL_GLOBAL, .name = names };
		const char *name;
		size_t length = bound_name(relocations, n, &name);
		int error;

		if (at + STUB_BYTES > section->sh_size)
			break;
		if (length == 0)
			continue;
		if (length + sizeof("@plt") > room)
			break;
		memcpy(names, name, length);
		memcpy(names + length, "@plt", sizeof("@plt"));
		names += length + sizeof("@plt");
		room -= length + sizeof("@plt");
		symbol.start = section->sh_offset + at;
		symbol.end = symbol.start + STUB_BYTES;
		error = precis_symbol_table_add(table, &symbol);
		if (error)
			return error;
	}
	return 0;
}

int precis_elf_add_plt(const struct elf_source *source, struct symbol_table *table)
{
	struct relocations relocations;
	GElf_Shdr header;
	size_t i, room;
	int error;

	if (!find_relocations(source, &relocations))
		return 0;
	/* All its names twice and the endings: more is a file's that says the same often */
	room = 2 * relocations.strings->d_size + relocations.data->d_size;
	for (i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		char *names;

		if (!precis_elf_section(source, SHT_PROGBITS, sections[i].name, &header) ||
		    header.sh_offset > source->bytes ||
		    header.sh_size > source->bytes - header.sh_offset)
			continue;
		names = precis_symbol_table_strings(table, NULL, room);
		if (!names)
			return PRECIS_E_NO_MEMORY;
		error = add_section(&relocations, &header, sections[i].header, names, room, table);
		if (error)
			return error;
	}
	return 0;
}
