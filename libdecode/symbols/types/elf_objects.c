/* SPDX-License-Identifier: BSD-3-Clause */
/* Data in ELF symbol tables: System V ABI, "Symbol Table"; STT_TLS: ELF Handling for Thread-Local Storage. */
#include <string.h>

#include <precis/error.h>

#include "variables.h"

/* Of several names of the same bytes: the one that others use, and not what begins with underscores */
static uint8_t preference_of(const GElf_Sym *symbol, const char *name)
{
	const int binding = GELF_ST_BIND(symbol->st_info);
	const int rank = binding == STB_GLOBAL ? 3 : binding == STB_LOCAL ? 2 : 1;

	return (uint8_t)(2 * rank + (name[0] != '_'));
}

static int is_data(const GElf_Sym *symbol)
{
	switch (GELF_ST_TYPE(symbol->st_info)) {
	case STT_OBJECT:
	case STT_COMMON:
	case STT_TLS:
		return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS && symbol->st_size > 0;
	default:
		return 0;
	}
}

static int add(struct precis_data_types *types, const GElf_Sym *symbol, const char *name)
{
	const struct variable variable = {
		.address = symbol->st_value, .bytes = symbol->st_size, .symbol = name,
		.is_thread = GELF_ST_TYPE(symbol->st_info) == STT_TLS,
		.is_external = GELF_ST_BIND(symbol->st_info) != STB_LOCAL,
		.preference = preference_of(symbol, name),
	};

	if (!precis_data_types_grow(types, &types->variable, &types->variable_room, types->variables,
			       sizeof(variable)))
		return 0;
	types->variable[types->variables++] = variable;
	return 1;
}

/* The strings are kept: the file may be closed before the types are */
static const char *keep_strings(struct precis_data_types *types, const Elf_Data *strings)
{
	char *kept = budget_alloc(&types->budget, strings->d_size + 1);

	if (kept)
		memcpy(kept, strings->d_buf, strings->d_size);
	types->strings = kept;
	return kept;
}

int precis_elf_objects_read(struct precis_data_types *types, const struct elf_source *source, uint32_t type)
{
	GElf_Shdr header, string_header;
	Elf_Data *data, *strings;
	const char *kept;
	GElf_Sym symbol;
	int count = 0;

	data = precis_elf_data(source, precis_elf_section(source, type, NULL, &header), &header);
	if (!data)
		return 0;
	strings = precis_elf_data(source, elf_getscn(source->elf, header.sh_link), &string_header);
	if (!strings || string_header.sh_type != SHT_STRTAB)
		return 0;
	kept = keep_strings(types, strings);
	if (!kept)
		return PRECIS_E_NO_MEMORY;
	for (int n = 0; gelf_getsym(data, n, &symbol); n++) {
		if (!is_data(&symbol) || symbol.st_name >= strings->d_size || !kept[symbol.st_name])
			continue;
		if (!add(types, &symbol, kept + symbol.st_name))
			return PRECIS_E_NO_MEMORY;
		count++;
	}
	return count;
}
