/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbols through libelf: the file's own tables, or those of its separate debug file. */
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "elf_data.h"
#include "elf_search.h"
#include "elf_symbols.h"

struct reader {
	const struct elf_source *source; /* of the symbols: the file itself or its debug file */
	const struct elf_segments *segments; /* of the file itself */
	struct symbol_table *table;
	int of_data; /* variables, by their addresses; else functions, by file offsets */
};

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

/* Those of a thread have an address for each thread, and those without a size are labels. */
static int is_variable(const GElf_Sym *symbol)
{
	const unsigned int type = GELF_ST_TYPE(symbol->st_info);

	return (type == STT_OBJECT || type == STT_COMMON) && symbol->st_shndx != SHN_UNDEF &&
	       symbol->st_shndx != SHN_COMMON && symbol->st_size > 0;
}

/* @return 0 if it is none that is looked for */
static int place_of(const struct reader *reader, const GElf_Sym *symbol, uint64_t *place)
{
	*place = symbol->st_value;
	if (reader->of_data)
		return is_variable(symbol);
	return is_wanted(reader, symbol) && precis_elf_offset_of(reader->segments, symbol->st_value, place);
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

	if (entry->st_name == 0 || entry->st_name >= string_bytes ||
	    !place_of(reader, entry, &symbol.start))
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

/* The best file that has any. @return 0 or negative */
static int read_symtab(struct elf_search *search, const struct reader *runtime)
{
	struct reader reader = *runtime;
	struct elf_source source;
	int result = 0;

	reader.source = &source;
	while (result == 0 && precis_elf_search_next(search, &source)) {
		result = read_table(&reader, SHT_SYMTAB);
		precis_elf_close(&source);
	}
	return result < 0 ? result : 0;
}

static int read_all(struct elf_search *search, int of_data, struct symbol_table *table)
{
	struct reader reader = {
		.source = &search->runtime,
		.segments = &search->segments,
		.table = table,
		.of_data = of_data,
	};
	int result = read_symtab(search, &reader);

	if (result >= 0)
		result = read_table(&reader, SHT_DYNSYM);
	if (result >= 0)
		result = of_data ? 0 : precis_elf_add_plt(reader.source, table);
	if (result == 0)
		precis_symbol_table_sort(table);
	return result;
}

int precis_elf_symbols_available(void)
{
	return 1;
}

enum precis_symbol_absent precis_elf_symbols_read(const struct places *places, const char *name,
						  const struct build_id *recorded,
						  struct symbol_table *table)
{
	struct elf_search search;
	enum precis_symbol_absent absent = precis_elf_search_begin(&search, places, name, recorded);

	if (absent)
		return absent;
	if (read_all(&search, 0, table)) {
		precis_symbol_table_free(table);
		absent = PRECIS_SYMBOL_NO_FILE;
	}
	precis_elf_search_end(&search);
	return absent;
}

enum precis_symbol_absent precis_elf_data_read(const struct places *places, const char *name,
					       const struct build_id *recorded, struct elf_data *data)
{
	struct elf_search search;
	enum precis_symbol_absent absent = precis_elf_search_begin(&search, places, name, recorded);

	if (absent)
		return absent;
	precis_elf_read_extent(&search.segments, data);
	if (read_all(&search, 1, &data->variables)) {
		precis_symbol_table_free(&data->variables);
		absent = PRECIS_SYMBOL_NO_FILE;
	}
	precis_elf_search_end(&search);
	return absent;
}
