/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From an address of a sample to the file and the symbol that it lies in.
 *
 * The process model is fed with the recording's records in the order of their
 * times; a look-up answers for the program that the process was running at the
 * time it is asked for. Where an address lies is one question, and what the
 * file calls that place is another: the first opens no file.
 */
#ifndef PRECIS_SYMBOLS_H
#define PRECIS_SYMBOLS_H

#include <precis/export.h>
#include <precis/file.h>
#include <precis/record.h>

PRECIS_BEGIN_DECLS

struct precis_symbols;

/** Why a location has no symbol. The numbers are ABI: new ones are added at the end. */
enum precis_symbol_absent {
	PRECIS_SYMBOL_PRESENT = 0,        /* it has one */
	PRECIS_SYMBOL_NOT_ASKED = 1,      /* precis_symbols_locate() opens no file */
	PRECIS_SYMBOL_NOT_A_FILE = 2,     /* the kernel's, or no file: "[vdso]", "//anon" */
	PRECIS_SYMBOL_NO_FILE = 3,        /* the file is not there, or cannot be read as ELF */
	PRECIS_SYMBOL_OTHER_BUILD_ID = 4, /* the file is not the recorded one */
	PRECIS_SYMBOL_NONE_THERE = 5,     /* the file has no symbol at that place */
	PRECIS_SYMBOL_NOT_BUILT = 6       /* this build of the library reads no ELF files */
};

/** Where an address lies. Strings belong to the model and live as long as it does. */
struct precis_location {
	uint32_t size;      /* sizeof(struct precis_location), set by the caller */
	uint32_t is_kernel; /* 1: the address was looked up as the kernel's */
	const char *object; /* the mapped file's path in the recording, one pointer for all
			     * equal ones; NULL if none is mapped there */
	uint64_t offset;    /* of the address in that file, if 'object' is not NULL */
	const char *symbol; /* NULL: 'symbol_absent' says why */
	uint64_t symbol_offset; /* of the address from the symbol's start; 0 without a symbol */
	uint32_t symbol_absent; /* enum precis_symbol_absent */
	uint32_t reserved;
};

/** Use a file's symbols even if its build id is not the recorded one: names may be wrong. */
#define PRECIS_SYMBOLS_ANY_BUILD_ID (1u << 0)

/**
 * @param symfs  a directory that stands for the recorded machine's root; NULL: "/"
 * @param flags  PRECIS_SYMBOLS_*
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_symbols_new(const char *symfs, uint32_t flags,
				  struct precis_symbols **symbols);

/** NULL is allowed. */
PRECIS_API void precis_symbols_free(struct precis_symbols *symbols);

/** Does this build of the library read ELF files? Without elfutils a location has no symbol. */
PRECIS_API int precis_symbols_available(void);

/**
 * Learn the build ids of all files that the recording's BUILD_ID feature names.
 * A recording without it is none to complain of.
 *
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY, PRECIS_E_IO, or
 *         PRECIS_E_TRUNCATED: what stands before the broken part is learnt
 */
PRECIS_API int precis_symbols_file(struct precis_symbols *symbols,
				   const struct precis_file *file);

/**
 * Learn from a record: MMAP, MMAP2 (with its build id), COMM (exec), FORK,
 * HEADER_BUILD_ID. Others are ignored.
 *
 * @param time  of the record's sample_id; 0 where it has none: then look-ups
 *              answer for the program that ran last
 * @return 0, PRECIS_E_NO_MEMORY, or the error of a body that does not parse
 */
PRECIS_API int precis_symbols_record(struct precis_symbols *symbols,
				     const struct precis_record *record, uint64_t time);

/**
 * Find what is mapped at an address. No file is opened: there is no symbol.
 *
 * @param pid        the sample's process
 * @param is_kernel  1: look among the kernel's mappings (by the sample's cpumode)
 * @param time       of the sample; UINT64_MAX: the program that ran last. What that program
 *                   mapped last at the address is the answer
 * @param location   'size' must be set
 * @return 1 if something was found, 0 if nothing is mapped there, or negative
 */
PRECIS_API int precis_symbols_locate(struct precis_symbols *symbols, uint32_t pid, int is_kernel,
				     uint64_t time, uint64_t address,
				     struct precis_location *location);

/**
 * Find the symbol of a location: of its 'object', 'offset' and 'is_kernel'.
 * The file is read when it is first asked for.
 *
 * @return 1 if it has one, 0 if not ('symbol_absent' says why), or negative
 */
PRECIS_API int precis_symbols_name(struct precis_symbols *symbols,
				   struct precis_location *location);

/** Both at once. @return as precis_symbols_locate() */
PRECIS_API int precis_symbols_find(struct precis_symbols *symbols, uint32_t pid, int is_kernel,
				   uint64_t time, uint64_t address,
				   struct precis_location *location);

PRECIS_END_DECLS

#endif
