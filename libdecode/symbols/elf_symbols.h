/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of an ELF file by file offset. One of two files implements it:
 * elf_symbols.c with elfutils, no_elf_symbols.c without.
 */
#ifndef PRECIS_SYMBOLS_ELF_SYMBOLS_H
#define PRECIS_SYMBOLS_ELF_SYMBOLS_H

#include <precis/symbols.h>

#include "build_id.h"
#include "places.h"
#include "symbol_table.h"

int precis_elf_symbols_available(void);

/**
 * Read the symbols of a file. It may be any file or none: what is no regular
 * file is never opened, what is no ELF gives no symbols.
 *
 * @param places    where it and files with debug symbols are looked for
 * @param name      of the object: its path in the recording, or "[vdso]"
 * @param recorded  which build of the file is wanted; any if it is not known
 * @param table     zeroed; filled and sorted
 * @return PRECIS_SYMBOL_PRESENT, or why the table stays empty
 */
enum precis_symbol_absent precis_elf_symbols_read(const struct places *places, const char *name,
						  const struct build_id *recorded,
						  struct symbol_table *table);

#endif
