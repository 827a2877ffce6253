/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Of ELF files what the code of a kernel needs: where a vmlinux has it, and code of a copy of memory.
 * One of two files implements it: elf_image.c with elfutils, no_elf_symbols.c without.
 */
#ifndef PRECIS_SYMBOLS_ELF_IMAGE_H
#define PRECIS_SYMBOLS_ELF_IMAGE_H

#include "elf_bytes.h"

/* What of a file runs, at the addresses that it was linked for */
#define IMAGE_SEGMENTS 8u
struct elf_image {
	uint64_t reference; /* the symbol's address */
	uint32_t count;
	struct {
		uint64_t address, bytes, offset;
	} segment[IMAGE_SEGMENTS];
};

/**
 * @param name, recorded  as of precis_elf_symbols_read()
 * @param reference       a symbol that it is to have
 * @return PRECIS_SYMBOL_PRESENT, or why there is none
 */
enum precis_symbol_absent precis_elf_image_read(const struct places *places, const char *name,
						const struct build_id *recorded,
						const char *reference, struct elf_image *image);

/**
 * Code at an address of a copy of memory.
 * @return PRECIS_SYMBOL_PRESENT, or why there is none
 */
enum precis_symbol_absent precis_elf_core_read(const char *path, uint64_t address,
					       struct elf_bytes *bytes);

#endif
