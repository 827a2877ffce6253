/* SPDX-License-Identifier: BSD-3-Clause */
/* A build without elfutils knows objects and offsets, but no symbols. */
#include "elf_symbols.h"

int precis_elf_symbols_available(void)
{
	return 0;
}

enum precis_symbol_absent precis_elf_symbols_read(const char *symfs, const char *path,
						  const struct build_id *recorded,
						  struct symbol_table *table)
{
	(void)symfs;
	(void)path;
	(void)recorded;
	(void)table;
	return PRECIS_SYMBOL_NOT_BUILT;
}
