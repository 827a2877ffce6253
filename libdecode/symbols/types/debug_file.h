/* SPDX-License-Identifier: BSD-3-Clause */
/* The files with DWARF: opened by us, checked before libdw sees them, closed with the types. */
#ifndef PRECIS_SYMBOLS_TYPES_DEBUG_FILE_H
#define PRECIS_SYMBOLS_TYPES_DEBUG_FILE_H

#include "model.h"
#include "split_image.h"

/**
 * Take in the file that the program's DWARF is in, and the supplementary file that it names.
 * @param source  is the types' from here on, or closed
 * @param root    that 'path' does not leave; outlives the types
 * @return 0: it has none that can be read, and the reason is noted
 */
int precis_debug_file_add(struct precis_data_types *types, struct elf_source *source, const char *root,
			  const char *path);

/**
 * What a split file has, from the package of all of them if that has it, or else from its own file.
 * @param name       as its skeleton has it; NULL: it has none
 * @param id         which has to be the split unit's, too
 * @param directory  of the compilation; NULL: not known
 * @param lent       what it has in the program, where its skeleton is
 * @return NULL if there is none, or it is none: the reason is noted
 */
struct debug_file *precis_debug_file_split(struct precis_data_types *types, const char *name,
					   const char *directory, uint64_t id,
					   const struct split_lent *lent);

void precis_debug_files_free(struct precis_data_types *types);

#endif
