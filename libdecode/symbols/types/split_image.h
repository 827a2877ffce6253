/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A split file with what it needs of its program. Its entries have numbers of addresses that are in the
 * program; libdw follows these only into files that it opened by itself, wherever a program says that they
 * are. Of a file in memory that has the addresses, too, it needs no other.
 */
#ifndef PRECIS_SYMBOLS_TYPES_SPLIT_IMAGE_H
#define PRECIS_SYMBOLS_TYPES_SPLIT_IMAGE_H

#include "libdecode/symbols/elf_source.h"
#include "libdecode/symbols/line_cursor.h"

/** What a skeleton has for its split unit. */
struct split_lent {
	struct line_bytes addresses; /* of .debug_addr, from its base on */
	struct line_bytes ranges; /* likewise of .debug_ranges, before version 5 */
	uint64_t base; /* its DW_AT_low_pc, or 0: split units count from it, and do not have it */
	uint8_t address_bytes;
};

/** A section of a split file, or what a package has of it for one unit. */
struct split_part {
	const char *name;
	struct line_bytes bytes;
};

/**
 * Make a file in memory of such parts, with these addresses, counted from 'base'.
 * @param header  of the file that the parts are of, of 64 bits
 * @param bytes   added to: what is lent
 * @return 0, PRECIS_E_EXPANSION: 'bytes' would be more than 'most', or of more parts than can be;
 *         PRECIS_E_NO_MEMORY
 */
int precis_split_image_make(const struct split_part *part, size_t parts, const GElf_Ehdr *header,
			    const struct split_lent *lent, size_t most, size_t *bytes,
			    struct elf_source *made);

/**
 * Put such a file in the place of one whose sections are unpacked. What is no 64-bit file, or has no
 * addresses, stays as it is.
 * @return as of precis_split_image_make()
 */
int precis_split_image_lend(struct elf_source *source, const struct split_lent *lent, size_t most,
			    size_t *bytes);

#endif
