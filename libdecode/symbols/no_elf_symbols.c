/* SPDX-License-Identifier: BSD-3-Clause */
/* A build without elfutils knows objects and offsets, but no symbols. */
#include <precis/error.h>

#include "elf_symbols.h"

int precis_elf_symbols_available(void)
{
	return 0;
}

int precis_elf_symbols_read(const char *symfs, const char *path, struct symbol_table *table)
{
	(void)symfs;
	(void)path;
	(void)table;
	return PRECIS_E_UNSUPPORTED;
}
