/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files that may tell of an object: itself, its copy in a build-id cache, and
 * separate debug files. None is handed out that is not certainly of the same build.
 */
#ifndef PRECIS_SYMBOLS_ELF_SEARCH_H
#define PRECIS_SYMBOLS_ELF_SEARCH_H

#include "elf_source.h"
#include "places.h"

struct elf_search {
	const struct places *places;
	const char *name; /* of the object */
	struct build_id wanted; /* recorded, or else that of the file; may be unknown */
	struct elf_source runtime; /* what ran: its segments say what lies where */
	struct elf_segments segments; /* of it */
	char runtime_path[PLACE_PATH];
	const char *runtime_root; /* that it does not leave; "" if there is none */
	char link[256]; /* .gnu_debuglink, "" if none */
	uint32_t link_crc;
	unsigned int kind, at; /* of the next candidate */
	char found_path[PLACE_PATH]; /* of the one that was handed out last, below 'found_root' */
	const char *found_root;
};

/**
 * Find and open the file that ran.
 *
 * @param name      a path in the recording, or VDSO_NAME, which only a cache has, or KERNEL_NAME, of
 *                  which a cache or a debug directory may have a vmlinux
 * @param recorded  its build id; if it is not known the file at that path is taken for it
 * @return PRECIS_SYMBOL_PRESENT, or why there is none: then there is nothing to end
 */
enum precis_symbol_absent precis_elf_search_begin(struct elf_search *search,
						  const struct places *places, const char *name,
						  const struct build_id *recorded);

/**
 * Open the next file that may tell more, the best first, in the order of perf; the
 * one that ran is among them.
 * @return 1 with a file to be closed, 0 if there are no more
 */
int precis_elf_search_next(struct elf_search *search, struct elf_source *source);

void precis_elf_search_end(struct elf_search *search);

#endif
