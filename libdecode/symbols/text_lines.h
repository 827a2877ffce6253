/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of symbols in text: of the kernel, and of code that a program made while it ran. */
#ifndef PRECIS_SYMBOLS_TEXT_LINES_H
#define PRECIS_SYMBOLS_TEXT_LINES_H

#include <precis/symbols.h>

#include "symbol_table.h"

/**
 * A perf map: lines "START SIZE NAME" with hexadecimal numbers. Source:
 * tools/perf/Documentation/jit-interface.txt of Linux 7.3.
 *
 * @param root   as of precis_regular_open()
 * @param table  zeroed; filled by address and sorted
 * @return PRECIS_SYMBOL_PRESENT or PRECIS_SYMBOL_NO_PERF_MAP
 */
enum precis_symbol_absent precis_perf_map_read(const char *root, const char *path,
						struct symbol_table *table);

/**
 * A list as in /proc/kallsyms: lines "ADDRESS TYPE NAME", and behind a tab "[MODULE]".
 *
 * @param reference  a symbol of the kernel itself
 * @param address    set to where the list has the reference; stays if it has not
 * @param table      zeroed; filled by address and sorted
 * @return PRECIS_SYMBOL_PRESENT, _NO_KALLSYMS or _KALLSYMS_HIDDEN
 */
enum precis_symbol_absent precis_kallsyms_read(const char *path, const char *reference,
					       uint64_t *address, struct symbol_table *table);

/** The module of a symbol of such a list: "[NAME]", or "" for the kernel itself. */
const char *precis_kallsyms_module(const struct symbol *symbol);

#endif
