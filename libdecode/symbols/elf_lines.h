/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source lines of an ELF file by file offset. One of two files implements it:
 * elf_lines.c with elfutils, no_elf_symbols.c without.
 */
#ifndef PRECIS_SYMBOLS_ELF_LINES_H
#define PRECIS_SYMBOLS_ELF_LINES_H

#include <precis/symbols.h>

#include "build_id.h"
#include "names.h"
#include "places.h"

struct elf_lines;

/* Of one file's line numbers, as they are read and as they are kept */
#define LINES_BYTES ((size_t)96 << 20)

/**
 * Read the line numbers of a file, or of its separate debug file.
 *
 * @param name      of the object; the rest as in precis_elf_symbols_read()
 * @param lines     to be freed
 * @return PRECIS_SYMBOL_PRESENT, or why there are none
 */
enum precis_symbol_absent precis_elf_lines_read(const struct places *places, const char *name,
						const struct build_id *recorded,
						struct elf_lines **lines);

/** NULL is allowed. */
void precis_elf_lines_free(struct elf_lines *lines);

/** What it takes of memory; grows with what is asked of it, up to LINES_BYTES. */
size_t precis_elf_lines_bytes(const struct elf_lines *lines);

/**
 * The line at a file offset.
 * @param names  keeps the file's name
 * @param line   'file', 'number' and 'discriminator' are set if it has one
 * @return PRECIS_SYMBOL_PRESENT, PRECIS_SYMBOL_NONE_THERE
 */
enum precis_symbol_absent precis_elf_lines_find(struct elf_lines *lines, uint64_t offset,
						struct names *names, struct budget *budget,
						struct precis_line *line);

#endif
