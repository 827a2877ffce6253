/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From an address of a sample to the file and the symbol that it lies in.
 *
 * The process model is fed with the recording's records in the order in which
 * they stand; a look-up answers with what was mapped last at that address.
 */
#ifndef PRECIS_SYMBOLS_H
#define PRECIS_SYMBOLS_H

#include <precis/export.h>
#include <precis/record.h>

PRECIS_BEGIN_DECLS

struct precis_symbols;

/** Where an address lies. Strings belong to the model and live as long as it does. */
struct precis_location {
	uint32_t size;      /* sizeof(struct precis_location), set by the caller */
	uint32_t is_kernel; /* 1: the address was looked up as the kernel's */
	const char *object; /* the mapped file's path in the recording; NULL if none is mapped there */
	uint64_t offset;    /* of the address in that file, if 'object' is not NULL */
	const char *symbol; /* NULL if the file was not found, or has no symbol there */
	uint64_t symbol_offset; /* of the address from the symbol's start, if 'symbol' is not NULL */
};

/**
 * @param symfs  a directory that stands for the recorded machine's root; NULL: "/"
 * @return 0, PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_symbols_new(const char *symfs, struct precis_symbols **symbols);

/** NULL is allowed. */
PRECIS_API void precis_symbols_free(struct precis_symbols *symbols);

/** Does this build of the library read ELF files? Without elfutils a location has no symbol. */
PRECIS_API int precis_symbols_available(void);

/**
 * Learn from a record: MMAP, MMAP2, COMM (exec), FORK. Others are ignored.
 * @return 0, PRECIS_E_NO_MEMORY, or the error of a body that does not parse
 */
PRECIS_API int precis_symbols_record(struct precis_symbols *symbols,
				     const struct precis_record *record);

/**
 * @param pid        the sample's process
 * @param is_kernel  1: look among the kernel's mappings (by the sample's cpumode)
 * @param location   'size' must be set
 * @return 1 if something was found, 0 if nothing is mapped there, or negative
 */
PRECIS_API int precis_symbols_find(struct precis_symbols *symbols, uint32_t pid, int is_kernel,
				   uint64_t address, struct precis_location *location);

PRECIS_END_DECLS

#endif
