/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbols through libelf: the file's own tables, or those of its separate debug file. */
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "elf_source.h"
#include "elf_symbols.h"

/* Linkers make four or five; beyond this they are passed over */
#define SEGMENTS 64

struct reader {
	const struct elf_source *source; /* of the symbols: the file itself or its debug file */
	uint64_t bytes; /* of the file itself */
	struct symbol_table *table;
	size_t segments;
	GElf_Phdr segment[SEGMENTS]; /* of the file itself: those that are loaded */
};

static void read_segments(struct reader *reader)
{
	GElf_Phdr segment;
	size_t count, i;

	if (elf_getphdrnum(reader->source->elf, &count) != 0)
		return;
	for (i = 0; i < count && reader->segments < SEGMENTS; i++) {
		if (gelf_getphdr(reader->source->elf, (int)i, &segment) &&
		    segment.p_type == PT_LOAD)
			reader->segment[reader->segments++] = segment;
	}
}

/* From an address to its place in the file: of the segment that loads it */
static int file_offset(const struct reader *reader, uint64_t address, uint64_t *offset)
{
	size_t i;

	for (i = 0; i < reader->segments; i++) {
		const GElf_Phdr *segment = &reader->segment[i];

		if (address < segment->p_vaddr || address - segment->p_vaddr >= segment->p_filesz)
			continue;
		*offset = address - segment->p_vaddr + segment->p_offset;
		return *offset < reader->bytes;
	}
	return 0;
}

/* Is the symbol defined in a section of code? */
static int is_in_code(const struct reader *reader, const GElf_Sym *symbol)
{
	GElf_Shdr section;
	Elf_Scn *scn;

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= SHN_LORESERVE)
		return 0;
	scn = elf_getscn(reader->source->elf, symbol->st_shndx);
	return scn && gelf_getshdr(scn, &section) && (section.sh_flags & SHF_EXECINSTR);
}

/* Functions, and labels of hand-written code that nobody declared to be one */
static int is_wanted(const struct reader *reader, const GElf_Sym *symbol)
{
	unsigned int visibility = GELF_ST_VISIBILITY(symbol->st_other);

	switch (GELF_ST_TYPE(symbol->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return symbol->st_shndx != SHN_UNDEF;
	case STT_NOTYPE:
		return visibility != STV_HIDDEN && visibility != STV_INTERNAL &&
		       is_in_code(reader, symbol);
	default:
		return 0;
	}
}

static uint32_t binding_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_WEAK:
		return SYMBOL_WEAK;
	case STB_GLOBAL:
		return SYMBOL_GLOBAL;
	default:
		return SYMBOL_LOCAL;
	}
}

static int add_symbol(const struct reader *reader, const GElf_Sym *entry, const char *strings,
		      uint64_t string_bytes)
{
	struct symbol symbol = { .binding = binding_of(entry) };

	if (entry->st_name == 0 || entry->st_name >= string_bytes || !is_wanted(reader, entry) ||
	    !file_offset(reader, entry->st_value, &symbol.start))
		return 0;
	symbol.name = strings + entry->st_name;
	if (symbol.name[0] == '\0')
		return 0;
	if (__builtin_add_overflow(symbol.start, entry->st_size, &symbol.end))
		symbol.end = UINT64_MAX;
	return precis_symbol_table_add(reader->table, &symbol);
}

/* @return how many symbols the section gave, or negative */
static int read_table(const struct reader *reader, uint32_t type)
{
	GElf_Shdr header, string_header;
	Elf_Data *data, *string_data;
	const char *strings;
	GElf_Sym symbol;
	int i, error;

	data = precis_elf_data(reader->source,
			       precis_elf_section(reader->source, type, NULL, &header), &header);
	if (!data)
		return 0;
	string_data = precis_elf_data(
		reader->source, elf_getscn(reader->source->elf, header.sh_link), &string_header);
	if (!string_data || string_header.sh_type != SHT_STRTAB)
		return 0;
	strings =
		precis_symbol_table_strings(reader->table, string_data->d_buf, string_data->d_size);
	if (!strings)
		return PRECIS_E_NO_MEMORY;
	for (i = 0; gelf_getsym(data, i, &symbol); i++) {
		error = add_symbol(reader, &symbol, strings, string_data->d_size);
		if (error)
			return error;
	}
	return i;
}

/* What was stripped from the file, if it is kept elsewhere */
static int read_debug_file(const struct reader *reader, const char *symfs)
{
	struct reader debug_reader = *reader;
	struct elf_source debug;
	int result;

	if (precis_elf_open_debug(reader->source, symfs, &debug) != 0)
		return 0;
	debug_reader.source = &debug;
	result = read_table(&debug_reader, SHT_SYMTAB);
	precis_elf_close(&debug);
	return result;
}

static int read_all(struct reader *reader, const char *symfs)
{
	int result;

	read_segments(reader);
	result = read_table(reader, SHT_SYMTAB);
	if (result == 0)
		result = read_debug_file(reader, symfs);
	if (result >= 0)
		result = read_table(reader, SHT_DYNSYM);
	if (result >= 0)
		result = precis_elf_add_plt(reader->source, reader->table);
	if (result == 0)
		precis_symbol_table_sort(reader->table);
	return result;
}

int precis_elf_symbols_available(void)
{
	return 1;
}

static int is_recorded(const struct elf_source *source, const struct build_id *recorded)
{
	const uint8_t *id = NULL;
	size_t bytes;

	if (recorded->bytes == 0)
		return 1;
	bytes = precis_elf_build_id(source, &id);
	return precis_build_id_matches(recorded, id, bytes);
}

enum precis_symbol_absent precis_elf_symbols_read(const char *symfs, const char *path,
						  const struct build_id *recorded,
						  struct symbol_table *table)
{
	struct reader reader = { .table = table };
	enum precis_symbol_absent absent = PRECIS_SYMBOL_PRESENT;
	struct elf_source source;

	if (precis_elf_open(path, &source))
		return PRECIS_SYMBOL_NO_FILE;
	reader.source = &source;
	reader.bytes = source.bytes;
	if (!is_recorded(&source, recorded))
		absent = PRECIS_SYMBOL_OTHER_BUILD_ID;
	else if (read_all(&reader, symfs))
		absent = PRECIS_SYMBOL_NO_FILE;
	precis_elf_close(&source);
	if (absent)
		precis_symbol_table_free(table);
	return absent;
}
