/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A package of split files (.dwp): what dwp(1) has made of all split files of a program. Each section has the
 * shares of all units, one after another, and an index tells which share is whose.
 */
#ifndef PRECIS_SYMBOLS_TYPES_SPLIT_PACKAGE_H
#define PRECIS_SYMBOLS_TYPES_SPLIT_PACKAGE_H

#include "libdecode/symbols/places.h"
#include "split_image.h"

/** Sections that have shares. Lines and macros are not asked for. */
enum split_kind {
	SPLIT_INFO,
	SPLIT_TYPES,
	SPLIT_ABBREVIATIONS,
	SPLIT_LOCATIONS,
	SPLIT_STRING_OFFSETS,
	SPLIT_RANGES,
	SPLIT_KINDS,
};

/** .debug_cu_index or .debug_tu_index, checked: a hash table of ids, and rows of shares. */
struct split_index {
	struct line_bytes ids, rows; /* by slots, of 8 and 4 bytes; a row from 1 on, or 0 */
	struct line_bytes offsets, sizes; /* by rows and columns; 4 bytes each */
	uint32_t columns, units, slots;
	uint32_t column[SPLIT_KINDS]; /* of the kind; SPLIT_NO_COLUMN: nobody has a share */
	uint8_t is_gnu; /* the form before DWARF 5 */
};

#define SPLIT_NO_COLUMN UINT32_MAX

struct split_package {
	struct elf_source source;
	const char *root;
	char path[PLACE_PATH]; /* below 'root' */
	GElf_Ehdr header;
	struct line_bytes sections[SPLIT_KINDS], strings;
	struct split_index units, types;
	uint32_t *type_by_abbreviations; /* rows of 'types', from 0, by their shares of .debug_abbrev */
};

/**
 * @param root    as of precis_regular_open(); outlives the package
 * @param bytes   added to: what unpacked sections and the order of types take
 * @return 1; 0: there is none; PRECIS_E_BAD_SIZE: it is none that can be read, PRECIS_E_EXPANSION: 'bytes'
 *         would be more than 'most', PRECIS_E_NO_MEMORY
 */
int precis_split_package_open(struct split_package *package, const char *root, const char *path,
			      size_t most, size_t *bytes);

/**
 * The split file that a unit would have, with its types but for those that another one has, too, and of which
 * the package has that one's.
 * @param id     DW_AT_GNU_dwo_id, or that of the header
 * @param bytes  of 'most' in use; added to: what is lent
 * @return 1; 0: the package has no such unit; negative: as above
 */
int precis_split_package_unit(const struct split_package *package, uint64_t id,
			      const struct split_lent *lent, size_t most, size_t *bytes,
			      struct elf_source *made);

void precis_split_package_close(struct split_package *package);

#endif
