/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a file's types: which files tell of it, in which order they are read. */
#define _GNU_SOURCE /* tdestroy() */

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "code_window.h"
#include "debug_file.h"
#include "index.h"
#include "libdecode/sample/abi.h"
#include "members.h"
#include "type.h"
#include "unit_ranges.h"
#include "units.h"
#include "variables.h"

/* Symbols of the best file that has any, DWARF of the best one that has it. @return 0, negative */
static int read_files(struct precis_data_types *types, struct elf_search *search)
{
	struct elf_source source;
	int symbols = 0;

	while ((symbols == 0 || !types->files) && precis_elf_search_next(search, &source)) {
		if (symbols == 0)
			symbols = precis_elf_objects_read(types, &source, SHT_SYMTAB);
		if (symbols < 0 || types->files)
			precis_elf_close(&source);
		else
			precis_debug_file_add(types, &source, search->found_root, search->found_path);
		if (symbols < 0)
			return symbols;
	}
	if (symbols == 0)
		symbols = precis_elf_objects_read(types, &search->runtime, SHT_DYNSYM);
	return symbols < 0 ? symbols : 0;
}

static int read_all(struct precis_data_types *types, struct elf_search *search)
{
	const int error = read_files(types, search);

	if (error)
		return error;
	/* A file that has none is passed over if another one has it */
	if (types->files && types->lack == PRECIS_DATA_TYPE_NO_DEBUG_INFO)
		types->lack = PRECIS_DATA_TYPE_PRESENT;
	precis_units_read(types);
	precis_index_read(types);
	precis_variables_settle(types);
	return 0;
}

static uint32_t reason_of(enum precis_symbol_absent absent)
{
	return absent == PRECIS_SYMBOL_OTHER_BUILD_ID ? PRECIS_DATA_TYPE_OTHER_BUILD_ID
						      : PRECIS_DATA_TYPE_NO_FILE;
}

static int open_types(struct precis_data_types *types, const char *path, struct precis_bytes id,
		      uint32_t *absent)
{
	struct elf_search *search = calloc(1, sizeof(*search));
	struct build_id recorded;
	enum precis_symbol_absent why;
	int error = 0;

	if (!search)
		return PRECIS_E_NO_MEMORY;
	precis_build_id_set(&recorded, id.data, id.bytes);
	why = precis_elf_search_begin(search, &types->places, path, &recorded);
	if (!why) {
		types->segments = search->segments;
		types->build_id = search->wanted;
		error = read_all(types, search);
		precis_elf_search_end(search);
	}
	free(search);
	*absent = why ? reason_of(why) : PRECIS_DATA_TYPE_PRESENT;
	return error ? error : !why;
}

int precis_data_types_open(const struct precis_symbols_options *options, const char *path,
		      struct precis_bytes build_id, struct precis_data_types **types, uint32_t *absent)
{
	struct precis_data_types *made;
	uint32_t why = PRECIS_DATA_TYPE_PRESENT;
	int result;

	ABI_MAY_IN(struct precis_symbols_options, options,
		   precis_data_types_open(&abi, path, build_id, types, absent));
	if (!path || !types)
		return PRECIS_E_ARGUMENT;
	*types = NULL;
	made = calloc(1, sizeof(*made));
	if (!made)
		return PRECIS_E_NO_MEMORY;
	made->budget.left = TYPES_BYTES;
	made->path = strdup(path);
	result = made->path ? precis_places_init(&made->places, options) : PRECIS_E_NO_MEMORY;
	if (!result)
		result = open_types(made, path, build_id, &why);
	if (absent)
		*absent = why;
	if (result > 0)
		*types = made;
	else
		precis_data_types_free(made);
	return result;
}

static void free_type(void *node)
{
	struct precis_data_type *type = node;

	precis_members_free(type->members);
	free((char *)(uintptr_t)type->name);
	free(type);
}

void precis_data_types_free(struct precis_data_types *types)
{
	if (!types)
		return;
	tdestroy(types->types, free_type);
	free(types->followed);
	precis_debug_files_free(types);
	precis_names_free(&types->texts);
	precis_code_close(types);
	precis_places_free(&types->places);
	free(types->at);
	free(types->path);
	free(types->strings);
	free(types->unit);
	free(types->unit_by_cu);
	precis_unit_ranges_free(types);
	free(types->scope);
	free(types->named);
	free(types->named_by_name);
	free(types->variable);
	free(types);
}

uint32_t precis_data_types_lack(const struct precis_data_types *types)
{
	return types ? (uint32_t)types->lack : PRECIS_DATA_TYPE_PRESENT;
}

int precis_data_types_address(const struct precis_data_types *types, uint64_t file_offset, uint64_t *address)
{
	if (!types || !address)
		return PRECIS_E_ARGUMENT;
	return precis_elf_address_of(&types->segments, file_offset, address);
}
