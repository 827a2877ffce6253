/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What memory an ELF file takes where it is loaded, and its variables, by the addresses that it was linked
 * for. One of two files implements reading: elf_symbols.c with elfutils, no_elf_symbols.c without.
 */
#ifndef PRECIS_SYMBOLS_ELF_DATA_H
#define PRECIS_SYMBOLS_ELF_DATA_H

#include <precis/symbols.h>

#include "build_id.h"
#include "places.h"
#include "symbol_table.h"

#define ELF_DATA_SEGMENTS 8u

struct elf_data {
	uint64_t low, high; /* of all that is loaded: [low, high) */
	uint32_t count;
	struct {
		uint64_t address, offset, bytes; /* in the file: 'offset', and so many bytes */
	} code[ELF_DATA_SEGMENTS]; /* segments that run */
	struct symbol_table variables; /* by address: .bss has no place in the file */
};

/**
 * @param name, recorded  as of precis_elf_symbols_read()
 * @param data            zeroed
 * @return PRECIS_SYMBOL_PRESENT, or why nothing is known
 */
enum precis_symbol_absent precis_elf_data_read(const struct places *places, const char *name,
					       const struct build_id *recorded,
					       struct elf_data *data);

#endif
