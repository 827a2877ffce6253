/* SPDX-License-Identifier: BSD-3-Clause */
/* A build without elfutils knows objects and offsets, but no symbols, lines and code of files. */
#include "elf_bytes.h"
#include "elf_data.h"
#include "elf_image.h"
#include "elf_lines.h"
#include "elf_symbols.h"

int precis_elf_symbols_available(void)
{
	return 0;
}

enum precis_symbol_absent precis_elf_symbols_read(const struct places *places, const char *name,
						  const struct build_id *recorded,
						  struct symbol_table *table)
{
	(void)places;
	(void)name;
	(void)recorded;
	(void)table;
	return PRECIS_SYMBOL_NOT_BUILT;
}

enum precis_symbol_absent precis_elf_lines_read(const struct places *places, const char *name,
						const struct build_id *recorded,
						struct elf_lines **lines)
{
	(void)places;
	(void)name;
	(void)recorded;
	*lines = NULL;
	return PRECIS_SYMBOL_NOT_BUILT;
}

void precis_elf_lines_free(struct elf_lines *lines)
{
	(void)lines;
}

size_t precis_elf_lines_bytes(const struct elf_lines *lines)
{
	(void)lines;
	return 0;
}

enum precis_symbol_absent precis_elf_lines_find(struct elf_lines *lines, uint64_t offset,
						struct names *names, struct budget *budget,
						struct precis_line *line)
{
	(void)lines;
	(void)offset;
	(void)names;
	(void)budget;
	(void)line;
	return PRECIS_SYMBOL_NOT_BUILT;
}

enum precis_symbol_absent precis_elf_bytes_read(const struct places *places, const char *name,
						const struct build_id *recorded, uint64_t offset,
						struct elf_bytes *bytes)
{
	(void)places;
	(void)name;
	(void)recorded;
	(void)offset;
	bytes->count = 0;
	return PRECIS_SYMBOL_NOT_BUILT;
}

enum precis_symbol_absent precis_elf_image_read(const struct places *places, const char *name,
						const struct build_id *recorded,
						const char *reference, struct elf_image *image)
{
	(void)places;
	(void)name;
	(void)recorded;
	(void)reference;
	(void)image;
	return PRECIS_SYMBOL_NOT_BUILT;
}

enum precis_symbol_absent precis_elf_core_read(const char *path, uint64_t address,
					       struct elf_bytes *bytes)
{
	(void)path;
	(void)address;
	bytes->count = 0;
	return PRECIS_SYMBOL_NOT_BUILT;
}

enum precis_symbol_absent precis_elf_data_read(const struct places *places, const char *name,
					       const struct build_id *recorded, struct elf_data *data)
{
	(void)places;
	(void)name;
	(void)recorded;
	(void)data;
	return PRECIS_SYMBOL_NOT_BUILT;
}
