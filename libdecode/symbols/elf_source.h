/* SPDX-License-Identifier: BSD-3-Clause */
/* An open ELF file, read with suspicion: what its headers claim is held against its size. */
#ifndef PRECIS_SYMBOLS_ELF_SOURCE_H
#define PRECIS_SYMBOLS_ELF_SOURCE_H

#include <gelf.h>
#include <stdint.h>

#include "line_cursor.h"
#include "symbol_table.h"

struct elf_source {
	Elf *elf;
	int fd;
	uint64_t bytes; /* the file's size */
	void *image; /* what 'elf' reads instead of a file, to be freed; NULL: it reads the file */
};

/* Linkers make four or five; beyond this they are passed over */
#define ELF_SEGMENTS 64

/** What of a file is loaded where. */
struct elf_segments {
	size_t count;
	GElf_Phdr segment[ELF_SEGMENTS];
	uint64_t bytes; /* the file's size */
	uint64_t
		thread_bytes; /* of thread storage, up to where a program's thread pointer is; 0: none */
};

/**
 * Open a regular file that is an executable or a shared object. Nothing else is
 * ever opened: devices can take offence.
 * @param root  as of precis_regular_open()
 * @return 0, PRECIS_E_IO, PRECIS_E_UNSUPPORTED
 */
int precis_elf_open(const char *root, const char *path, struct elf_source *source);

/** Likewise one that is a copy of memory, as /proc/kcore. */
int precis_elf_open_core(const char *root, const char *path, struct elf_source *source);

/** Likewise one that may be no program: a debug file, also one that is not linked (.dwo). */
int precis_elf_open_debug(const char *root, const char *path, struct elf_source *source);
void precis_elf_close(struct elf_source *source);

/** Read all of the file, so that its descriptor can be closed. @return 0, PRECIS_E_IO */
int precis_elf_detach(struct elf_source *source);

/** The file's build id. @return its length; 0 if it has none */
size_t precis_elf_build_id(const struct elf_source *source, const uint8_t **id);

/** The file name and checksum of .gnu_debuglink; "" if there is none that is a plain name. */
void precis_elf_debug_link(const struct elf_source *source, char *name, size_t room, uint32_t *crc);

void precis_elf_read_segments(const struct elf_source *source, struct elf_segments *segments);

/** From an address to its place in the file. @return 0 if no segment loads it from there */
int precis_elf_offset_of(const struct elf_segments *segments, uint64_t address, uint64_t *offset);

/** From a place in the file to its address. @return 0 if no segment loads it */
int precis_elf_address_of(const struct elf_segments *segments, uint64_t offset, uint64_t *address);

struct elf_data;

/** All that is loaded, and where code is. */
void precis_elf_read_extent(const struct elf_segments *segments, struct elf_data *data);

/** The first section of a type, or of that name if 'name' is not NULL; NULL if none. */
Elf_Scn *precis_elf_section(const struct elf_source *source, uint32_t type, const char *name,
			    GElf_Shdr *header);

/** A section's bytes, or NULL if the file does not have them all. */
Elf_Data *precis_elf_data(const struct elf_source *source, Elf_Scn *scn, GElf_Shdr *header);

/** A section's bytes, also of a compressed one; NULL if they are more than 'most'. */
Elf_Data *precis_elf_debug_data(const struct elf_source *source, const char *name, size_t most);

/** A section's bytes, once all are unpacked, when they are checked; none of one that is not there. */
struct line_bytes precis_elf_section_bytes(const struct elf_source *source, const char *name);

/**
 * Unpack all sections with debug information, of which each is in the file as a whole then.
 * @param bytes  added to: what they take
 * @return 0, PRECIS_E_BAD_SIZE: they lie, PRECIS_E_EXPANSION: 'bytes' would be more than 'most'
 */
int precis_elf_unpack_debug(const struct elf_source *source, size_t most, size_t *bytes);

struct elf_bytes;

/** Read up to 'left' bytes from a place in the file on; 'room' and 'most' are set. */
void precis_elf_read_at(const struct elf_source *source, uint64_t offset, uint64_t left,
			struct elf_bytes *bytes);

/**
 * Add the stubs of the procedure linkage table, NAME@plt. Needs the names of the
 * dynamic symbols.
 * @return 0, PRECIS_E_NO_MEMORY
 */
int precis_elf_add_plt(const struct elf_source *source, struct symbol_table *table);

#endif
