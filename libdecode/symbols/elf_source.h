/* SPDX-License-Identifier: BSD-3-Clause */
/* An open ELF file, read with suspicion: what its headers claim is held against its size. */
#ifndef PRECIS_SYMBOLS_ELF_SOURCE_H
#define PRECIS_SYMBOLS_ELF_SOURCE_H

#include <gelf.h>
#include <stdint.h>

#include "symbol_table.h"

struct elf_source {
	Elf *elf;
	int fd;
	uint64_t bytes; /* the file's size */
};

/**
 * Open a regular file that is an executable or a shared object. Nothing else is
 * ever opened: devices can take offence.
 * @return 0, PRECIS_E_IO, PRECIS_E_UNSUPPORTED
 */
int precis_elf_open(const char *path, struct elf_source *source);
void precis_elf_close(struct elf_source *source);

/**
 * Open the separate file with the symbols that were stripped from this one:
 * SYMFS/usr/lib/debug/.build-id/xx/yyyy.debug with the same build id.
 * @return 0, or an error if there is none
 */
int precis_elf_open_debug(const struct elf_source *source, const char *symfs,
			  struct elf_source *debug);

/** The file's build id. @return its length; 0 if it has none */
size_t precis_elf_build_id(const struct elf_source *source, const uint8_t **id);

/** The first section of a type, or of that name if 'name' is not NULL; NULL if none. */
Elf_Scn *precis_elf_section(const struct elf_source *source, uint32_t type, const char *name,
			    GElf_Shdr *header);

/** A section's bytes, or NULL if the file does not have them all. */
Elf_Data *precis_elf_data(const struct elf_source *source, Elf_Scn *scn, GElf_Shdr *header);

/**
 * Add the stubs of the procedure linkage table, NAME@plt. Needs the names of the
 * dynamic symbols.
 * @return 0, PRECIS_E_NO_MEMORY
 */
int precis_elf_add_plt(const struct elf_source *source, struct symbol_table *table);

#endif
