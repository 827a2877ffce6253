/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code of an ELF file by file offset. One of two files implements it: elf_bytes.c with elfutils,
 * no_elf_symbols.c without.
 */
#ifndef PRECIS_SYMBOLS_ELF_BYTES_H
#define PRECIS_SYMBOLS_ELF_BYTES_H

#include <precis/symbols.h>

#include "build_id.h"
#include "places.h"

struct elf_bytes {
	uint8_t *room;
	uint32_t most, count; /* bytes that there is room for, and that were read */
	uint32_t bits;        /* as in struct precis_code */
	uint64_t address;     /* of the first one */
};

/**
 * Read what is executable of a file from an offset on; the rest as in precis_elf_symbols_read().
 *
 * @param bytes  'room' and 'most' are set
 * @return PRECIS_SYMBOL_PRESENT, or why there are none
 */
enum precis_symbol_absent precis_elf_bytes_read(const struct places *places, const char *name,
						const struct build_id *recorded, uint64_t offset,
						struct elf_bytes *bytes);

struct elf_search;

/**
 * Likewise, of the file that ran, which stays open.
 *
 * @param search  that has begun
 */
enum precis_symbol_absent precis_elf_bytes_from(const struct elf_search *search, uint64_t offset,
						struct elf_bytes *bytes);

#endif
